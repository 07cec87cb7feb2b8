package sandbox_test

import (
	"fmt"
	"testing"

	"kraal/bot/sandbox"
)

// TestRoles: a server tells of its roles, an interaction of those that people have, and both are kept over a restart.
func TestRoles(t *testing.T) {
	const elders = "500000000000000001"
	c := kept(t)
	c.World = sandbox.DefaultWorld()
	c.World.Servers[0].Roles = []sandbox.Role{{ID: elders, Name: "Elders", Members: []string{thabo}}}
	d := openWith(t, c)
	for range 2 {
		b := d.connect()
		b.register(slash("name", option(8, "role", nil), option(6, "who", nil)))
		var roles []obj
		for _, r := range b.shown("/guilds/" + village + "/roles").([]any) {
			roles = append(roles, r.(obj))
		}
		if len(roles) != 2 || text(roles[1], "id") != elders || text(roles[1], "name") != "Elders" || text(roles[1], "permissions") != "0" {
			t.Errorf("the roles are %v", roles)
		}
		for person, want := range map[string]string{thabo: "[" + elders + "]", naledi: "[]"} {
			f := b.slash(person, games, "name", obj{"role": elders, "who": thabo})
			member, _ := f.payload["member"].(obj)
			if got := fmt.Sprint(member["roles"]); got != want {
				t.Errorf("%s has the roles %s, want %s", person, got, want)
			}
			if who := f.resolved("members", thabo); text(f.resolved("roles", elders), "name") != "Elders" || fmt.Sprint(who["roles"]) != "["+elders+"]" {
				t.Errorf("named are %v and %v", f.resolved("roles", elders), who)
			}
			f.answer(204, 0, 4, obj{"content": "x"})
		}
		if _, err := b.As(naledi).Slash(b.ctx(), games, "name", map[string]any{"role": "5"}); err == nil {
			t.Error("a role that is not there can be named")
		}
		d = d.again(c)
	}
}
