package sandbox_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

type packet struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  int             `json:"s"`
	Type string          `json:"t"`
}

func (p packet) field(name string) string {
	var o obj
	_ = json.Unmarshal(p.Data, &o)
	return text(o, name)
}

// line is a bot's connection to the gateway.
type line struct {
	t  *testing.T
	ws *websocket.Conn
}

func (d *desk) dial() *line {
	d.t.Helper()
	url := d.expect(200, 0, "GET", "/gateway", nil).json()["url"].(string)
	ws, resp, err := websocket.DefaultDialer.DialContext(d.ctx(), url+"/?v=9&encoding=json", nil)
	if err != nil {
		d.t.Fatal(err)
	}
	_ = resp.Body.Close()
	d.t.Cleanup(func() { _ = ws.Close() })
	_ = ws.SetReadDeadline(time.Now().Add(5 * time.Second))
	return &line{d.t, ws}
}

// greeted is a connection after HELLO.
func (d *desk) greeted() *line {
	d.t.Helper()
	l := d.dial()
	if p := l.read(10); !strings.Contains(string(p.Data), `"heartbeat_interval":41250`) {
		d.t.Fatalf("HELLO says %s", p.Data)
	}
	return l
}

// ready is a connection of a bot that has identified and read everything it is told at first.
func (d *desk) ready() (l *line, session string) {
	d.t.Helper()
	l = d.greeted()
	l.say(2, d.identity(1))
	session = l.event("READY").field("session_id")
	l.event("GUILD_CREATE")
	l.event("GUILD_CREATE")
	return l, session
}

func (d *desk) identity(intents int64) obj {
	return obj{"token": d.Token(), "intents": intents, "properties": obj{}}
}

func (d *desk) resume(session string, seq int) obj {
	return obj{"token": d.Token(), "session_id": session, "seq": seq}
}

func (l *line) say(op int, data any) {
	l.t.Helper()
	if err := l.ws.WriteJSON(obj{"op": op, "d": data}); err != nil {
		l.t.Fatal(err)
	}
}

func (l *line) read(op int) (p packet) {
	l.t.Helper()
	if err := l.ws.ReadJSON(&p); err != nil {
		l.t.Fatalf("waiting for op %d: %v", op, err)
	}
	if p.Op != op {
		l.t.Fatalf("got op %d %s %s; want op %d", p.Op, p.Type, p.Data, op)
	}
	return p
}

func (l *line) event(kind string) packet {
	l.t.Helper()
	p := l.read(0)
	if p.Type != kind {
		l.t.Fatalf("got %s; want %s", p.Type, kind)
	}
	return p
}

// closed reads to the end and holds it to a code; 0 is an end without one.
func (l *line) closed(code int) {
	l.t.Helper()
	for {
		_, _, err := l.ws.ReadMessage()
		if err == nil {
			continue
		}
		var c *websocket.CloseError
		if !errors.As(err, &c) {
			c = &websocket.CloseError{}
		}
		if c.Code != code && !(code == 0 && c.Code == websocket.CloseAbnormalClosure) {
			l.t.Fatalf("closed with %v; want %d", err, code)
		}
		return
	}
}

func TestGatewayGreets(t *testing.T) {
	d := open(t)
	l := d.greeted()
	l.say(1, nil)
	l.read(11)
	l.say(2, d.identity(1))
	ready := l.event("READY")
	if ready.Seq != 1 || ready.field("resume_gateway_url") == "" || !strings.Contains(string(ready.Data), `"unavailable":true`) ||
		strings.Contains(string(ready.Data), `"shard"`) {
		t.Errorf("READY is %d %s", ready.Seq, ready.Data)
	}
	if g := l.event("GUILD_CREATE"); g.Seq != 2 || g.field("id") != village {
		t.Errorf("the first server is %d %s", g.Seq, g.Data)
	}
	l.event("GUILD_CREATE")
	if !d.Connected() {
		t.Error("not connected after READY")
	}
}

