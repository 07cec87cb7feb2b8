package sandbox_test

import (
	"slices"
	"testing"
)

// TestMembersAreSent: by id and by the beginning of a name, within what a bot without GUILD_MEMBERS may ask.
func TestMembersAreSent(t *testing.T) {
	d := open(t)
	l, _ := d.ready()
	for name, c := range map[string]struct {
		ask           obj
		want, missing []string
	}{
		"ids":           {obj{"user_ids": []string{thabo, "1", amara}}, []string{thabo}, []string{"1", amara}},
		"one id":        {obj{"user_ids": naledi, "limit": 0}, []string{naledi}, nil},
		"a name":        {obj{"query": "THA", "limit": 5}, []string{thabo}, nil},
		"nobody's name": {obj{"query": "zz", "limit": 5}, nil, nil},
		"no more":       {obj{"query": "k", "limit": 1}, []string{d.AppID()}, nil},
	} {
		l.say(8, with(c.ask, obj{"guild_id": village, "nonce": name}))
		got := l.told("GUILD_MEMBERS_CHUNK")
		var ids, missing []string
		for _, m := range got["members"].([]any) {
			ids = append(ids, text(m.(obj), "user", "id"))
		}
		all, _ := got["not_found"].([]any)
		for _, id := range all {
			missing = append(missing, id.(string))
		}
		if !slices.Equal(ids, c.want) || !slices.Equal(missing, c.missing) || text(got, "nonce") != name || got["chunk_count"] != 1.0 {
			t.Errorf("%s: got %v", name, got)
		}
	}
	for _, ask := range []obj{{"query": "", "limit": 0, "guild_id": village}, {"user_ids": thabo, "guild_id": "1"}} {
		l.say(8, ask)
	}
	l.say(1, nil)
	l.read(11) // and nothing before it
	l.say(8, "no object")
	l.closed(4002)
}
