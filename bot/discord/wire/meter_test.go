package wire

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"
)

// TestHandledIsTold: each interaction is counted once, as what came of it.
func TestHandledIsTold(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	late := slash(4)
	d.answer = func(s sent, w http.ResponseWriter) bool {
		if s.is("POST", late["id"].(string)) {
			refuse(w, http.StatusNotFound, codeUnknownInteraction)
			return true
		}
		return false
	}
	told := make(chan Handled, 8)
	do := make(chan func(context.Context, *Answer), 1)
	r := d.start(func(cfg *Config) {
		cfg.Handled = func(h Handled) { told <- h }
		cfg.Handle = func(ctx context.Context, _ Interaction, a *Answer) { (<-do)(ctx, a) }
	}).connected()
	says := func(ctx context.Context, a *Answer) { _ = a.Private(ctx, Message{Content: "done"}) }
	for _, test := range []struct {
		event map[string]any
		do    func(context.Context, *Answer)
		want  Outcome
	}{
		{slash(1), says, Answered},
		{slash(2), func(ctx context.Context, a *Answer) { a.Count(Refused); says(ctx, a) }, Refused},
		{slash(3), func(context.Context, *Answer) { panic("no") }, Panicked},
		{late, says, Unheard},
	} {
		do <- test.do
		r.press(test.event)
		h := <-told
		if h.Outcome != test.want || h.Kind != Command || h.Name != "move" || h.Took <= 0 || (h.First > 0) == (test.want == Unheard) {
			t.Errorf("got %+v, want %s", h, test.want)
		}
	}
}

// TestSentIsTold: each try is counted, with its answer.
func TestSentIsTold(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.answer = fails("/messages", 1, func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) })
	var mu sync.Mutex
	var all []Sent
	c, err := New(Config{
		Token: botToken, API: d.api(), Handle: func(context.Context, Interaction, *Answer) {}, Backoff: time.Millisecond,
		Sent: func(s Sent) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, s)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Post(t.Context(), "400", Message{Content: "a", Nonce: "n"}); err != nil {
		t.Fatal(err)
	}
	d.server.Close()
	_, _ = c.Post(t.Context(), "400", Message{Content: "a"})
	want := []int{http.StatusBadGateway, http.StatusOK, 0}
	for i, s := range all {
		if len(all) != len(want) || s.Status != want[i] || s.Method != http.MethodPost || s.Took <= 0 {
			t.Fatalf("got %+v, want the answers %v", all, want)
		}
	}
	if len(all) == 0 {
		t.Error("nothing was told")
	}
}

// TestGatewayState: what is told of the connection follows it: none yet, one that is heard, one that has gone.
func TestGatewayState(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	let, end := make(chan struct{}), make(chan struct{})
	d.connect = func(n int, k *socket) {
		if n > 1 {
			<-let
		}
		k.hello(40000)
		k.begin()
		if n == 1 {
			<-end
			_ = k.conn.NetConn().Close()
			return
		}
		k.listen()
	}
	lost := make(chan struct{}, 8)
	r := d.start(func(cfg *Config) { cfg.Random = func() float64 { lost <- struct{}{}; return 0.5 } })
	if g := unconnected(t, d).Gateway(); g.Connected || !g.Acknowledged.IsZero() || g.Lost != 0 {
		t.Errorf("before it began: got %+v", g)
	}
	r.connected()
	r.stands(func(h Health) bool { return h.State == Connected && !h.Heard.IsZero() }) // noted a moment later
	first := r.client.Gateway()
	if !first.Connected || time.Since(first.Acknowledged) > 10*time.Second || first.Lost != 0 {
		t.Errorf("connected: got %+v", first)
	}
	close(end)
	<-lost
	if g := r.client.Gateway(); g.Connected || !g.Acknowledged.Equal(first.Acknowledged) || g.Lost != 1 {
		t.Errorf("lost: got %+v, want the last acknowledgement of %+v", g, first)
	}
	close(let)
	d.until("a second session", func() bool { return len(d.begun) == 2 })
}

// TestGatewayWhileShardsBegin: shards whose turn to begin has not come make the others no less heard, but the bot is not
// connected as long as one is missing.
func TestGatewayWhileShardsBegin(t *testing.T) {
	t.Parallel()
	c := unconnected(t, newStub(t))
	early, late := time.Now().Add(-time.Minute), time.Now()
	for _, acked := range []time.Time{{}, late, early, {}} {
		c.shards = append(c.shards, &shard{state: Waiting, acked: acked})
	}
	if g := c.Gateway(); g.Connected || !g.Acknowledged.Equal(early) {
		t.Errorf("got %+v, want one that is not connected, and was last heard at %v", g, early)
	}
	c.shards = []*shard{{state: Waiting}, {state: Connecting}}
	if g := c.Gateway(); g.Connected || !g.Acknowledged.IsZero() {
		t.Errorf("got %+v, want one that was never heard", g)
	}
}
