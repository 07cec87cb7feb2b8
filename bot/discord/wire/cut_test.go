package wire

import (
	"slices"
	"testing"
	"time"
)

// TestCutAndMended: who keeps clocks learns when nobody can act over a shard, for which servers, and when they can again.
func TestCutAndMended(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.shards, d.together = 2, 2
	var told []string
	var servers [2]bool // whether the shard that was cut serves them
	r := d.start(func(cfg *Config) {
		cfg.Cut = func(shard int, silent time.Duration, serves func(string) bool) {
			d.change(func() {
				told = append(told, "cut")
				servers = [2]bool{serves(newServer(shard)), serves(newServer(1 - shard))}
				if silent != 0 {
					t.Errorf("a connection that was dropped had been silent for %v", silent)
				}
			})
		}
		cfg.Mended = func(int) { d.change(func() { told = append(told, "mended") }) }
	}).connected()
	r.until("both shards", func() bool { return count(told, "mended") == 2 })
	if count(told, "cut") != 2 {
		t.Errorf("told %v: nobody can act over a shard before it stands", told)
	}
	told = nil
	d.sockets[0].conn.NetConn().Close()
	r.until("the shard again", func() bool { return len(told) == 2 })
	if want := []string{"cut", "mended"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	if servers != [2]bool{true, false} {
		t.Errorf("the shard serves its own server and the other's: %v", servers)
	}
	r.stop()
	<-r.done
	if len(told) != 2 {
		t.Errorf("told %v: an end that was wished for cuts nobody off", told)
	}
}

func count(told []string, what string) (n int) {
	for _, one := range told {
		if one == what {
			n++
		}
	}
	return n
}

// newServer is the id of a server of a shard of two.
func newServer(shard int) string {
	if shard == 0 {
		return "8388608" // 2 << 22
	}
	return "4194304" // 1 << 22
}

// TestSilenceIsCounted: of a server that acknowledges nothing any more it is told for how long that has been so.
func TestSilenceIsCounted(t *testing.T) {
	t.Parallel()
	const interval = 400 * time.Millisecond
	d := newStub(t)
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
		}
	}
	cut := make(chan time.Duration, 1)
	d.start(func(cfg *Config) {
		cfg.ReconnectAfter = time.Minute
		cfg.Cut = func(_ int, silent time.Duration, _ func(string) bool) { cut <- silent }
	}).connected()
	if silent := <-cut; silent != 0 {
		t.Errorf("silent for %v before there was a connection", silent)
	}
	if silent := <-cut; silent < 2*interval {
		t.Errorf("silent for %v, want two intervals of %v", silent, interval)
	}
}
