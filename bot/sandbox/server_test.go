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
	if g.System != games || len(g.Roles) != 1 || g.Roles[0].ID != village {
		t.Fatalf("got %+v", g)
	}
	const usual = uint64(1<<10 | 1<<11 | 1<<14 | 1<<15 | 1<<16 | 1<<35 | 1<<38)
	number := func(s string) (n uint64) {
		if _, err := fmt.Sscan(s, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, ch := range g.Channels {
		// What the bot may do: everyone's, less what is denied it here, and what is allowed it (topics/permissions).
		may := number(g.Roles[0].Permissions)
		for _, o := range ch.Overwrites {
			if o.ID == d.AppID() {
				may = may&^number(o.Deny) | number(o.Allow)
			}
		}
		want := usual
		if ch.ID == general {
			want = 1<<10 | 1<<13
		}
		if may&(usual|1<<13) != want {
			t.Errorf("%s: the bot is told that it may do %b, want %b", ch.ID, may, want)
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
