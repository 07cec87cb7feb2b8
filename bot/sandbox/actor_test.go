package sandbox_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"kraal/bot/sandbox"
)

func TestTheAppRefusesCommands(t *testing.T) {
	b := open(t).connect()
	b.register(
		slash("place", option(3, "point", obj{"required": true, "min_length": 2, "max_length": 3}), option(4, "size", obj{"min_value": 3, "max_value": 12}),
			option(5, "rated", nil), option(6, "who", nil), option(3, "variant", obj{"choices": []any{obj{"name": "Nine", "value": "nine"}}})),
		slash("settings", option(1, "show", nil)),
		obj{"type": 2, "name": "Challenge"})
	good := map[string]any{"point": "a1"}
	plus := func(name string, v any) map[string]any { return with(good, obj{name: v}) }
	for what, c := range map[string]struct {
		who, channel, name string
		options            map[string]any
	}{
		"no such command":       {naledi, games, "move", nil},
		"required missing":      {naledi, games, "place", nil},
		"unknown option":        {naledi, games, "place", plus("colour", "red")},
		"a number for a text":   {naledi, games, "place", map[string]any{"point": 5}},
		"a text for a number":   {naledi, games, "place", plus("size", "nine")},
		"a text for a truth":    {naledi, games, "place", plus("rated", "yes")},
		"a truth for a person":  {naledi, games, "place", plus("who", true)},
		"a float":               {naledi, games, "place", plus("size", 4.5)},
		"nobody":                {naledi, games, "place", plus("who", "1")},
		"too small":             {naledi, games, "place", plus("size", 2)},
		"too large":             {naledi, games, "place", plus("size", 13)},
		"too short":             {naledi, games, "place", map[string]any{"point": "a"}},
		"too long":              {naledi, games, "place", map[string]any{"point": "a1b2"}},
		"no choice":             {naledi, games, "place", plus("variant", "ten")},
		"no base call":          {naledi, games, "settings", nil},
		"no such sub-command":   {naledi, games, "settings hide", nil},
		"sub-command of none":   {naledi, games, "place show", good},
		"a menu's as a slash":   {naledi, games, "Challenge", nil},
		"not a member":          {amara, games, "place", good},
		"somebody else's words": {thabo, b.As(naledi).Direct(), "place", good},
		"another bot":           {"200000000000000002", games, "place", good},
		"nobody's account":      {"1", games, "place", good},
		"no such channel":       {naledi, "1", "place", good},
	} {
		b.refusal(what, func(ctx context.Context) (*sandbox.Reply, error) {
			r, err := b.As(c.who).Slash(ctx, c.channel, c.name, c.options)
			var refused *sandbox.ActionError
			if err != nil && !errors.As(err, &refused) {
				t.Errorf("%s: %v is no *ActionError", what, err)
			}
			return r, err
		})
	}
	for what, focused := range map[string]string{"suggestions without autocomplete": "point", "suggestions for no option": "colour"} {
		b.refusal(what, func(ctx context.Context) (*sandbox.Reply, error) {
			_, err := b.As(naledi).Complete(ctx, games, "place", nil, focused)
			return &sandbox.Reply{}, err
		})
	}
	b.refusal("a menu on nobody", func(ctx context.Context) (*sandbox.Reply, error) {
		return b.As(naledi).UserCommand(ctx, games, "Challenge", "1")
	})
	b.slash(naledi, games, "place", plus("variant", "nine")).pass()
	b.slash(naledi, games, "settings show", nil).pass()
	if err := b.Kick(village); err != nil {
		t.Fatal(err)
	}
	<-b.events // GUILD_DELETE
	b.refusal("the bot is gone", func(ctx context.Context) (*sandbox.Reply, error) {
		return b.As(naledi).Slash(ctx, games, "place", good)
	})
}

