package sandbox_test

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"kraal/bot/sandbox"
)

// TestPayloadsAreCompressedWhenAskedFor: each by itself, and short ones stay as they are.
func TestPayloadsAreCompressedWhenAskedFor(t *testing.T) {
	d := open(t)
	l := d.greeted()
	l.say(2, with(d.identity(1), obj{"compress": true}))
	zipped := 0
	for _, want := range []string{"READY", "GUILD_CREATE", "GUILD_CREATE"} {
		kind, raw, err := l.ws.ReadMessage()
		if err != nil {
			t.Fatal(err)
		}
		if kind == websocket.BinaryMessage {
			zipped++
			z, err := zlib.NewReader(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			if raw, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		var p packet
		if err := json.Unmarshal(raw, &p); err != nil || p.Type != want {
			t.Fatalf("got %s %v; want %s", raw, err, want)
		}
	}
	if zipped == 0 {
		t.Error("nothing was compressed")
	}
	l.say(1, 3)
	if kind, raw, err := l.ws.ReadMessage(); err != nil || kind != websocket.TextMessage || !strings.Contains(string(raw), `"op":11`) {
		t.Errorf("the acknowledgement is %d %s %v", kind, raw, err)
	}
}

// TestDeafClientHoldsNobodyUp: a bot that reads nothing from the gateway does not stop the sandbox.
func TestDeafClientHoldsNobodyUp(t *testing.T) {
	world := sandbox.DefaultWorld()
	for i := range 200 { // twenty servers like this are more than the network holds
		room := sandbox.Channel{ID: fmt.Sprint(500000000000000000 + int64(i)), Name: strings.Repeat("room", 1000)}
		world.Servers[0].Channels = append(world.Servers[0].Channels, room)
	}
	d := openWith(t, sandbox.Config{World: world, Allowance: 1000})
	l := d.greeted()
	l.say(2, d.identity(1))
	l.event("READY")
	began := time.Now()
	for range 20 {
		if err := d.Invite(village); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("twenty events took %v", took)
	}
	d.expect(200, 0, "GET", "/users/@me", nil)
}

// TestMuteSilencesConnections: a heartbeat is not acknowledged any more, and what happens meanwhile is replayed.
func TestMuteSilencesConnections(t *testing.T) {
	d := open(t)
	l, session := d.ready()
	d.Mute(true)
	l.say(1, 3)
	if err := d.DeleteChannel(general); err != nil {
		t.Fatal(err)
	}
	d.Mute(false)
	again := d.greeted()
	again.say(6, d.resume(session, 3))
	again.event("CHANNEL_DELETE")
	again.event("RESUMED")
	if _, raw, err := l.ws.ReadMessage(); err == nil {
		t.Errorf("the silenced connection said %s", raw)
	}
}

// TestZombiesAreClosed: who sends no heartbeat is closed, whatever else it sends, and its session is gone; who does stays.
func TestZombiesAreClosed(t *testing.T) {
	t.Parallel()
	d := openWith(t, sandbox.Config{Heartbeat: time.Second}) // a busy machine may be a second late
	l := d.dial()
	_ = l.ws.SetReadDeadline(time.Now().Add(30 * time.Second))
	if hello := l.read(10); string(hello.Data) != `{"heartbeat_interval":1000}` {
		t.Fatalf("HELLO says %s", hello.Data)
	}
	l.say(2, d.identity(0))
	session := l.event("READY").field("session_id")
	beats := time.NewTicker(400 * time.Millisecond)
	defer beats.Stop()
	for range 6 { // longer than two intervals, after which it would be closed
		<-beats.C
		l.say(1, 1)
		l.read(11)
	}
	l.say(3, obj{})
	l.closed(4009)
	again := d.dial()
	again.read(10)
	again.say(6, d.resume(session, 1))
	if p := again.read(9); string(p.Data) != "false" {
		t.Errorf("resumed: op 9 says %s", p.Data)
	}
}
