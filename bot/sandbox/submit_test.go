package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kraal/bot/sandbox"
)

func (b *bot) submit(who, opener string, fields map[string]any) *flow {
	b.t.Helper()
	return b.must(func(ctx context.Context) (*sandbox.Reply, error) { return b.As(who).Submit(ctx, opener, fields) })
}

// labelled is a part of a form with a field of its own.
func labelled(id string, kind int, more obj) obj {
	return obj{"type": 18, "label": id, "component": with(obj{"type": kind, "custom_id": id}, more)}
}

// everyField is a form with a text that must be written and one that stands there, menus, and a part that is no field.
func everyField() obj {
	return obj{"custom_id": "form", "title": "Report", "components": []any{
		labelled("name", 4, obj{"style": 1, "min_length": 2, "max_length": 5}),
		row(obj{"type": 4, "custom_id": "why", "label": "Why", "style": 2, "required": false, "value": "as ever"}),
		labelled("side", 3, obj{"options": []obj{{"label": "B", "value": "b"}, {"label": "W", "value": "w", "default": true}}}),
		labelled("whom", 5, obj{"required": false, "max_values": 2}),
		obj{"type": 10, "content": "thank you"},
	}}
}

func TestFormsAreSent(t *testing.T) {
	b := open(t).connect()
	b.register(slash("report"))
	f := b.slash(naledi, games, "report", nil)
	f.answer(204, 0, 9, everyField())
	shown := f.done()
	var told obj
	if err := json.Unmarshal(shown.Form, &told); err != nil || shown.Type != 9 || text(told, "title") != "Report" {
		t.Fatalf("the person is shown %s", shown.Form)
	}
	sent := b.submit(naledi, f.id(), map[string]any{"name": "Sam", "whom": []any{thabo}})
	data, _ := json.Marshal(sent.payload["data"].(obj)["components"])
	const want = `[{"component":{"custom_id":"name","id":2,"type":4,"value":"Sam"},"id":1,"type":18},` +
		`{"components":[{"custom_id":"why","id":4,"type":4,"value":"as ever"}],"id":3,"type":1},` +
		`{"component":{"custom_id":"side","id":6,"type":3,"values":["w"]},"id":5,"type":18},` +
		`{"component":{"custom_id":"whom","id":8,"type":5,"values":["` + thabo + `"]},"id":7,"type":18},{"id":9,"type":10}]`
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
	if sent.payload["type"] != 5.0 || text(sent.payload, "data", "custom_id") != "form" || sent.resolved("users", thabo) == nil ||
		sent.payload["message"] != nil {
		t.Errorf("the bot is told %v", sent.payload)
	}
	for _, kind := range []int{6, 7, 8, 9} { // no message to update, and no form after a form
		sent.answer(400, 50035, kind, everyField())
	}
	sent.answer(204, 0, 4, obj{"content": "thanks"})
	if r := sent.done(); r.Message.Content != "thanks" || r.Message.By != naledi {
		t.Errorf("the answer is %+v", r.Message)
	}
	origin := b.expect(200, 0, "GET", sent.original(), nil).json()["interaction_metadata"].(obj)
	if origin["type"] != 5.0 || text(origin, "triggering_interaction_metadata", "id") != f.id() {
		t.Errorf("it answers %v", origin)
	}
	if _, err := b.As(naledi).Submit(b.ctx(), f.id(), map[string]any{"name": "Sam"}); err == nil {
		t.Error("a form can be sent twice")
	}
}

// TestFormsOfControls: what a control has opened may update the control's message.
func TestFormsOfControls(t *testing.T) {
	b, board := playing(t)
	f := b.press(naledi, board, "go")
	f.answer(204, 0, 9, obj{"custom_id": "m", "title": "x", "components": []any{labelled("a", 4, obj{"style": 1})}})
	sent := b.submit(naledi, f.id(), map[string]any{"a": "x"})
	if text(sent.payload, "message", "id") != board {
		t.Errorf("the bot is told %v", sent.payload)
	}
	sent.answer(204, 0, 7, obj{"content": "filled"})
	if m, _ := b.As(naledi).Message(board); m.Content != "filled" {
		t.Errorf("the board says %q", m.Content)
	}
}

