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
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Config is what a sandbox is made of. Every field may be left out.
type Config struct {
	Listen string           // address of this machine; "127.0.0.1:0" where it is empty
	Expose bool             // Listen may be an address that other machines reach
	Keep   string           // a file in which the world outlives the process, made where there is none; "" keeps nothing
	Fresh  bool             // what is kept is removed first
	World  World            // DefaultWorld where it is empty; what is kept comes before it
	Now    func() time.Time // time.Now where it is nil
	Log    *slog.Logger
	Token  string // that the bot must have; the kept one, or made up, where it is empty
	// Check judges a request of the bot's: its JSON, and how many files come with it. What it refuses is kept as a
	// violation; the request goes on.
	Check func(method, path string, body []byte, files int) error
	// Allowance multiplies Discord's rate limits, that of beginning sessions too, for tests that play faster than people;
	// 0 is 1.
	Allowance int
	// Heartbeat is how often the gateway wants one; who leaves two out is closed with 4009. 0 is Discord's 41.25 s.
	Heartbeat time.Duration
	// Shards is how many the gateway recommends; 0 is 1. A shard that would serve more than 2,500 servers is closed.
	Shards int
}

// Sandbox is a running one. Its methods may be called from anywhere at once.
type Sandbox struct {
	config  Config
	doors   *doors
	server  *http.Server
	key     string         // guards the page
	ended   sync.WaitGroup // the listeners are served no more
	closing chan struct{}
	saver   *saver // nil: nothing is kept

	mu      sync.Mutex
	serving sync.WaitGroup // the gateway's connections
	closed  bool
	changed chan struct{} // closed at every change of what follows
	state
}

// Start listens and serves. The error is an *AddressError, the listener's, or a *KeepError.
func Start(c Config) (*Sandbox, error) {
	ownToken := c.Token == ""
	c.fill()
	doors, err := openDoors(c)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{config: c, doors: doors, key: secret(), changed: make(chan struct{}), closing: make(chan struct{})}
	s.state = newState(c.World, c.Now)
	if err := s.takeUp(ownToken); err != nil {
		doors.close()
		return nil, err
	}
	if doors.exposed {
		c.Log.Warn("the sandbox is open to other machines: its page asks for the key, but everything, the key and the bot's "+
			"token too, goes over the network unencrypted", "address", doors.at)
	}
	s.server = &http.Server{Handler: doors.onlyNamed(s.handler()), ReadHeaderTimeout: 10 * time.Second}
	for _, listener := range doors.listeners {
		s.ended.Go(func() {
			if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
				c.Log.Error("the sandbox stopped serving", "error", err)
			}
		})
	}
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
	c.Shards = max(c.Shards, 1)
}

func secret() string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw) // never fails
	return hex.EncodeToString(raw)
}

// Close ends every connection, waits until nothing is served any more, and saves what is kept.
func (s *Sandbox) Close() error {
	s.mu.Lock()
	if !s.closed {
		close(s.closing)
	}
	s.closed = true
	for c := range s.connections {
		c.drop()
	}
	s.touch() // pages see that it is closed
	s.mu.Unlock()
	err := s.server.Close()
	s.ended.Wait()
	s.serving.Wait()
	return errors.Join(err, s.endSaving())
}

func (s *Sandbox) address() string { return s.doors.at }

// API is the REST base that a bot on this machine is pointed at. Below /api/v10 is the other version; from other machines,
// if they may come in, both have the host of Page.
func (s *Sandbox) API() string { return "http://" + s.doors.local + "/api/v9" }

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
	return s.connected()
}

// connected is Connected with the lock held.
func (s *Sandbox) connected() bool {
	for _, session := range s.sessions {
		if session.conn != nil {
			return true
		}
	}
	return false
}

// whole tells whether every shard of the bot is connected.
func (s *Sandbox) whole() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	connected := 0
	for _, n := range s.sessions {
		if n.conn != nil {
			connected++
		}
	}
	for _, n := range s.sessions {
		if n.conn != nil && connected < n.shard[1] {
			return false
		}
	}
	return connected > 0
}

// WaitReady returns when a bot is connected, with all its shards, and has registered commands, of a server or of all.
func (s *Sandbox) WaitReady(ctx context.Context) error {
	return s.Wait(ctx, func() bool {
		s.mu.Lock()
		registered := len(s.commands)+len(s.serverCmds) > 0
		s.mu.Unlock()
		return registered && s.whole()
	})
}
