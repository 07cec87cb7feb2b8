package sandbox_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"kraal/bot/sandbox"
)

// keys are the names of an object's fields.
func keys(o any) string {
	m, _ := o.(obj)
	return strings.Join(slices.Sorted(maps.Keys(m)), " ")
}

func (f *flow) data() obj { return f.payload["data"].(obj) }

// pass answers, so that the person is done.
func (f *flow) pass() {
	f.b.t.Helper()
	f.answer(204, 0, 4, obj{"content": "x"})
	f.done()
}

const common = "app_permissions application_id attachment_size_limit authorizing_integration_owners channel channel_id context data " +
	"entitlements guild guild_id guild_locale id locale member token type version"

func TestEventOfACommand(t *testing.T) {
	b := open(t).connect()
	b.register(slash("play", option(2, "with", obj{"options": []any{option(1, "person", obj{"options": []any{
		option(6, "who", obj{"required": true}), option(4, "size", nil), option(5, "rated", nil), option(3, "text", nil),
	}})}})))
	f := b.slash(naledi, games, "play with person", map[string]any{"who": thabo, "size": 9, "rated": true, "text": "go"})
	p := f.payload
	if got := keys(p); got != common {
		t.Errorf("fields: %s", got)
	}
	for name, want := range map[string]any{
		"type": 2.0, "version": 1.0, "application_id": b.AppID(), "guild_id": village, "channel_id": games, "locale": "en-US",
		"guild_locale": "en-US", "context": 0.0, "attachment_size_limit": float64(10 << 20),
	} {
		if p[name] != want {
			t.Errorf("%s is %v; want %v", name, p[name], want)
		}
	}
	member := p["member"].(obj)
	if text(member, "user", "id") != naledi || text(member, "user", "global_name") != "Naledi" || text(member, "permissions") == "" {
		t.Errorf("the member is %v", member)
	}
	if text(p, "channel", "id") != games || text(p, "authorizing_integration_owners", "0") != village {
		t.Errorf("channel %v, owners %v", p["channel"], p["authorizing_integration_owners"])
	}
	if got := fmt.Sprint(f.data()["options"]); got != "[map[name:with options:[map[name:person options:[map[name:who type:6 value:"+thabo+
		"] map[name:size type:4 value:9] map[name:rated type:5 value:true] map[name:text type:3 value:go]] type:1]] type:2]]" {
		t.Errorf("options: %s", got)
	}
	resolved := f.data()["resolved"].(obj)
	one := resolved["members"].(obj)[thabo].(obj)
	if keys(resolved) != "members users" || one["user"] != nil || one["deaf"] != nil || one["mute"] != nil || one["permissions"] == nil {
		t.Errorf("resolved: %v", resolved)
	}
	if text(resolved["users"].(obj)[thabo].(obj), "username") != "thabo" {
		t.Errorf("resolved: %v", resolved)
	}
	f.pass()
	f = b.slash(naledi, games, "play with person", map[string]any{"who": amara})
	if got := keys(f.data()["resolved"]); got != "users" {
		t.Errorf("of one who is no member: %s", got)
	}
	f.pass()
}

func TestEventOfABareCommand(t *testing.T) {
	b := open(t).connect()
	b.register(slash("a"))
	b.expect(200, 0, "PUT", "/applications/"+b.AppID()+"/guilds/"+village+"/commands", []obj{slash("b")})
	f := b.slash(naledi, games, "a", nil)
	if got := keys(f.data()); got != "id name type" {
		t.Errorf("a global one: %s", got)
	}
	f.pass()
	f = b.slash(naledi, games, "b", nil)
	if text(f.data(), "guild_id") != village {
		t.Errorf("a server's: %v", f.data())
	}
	f.pass()
}

func TestEventInDirectMessages(t *testing.T) {
	b := open(t).connect()
	b.register(slash("a"))
	f := b.slash(naledi, b.As(naledi).Direct(), "a", nil)
	p := f.payload
	if p["member"] != nil || p["guild_id"] != nil || text(p, "user", "id") != naledi || p["context"] != 1.0 ||
		text(p, "authorizing_integration_owners", "0") != "0" || text(p, "channel_id") != b.As(naledi).Direct() {
		t.Errorf("got %v", p)
	}
	f.pass()
}

func TestEventOfTyping(t *testing.T) {
	b := open(t).connect()
	b.register(slash("a", option(3, "first", obj{"required": true}), option(3, "point", obj{"autocomplete": true, "min_length": 2})))
	f := b.must(func(ctx context.Context) (*sandbox.Reply, error) {
		_, err := b.As(naledi).Complete(ctx, games, "a", map[string]any{"point": "x"}, "point")
		return &sandbox.Reply{}, err
	})
	if got := fmt.Sprint(f.data()["options"]); f.payload["type"] != 4.0 || got != "[map[focused:true name:point type:3 value:x]]" {
		t.Errorf("got %v %s", f.payload["type"], got)
	}
	f.answer(204, 0, 8, obj{"choices": []any{}})
}

func TestEventOfControls(t *testing.T) {
	b, board := playing(t)
	f := b.press(thabo, board, "Go") // by its label
	if p := f.payload; p["type"] != 3.0 || text(p, "message", "id") != board || text(p, "message", "author", "id") != b.AppID() ||
		keys(p["data"]) != "component_type custom_id" || f.data()["component_type"] != 2.0 || text(f.data(), "custom_id") != "go" {
		t.Errorf("a button: %v", p)
	}
	if got := keys(f.payload); got != strings.Replace(common, "member token", "member message token", 1) {
		t.Errorf("fields: %s", got)
	}
	f.pass()
	f = b.must(func(ctx context.Context) (*sandbox.Reply, error) { return b.As(thabo).Select(ctx, board, "", "b") })
	if got := fmt.Sprint(f.data()); got != "map[component_type:3 custom_id:pick values:[b]]" {
		t.Errorf("a menu: %s", got)
	}
	f.pass()
}

func TestEventOfAPersonsMenu(t *testing.T) {
	b, _ := playing(t)
	f := b.must(func(ctx context.Context) (*sandbox.Reply, error) {
		return b.As(naledi).UserCommand(ctx, games, "Challenge", thabo)
	})
	if d := f.data(); keys(d) != "id name resolved target_id type" || d["type"] != 2.0 || text(d, "target_id") != thabo ||
		text(d["resolved"].(obj)["users"].(obj)[thabo].(obj), "id") != thabo {
		t.Errorf("got %v", d)
	}
	f.pass()
}

func TestEventOfAMenuOfPeople(t *testing.T) {
	b, _ := playing(t)
	board := b.post(obj{"components": []any{row(obj{"type": 5, "custom_id": "whom"})}})
	choose := func(whom string) func(context.Context) (*sandbox.Reply, error) {
		return func(ctx context.Context) (*sandbox.Reply, error) { return b.As(naledi).Select(ctx, board, "", whom) }
	}
	f := b.must(choose(thabo))
	resolved := f.data()["resolved"].(obj)
	if keys(f.data()) != "component_type custom_id resolved values" || text(resolved["users"].(obj)[thabo].(obj), "id") != thabo ||
		resolved["members"].(obj)[thabo] == nil {
		t.Errorf("a member: got %v", f.data())
	}
	f.pass()
	f = b.must(choose(amara))
	if resolved := f.data()["resolved"].(obj); resolved["users"].(obj)[amara] == nil || resolved["members"] != nil {
		t.Errorf("somebody from elsewhere: got %v", resolved)
	}
	f.pass()
	b.refusal("nobody", choose("1"))
}
