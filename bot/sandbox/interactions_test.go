package sandbox_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
)

// playing is a bot with a command, a menu and a message that has a button and a menu.
func playing(t *testing.T) (*bot, string) {
	t.Helper()
	b := open(t).connect()
	b.register(slash("place", option(3, "point", obj{"autocomplete": true}), option(6, "who", nil)), obj{"type": 2, "name": "Challenge"})
	return b, b.post(obj{"content": "board", "components": []any{row(button("go", "Go")), row(menu("pick", "a", "b"))}})
}

func TestCallbackLife(t *testing.T) {
	b, _ := playing(t)
	f := b.slash(naledi, games, "place", nil)
	b.expect(404, 10062, "POST", strings.Replace(f.callbackPath(), f.id(), "1", 1), obj{"type": 4, "data": obj{"content": "x"}})
	b.expect(404, 10062, "POST", "/interactions/"+f.id()+"/wrong/callback", obj{"type": 4, "data": obj{"content": "x"}})
	b.expect(404, 10015, "PATCH", f.original(), obj{"content": "too early"})
	f.answer(400, 50035, 4, obj{"content": strings.Repeat("x", 2001)})
	f.answer(400, 50006, 4, nil)
	b.expect(400, 50109, "POST", f.callbackPath(), "{")
	if a := f.answer(204, 0, 4, obj{"content": "done"}); len(a.raw) != 0 { // refusals have not used it up
		t.Errorf("204 with %s", a.raw)
	}
	f.answer(400, 40060, 4, obj{"content": "again"})
	r := f.done()
	if r.Type != 4 || r.Message.Content != "done" || r.Message.Command != "/place" || r.Message.By != naledi || r.Message.Author != b.AppID() {
		t.Errorf("the person got %+v", r)
	}
	f = b.slash(naledi, games, "place", nil)
	b.clock.pass(3*time.Second + time.Millisecond)
	f.answer(404, 10062, 4, obj{"content": "late"})
	b.BePatient(time.Minute)
	f = b.slash(naledi, games, "place", nil)
	b.clock.pass(59 * time.Second)
	f.answer(204, 0, 4, obj{"content": "in time"})
	f = b.slash(naledi, games, "place", nil)
	b.BePatient(0)
	b.clock.pass(4 * time.Second)
	f.answer(404, 10062, 4, obj{"content": "late"})
}

func TestCallbackWithResponse(t *testing.T) {
	b, board := playing(t)
	f := b.slash(naledi, games, "place", nil)
	a := b.expect(200, 0, "POST", f.callbackPath()+"?with_response=true", obj{"type": 4, "data": obj{"content": "x", "flags": 64}}).json()
	resource := a["resource"].(obj)
	if resource["type"] != 4.0 || text(resource, "message", "content") != "x" || text(a, "interaction", "id") != f.id() ||
		text(resource, "message", "id") != text(a, "interaction", "response_message_id") {
		t.Errorf("got %v", a)
	}
	m := resource["message"].(obj)
	if m["type"] != 20.0 || m["flags"] != 64.0 || text(m, "interaction_metadata", "id") != f.id() || text(m, "webhook_id") != b.AppID() {
		t.Errorf("the message is %v", m)
	}
	for kind, told := range map[int]bool{5: false, 6: false, 7: true} {
		f := b.press(naledi, board, "go")
		a := b.expect(200, 0, "POST", f.callbackPath()+"?with_response=true", obj{"type": kind, "data": obj{}}).json()
		if _, ok := a["resource"].(obj); ok != told {
			t.Errorf("type %d: %v", kind, a)
		}
	}
}

func TestCallbackTypes(t *testing.T) {
	b, board := playing(t)
	begin := map[string]func() *flow{
		"command": func() *flow { return b.slash(naledi, games, "place", nil) },
		"button":  func() *flow { return b.press(naledi, board, "go") },
		"autocomplete": func() *flow {
			return b.must(func(ctx context.Context) (*sandbox.Reply, error) {
				_, err := b.As(naledi).Complete(ctx, games, "place", nil, "point")
				return &sandbox.Reply{}, err
			})
		},
	}
	fits := map[string]string{"command": "4 5", "button": "4 5 6 7", "autocomplete": "8"}
	data := obj{"content": "x", "choices": []any{}}
	for name, do := range begin {
		f := do()
		for kind, digit := range map[int]string{1: "1", 2: "2", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 10: "10"} {
			if !strings.Contains(fits[name], digit) {
				f.answer(400, 50035, kind, data)
			}
		}
		f.answer(204, 0, map[string]int{"command": 4, "button": 4, "autocomplete": 8}[name], data)
		for _, kind := range map[string][]int{"command": {5}, "button": {5, 6, 7}}[name] {
			do().answer(204, 0, kind, data)
		}
	}
}

