package wire

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"
)

// overwrite allows and denies for a role or a member.
func overwrite(id string, allow, deny int64) map[string]any {
	return map[string]any{"id": id, "type": 0, "allow": strconv.FormatInt(allow, 10), "deny": strconv.FormatInt(deny, 10)}
}

func textChannel(id string, position int, overwrites ...any) map[string]any {
	return map[string]any{"id": id, "type": 0, "position": position, "permission_overwrites": overwrites}
}

func role(id string, permissions int64) map[string]any {
	return map[string]any{"id": id, "permissions": strconv.FormatInt(permissions, 10)}
}

// arrival is a GUILD_CREATE in which everyone may see and write; more takes the place of its fields.
func arrival(more map[string]any) map[string]any {
	const view, send = permViewChannel, permSendMessages
	e := map[string]any{
		"id": serverID, "joined_at": "2026-08-01T10:20:30.4+00:00", "owner_id": "1", "system_channel_id": nil,
		"roles":   []any{role(serverID, view|send), role("31", 0)},
		"members": []any{map[string]any{"user": map[string]any{"id": appID}, "roles": []string{"31"}}},
		"channels": []any{
			textChannel("12", 1), textChannel("11", 1), textChannel("13", 0),
			map[string]any{"id": "20", "type": 4, "position": 0}, map[string]any{"id": "21", "type": 2, "position": 0},
		},
	}
	for k, v := range more {
		e[k] = v
	}
	return e
}

// TestWritable works the channels out in which the bot may write, by Discord's own order of roles and overwrites.
func TestWritable(t *testing.T) {
	t.Parallel()
	const view, send, admin = permViewChannel, permSendMessages, permAdministrator
	nobody := overwrite(serverID, 0, send)
	in := func(parent string, ch map[string]any) map[string]any { ch["parent_id"] = parent; return ch }
	for name, test := range map[string]struct {
		more map[string]any
		want string
	}{
		"from the top":        {nil, "[13 11 12]"},
		"system channel":      {map[string]any{"system_channel_id": "12"}, "[12 13 11]"},
		"system channel gone": {map[string]any{"system_channel_id": "99"}, "[13 11 12]"},
		"categories": {map[string]any{"channels": []any{
			in("20", textChannel("11", 0)), in("30", textChannel("12", 0)), textChannel("13", 5),
			map[string]any{"id": "20", "type": 4, "position": 1}, map[string]any{"id": "30", "type": 4, "position": 0},
		}}, "[13 12 11]"},
		"denied to everyone": {map[string]any{"system_channel_id": "11", "channels": []any{textChannel("11", 0, nobody), textChannel("12", 1)}}, "[12]"},
		"hidden":             {map[string]any{"channels": []any{textChannel("11", 0, overwrite(serverID, 0, view)), textChannel("12", 1)}}, "[12]"},
		"a role allows":      {map[string]any{"channels": []any{textChannel("11", 0, nobody, overwrite("31", send, 0))}}, "[11]"},
		"another role does":  {map[string]any{"channels": []any{textChannel("11", 0, nobody, overwrite("32", send, 0))}}, "[]"},
		"the member may not": {map[string]any{"channels": []any{textChannel("11", 0, overwrite("31", send, 0), overwrite(appID, 0, send))}}, "[]"},
		"the member may":     {map[string]any{"channels": []any{textChannel("11", 0, overwrite(appID, send, 0), nobody)}}, "[11]"},
		"roles give nothing": {map[string]any{"roles": []any{role(serverID, view)}}, "[]"},
		"its own role gives": {map[string]any{"roles": []any{role(serverID, view), role("31", send)}}, "[13 11 12]"},
		"an administrator": {map[string]any{
			"roles": []any{role(serverID, 0), role("31", admin)}, "channels": []any{textChannel("11", 0, nobody)},
		}, "[11]"},
		"nothing told":   {map[string]any{"roles": nil}, "[13 11 12]"},
		"no channels":    {map[string]any{"channels": nil}, "[]"},
		"odd parts":      {map[string]any{"members": "x", "owner_id": 5, "channels": []any{"x", nil, textChannel("11", 0)}}, "[11]"},
		"no such member": {map[string]any{"members": []any{}, "channels": []any{textChannel("11", 0, nobody, overwrite("31", send, 0))}}, "[]"},
	} {
		text, err := json.Marshal(arrival(test.more))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(part[rawServer](text).writable(appID)); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// TestServers: arrivals and removals are told in the order of their events; outages and events without an id are neither.
func TestServers(t *testing.T) {
	t.Parallel()
	told := make(chan string, 100)
	d := newStub(t)
	d.connect = func(_ int, k *socket) {
		k.hello(40000)
		k.begin()
		k.dispatch("GUILD_CREATE", arrival(nil))
		k.dispatch("GUILD_CREATE", map[string]any{"id": serverID, "unavailable": true})
		k.dispatch("GUILD_DELETE", map[string]any{"id": serverID, "unavailable": true})
		k.dispatch("GUILD_CREATE", map[string]any{"name": "without an id"})
		k.dispatch("GUILD_DELETE", map[string]any{})
		for range 20 {
			k.dispatch("GUILD_DELETE", map[string]any{"id": serverID})
			k.dispatch("GUILD_CREATE", arrival(map[string]any{"joined_at": "soon"}))
		}
		k.listen()
	}
	d.start(func(cfg *Config) {
		cfg.Arrived = func(s Server) { told <- fmt.Sprint("in ", s.ID, s.Writable, s.Joined.Format(time.RFC3339Nano)) }
		cfg.Left = func(server string) { told <- "out " + server }
	})
	want := []string{"in " + serverID + "[13 11 12]2026-08-01T10:20:30.4Z"}
	for range 20 {
		want = append(want, "out "+serverID, "in "+serverID+"[13 11 12]0001-01-01T00:00:00Z")
	}
	for i, one := range want {
		select {
		case got := <-told:
			if got != one {
				t.Fatalf("event %d: got %q, want %q", i, got, one)
			}
		case <-time.After(15 * time.Second):
			t.Fatalf("event %d: not told, want %q", i, one)
		}
	}
}

// TestChosen: a menu of people tells who was chosen, and whether they are members.
func TestChosen(t *testing.T) {
	t.Parallel()
	chosen := func(values []string) Interaction {
		return parsed(t, event(1, 3, map[string]any{"custom_id": "k1", "component_type": 5, "values": values, "resolved": map[string]any{
			"users":   map[string]any{"11": map[string]any{"id": "11", "username": "kabelo"}, "12": map[string]any{"username": "guest"}},
			"members": map[string]any{"11": map[string]any{"nick": "Kabs"}},
		}}, nil))
	}
	if u, ok := chosen([]string{"11"}).Chosen(); !ok || u != (User{ID: "11", Name: "Kabs", Member: true}) {
		t.Errorf("a member: got %+v, %v", u, ok)
	}
	if u, ok := chosen([]string{"12"}).Chosen(); !ok || u != (User{ID: "12", Name: "guest"}) {
		t.Errorf("a guest: got %+v, %v", u, ok)
	}
	for _, values := range [][]string{nil, {"11", "12"}, {"a7"}} {
		if u, ok := chosen(values).Chosen(); ok {
			t.Errorf("%q: got %+v", values, u)
		}
	}
}
