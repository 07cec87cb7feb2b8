//go:build unix

package main

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kraal/bot/sandbox"
)

// gate stands between a bot and the sandbox, and holds the bot's first responses back.
type gate struct {
	arrived chan struct{} // a first response has come
	open    chan struct{} // closed to let them pass
	release func()        // closes it
}

// newGatedVictim is a bot whose first responses are held back.
func newGatedVictim(t *testing.T) (*victim, *gate) {
	t.Helper()
	g := &gate{arrived: make(chan struct{}, 8), open: make(chan struct{})}
	g.release = sync.OnceFunc(func() { close(g.open) })
	v := newVictimVia(t, func(api string) string {
		to, err := url.Parse(api)
		if err != nil {
			t.Fatal(err)
		}
		proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: to.Scheme, Host: to.Host})
		proxy.ErrorLog = log.New(io.Discard, "", 0) // of requests whose bot is gone
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/callback") {
				g.arrived <- struct{}{}
				<-g.open
			}
			proxy.ServeHTTP(w, r)
		}))
		t.Cleanup(func() {
			g.release()
			server.Close()
		})
		return server.URL + to.Path
	})
	return v, g
}

// ask lets somebody challenge somebody else, and tells what came of it when it is known.
func (v *victim) ask() <-chan bool {
	answered := make(chan bool, 1)
	world := sandbox.DefaultWorld().Servers[0]
	go func() {
		reply, err := v.sb.As(world.Members[0]).Slash(v.t.Context(), world.Channels[0].ID, "challenge", map[string]any{"opponent": world.Members[1]})
		answered <- err == nil && !reply.Failed
	}()
	return answered
}

func (v *victim) signal() {
	v.t.Helper()
	if err := v.child.Process.Signal(syscall.SIGTERM); err != nil {
		v.t.Fatal(err)
	}
}

// TestStopsInGoodOrder: SIGTERM lets what was begun be finished and ends with 0, in less time than service managers wait.
func TestStopsInGoodOrder(t *testing.T) {
	v, g := newGatedVictim(t)
	answered := v.ask()
	<-g.arrived
	began := time.Now()
	v.signal()
	v.wait("the connection to end", func() bool { return !v.sb.Connected() })
	g.release()
	if !<-answered {
		t.Error("what was begun when the signal came was not answered")
	}
	if err := v.child.Wait(); err != nil {
		t.Errorf("%v; the bot said:\n%s", err, v.log)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	if said := v.log.String(); !strings.Contains(said, "kraal ends") || strings.Contains(said, v.sb.Token()) {
		t.Errorf("the bot said:\n%s", said)
	}
}

// TestStopsAtOnce: a second signal waits for nothing.
func TestStopsAtOnce(t *testing.T) {
	v, g := newGatedVictim(t)
	v.ask()
	<-g.arrived
	v.signal()
	v.wait("the connection to end", func() bool { return !v.sb.Connected() })
	ended := make(chan error, 1)
	go func() { ended <- v.child.Wait() }()
	again := time.NewTicker(20 * time.Millisecond) // one that comes in the same moment as the first is the first
	defer again.Stop()
	for {
		select {
		case <-again.C:
			_ = v.child.Process.Signal(syscall.SIGTERM) // it may have ended just now
			continue
		case err := <-ended:
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.Exited() {
				t.Errorf("got %v, want an end by the signal; the bot said:\n%s", err, v.log)
			}
		}
		return
	}
}
