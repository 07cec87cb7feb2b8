package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/gorilla/websocket"

	"kraal/bot/sandbox"
)

// object is JSON.
type object = map[string]any

// rawBot is a bot of a few lines, for what Kraal does not use of the platform: it answers each interaction as a test says.
type rawBot struct {
	t      *testing.T
	sb     *sandbox.Sandbox
	answer func(in rawInteraction) object

	mu   sync.Mutex
	said []rawInteraction
}

type rawInteraction struct {
	ID, Token string
	Type      int
	Data      struct {
		Name       string
		CustomID   string `json:"custom_id"`
		Values     []string
		Components []struct {
			Component struct {
				CustomID string `json:"custom_id"`
				Value    any
				Values   []string
			}
		}
	}
}

func newRawBot(t *testing.T, commands []object, answer func(in rawInteraction) object) *rawBot {
	t.Helper()
	sb, err := sandbox.Start(sandbox.Config{Allowance: 50})
	if err != nil {
		t.Fatal(err)
	}
	b := &rawBot{t: t, sb: sb, answer: answer}
	ws, response, err := websocket.DefaultDialer.Dial("ws"+sb.API()[len("http"):len(sb.API())-len("/api/v9")]+"/gateway/?v=9&encoding=json", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	ended := make(chan struct{})
	t.Cleanup(func() {
		_ = ws.Close()
		<-ended
		if err := sb.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := ws.WriteJSON(object{"op": 2, "d": object{"token": sb.Token(), "intents": 1, "properties": object{}}}); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(ended)
		b.listen(ws)
	}()
	b.send("PUT", "/applications/"+sb.AppID()+"/commands", commands)
	if err := sb.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *rawBot) listen(ws *websocket.Conn) {
	for {
		var event struct {
			Type string         `json:"t"`
			Data rawInteraction `json:"d"`
		}
		if ws.ReadJSON(&event) != nil {
			return
		}
		if event.Type != "INTERACTION_CREATE" {
			continue
		}
		b.mu.Lock()
		b.said = append(b.said, event.Data)
		b.mu.Unlock()
		b.send("POST", "/interactions/"+event.Data.ID+"/"+event.Data.Token+"/callback", b.answer(event.Data))
	}
}

func (b *rawBot) send(method, path string, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		b.t.Error(err)
		return
	}
	r, err := http.NewRequest(method, b.sb.API()+path, bytes.NewReader(raw))
	if err != nil {
		b.t.Error(err)
		return
	}
	r.Header.Set("Authorization", "Bot "+b.sb.Token())
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Error(err)
		return
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= 300 {
		b.t.Errorf("%s %s: %s", method, path, response.Status)
	}
}

// last is the interaction that came last.
func (b *rawBot) last() rawInteraction {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.said) == 0 {
		return rawInteraction{}
	}
	return b.said[len(b.said)-1]
}

// everyComponent is a message of the newer layout with each thing that may stand in one.
func everyComponent() object {
	button := func(style int, id string) object {
		return object{"type": 2, "style": style, "label": "Style " + fmt.Sprint(style), "custom_id": id}
	}
	return object{"flags": 1 << 15, "components": []object{
		{"type": 17, "accent_color": 0xff8800, "components": []object{
			{"type": 10, "content": "# A heading\nWith **bold**, <t:1786017600:R> and ||a secret||"},
			{"type": 14, "divider": true, "spacing": 2},
			{"type": 9, "components": []object{{"type": 10, "content": "Beside a button"}}, "accessory": button(1, "beside")},
		}},
		{"type": 1, "components": []object{button(1, "a"), button(2, "b"), button(3, "c"), button(4, "d"),
			{"type": 2, "style": 5, "label": "A link", "url": "https://example.com/"}}},
		{"type": 1, "components": []object{{"type": 3, "custom_id": "several", "min_values": 1, "max_values": 2, "placeholder": "Up to two", "options": []object{
			{"label": "One", "value": "1", "description": "the first"}, {"label": "Two", "value": "2"}, {"label": "Three", "value": "3"}}}}},
		{"type": 1, "components": []object{{"type": 5, "custom_id": "whom", "placeholder": "Somebody"}}},
		{"type": 1, "components": []object{{"type": 8, "custom_id": "where", "placeholder": "Somewhere"}}},
	}}
}

