package sandbox_test

import (
	"context"
	"encoding/json"
	"time"

	"kraal/bot/sandbox"
)

// bot is a bot on the wire that hears what people do.
type bot struct {
	*desk
	events chan packet
}

// flow is one interaction, as the bot got it, and what the person waits for.
type flow struct {
	b       *bot
	payload obj
	reply   chan *sandbox.Reply
}

func (d *desk) connect() *bot {
	d.t.Helper()
	l, _ := d.ready()
	return d.hearing(l)
}

// hearing is the bot of a connection that has been greeted. Of channels it hears nothing: permissions are its tests' own
// doing.
func (d *desk) hearing(l *line) *bot {
	d.t.Helper()
	_ = l.ws.SetReadDeadline(time.Time{})
	b := &bot{d, make(chan packet, 100)}
	go func() {
		for {
			var p packet
			if l.ws.ReadJSON(&p) != nil {
				return
			}
			if p.Type != "CHANNEL_UPDATE" {
				b.events <- p
			}
		}
	}()
	return b
}

// start lets a person do something, and waits for the event or the refusal.
func (b *bot) start(do func(context.Context) (*sandbox.Reply, error)) (*flow, error) {
	b.t.Helper()
	f := &flow{b: b, reply: make(chan *sandbox.Reply, 1)}
	refused := make(chan error, 1)
	ctx := b.ctx()
	go func() {
		r, err := do(ctx)
		if err != nil {
			refused <- err
			return
		}
		f.reply <- r
	}()
	select {
	case err := <-refused:
		return nil, err
	case p := <-b.events:
		f.payload = b.interaction(p)
		return f, nil
	case <-ctx.Done():
		b.t.Fatal("nothing was heard")
		return nil, nil
	}
}

func (b *bot) interaction(p packet) (o obj) {
	b.t.Helper()
	if p.Type != "INTERACTION_CREATE" || json.Unmarshal(p.Data, &o) != nil {
		b.t.Fatalf("heard %s %s", p.Type, p.Data)
	}
	return o
}

// must is start for what has to go.
func (b *bot) must(do func(context.Context) (*sandbox.Reply, error)) *flow {
	b.t.Helper()
	f, err := b.start(do)
	if err != nil {
		b.t.Fatal(err)
	}
	return f
}

func (b *bot) slash(who, channel, name string, options map[string]any) *flow {
	b.t.Helper()
	return b.must(func(ctx context.Context) (*sandbox.Reply, error) { return b.As(who).Slash(ctx, channel, name, options) })
}

func (b *bot) press(who, message, control string) *flow {
	b.t.Helper()
	return b.must(func(ctx context.Context) (*sandbox.Reply, error) { return b.As(who).Press(ctx, message, control) })
}

func (f *flow) id() string { return text(f.payload, "id") }

func (f *flow) callbackPath() string {
	return "/interactions/" + f.id() + "/" + text(f.payload, "token") + "/callback"
}

func (f *flow) hook() string { return "/webhooks/" + f.b.AppID() + "/" + text(f.payload, "token") }

func (f *flow) original() string { return f.hook() + "/messages/@original" }

// answer calls back and holds the answer to a status and code.
func (f *flow) answer(status, code, kind int, data any) answer {
	f.b.t.Helper()
	return f.b.expect(status, code, "POST", f.callbackPath(), obj{"type": kind, "data": data})
}

// done is what the person got.
func (f *flow) done() *sandbox.Reply {
	f.b.t.Helper()
	select {
	case r := <-f.reply:
		return r
	case <-f.b.ctx().Done():
		f.b.t.Fatal("the person got no answer")
		return nil
	}
}

// refusal is why the app does not let somebody do something.
func (b *bot) refusal(what string, do func(context.Context) (*sandbox.Reply, error)) {
	b.t.Helper()
	f, err := b.start(do)
	if err == nil {
		f.answer(204, 0, 4, obj{"content": "x"})
		b.t.Errorf("%s: the app let them", what)
	}
}
