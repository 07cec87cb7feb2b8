package sandbox_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// tool asks as a tool does, with the page's key.
func (d *desk) tool(method, name string, body string) answer {
	d.t.Helper()
	page, err := url.Parse(d.Page())
	if err != nil {
		d.t.Fatal(err)
	}
	return d.toolWith(page.Query().Get("key"), method, name, body)
}

func (d *desk) toolWith(key, method, name, body string) answer {
	d.t.Helper()
	at := strings.TrimSuffix(d.API(), "/api/v9") + "/sandbox/api/" + name
	r, err := http.NewRequestWithContext(d.ctx(), method, at, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	return d.roundTrip(r)
}

// did asks and demands success.
func (d *desk) did(method, name, body string) obj {
	d.t.Helper()
	a := d.tool(method, name, body)
	if a.status != http.StatusOK {
		d.t.Fatalf("%s %s: got %v", method, name, a)
	}
	return a.json()
}

func TestToolsNeedTheKey(t *testing.T) {
	d := open(t)
	for _, key := range []string{"", "no", d.Token()} {
		if a := d.toolWith(key, "GET", "world", ""); a.status != http.StatusForbidden || strings.Contains(string(a.raw), "Naledi") {
			t.Errorf("with the key %q: %v", key, a)
		}
	}
}

func TestToolsRefuse(t *testing.T) {
	d := open(t)
	for _, c := range []struct {
		name, method, path, body string
		want                     int
	}{
		{"unknown path", "GET", "weather", "", 404},
		{"wrong method", "GET", "faults/kick", "", 404},
		{"half an object", "POST", "slash", `{"as":`, 400},
		{"unknown field", "POST", "slash", `{"who":"1"}`, 400},
		{"huge", "POST", "say", `{"content":"` + strings.Repeat("x", 1<<20) + `"}`, 413},
		{"unknown command", "POST", "slash", `{"as":"` + naledi + `","channel":"` + games + `","command":"dance"}`, 422},
		{"unknown message", "GET", "message?as=" + naledi + "&message=1", "", 404},
		{"unknown channel", "GET", "commands?channel=1", "", 404},
		{"unknown person", "POST", "direct", `{"as":"1"}`, 404},
		{"unknown server", "POST", "faults/kick", `{"server":"1"}`, 404},
		{"unknown interaction", "POST", "faults/redeliver", `{"interaction":"1"}`, 422},
	} {
		if a := d.tool(c.method, c.path, c.body); a.status != c.want {
			t.Errorf("%s: got %v; want %d", c.name, a, c.want)
		}
	}
}

// greets is a bot that says hello to everything, and gives what it was told. It ends with its connection.
func (d *desk) greets(l *line) <-chan string {
	told := make(chan string, 16)
	hello := obj{"type": 4, "data": obj{"content": "hello <@" + naledi + ">", "components": []any{row(button("again", "Again"))}}}
	thabo := obj{"type": 8, "data": obj{"choices": []obj{{"name": "Thabo", "value": "thabo"}}}}
	go func() {
		for {
			var p packet
			if l.ws.ReadJSON(&p) != nil {
				return
			}
			if p.Type != "INTERACTION_CREATE" {
				continue
			}
			told <- string(p.Data)
			body := hello
			if strings.Contains(string(p.Data), `"focused":true`) {
				body = thabo
			}
			raw, _ := json.Marshal(body)
			resp, err := http.Post(d.API()+"/interactions/"+p.field("id")+"/"+p.field("token")+"/callback", "application/json", bytes.NewReader(raw))
			if err != nil {
				return
			}
			_ = resp.Body.Close()
		}
	}()
	return told
}

// TestToolsPlay is a whole round by a tool: a command, what it is answered, a press.
func TestToolsPlay(t *testing.T) {
	d := open(t)
	d.register(
		obj{"name": "greet", "description": "greets", "options": []obj{
			{"type": 4, "name": "times", "description": "how often"}, {"type": 3, "name": "whom", "description": "x", "autocomplete": true},
		}},
		obj{"type": 2, "name": "Greet"},
	)
	l, _ := d.ready()
	d.did("GET", "ready", "")
	told := d.greets(l)
	act := func(rest string) string { return `{"as":"` + naledi + `",` + rest + `}` }
	reply := d.did("POST", "slash", act(`"channel":"`+games+`","command":"greet","options":{"times":3},"wait":true`))
	if in := <-told; !strings.Contains(in, `"value":3`) {
		t.Errorf("the bot was told %s", in)
	}
	message, _ := reply["message"].(obj)
	if reply["type"] != 4.0 || message["content"] != "hello <@"+naledi+">" || message["mentions"].([]any)[0] != naledi {
		t.Errorf("the reply is %v", reply)
	}
	id, _ := message["id"].(string)
	if reply := d.did("POST", "press", act(`"message":"`+id+`","control":"Again"`)); reply["failed"] != false {
		t.Errorf("the press: %v", reply)
	}
	choices := d.did("POST", "complete", act(`"channel":"`+games+`","command":"greet","options":{"whom":"th"},"focused":"whom"`))
	if list, _ := choices["choices"].([]any); len(list) != 1 || list[0].(obj)["value"] != "thabo" {
		t.Errorf("the suggestions are %v", choices)
	}
	d.did("POST", "menu", act(`"channel":"`+games+`","command":"Greet","target":"`+thabo+`"`))
	d.did("POST", "say", act(`"channel":"`+games+`","content":"good morning"`))
	seen, _ := d.did("GET", "messages?as="+naledi+"&channel="+games, "")["messages"].([]any)
	if len(seen) != 4 || seen[3].(obj)["content"] != "good morning" {
		t.Errorf("%d messages are seen: %v", len(seen), seen)
	}
	if asked, _ := d.did("GET", "requests?from=1", "")["requests"].([]any); len(asked) < 4 {
		t.Errorf("the requests are %v", asked)
	}
}

// TestToolsMakeTrouble: each fault has the effect that it has in Go.
func TestToolsMakeTrouble(t *testing.T) {
	d := open(t)
	id := d.post(obj{"content": "x"})
	at := "/channels/" + games + "/messages/" + id
	d.did("POST", "faults/fail", `{"method":"GET","path":"/channels/","status":502,"count":1}`)
	d.expect(502, 0, "GET", at, nil)
	d.did("POST", "faults/permissions", `{"channel":"`+games+`","permissions":"0"}`)
	d.expect(403, 50001, "GET", at, nil)
	d.did("POST", "faults/permissions", `{"channel":"`+games+`","permissions":"68608"}`)
	d.expect(200, 0, "GET", at, nil)
	d.did("POST", "faults/delete-message", `{"message":"`+id+`"}`)
	d.expect(404, 10008, "GET", at, nil)
	d.did("POST", "faults/delete-channel", `{"channel":"`+games+`"}`)
	d.expect(404, 10003, "GET", at, nil)
	d.did("POST", "faults/rename", `{"person":"`+naledi+`","name":"N."}`)
	if got := text(d.expect(200, 0, "GET", "/users/"+naledi, nil).json(), "global_name"); got != "N." {
		t.Errorf("the name is %q", got)
	}
	d.did("POST", "faults/kick", `{"server":"`+village+`"}`)
	for _, one := range d.did("GET", "world", "")["servers"].([]any) {
		if o := one.(obj); o["id"] == village && o["bot"] != false {
			t.Errorf("after a kick: %v", o)
		}
	}
	l := d.greeted()
	l.say(2, d.identity(1))
	l.event("READY")
	l.event("GUILD_CREATE")
	d.did("POST", "faults/reconnect", "")
	l.read(7)
	d.did("POST", "faults/close", `{"code":4000}`)
	l.closed(4000)
}