func TestDeferred(t *testing.T) {
	b, _ := playing(t)
	f := b.slash(naledi, games, "place", nil)
	f.answer(400, 50035, 5, obj{"flags": 1 << 15})
	before := len(b.Violations())
	f.answer(204, 0, 5, obj{"flags": 64, "content": "is not looked at"})
	r := f.done()
	if !r.Message.Loading || !r.Message.Ephemeral || r.Message.For != naledi || r.Message.Content != "" {
		t.Errorf("while thinking: %+v", r.Message)
	}
	b.expect(200, 0, "PATCH", f.original(), obj{"flags": v2, "components": []any{words(1)}})
	m, err := r.Wait(b.ctx())
	if err != nil || m.Loading || !m.Ephemeral || m.Edited || m.Flags != 64|v2 {
		t.Errorf("at last: %+v, %v", m, err)
	}
	f = b.slash(naledi, games, "place", nil)
	f.answer(204, 0, 5, nil)
	b.expect(200, 0, "PATCH", f.original(), obj{"content": "<@" + thabo + "> and <@" + naledi + ">", "allowed_mentions": obj{"users": []string{thabo}}})
	if m, _ := f.done().Wait(b.ctx()); len(m.Mentions) != 1 || m.Mentions[0] != thabo {
		t.Errorf("pinged %v", m.Mentions)
	}
	if v := b.Violations(); len(v) != before {
		t.Errorf("violations: %v", v)
	}
}

func TestFollowUpAfterDeferralIsNoted(t *testing.T) {
	b, _ := playing(t)
	f := b.slash(naledi, games, "place", nil)
	f.answer(204, 0, 5, obj{"flags": 64})
	a := b.expect(200, 0, "POST", f.hook(), obj{"content": "x"})
	if r := f.done(); a.id() != r.Message.ID || a.json()["flags"] != 64.0 {
		t.Errorf("%v is not the original of %+v", a, r)
	}
	if v := b.Violations(); len(v) != 1 || v[0].Request.Method != "POST" || !strings.Contains(v[0].Why, "@original") {
		t.Errorf("violations: %v", v)
	}
	if next := b.expect(200, 0, "POST", f.hook(), obj{"content": "y"}); next.id() == a.id() {
		t.Error("the second follow-up is no message of its own")
	}
	if n := len(b.Violations()); n != 1 {
		t.Errorf("%d violations", n)
	}
}

func TestTokenRoutes(t *testing.T) {
	b, board := playing(t)
	f := b.slash(naledi, games, "place", nil)
	f.answer(204, 0, 4, obj{"content": "x", "flags": 64})
	own := b.expect(200, 0, "POST", f.hook(), obj{"content": "more"}).id()
	b.expect(200, 0, "GET", f.original(), nil)
	b.expect(200, 0, "PATCH", f.hook()+"/messages/"+own, obj{"content": "edited"})
	b.expect(404, 10008, "PATCH", f.hook()+"/messages/"+board, obj{"content": "not of this interaction"})
	b.expect(404, 10015, "GET", "/webhooks/1/"+text(f.payload, "token")+"/messages/@original", nil)
	b.expect(204, 0, "DELETE", f.hook()+"/messages/"+own, nil)
	b.expect(204, 0, "DELETE", f.original(), nil)
	b.expect(404, 10008, "PATCH", f.original(), obj{"content": "y"})
	if n := len(b.messages(naledi, games)); n != 1 {
		t.Errorf("%d messages; want the board", n)
	}
	f = b.slash(naledi, games, "place", nil)
	f.answer(204, 0, 4, obj{"content": "x"})
	b.clock.pass(15*time.Minute + time.Second)
	b.expect(401, 50027, "PATCH", f.original(), obj{"content": "y"})
	b.expect(401, 50027, "POST", f.hook(), obj{"content": "y"})
	b.expect(200, 0, "PATCH", written+"/"+f.done().Message.ID, obj{"content": "the bot's own way"})
}

