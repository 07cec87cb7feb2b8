package sandbox_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"kraal/bot/sandbox"
)

func TestRedelivery(t *testing.T) {
	b, _ := playing(t)
	f := b.slash(naledi, games, "place", nil)
	f.answer(204, 0, 4, obj{"content": "x"})
	if err := b.Redeliver(f.id()); err != nil {
		t.Fatal(err)
	}
	again := b.interaction(<-b.events)
	if text(again, "id") != f.id() || text(again, "token") != text(f.payload, "token") {
		t.Errorf("got %v", again)
	}
	f.answer(400, 40060, 4, obj{"content": "y"})
	if b.Redeliver("1") == nil {
		t.Error("what never was came again")
	}
}

func TestMissedEventsComeAfterAResume(t *testing.T) {
	d := open(t)
	d.register(slash("a"))
	l, session := d.ready()
	d.DropGateway()
	l.closed(0)
	ctx, cancel := context.WithCancel(d.ctx())
	gone := make(chan error, 1)
	go func() {
		_, err := d.As(naledi).Slash(ctx, games, "a", nil)
		gone <- err
	}()
	l = d.greeted()
	l.say(6, d.resume(session, 3))
	for p := (packet{}); p.Type != "INTERACTION_CREATE"; { // before RESUMED, or after it
		if p = l.read(0); p.Type != "INTERACTION_CREATE" && p.Type != "RESUMED" {
			t.Fatalf("got %s", p.Type)
		}
	}
	cancel()
	if err := <-gone; err == nil {
		t.Error("who stopped waiting got an answer")
	}
}

func TestFailNext(t *testing.T) {
	d := open(t)
	d.FailNext("POST", "/channels/"+games, 503, 130000, 2)
	d.expect(200, 0, "GET", written, nil)
	d.expect(200, 0, "POST", "/channels/"+general+"/messages", obj{"content": "elsewhere"})
	for range 2 {
		d.expect(503, 130000, "POST", written, obj{"content": "x"})
	}
	d.post(obj{"content": "x"})
	if n := len(d.messages(naledi, games)); n != 1 {
		t.Errorf("%d messages; a failure carries nothing out", n)
	}
	d.FailNext("POST", "/", 429, 0, 1)
	a := d.expect(429, 0, "POST", written, obj{"content": "x"})
	if a.json()["retry_after"] == nil || a.header.Get("Retry-After") == "" {
		t.Errorf("got %v", a)
	}
	r := d.Requests()
	if i := slices.IndexFunc(r, func(r sandbox.Request) bool { return r.Status == 503 }); i < 0 || r[i].Code != 130000 || string(r[i].Body) != `{"content":"x"}` || !r[i].Auth {
		t.Errorf("noted %+v", r)
	}
	if len(d.Violations()) != 0 {
		t.Errorf("a trouble that was asked for is a violation: %v", d.Violations())
	}
}

func TestDelay(t *testing.T) {
	d := open(t)
	const by, ever = 60 * time.Millisecond, time.Minute // by which nothing that is not delayed is late
	took := func() time.Duration {
		began := time.Now()
		d.post(obj{"content": "x"})
		return time.Since(began)
	}
	d.Delay("POST", "/channels/", by)
	if got := took(); got < by {
		t.Errorf("took %v", got)
	}
	d.Delay("POST", "/channels/", ever)
	d.Delay("POST", "/channels/", 0)
	if got := took(); got >= ever {
		t.Errorf("after its end it took %v", got)
	}
}

func TestCheckNotesViolations(t *testing.T) {
	asked := make(chan int, 1)
	d := openWith(t, sandbox.Config{Allowance: 10, Check: func(method, path string, body []byte, files int) error {
		if method != "POST" {
			return nil
		}
		asked <- files
		return &sandbox.AddressError{Address: path + " " + string(body)}
	}})
	d.was(d.upload("POST", d.API()+written, obj{"content": "x"}, "0", "1"), 200, 0)
	if n := <-asked; n != 2 {
		t.Errorf("%d files", n)
	}
	if v := d.Violations(); len(v) != 1 || v[0].Request.Path != "/api/v9"+written || len(v[0].Request.Files) != 2 {
		t.Errorf("noted %+v", v)
	}
}

func TestDeletions(t *testing.T) {
	d := open(t)
	id := d.post(obj{"content": "x"})
	thread := d.expect(201, 0, "POST", written+"/"+id+"/threads", obj{"name": "x"}).id()
	if err := d.DeleteMessage(id); err != nil {
		t.Fatal(err)
	}
	d.expect(404, 10008, "PATCH", written+"/"+id, obj{"content": "y"})
	d.expect(200, 0, "POST", "/channels/"+thread+"/messages", obj{"content": "the thread lives on"})
	if err := d.DeleteChannel(games); err != nil {
		t.Fatal(err)
	}
	d.expect(404, 10003, "POST", written, obj{"content": "x"})
	d.expect(404, 10003, "POST", "/channels/"+thread+"/messages", obj{"content": "x"})
	if d.DeleteMessage(id) == nil || d.DeleteChannel(games) == nil || d.Kick("1") == nil || d.Invite("1") == nil || d.Rename("1", "x") == nil {
		t.Error("what is not there was changed")
	}
	if d.messages(naledi, games) != nil {
		t.Error("messages of a channel that is gone")
	}
}

func TestChannelDeletionTellsOfThreads(t *testing.T) {
	d := open(t)
	l, _ := d.ready()
	thread := d.expect(201, 0, "POST", "/channels/"+games+"/threads", obj{"name": "x", "type": 11}).id()
	l.event("THREAD_CREATE")
	if err := d.DeleteChannel(thread); err != nil {
		t.Fatal(err)
	}
	if p := l.event("THREAD_DELETE"); keysOf(p) != "guild_id id parent_id type" || p.field("id") != thread {
		t.Errorf("told %s", p.Data)
	}
	if err := d.DeleteChannel(games); err != nil {
		t.Fatal(err)
	}
	l.event("CHANNEL_DELETE")
	if err := d.Kick(village); err != nil {
		t.Fatal(err)
	}
	if p := l.event("GUILD_DELETE"); p.field("id") != village || keysOf(p) != "id" {
		t.Errorf("told %s", p.Data)
	}
}
