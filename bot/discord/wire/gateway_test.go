package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// begins waits until sessions have been begun or resumed in this way: 2 new, 6 resumed.
func (r *running) begins(want ...int) {
	r.t.Helper()
	r.until(fmt.Sprint(want), func() bool { return len(r.begun) >= len(want) })
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Equal(r.begun[:len(want)], want) {
		r.t.Errorf("sessions begun %v, want %v", r.begun, want)
	}
}

func TestFatalCodes(t *testing.T) {
	t.Parallel()
	for code := range fatalCodes {
		for _, when := range []string{"at once", "later"} {
			t.Run(fmt.Sprint(code, " ", when), func(t *testing.T) {
				t.Parallel()
				d := newStub(t)
				d.connect = func(_ int, k *socket) {
					k.hello(40000)
					if when == "at once" {
						k.begins()
					} else {
						k.begin()
					}
					k.closeWith(code)
					k.listen()
				}
				r := d.start(nil)
				var fatal *FatalError
				select {
				case err := <-r.done:
					if !errors.As(err, &fatal) || fatal.Code != code || fatal.Do == "" {
						t.Errorf("got %v, want fatal %d", err, code)
					}
				case <-time.After(15 * time.Second):
					t.Fatal("did not stop")
				}
				r.begins(2)
			})
		}
	}
}

// TestTokenRefused (O45): REST says so before a session is asked for.
func TestTokenRefused(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.answer = fails("/gateway/bot", 1, func(w http.ResponseWriter) { refuse(w, 401, 0) })
	r := d.start(nil)
	var fatal *FatalError
	if err := <-r.done; !errors.As(err, &fatal) || fatal.Code != 4004 {
		t.Errorf("got %v, want fatal 4004", err)
	}
}

// TestResume: however a connection ends, the session goes on where it was, and what happened meanwhile arrives once.
func TestResume(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(k *socket){
		"dropped":     func(k *socket) { k.conn.NetConn().Close() },
		"op 7":        func(k *socket) { k.op(7, nil); k.listen() },
		"code 4000":   func(k *socket) { k.closeWith(4000); k.listen() },
		"no code":     func(k *socket) { k.closeWith(1005); k.listen() },
		"op 9 true":   func(k *socket) { k.op(9, true); k.listen() },
		"nonsense":    func(k *socket) { k.send(nil); k.listen() },
		"op 1 before": func(k *socket) { k.op(1, nil); k.op(7, nil); k.listen() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newStub(t)
			before, missed := tap3(1), tap3(2)
			handled := make(chan string, 8)
			d.connect = func(n int, k *socket) {
				k.hello(40000)
				if n == 1 {
					k.begin()
					k.dispatch("INTERACTION_CREATE", before)
					d.request("POST", "/callback")
					end(k)
					return
				}
				k.begins()
				k.dispatch("INTERACTION_CREATE", before)
				k.dispatch("INTERACTION_CREATE", missed)
				k.dispatch("RESUMED", map[string]any{})
				k.listen()
			}
			var ready atomic.Int32
			r := d.start(func(cfg *Config) {
				cfg.Handle = func(_ context.Context, in Interaction, _ *Answer) { handled <- in.ID }
				cfg.Ready = func(context.Context) { d.change(func() { ready.Add(1) }) }
			}).connected()
			for _, want := range []map[string]any{before, missed} {
				if id := <-handled; id != want["id"] {
					t.Errorf("handled %s, want %s", id, want["id"])
				}
			}
			r.begins(2, 6)
			d.until("Ready twice", func() bool { return ready.Load() == 2 })
			r.stop()
			<-r.done
			if len(handled) > 0 {
				t.Error("handled again", <-handled)
			}
			if first := d.sockets[0].end; first == 1000 || first == 1001 {
				t.Errorf("closed with %d, which ends the session", first)
			}
		})
	}
}

func TestNewSession(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(k *socket){
		"op 9 false": func(k *socket) { k.op(9, false) },
		"code 4007":  func(k *socket) { k.closeWith(4007) },
		"code 4009":  func(k *socket) { k.closeWith(4009) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newStub(t)
			d.connect = func(n int, k *socket) {
				k.hello(40000)
				k.begin()
				if n == 1 {
					end(k)
				}
				k.listen()
			}
			d.start(nil).connected().begins(2, 2)
		})
	}
}

// TestResumeRefused: one new session, not one after the other on the same connection.
func TestResumeRefused(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.connect = func(n int, k *socket) {
		k.hello(40000)
		switch n {
		case 1:
			k.begin()
			k.conn.NetConn().Close()
		case 2:
			k.begins()
			k.op(9, false)
			k.op(9, false)
		default:
			k.begin()
		}
		k.listen()
	}
	d.start(nil).connected().begins(2, 6, 2)
}

