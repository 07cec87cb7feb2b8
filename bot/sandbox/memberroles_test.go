package sandbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"kraal/bot/sandbox"
)

// TestMemberRoles: roles are given and taken as Discord describes it, where the bot may, and are kept over a restart.
func TestMemberRoles(t *testing.T) {
	const crown = "500000000000000001"
	c := kept(t)
	c.World = sandbox.DefaultWorld()
	c.World.Servers[0].Roles = []sandbox.Role{{ID: crown, Name: "Champion", Members: []string{thabo}}}
	d := openWith(t, c)
	path := func(server, person, role string) string {
		return fmt.Sprintf("/guilds/%s/members/%s/roles/%s", server, person, role)
	}
	d.expect(http.StatusForbidden, 50013, "PUT", path(village, naledi, crown), nil)
	if err := d.ManageRoles(village, true); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it changes nothing
		d.expect(http.StatusNoContent, 0, "PUT", path(village, naledi, crown), nil)
		d.expect(http.StatusNoContent, 0, "DELETE", path(village, thabo, crown), nil)
		if one, other := d.RolesOf(village, naledi), d.RolesOf(village, thabo); len(one) != 1 || len(other) != 0 {
			t.Errorf("they have %v and %v", one, other)
		}
	}
	d.expect(http.StatusNotFound, 10004, "PUT", path("1", naledi, crown), nil)
	d.expect(http.StatusNotFound, 10007, "PUT", path(village, "100000000000000006", crown), nil)
	d.expect(http.StatusNotFound, 10011, "PUT", path(village, naledi, "5"), nil)
	d.expect(http.StatusBadRequest, 50028, "PUT", path(village, naledi, village), nil)
	if got := c.World.Servers[0].Roles[0].Members; len(got) != 1 || got[0] != thabo {
		t.Errorf("the world that was handed in has changed: %v", got)
	}
	d = d.again(c)
	if got := d.RolesOf(village, naledi); len(got) != 1 || got[0] != crown {
		t.Errorf("after a restart she has %v", got)
	}
	d.expect(http.StatusNoContent, 0, "DELETE", path(village, naledi, crown), nil)
}

// TestReasons: why something was done is read from its header, and bounded.
func TestReasons(t *testing.T) {
	const crown = "500000000000000001"
	world := sandbox.DefaultWorld()
	world.Servers[0].Roles = []sandbox.Role{{ID: crown, Name: "Champion"}}
	d := openWith(t, sandbox.Config{World: world})
	if err := d.ManageRoles(village, true); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/guilds/%s/members/%s/roles/%s", village, naledi, crown)
	for reason, want := range map[string]int{"first%20of%20all": http.StatusNoContent, strings.Repeat("x", 513): http.StatusBadRequest} {
		r, err := http.NewRequestWithContext(d.ctx(), http.MethodPut, d.API()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bot "+d.Token())
		r.Header.Set("X-Audit-Log-Reason", reason)
		if got := d.roundTrip(r); got.status != want {
			t.Errorf("a reason of %d bytes: %v, want status %d", len(reason), got, want)
		}
	}
	said := 0
	for _, r := range d.Requests() {
		if r.Reason == "first of all" {
			said++
		}
	}
	if said != 1 {
		t.Errorf("the reason is noted with %d requests, want one", said)
	}
}
