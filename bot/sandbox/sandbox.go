// Package sandbox is a Discord of its own on loopback: gateway and REST as the platform documents them, with people who
// can be acted for. It knows the wire and nothing of any bot; its wire types are its own, so that a mistake shared with a
// client cannot hide.
//
// Sources, as comments name them: Discord's documentation, by page (interactions/receiving-and-responding).
package sandbox

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Config is what a sandbox is made of. Every field may be left out.
type Config struct {
	Listen string           // address of this machine; "127.0.0.1:0" where it is empty
	World  World            // DefaultWorld where it is empty
	Now    func() time.Time // time.Now where it is nil
	Log    *slog.Logger
	Token  string // that the bot must have; made up where it is empty
	// Check judges a request of the bot's: its JSON, and how many files come with it. What it refuses is kept as a
	// violation; the request goes on.
	Check func(method, path string, body []byte, files int) error
	// Allowance multiplies Discord's rate limits, that of beginning sessions too, for tests that play faster than people;
	// 0 is 1.
	Allowance int
	// Heartbeat is how often the gateway wants one; who leaves two out is closed with 4009. 0 is Discord's 41.25 s.
	Heartbeat time.Duration
}

// AddressError refuses to listen where others than this machine could reach the sandbox: it guards nothing against them.
type AddressError struct{ Address string }

func (e *AddressError) Error() string {
	return fmt.Sprintf("%s: the sandbox listens on this machine only; use an address like 127.0.0.1:8017", e.Address)
}

// Sandbox is a running one. Its methods may be called from anywhere at once.
type Sandbox struct {
	config   Config
	listener net.Listener
	server   *http.Server
	key      string // guards the page
	ended    chan struct{}

	mu      sync.Mutex
	serving sync.WaitGroup // the gateway's connections
	closed  bool
	changed chan struct{} // closed at every change of what follows
	state
}

// Start listens and serves. The error is an *AddressError, or the listener's.
func Start(c Config) (*Sandbox, error) {
	c.fill()
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil || !isLoopback(host) {
		return nil, &AddressError{Address: c.Listen}
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, fmt.Errorf("the sandbox cannot listen: %w", err)
	}
	s := &Sandbox{config: c, listener: listener, key: secret(), ended: make(chan struct{}), changed: make(chan struct{})}
	s.state = newState(c.World, c.Now)
	s.server = &http.Server{Handler: onlyLocal(s.handler()), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.ended)
		if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			c.Log.Error("the sandbox stopped serving", "error", err)
		}
	}()
	return s, nil
}

func (c *Config) fill() {
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	if len(c.World.Servers) == 0 {
		c.World = DefaultWorld()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Token == "" {
		c.Token = "sandbox." + secret()
	}
	if c.Heartbeat <= 0 {
		c.Heartbeat = heartbeatEvery
	}
	c.Allowance = max(c.Allowance, 1)
}

func secret() string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw) // never fails
	return hex.EncodeToString(raw)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// onlyLocal refuses requests that name another host: a page elsewhere that a name of its own leads here.
func onlyLocal(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if !isLoopback(host) {
			http.Error(w, "this sandbox serves its own machine only", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Close ends every connection and waits until nothing is served any more.
func (s *Sandbox) Close() error {
	s.mu.Lock()
	s.closed = true
	for c := range s.connections {
		c.drop()
	}
	s.mu.Unlock()
	err := s.server.Close()
	<-s.ended
	s.serving.Wait()
	return err
}

func (s *Sandbox) address() string { return s.listener.Addr().String() }

// API is the REST base that a bot is pointed at.
func (s *Sandbox) API() string { return "http://" + s.address() + "/api/v9" }

// Page is the address for people, with the key that lets them act.
func (s *Sandbox) Page() string { return "http://" + s.address() + "/?key=" + s.key }

// Token is the bot's.
func (s *Sandbox) Token() string { return s.config.Token }

// AppID is the id of the bot's application, and of its user.
func (s *Sandbox) AppID() string { return botID }

// touch tells those who wait that something changed. The lock is held.
func (s *Sandbox) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Wait returns when the condition holds; it is tried anew after every change. The error is ctx's.
func (s *Sandbox) Wait(ctx context.Context, condition func() bool) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if condition() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Connected tells whether a bot is connected to the gateway.
func (s *Sandbox) Connected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, session := range s.sessions {
		if session.conn != nil {
			return true
		}
	}
	return false
}

// WaitReady returns when a bot is connected and has registered commands.
func (s *Sandbox) WaitReady(ctx context.Context) error {
	return s.Wait(ctx, func() bool {
		s.mu.Lock()
		registered := len(s.commands) > 0
		s.mu.Unlock()
		return registered && s.Connected()
	})
}