func TestGatewayBotTellsOfStarts(t *testing.T) {
	got := open(t).expect(200, 0, "GET", "/gateway/bot", nil).json()
	if got["shards"] != 1.0 || got["session_start_limit"].(obj)["max_concurrency"] != 1.0 {
		t.Errorf("got %v", got)
	}
}

func TestGatewayCloses(t *testing.T) {
	d := open(t)
	identity := d.identity(1)
	for name, c := range map[string]struct {
		code int
		say  func(*line)
	}{
		"a bad token":         {4004, func(l *line) { l.say(2, with(identity, obj{"token": "no"})) }},
		"a bad token, resume": {4004, func(l *line) { l.say(6, obj{"token": "no", "session_id": "x", "seq": 1}) }},
		"message content":     {4014, func(l *line) { l.say(2, d.identity(1<<15)) }},
		"members":             {4014, func(l *line) { l.say(2, d.identity(1<<1)) }},
		"presences":           {4014, func(l *line) { l.say(2, d.identity(1<<8)) }},
		"unknown intents":     {4013, func(l *line) { l.say(2, d.identity(1<<40)) }},
		"an unknown op":       {4001, func(l *line) { l.say(77, nil) }},
		"not identified":      {4003, func(l *line) { l.say(3, obj{}) }},
		"a wrong form":        {4002, func(l *line) { l.say(2, "no object") }},
		"no JSON":             {4002, func(l *line) { _ = l.ws.WriteMessage(websocket.TextMessage, []byte(`{"op":`)) }},
		"too large":           {4002, func(l *line) { l.say(1, strings.Repeat("x", 4096)) }},
		"identified twice":    {4005, func(l *line) { l.say(2, identity); l.say(2, identity) }},
		"too fast": {4008, func(l *line) {
			for range 121 {
				l.say(1, nil)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			l := d.greeted()
			l.t = t
			c.say(l)
			l.closed(c.code)
		})
	}
}

func TestGatewayTakes120Payloads(t *testing.T) {
	l := open(t).greeted()
	for range 120 {
		l.say(1, nil)
		l.read(11)
	}
}

func TestIntentsDecideWhatIsTold(t *testing.T) {
	d := open(t)
	l := d.greeted()
	l.say(2, d.identity(0))
	l.event("READY")
	id := d.post(obj{"content": "x"})
	if err := errors.Join(d.DeleteMessage(id), d.Kick(village)); err != nil {
		t.Fatal(err)
	}
	l.say(1, nil)
	l.read(11) // and nothing before it
	l = d.greeted()
	l.say(2, d.identity(513))
	l.event("READY")
	l.event("GUILD_CREATE") // of the server that is left
	if err := d.Invite(village); err != nil {
		t.Fatal(err)
	}
	l.event("GUILD_CREATE")
	id = d.post(obj{"content": "x"})
	l.event("MESSAGE_CREATE")
	if err := d.DeleteMessage(id); err != nil {
		t.Fatal(err)
	}
	if p := l.event("MESSAGE_DELETE"); p.field("id") != id || p.field("guild_id") != village || p.field("content") != "" {
		t.Errorf("told %s", p.Data)
	}
}

func TestResumeReplays(t *testing.T) {
	d := open(t)
	l, session := d.ready()
	d.DropGateway()
	l.closed(0)
	if d.Connected() {
		t.Error("still connected")
	}
	for _, do := range []func() error{
		func() error { return d.DeleteChannel(general) }, func() error { return d.Kick(village) }, func() error { return d.Invite(village) },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second one has missed the same again, and no RESUMED between
		l = d.greeted()
		l.say(6, d.resume(session, 3))
		if p := l.event("CHANNEL_DELETE"); p.Seq != 4 || p.field("id") != general {
			t.Errorf("replayed %d %s", p.Seq, p.Data)
		}
		l.event("GUILD_DELETE")
		l.event("GUILD_CREATE")
		l.event("RESUMED")
	}
	if err := d.Kick(village); err != nil {
		t.Fatal(err)
	}
	l.event("GUILD_DELETE")
}

func TestResumeRefused(t *testing.T) {
	d := open(t)
	l, session := d.ready()
	d.DropGateway()
	l.closed(0)
	l = d.greeted()
	l.say(6, d.resume(session, 99))
	l.closed(4007)
	l = d.greeted()
	l.say(6, d.resume(session, 3)) // 4007 took the session
	if p := l.read(9); string(p.Data) != "false" {
		t.Errorf("op 9 says %s", p.Data)
	}
	l.say(2, d.identity(1))
	l.event("READY")
}

func TestSessionsEnd(t *testing.T) {
	d := open(t)
	for name, end := range map[string]func(*line){
		"goodbye": func(l *line) {
			_ = l.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(1000, ""), time.Now().Add(time.Second))
			l.closed(1000)
		},
		"timed out":       func(l *line) { d.CloseGateway(4009); l.closed(4009) },
		"fatal":           func(l *line) { d.CloseGateway(4004); l.closed(4004) },
		"invalid session": func(l *line) { d.InvalidSession(false); l.read(9); l.closed(0) },
	} {
		t.Run(name, func(t *testing.T) {
			d := d.in(t)
			l, session := d.ready()
			end(l)
			if err := d.Wait(d.ctx(), func() bool { return !d.Connected() }); err != nil {
				t.Fatal(err)
			}
			l = d.greeted()
			l.say(6, d.resume(session, 3))
			if p := l.read(9); string(p.Data) != "false" {
				t.Errorf("op 9 says %s", p.Data)
			}
		})
	}
}

