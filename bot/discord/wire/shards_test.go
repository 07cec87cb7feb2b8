package wire

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// shards waits until so many shards have begun and gives them in order.
func (r *running) shards(n int) [][2]int {
	r.t.Helper()
	r.until(fmt.Sprint(n, " shards"), func() bool { return len(r.asked) >= n })
	r.mu.Lock()
	defer r.mu.Unlock()
	begun := slices.Clone(r.asked[:n])
	slices.SortFunc(begun, func(a, b [2]int) int { return a[0] - b[0] })
	return begun
}

// TestShardsRecommended: as many connections as Discord says, each for its own servers; commands are registered once.
func TestShardsRecommended(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.shards, d.together = 3, 3
	var mu sync.Mutex
	arrived := map[string]int{}
	d.connect = func(n int, k *socket) {
		k.hello(40000)
		k.begin()
		k.dispatch("GUILD_CREATE", map[string]any{"id": fmt.Sprint(n << 22)})
		k.listen()
	}
	r := d.start(func(cfg *Config) {
		cfg.Arrived = func(s Server) {
			d.change(func() {
				mu.Lock()
				defer mu.Unlock()
				arrived[s.ID]++
			})
		}
	}).connected()
	if got, want := r.shards(3), [][2]int{{0, 3}, {1, 3}, {2, 3}}; !slices.Equal(got, want) {
		t.Errorf("began %v, want %v", got, want)
	}
	d.until("three servers", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(arrived) == 3
	})
	for shard, h := range r.client.Health() {
		if h.Shard != shard || h.Of != 3 || h.Heard.IsZero() {
			t.Errorf("health of shard %d: %+v", shard, h)
		}
	}
}

// TestShardRange: a process serves a part of the shards, whatever Discord recommends.
func TestShardRange(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.shards, d.together = 9, 9
	r := d.start(func(cfg *Config) { cfg.Shards = Shards{Count: 4, First: 1, Last: 2} }).connected()
	if got, want := r.shards(2), [][2]int{{1, 4}, {2, 4}}; !slices.Equal(got, want) {
		t.Errorf("began %v, want %v", got, want)
	}
}

// TestMoreShards: the bot has come to be in more servers than its shards may serve.
func TestMoreShards(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.shards, d.together = 1, 2
	d.connect = func(n int, k *socket) {
		k.hello(40000)
		if n == 1 {
			k.begins()
			d.change(func() { d.shards = 2 })
			k.closeWith(4011)
			k.listen()
			return
		}
		k.begin()
		k.listen()
	}
	r := d.start(nil).connected()
	if got := r.shards(3); !slices.Contains(got, [2]int{0, 2}) || !slices.Contains(got, [2]int{1, 2}) {
		t.Errorf("began %v, want two shards after the refusal", got)
	}
}

// TestNoMoreShards: a number that was set is not changed behind its owner's back.
func TestNoMoreShards(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.shards, d.together = 4, 4
	d.connect = func(_ int, k *socket) {
		k.hello(40000)
		k.begins()
		k.closeWith(4011)
		k.listen()
	}
	r := d.start(func(cfg *Config) { cfg.Shards = Shards{Count: 2, Last: 1} })
	var no *FatalError
	if err := <-r.done; !errors.As(err, &no) || no.Code != 4011 {
		t.Errorf("got %v, want fatal 4011", err)
	}
}

// TestLanes: shards begin together as far as Discord allows, and others after its pause.
func TestLanes(t *testing.T) {
	t.Parallel()
	g := newGate(time.Hour)
	g.learn(budget{shards: 4, together: 2})
	for shard, may := range []bool{true, true, false, false} {
		if got := g.lane(shard).Allow(); got != may {
			t.Errorf("shard %d may begin: %v, want %v", shard, got, may)
		}
	}
}