func aForm() object {
	label := func(label string, component object) object {
		return object{"type": 18, "label": label, "component": component}
	}
	return object{"custom_id": "form", "title": "A form", "components": []object{
		label("Name", object{"type": 4, "style": 1, "custom_id": "name", "required": true}),
		label("Story", object{"type": 4, "style": 2, "custom_id": "story", "required": false}),
		label("Which", object{"type": 3, "custom_id": "which", "options": []object{{"label": "Left", "value": "l"}, {"label": "Right", "value": "r"}}}),
	}}
}

// TestPageShowsEveryComponent: what a bot may show is shown, and what people do with it reaches the bot.
func TestPageShowsEveryComponent(t *testing.T) {
	b := newRawBot(t, []object{{"name": "show", "type": 1, "description": "Show everything"}, {"name": "form", "type": 1, "description": "Show a form"}},
		func(in rawInteraction) object {
			switch {
			case in.Data.Name == "form":
				return object{"type": 9, "data": aForm()}
			case in.Type == 2:
				return object{"type": 4, "data": everyComponent()}
			}
			return object{"type": 4, "data": object{"content": "Heard " + in.Data.CustomID, "flags": 64}}
		})
	p := newChromium(t).beside(b.sb, sandbox.DefaultWorld().Servers[0].Members[0], "Naledi", 1280, 1100)
	p.command("show")
	p.shows("Beside a button")
	p.until("the colours and shapes", `getComputedStyle(document.querySelector(".box.accent")).borderLeftColor === "rgb(255, 136, 0)" &&
		document.querySelector(".box h4").textContent === "A heading" && document.querySelector("hr.wide") && document.querySelector(".section .beside button") &&
		document.querySelector('a.button[href="https://example.com/"]').rel.includes("noopener") && document.querySelector("time[data-style=R]").textContent.includes("ago")`)
	for style, id := range map[int]string{2: "b", 3: "c", 4: "d"} {
		p.tap("#messages .row .s"+fmt.Sprint(style), "Style")
		p.shows("Heard " + id)
	}
	p.tap(".beside .button", "")
	p.shows("Heard beside")

	p.tap("button.menu", "Up to two")
	p.tap(".picker [role=option]", "One")
	p.tap(".picker [role=option]", "Three")
	p.press("Escape")
	p.shows("Heard several")
	if got := b.last().Data.Values; len(got) != 2 || got[0] != "1" || got[1] != "3" {
		t.Errorf("several: the bot got %v", got)
	}
	p.tap("button.menu", "Somebody")
	p.press("ArrowDown")
	p.press("Enter")
	p.shows("Heard whom")
	if got := b.last().Data.Values; len(got) != 1 || got[0] != sandbox.DefaultWorld().Servers[0].Members[1] {
		t.Errorf("whom: the bot got %v", got)
	}
	p.tap("button.menu", "Somewhere")
	p.keys("#g")
	p.tap(".picker [role=option]", "#general")
	p.shows("Heard where")

	p.command("form")
	p.until("the form", `document.querySelector("dialog.form[open] h2").textContent === "A form"`)
	p.tap("dialog .button", "Submit")
	p.until("what is missing", `document.querySelector("dialog .failed").textContent !== ""`)
	p.focus("dialog input")
	p.keys("Naledi & <co>")
	ask[bool](p.window, `(document.querySelector("dialog select").value = "r", true)`)
	p.tap("dialog .button", "Submit")
	p.shows("Heard form")
	fields := b.last().Data.Components
	if len(fields) != 3 || fields[0].Component.Value != "Naledi & <co>" || len(fields[2].Component.Values) != 1 || fields[2].Component.Values[0] != "r" {
		t.Errorf("the form: the bot got %+v", fields)
	}
	p.until("the form to be gone", `document.querySelector("dialog") === null`)
}