func TestTheAppRefusesControls(t *testing.T) {
	b := open(t).connect()
	link := obj{"type": 2, "style": 5, "label": "Rules", "url": "https://example.org"}
	board := b.post(obj{"components": []any{
		row(button("go", "Go"), with(button("off", "Off"), obj{"disabled": true}), link, button("t1", "Twin"), button("t2", "Twin")),
		row(with(menu("pick", "a", "b", "c"), obj{"min_values": 2, "max_values": 2})), row(with(menu("shut", "a"), obj{"disabled": true})),
	}})
	press := func(who, message, control string) func(context.Context) (*sandbox.Reply, error) {
		return func(ctx context.Context) (*sandbox.Reply, error) { return b.As(who).Press(ctx, message, control) }
	}
	choose := func(control string, values ...string) func(context.Context) (*sandbox.Reply, error) {
		return func(ctx context.Context) (*sandbox.Reply, error) {
			return b.As(naledi).Select(ctx, board, control, values...)
		}
	}
	for what, do := range map[string]func(context.Context) (*sandbox.Reply, error){
		"disabled":             press(naledi, board, "off"),
		"a link":               press(naledi, board, "Rules"),
		"two of a label":       press(naledi, board, "Twin"),
		"no such button":       press(naledi, board, "stop"),
		"no such message":      press(naledi, "1", "go"),
		"a menu pressed":       press(naledi, board, "pick"),
		"not a member":         press(amara, board, "go"),
		"another bot":          press("200000000000000002", board, "go"),
		"a button chosen from": choose("go", "a", "b"),
		"not offered":          choose("pick", "a", "z"),
		"too few":              choose("pick", "a"),
		"too many":             choose("pick", "a", "b", "c"),
		"twice the same":       choose("pick", "a", "a"),
		"a disabled menu":      choose("shut", "a"),
		"which of two menus":   choose("", "a", "b"),
	} {
		b.refusal(what, do)
	}
	f := b.must(choose("pick", "a", "c"))
	f.answer(204, 0, 4, obj{"content": "x", "flags": 64, "components": []any{row(button("mine", "Mine"))}})
	own := f.done().Message.ID
	b.refusal("another's ephemeral", press(thabo, own, "mine"))
	b.press(naledi, own, "mine").pass()
	b.press(naledi, board, "t1").pass()
	if err := b.RemoveMember(village, naledi); err != nil {
		t.Fatal(err)
	}
	b.refusal("left the server", press(naledi, board, "go"))
}

func TestStaleAppsReachTheBot(t *testing.T) {
	b, board := playing(t)
	b.expect(200, 0, "PATCH", written+"/"+board, obj{"components": []any{}})
	b.refusal("a button that is gone", func(ctx context.Context) (*sandbox.Reply, error) { return b.As(naledi).Press(ctx, board, "go") })
	f := b.must(func(ctx context.Context) (*sandbox.Reply, error) { return b.As(naledi).PressStale(ctx, board, "go") })
	if text(f.data(), "custom_id") != "go" {
		t.Errorf("got %v", f.data())
	}
	f.pass()
	f = b.must(func(ctx context.Context) (*sandbox.Reply, error) {
		return b.As(naledi).SelectStale(ctx, board, "pick", "a")
	})
	if f.data()["component_type"] != 3.0 {
		t.Errorf("got %v", f.data())
	}
	f.pass()
}

func TestPeopleTalk(t *testing.T) {
	d := open(t)
	id, err := d.Say(naledi, games, "hello")
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := d.As(thabo).Message(id); !ok || m.Author != naledi || m.Content != "hello" {
		t.Errorf("got %+v", m)
	}
	if got := d.expect(200, 0, "GET", written+"/"+id, nil).json(); text(got, "author", "id") != naledi || got["application_id"] != nil {
		t.Errorf("got %v", got)
	}
	for _, c := range [][2]string{{amara, games}, {naledi, "1"}, {"1", games}} {
		if _, err := d.Say(c[0], c[1], "x"); err == nil {
			t.Errorf("%s spoke in %s", c[0], c[1])
		}
	}
	if _, err := d.Say(naledi, games, strings.Repeat("x", 2001)); err == nil {
		t.Error("the app took more than 2000 characters")
	}
}
