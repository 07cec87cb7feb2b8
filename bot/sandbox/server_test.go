package sandbox_test

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestServerTellsWhereToWrite: the event of a server says which channel is for notices, what everyone may do, and where
// the bot may do less or more; and when the bot came.
func TestServerTellsWhereToWrite(t *testing.T) {
	d := open(t)
	if err := d.SetPermissions(general, 1<<10|1<<13); err != nil {
		t.Fatal(err)
	}
	l, _ := d.ready()
	invited := func() (o struct {
		System   string `json:"system_channel_id"`
		Joined   string `json:"joined_at"`
		Roles    []struct{ ID, Permissions string }
		Channels []struct {
			ID         string
			Overwrites []struct{ ID, Allow, Deny string } `json:"permission_overwrites"`
		}
	}) {
		if err := d.Invite(village); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(l.event("GUILD_CREATE").Data, &o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	g := invited()
	const all = 1<<10 | 1<<11 | 1<<14 | 1<<15 | 1<<16 | 1<<35 | 1<<38
	if g.System != games || len(g.Roles) != 1 || g.Roles[0].ID != village || g.Roles[0].Permissions != fmt.Sprint(all) {
		t.Errorf("got %+v", g)
	}
	for _, ch := range g.Channels {
		want := "[]"
		if ch.ID == general {
			want = fmt.Sprintf("[{%s %d %d}]", d.AppID(), 1<<10|1<<13, all&^(1<<10))
		}
		if got := fmt.Sprint(ch.Overwrites); got != want {
			t.Errorf("%s: got %s, want %s", ch.ID, got, want)
		}
	}
	if again := invited(); again.Joined != g.Joined {
		t.Errorf("told twice, it came at %s and at %s", g.Joined, again.Joined)
	}
	if err := d.Kick(village); err != nil {
		t.Fatal(err)
	}
	l.event("GUILD_DELETE")
	if after := invited(); after.Joined <= g.Joined {
		t.Errorf("invited again, it came at %s, before at %s", after.Joined, g.Joined)
	}
}
