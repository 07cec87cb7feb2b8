package sandbox_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"kraal/bot/sandbox"
)

// resolved is what an interaction's data say of what they name.
func (f *flow) resolved(kind, id string) obj {
	data, _ := f.payload["data"].(obj)
	all, _ := data["resolved"].(obj)
	of, _ := all[kind].(obj)
	one, _ := of[id].(obj)
	return one
}

func TestOptionsAreResolved(t *testing.T) {
	b := open(t).connect()
	b.register(slash("seat",
		option(6, "who", nil), option(7, "where", nil), option(8, "role", nil), option(9, "any", nil), option(10, "stake", obj{"min_value": 0.5}),
	))
	given := obj{"who": thabo, "where": general, "role": village, "any": naledi, "stake": 1.5}
	f := b.slash(naledi, games, "seat", given)
	who, where := f.resolved("members", thabo), f.resolved("channels", general)
	if text(f.resolved("users", thabo), "username") != "thabo" || who["permissions"] == nil || who["user"] != nil || who["deaf"] != nil {
		t.Errorf("the person is %v", who)
	}
	if text(where, "name") != "general" || text(where, "permissions") == "" || text(where, "app_permissions") == "" ||
		where["permission_overwrites"] != nil {
		t.Errorf("the channel is %v", where)
	}
	if text(f.resolved("roles", village), "name") != "@everyone" || f.resolved("users", naledi) == nil {
		t.Errorf("the role is %v", f.resolved("roles", village))
	}
	f.answer(204, 0, 4, obj{"content": "x"})
	f = b.slash(naledi, games, "seat", map[string]any{"any": village})
	if f.resolved("roles", village) == nil {
		t.Errorf("either kind: %v", f.payload["data"])
	}
	if err := b.Hide(general, thabo, true); err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string]map[string]any{
		"nobody": {"who": "1"}, "no channel": {"where": "1"}, "another server's channel": {"where": "400000000000000004"},
		"a hidden channel": {"where": general}, "no role": {"role": "1"}, "neither": {"any": "1"},
		"too little": {"stake": 0.25}, "a number for a person": {"who": 1.5}, "a text for a number": {"stake": "1.5"},
	} {
		_, err := b.As(thabo).Slash(b.ctx(), games, "seat", wrong)
		if refused := new(sandbox.ActionError); !errors.As(err, &refused) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestMenusAreResolved(t *testing.T) {
	b := open(t).connect()
	choose := func(id string, kind int) any { return row(obj{"type": kind, "custom_id": id, "max_values": 2}) }
	id := b.post(obj{"components": []any{
		choose("who", 5), choose("role", 6), choose("any", 7), choose("where", 8), row(menu("pick", village)),
	}})
	for _, c := range []struct {
		control string
		want    map[string]string // a value: as what it is resolved
	}{
		{"who", map[string]string{thabo: "users", naledi: "members"}}, {"role", map[string]string{village: "roles"}},
		{"any", map[string]string{village: "roles", thabo: "users"}}, {"where", map[string]string{general: "channels"}},
	} {
		f := b.choose(id, c.control, slices.Sorted(maps.Keys(c.want))...)
		for value, kind := range c.want {
			if f.resolved(kind, value) == nil {
				t.Errorf("%s %s: %v", c.control, value, f.payload["data"])
			}
		}
		f.answer(204, 0, 6, nil)
	}
	f := b.choose(id, "pick", village)
	if data := f.payload["data"].(obj); data["resolved"] != nil {
		t.Errorf("a menu of texts: %v", data)
	}
	f.answer(204, 0, 6, nil)
	for control, value := range map[string]string{"who": "1", "role": thabo, "any": games, "where": "400000000000000004"} {
		_, err := b.As(naledi).Select(b.ctx(), id, control, value)
		if refused := new(sandbox.ActionError); !errors.As(err, &refused) {
			t.Errorf("%s %s: got %v", control, value, err)
		}
	}
}

// choose lets naledi choose from a menu.
func (b *bot) choose(message, control string, values ...string) *flow {
	b.t.Helper()
	return b.must(func(ctx context.Context) (*sandbox.Reply, error) {
		return b.As(naledi).Select(ctx, message, control, values...)
	})
}

// TestMessageCommands: a command of a message's menu is given the message, whoever wrote it and whatever the intents.
func TestMessageCommands(t *testing.T) {
	b := open(t).connect()
	b.register(obj{"type": 3, "name": "Quote"})
	id, err := b.Say(thabo, games, "good morning")
	if err != nil {
		t.Fatal(err)
	}
	f := b.must(func(ctx context.Context) (*sandbox.Reply, error) {
		return b.As(naledi).MessageCommand(ctx, "Quote", id)
	})
	if m := f.resolved("messages", id); text(m, "content") != "good morning" || text(f.payload, "data", "target_id") != id {
		t.Errorf("the bot is told %v", f.payload["data"])
	}
	f.answer(204, 0, 4, obj{"content": "x"})
	if r := f.done(); r.Message.Command != "Quote" {
		t.Errorf("the answer is to %q", r.Message.Command)
	}
	for _, wrong := range []string{"1", ""} {
		if _, err := b.As(naledi).MessageCommand(b.ctx(), "Quote", wrong); err == nil {
			t.Errorf("message %q has a menu", wrong)
		}
	}
	if _, err := b.As(naledi).UserCommand(b.ctx(), games, "Quote", thabo); err == nil {
		t.Error("a person has a message's menu")
	}
}
