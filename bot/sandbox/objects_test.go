package sandbox_test

import (
	"encoding/json"
	"strconv"
	"testing"
)

// TestServersAreWhole: the first thing that a bot hears of a server has what its cache is made of.
func TestServersAreWhole(t *testing.T) {
	d := open(t)
	l := d.greeted()
	l.say(2, d.identity(1))
	l.event("READY")
	srv := l.told("GUILD_CREATE")
	for _, field := range []string{
		"channels", "threads", "members", "roles", "presences", "voice_states", "stage_instances", "features", "emojis",
	} {
		if _, ok := srv[field].([]any); !ok {
			t.Errorf("%s is %v", field, srv[field])
		}
	}
	role := srv["roles"].([]any)[0].(obj)
	if text(role, "id") != village || text(role, "name") != "@everyone" || text(role, "permissions") == "" {
		t.Errorf("the role is %v", role)
	}
	me := srv["members"].([]any)[0].(obj)
	if len(srv["members"].([]any)) != 1 || text(me, "user", "id") != d.AppID() || me["permissions"] != nil {
		t.Errorf("the members are %v", srv["members"])
	}
	for i, one := range srv["channels"].([]any) {
		if ch := one.(obj); ch["position"] != float64(i) || len(ch["permission_overwrites"].([]any)) != 0 {
			t.Errorf("channel %d is %v", i, ch)
		}
	}
	if _, ok := srv["afk_timeout"].(float64); !ok || srv["unavailable"] != false {
		t.Errorf("the server is %v", srv)
	}
}

// TestOverwritesTellWhatIsAllowed: a bot that reckons its permissions as documented comes to what the sandbox holds it to.
func TestOverwritesTellWhatIsAllowed(t *testing.T) {
	d := open(t)
	l, _ := d.ready()
	base := d.expect(200, 0, "GET", "/guilds/"+village+"/roles", nil).list()[0]
	for _, allow := range []uint64{0, view, view | write, view | 1<<34} {
		d.allow(games, allow)
		has := number(t, text(base, "permissions"))
		for _, o := range l.told("CHANNEL_UPDATE")["permission_overwrites"].([]any) {
			if text(o.(obj), "id") == d.AppID() {
				has = has&^number(t, text(o.(obj), "deny")) | number(t, text(o.(obj), "allow"))
			}
		}
		if has&^(1<<31) != allow {
			t.Errorf("allowed %b; told %b", allow, has)
		}
	}
	d.allow(games, view|write)
	l.event("CHANNEL_UPDATE")
	if err := d.Hide(games, thabo, true); err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(l.told("CHANNEL_UPDATE")["permission_overwrites"])
	var told []struct{ ID, Allow, Deny string }
	if err := json.Unmarshal(raw, &told); err != nil || len(told) != 2 || told[0].ID != thabo || told[0].Deny != "1024" {
		t.Errorf("of who does not see it: %s", raw)
	}
}

func number(t *testing.T, s string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestServersByRequest(t *testing.T) {
	d := open(t)
	if got := d.expect(200, 0, "GET", "/guilds/"+village+"?with_counts=true", nil).json(); got["approximate_member_count"] != 7.0 {
		t.Errorf("the server is %v", got)
	}
	if got := d.expect(200, 0, "GET", "/guilds/"+village+"/channels", nil).list(); len(got) != 3 || text(got[0], "id") != games {
		t.Errorf("the channels are %v", got)
	}
	d.expect(404, 10004, "GET", "/guilds/1/channels", nil)
	d.expect(404, 10004, "GET", "/guilds/1/roles", nil)
	direct := d.expect(200, 0, "GET", "/channels/"+d.As(naledi).Direct(), nil).json()
	if people, _ := direct["recipients"].([]any); len(people) != 1 || text(people[0].(obj), "id") != naledi || direct["name"] != nil {
		t.Errorf("direct messages are %v", direct)
	}
}

// TestArchivedThreadsAreNotTold: a server tells of its open threads alone when the bot arrives.
func TestArchivedThreadsAreNotTold(t *testing.T) {
	d := open(t)
	var ids []string
	for _, name := range []string{"open", "quiet"} {
		ids = append(ids, d.expect(201, 0, "POST", "/channels/"+games+"/threads", obj{"name": name, "type": 11}).id())
	}
	if err := d.ArchiveThread(ids[1], false); err != nil {
		t.Fatal(err)
	}
	l := d.greeted()
	l.say(2, d.identity(1))
	l.event("READY")
	if threads := l.told("GUILD_CREATE")["threads"].([]any); len(threads) != 1 || text(threads[0].(obj), "id") != ids[0] {
		t.Errorf("told of %v", threads)
	}
}