// TestShardsUnknown: until Discord says how many there are, nothing is guessed, and it is not asked again and again.
func TestShardsUnknown(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.shards, d.together = 2, 2
	d.answer = fails("/gateway/bot", 4, func(w http.ResponseWriter) { refuse(w, 503, 0) })
	r := d.start(nil).connected()
	if got, want := r.shards(2), [][2]int{{0, 2}, {1, 2}}; !slices.Equal(got, want) {
		t.Errorf("began %v, want %v", got, want)
	}
}

func TestShardsValid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shards Shards
		ok     bool
	}{
		{Shards{}, true},
		{Shards{Count: 1}, true},
		{Shards{Count: 4, First: 2, Last: 3}, true},
		{Shards{Count: 4, First: 2, Last: 4}, false},
		{Shards{Count: 4, First: 3, Last: 2}, false},
		{Shards{Last: 2}, false},
		{Shards{Count: -1}, false},
	} {
		if err := c.shards.Valid(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.shards, err)
		}
	}
	s := Shards{Count: 3}
	if got, want := s.Of("300000000000000001"), int(uint64(300000000000000001)>>22%3); got != want {
		t.Errorf("shard %d, want %d", got, want)
	}
	if s.Of("") != 0 || s.Of("nonsense") != 0 {
		t.Error("direct messages are not the first shard's")
	}
}

// TestHealth follows a shard from its beginning over a loss to its end.
func TestHealth(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	release := make(chan struct{})
	d.connect = func(n int, k *socket) {
		if n == 2 {
			<-release
		}
		k.hello(40000)
		k.begin()
		k.listen()
	}
	r := d.start(nil).connected()
	r.stands(func(h Health) bool { return h.State == Connected && !h.Heard.IsZero() && h.Reconnects == 0 })
	d.sockets[0].conn.NetConn().Close()
	r.stands(func(h Health) bool {
		return h.State == Connecting && h.Heard.IsZero() && h.Reconnects == 1 && h.Why != ""
	})
	if !r.client.Heartbeat().IsZero() {
		t.Error("a connection that is lost is said to be heard")
	}
	close(release)
	r.stands(func(h Health) bool { return h.State == Connected && h.Reconnects == 1 })
	r.stop()
	<-r.done
	r.stands(func(h Health) bool { return h.State == Stopped })
}

// TestSilenceShows: a server that falls silent is known for it after two heartbeats. They are counted and not timed, as a busy
// machine takes its time for both.
func TestSilenceShows(t *testing.T) {
	t.Parallel()
	const interval = 400 * time.Millisecond
	d, beats := newStub(t), 0
	d.connect = func(n int, k *socket) {
		if n > 1 {
			return
		}
		k.hello(int(interval.Milliseconds()))
		k.begin()
		for {
			var m struct{ Op int }
			if k.conn.ReadJSON(&m) != nil {
				return
			}
			if m.Op == 1 {
				d.change(func() { beats++ })
			}
		}
	}
	r := d.start(func(cfg *Config) { cfg.ReconnectAfter = time.Minute }).connected()
	r.stands(func(h Health) bool { return h.State == Connected })
	heard := r.client.Heartbeat()
	r.stands(func(h Health) bool { return h.State == Waiting && h.Why == errZombie.Error() })
	took := time.Since(heard)
	d.mu.Lock()
	defer d.mu.Unlock()
	if took < interval || beats == 0 || beats > 4 { // at once, and two more, or three where the machine is busy
		t.Errorf("noticed after %v and %d heartbeats, want two intervals of %v", took, beats, interval)
	}
}

// stands waits for the health of the one shard.
func (r *running) stands(want func(Health) bool) {
	r.t.Helper()
	limit := time.After(15 * time.Second)
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		all := r.client.Health()
		if len(all) == 1 && want(all[0]) {
			tick.Stop()
			return
		}
		select {
		case <-tick.C:
		case <-limit:
			r.t.Fatalf("waited in vain; the health is %+v", all)
		}
	}
}