// TestBadBeginnings: what makes discordgo's Open hang, panic or loop ends in a new try.
func TestBadBeginnings(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(k *socket){
		"silent":              func(*socket) {},
		"op 7 first":          func(k *socket) { k.op(7, nil) },
		"no interval":         func(k *socket) { k.op(10, nil) },
		"silent after hello":  func(k *socket) { k.hello(400); k.begins() },
		"op 7 before READY":   func(k *socket) { k.hello(40000); k.begins(); k.op(7, nil) },
		"op 11 before READY":  func(k *socket) { k.hello(40000); k.begins(); k.op(11, nil) },
		"op 9 before READY":   func(k *socket) { k.hello(40000); k.begins(); k.op(9, false) },
		"null before READY":   func(k *socket) { k.hello(40000); k.begins(); k.send(nil) },
		"closed before READY": func(k *socket) { k.hello(40000); k.begins(); k.closeWith(4000) },
		"dropped":             func(k *socket) { k.conn.NetConn().Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newStub(t)
			d.connect = func(n int, k *socket) {
				if n == 1 {
					begin(k)
				} else {
					k.hello(40000)
					k.begin()
				}
				k.listen()
			}
			d.start(func(cfg *Config) { cfg.OpenTimeout = 500 * time.Millisecond }).connected()
		})
	}
}

// TestZombie: the connection stands, but heartbeats are no longer acknowledged.
func TestZombie(t *testing.T) {
	t.Parallel()
	for name, chatty := range map[string]bool{"silent": false, "events go on": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newStub(t)
			d.connect = func(n int, k *socket) {
				if n > 1 {
					k.hello(40000)
					k.begin()
					k.listen()
					return
				}
				k.hello(400)
				k.begin()
				for {
					var m struct{ Op int }
					if k.conn.ReadJSON(&m) != nil {
						return
					}
					if chatty {
						k.dispatch("GUILD_CREATE", map[string]any{"id": serverID})
					}
				}
			}
			d.start(nil).connected().begins(2, 6)
		})
	}
}

// TestDelaysGrow (O45): a gateway that closes at once is not asked again and again.
func TestDelaysGrow(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	var times []time.Time
	d.connect = func(n int, k *socket) {
		d.change(func() { times = append(times, time.Now()) })
		k.conn.NetConn().Close()
	}
	d.start(func(cfg *Config) { cfg.ReconnectAfter = 10 * time.Millisecond })
	d.until("six connections", func() bool { return len(times) >= 6 })
	for n := range 5 {
		if gap, least := times[n+1].Sub(times[n]), 10*time.Millisecond<<n; gap < least {
			t.Errorf("connection %d came after %v, want at least %v", n+2, gap, least)
		}
	}
}

// TestNoSessionsLeft: Discord allows no more for a while.
func TestNoSessionsLeft(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.remains = 0
	began := time.Now()
	d.start(nil).connected()
	if took := time.Since(began); took < 100*time.Millisecond {
		t.Errorf("asked for a session after %v, want 100ms", took)
	}
}

// TestStop: handlers finish what they began, nothing new begins, and the session is ended in good order.
func TestStop(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	entered, release := make(chan struct{}), make(chan struct{})
	r := d.start(func(cfg *Config) {
		cfg.Handle = func(ctx context.Context, _ Interaction, a *Answer) {
			close(entered)
			<-release
			check(t, a.Private(ctx, Message{Content: "finished"}))
		}
	}).connected()
	r.press(slash(1))
	<-entered
	r.stop()
	d.until("the close frame", func() bool { return r.sockets[0].end != 0 })
	select {
	case err := <-r.done:
		t.Fatal("stopped while a handler runs:", err)
	default:
	}
	close(release)
	if err := <-r.done; err != nil {
		t.Error(err)
	}
	r.request("POST", "/callback")
	if end := r.sockets[0].end; end != 1000 {
		t.Errorf("closed with %d", end)
	}
	if r.client.Run(t.Context()) == nil {
		t.Error("ran a second time")
	}
}

// TestStopWithoutPatience: a handler that does not end is left after the grace, its context ended.
func TestStopWithoutPatience(t *testing.T) {
	t.Parallel()
	entered, ended := make(chan struct{}), make(chan struct{})
	r := newStub(t).start(func(cfg *Config) {
		cfg.Grace = time.Millisecond
		cfg.Handle = func(ctx context.Context, _ Interaction, _ *Answer) {
			close(entered)
			<-ctx.Done()
			close(ended)
		}
	}).connected()
	r.press(tap3(1))
	<-entered
	r.stop()
	<-r.done
	<-ended
}