func TestEphemeralIsForOne(t *testing.T) {
	b, _ := playing(t)
	f := b.slash(naledi, games, "place", nil)
	f.answer(204, 0, 4, obj{"content": "<@" + thabo + ">", "flags": 64})
	m := f.done().Message
	if !m.Ephemeral || m.For != naledi || len(m.Mentions) != 0 {
		t.Errorf("got %+v", m)
	}
	if _, ok := b.As(naledi).Message(m.ID); !ok {
		t.Error("it is hidden from whom it is for")
	}
	if _, ok := b.As(thabo).Message(m.ID); ok || len(b.messages(thabo, games)) != 1 {
		t.Error("others see it")
	}
	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		b.expect(404, 10008, method, written+"/"+m.ID, obj{"content": "x"})
	}
	b.expect(404, 10008, "POST", written+"/"+m.ID+"/threads", obj{"name": "x"})
	if got := b.expect(200, 0, "GET", written, nil).list(); len(got) != 1 {
		t.Errorf("listed: %v", got)
	}
	b.expect(200, 0, "PATCH", f.original(), obj{"content": "y"})
	if m, _ := b.As(naledi).Message(m.ID); m.Content != "y" || !m.Ephemeral {
		t.Errorf("edited: %+v", m)
	}
}

func TestUpdatesOfTheSource(t *testing.T) {
	b, board := playing(t)
	f := b.press(naledi, board, "go")
	f.answer(204, 0, 7, obj{"content": "moved"})
	if m := f.done().Message; m.ID != board || m.Content != "moved" || len(m.Components) != 2 || !m.Edited {
		t.Errorf("got %+v", m)
	}
	f = b.press(naledi, board, "go")
	f.answer(204, 0, 6, nil)
	b.expect(200, 0, "PATCH", f.original(), obj{"components": []any{}})
	if m, _ := b.As(thabo).Message(board); len(m.Components) != 0 || m.Content != "moved" {
		t.Errorf("got %+v", m)
	}
	f = b.must(func(ctx context.Context) (*sandbox.Reply, error) { return b.As(naledi).PressStale(ctx, board, "go") })
	if err := b.DeleteMessage(board); err != nil {
		t.Fatal(err)
	}
	f.answer(404, 10008, 7, obj{"content": "of nothing"})
	f.answer(204, 0, 4, obj{"content": "it is gone"})
	if r := f.done(); r.Failed || r.Message.Content != "it is gone" {
		t.Errorf("got %+v", r)
	}
}

func TestAnswersNeedNoPermission(t *testing.T) {
	b, _ := playing(t)
	b.allow(games, 0)
	f := b.slash(naledi, games, "place", nil)
	if text(f.payload, "app_permissions") != "0" {
		t.Errorf("app_permissions: %v", f.payload["app_permissions"])
	}
	f.answer(204, 0, 4, obj{"content": "x"})
	b.expect(403, 50001, "PATCH", written+"/"+f.done().Message.ID, obj{"content": "y"})
}

func TestSuggestions(t *testing.T) {
	b, _ := playing(t)
	got := make(chan []sandbox.Choice, 1)
	f := b.must(func(ctx context.Context) (*sandbox.Reply, error) {
		c, err := b.As(naledi).Complete(ctx, games, "place", map[string]any{"point": "a"}, "point")
		got <- c
		return &sandbox.Reply{}, err
	})
	choice := obj{"name": "a1", "value": "A1"}
	f.answer(400, 50035, 8, obj{"choices": repeat(26, func(int) any { return choice })})
	f.answer(400, 50035, 8, obj{"choices": []any{choice, obj{"name": strings.Repeat("x", 101), "value": "x"}}})
	f.answer(400, 50035, 8, obj{"choices": []any{obj{"name": "x", "value": strings.Repeat("x", 101)}}})
	f.answer(204, 0, 8, obj{"choices": []any{choice}})
	if c := <-got; len(c) != 1 || c[0] != (sandbox.Choice{Name: "a1", Value: "A1"}) {
		t.Errorf("got %v", c)
	}
}

func TestThreeSecondsFail(t *testing.T) {
	t.Parallel()
	b, _ := playing(t)
	r := b.slash(naledi, games, "place", nil).done()
	if !r.Failed {
		t.Errorf("got %+v", r)
	}
	if _, err := r.Wait(b.ctx()); err == nil {
		t.Error("there is an answer to wait for")
	}
}
