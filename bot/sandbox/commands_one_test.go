package sandbox_test

import (
	"fmt"
	"testing"
)

// TestOneCommand: reading and changing a single command, in both scopes.
func TestOneCommand(t *testing.T) {
	d := open(t)
	for _, scope := range []string{"", "/guilds/" + village} {
		path := "/applications/" + d.AppID() + scope + "/commands"
		made := d.expect(201, 0, "POST", path, slash("place", option(3, "point", nil))).json()
		d.expect(201, 0, "POST", path, slash("move"))
		one := path + "/" + text(made, "id")
		changed := d.expect(200, 0, "PATCH", one, obj{"name": "put", "type": 2}).json()
		if text(changed, "id") != text(made, "id") || text(changed, "name") != "put" || text(changed, "description") != "d" || changed["type"] != 1.0 {
			t.Errorf("changed to %v", changed)
		}
		if len(changed["options"].([]any)) != 1 || text(changed, "version") == text(made, "version") {
			t.Errorf("the options or the version: %v, then %v", made, changed)
		}
		if got := d.expect(200, 0, "GET", one, nil).json(); fmt.Sprint(got) != fmt.Sprint(changed) {
			t.Errorf("read %v; want %v", got, changed)
		}
		d.expect(400, 50035, "PATCH", one, obj{"name": "move"})
		d.expect(400, 50035, "PATCH", one, obj{"name": "Put"})
		d.expect(404, 10063, "PATCH", path+"/1", obj{"name": "x"})
		d.expect(404, 10063, "GET", path+"/1", nil)
		d.expect(204, 0, "DELETE", one, nil)
		d.expect(404, 10063, "GET", one, nil)
	}
}

// TestCommandsSayWhatIsTakenForGranted: what a bot leaves out is told by Discord.
func TestCommandsSayWhatIsTakenForGranted(t *testing.T) {
	d := open(t)
	got := d.register(slash("place"), with(slash("move"), obj{"contexts": []int{0}, "default_member_permissions": "32"}))
	if got[0]["nsfw"] != false || fmt.Sprint(got[0]["contexts"]) != "[0 1 2]" || fmt.Sprint(got[0]["integration_types"]) != "[0]" {
		t.Errorf("got %v", got[0])
	}
	if p, there := got[0]["default_member_permissions"]; p != nil || !there {
		t.Errorf("got %v", got[0])
	}
	if fmt.Sprint(got[1]["contexts"]) != "[0]" || got[1]["default_member_permissions"] != "32" {
		t.Errorf("got %v", got[1])
	}
}