func TestFormsRefuse(t *testing.T) {
	b := open(t).connect()
	b.register(slash("report"))
	choices := []obj{{"label": "A", "value": "a"}, {"label": "B", "value": "b"}, {"label": "C", "value": "c"}}
	f := b.slash(naledi, games, "report", nil)
	f.answer(204, 0, 9, obj{"custom_id": "form", "title": "x", "components": []any{
		labelled("name", 4, obj{"style": 1, "min_length": 2, "max_length": 5}), labelled("whom", 5, obj{"required": false}),
		labelled("one", 21, obj{"options": choices, "required": false}), labelled("some", 22, obj{"options": choices, "min_values": 2}),
		labelled("ticked", 23, nil),
	}})
	fields := func(more obj) obj { return with(obj{"name": "Sam", "some": []string{"a", "b", "c"}}, more) }
	for name, wrong := range map[string]obj{
		"no name": {"some": []string{"a", "b"}}, "too short": fields(obj{"name": "S"}), "too long": fields(obj{"name": "Samuel"}),
		"not a text": fields(obj{"name": 3}), "nobody": fields(obj{"whom": "1"}), "too many": fields(obj{"whom": []string{naledi, thabo}}),
		"not offered": fields(obj{"one": "d"}), "two of one": fields(obj{"one": []string{"a", "b"}}), "too few": fields(obj{"some": "a"}),
		"twice": fields(obj{"some": []string{"a", "a"}}), "no field": fields(obj{"other": "x"}), "no tick": fields(obj{"ticked": "yes"}),
		"no values": fields(obj{"some": true}), "no texts": fields(obj{"some": []any{1, 2}}),
	} {
		_, err := b.As(naledi).Submit(b.ctx(), f.id(), wrong)
		if refused := new(sandbox.ActionError); !errors.As(err, &refused) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := b.As(thabo).Submit(b.ctx(), f.id(), fields(nil)); err == nil {
		t.Error("somebody else sends the form")
	}
	sent := b.submit(naledi, f.id(), fields(obj{"one": "b", "ticked": true}))
	raw, _ := json.Marshal(sent.payload["data"])
	for _, part := range []string{
		`"custom_id":"one","id":6,"type":21,"value":"b"`, `"id":10,"type":23,"value":true`, `"values":["a","b","c"]`,
	} {
		if !strings.Contains(string(raw), part) {
			t.Errorf("no %s in %s", part, raw)
		}
	}
	sent.answer(204, 0, 4, obj{"content": "x"})
}

// TestToolsSendForms: a tool is shown the form, and sends it.
func TestToolsSendForms(t *testing.T) {
	b := open(t).connect()
	b.register(slash("report"))
	ends := make(chan struct{})
	go func() {
		defer close(ends)
		for _, answer := range []obj{{"type": 9, "data": everyField()}, {"type": 4, "data": obj{"content": "thanks"}}} {
			p := <-b.events
			b.send("POST", "/interactions/"+p.field("id")+"/"+p.field("token")+"/callback", answer)
		}
	}()
	reply := b.did("POST", "slash", `{"as":"`+naledi+`","channel":"`+games+`","command":"report"}`)
	if text(reply, "form", "custom_id") != "form" {
		t.Errorf("the tool is shown %v", reply)
	}
	reply = b.did("POST", "submit", `{"as":"`+naledi+`","interaction":"`+text(reply, "interaction")+`","fields":{"name":"Sam"}}`)
	if text(reply, "message", "content") != "thanks" || reply["form"] != nil {
		t.Errorf("the answer is %v", reply)
	}
	<-ends
}