func TestGatewayTroubles(t *testing.T) {
	d := open(t)
	l, session := d.ready()
	d.Reconnect()
	l.read(7)
	d.InvalidSession(true)
	if p := l.read(9); string(p.Data) != "true" {
		t.Errorf("op 9 says %s", p.Data)
	}
	d.CloseGateway(4000)
	l.closed(4000)
	l = d.greeted()
	l.say(6, d.resume(session, 3))
	l.event("RESUMED")
}

// TestInvalidSessionsResumeWhereTheyAre: after op 9 the connection has no session, and may take up the old one again.
func TestInvalidSessionsResumeWhereTheyAre(t *testing.T) {
	d := open(t)
	l, session := d.ready()
	d.InvalidSession(true)
	l.read(9)
	if d.Connected() {
		t.Error("connected with an invalid session")
	}
	if err := d.Kick(village); err != nil {
		t.Fatal(err)
	}
	l.say(6, d.resume(session, 3))
	l.event("GUILD_DELETE")
	l.event("RESUMED")
	l.say(6, d.resume(session, 4))
	l.closed(4005)
}

func TestMuteSaysNothing(t *testing.T) {
	d := open(t)
	d.Mute(true)
	l := d.dial()
	l.say(1, nil)
	_ = l.ws.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	var p packet
	if err := l.ws.ReadJSON(&p); err == nil {
		t.Fatalf("a mute gateway said %v", p)
	}
	d.Mute(false)
	d.greeted()
}

func TestNewSessionEndsTheOld(t *testing.T) {
	d := open(t)
	first, _ := d.ready()
	d.ready()
	first.closed(0)
	if !d.Connected() {
		t.Error("the new session is gone too")
	}
}

func keysOf(p packet) string {
	var o obj
	_ = json.Unmarshal(p.Data, &o)
	return keys(o)
}

func TestResumeOfWhatIsNotKept(t *testing.T) {
	d := open(t)
	l, session := d.ready()
	d.DropGateway()
	l.closed(0)
	for range 600 { // two events each: more than are kept
		if err := errors.Join(d.Kick(village), d.Invite(village)); err != nil {
			t.Fatal(err)
		}
	}
	l = d.greeted()
	l.say(6, d.resume(session, 3))
	if p := l.read(9); string(p.Data) != "false" {
		t.Errorf("op 9 says %s", p.Data)
	}
	if d.Connected() {
		t.Error("connected without a session")
	}
}
