// Package wire is discordgo with its traps dealt with, once: it keeps one bot connected, hands over each interaction
// exactly once in a shape that cannot panic, and sends what is said within Discord's limits and times.
//
// discordgo is the gateway's client and the types' source; requests go through a small client of this package (see
// rest). It knows nothing of games.
package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	lru "github.com/hashicorp/golang-lru/v2"

	"kraal/bot/fair"
)

// Config is what a Client is made of. Zero durations mean the defaults named.
type Config struct {
	Token   string // of the bot, with or without "Bot " before it
	API     string // REST base with its version; empty: Discord's own. Plain http only to this machine
	Log     *slog.Logger
	Now     func() time.Time // tells how old an interaction is
	Random  func() float64   // spreads delays, [0,1)
	Version string           // of this program, for the User-Agent

	// Handle is called in a goroutine of its own for each interaction. When it returns without having said anything,
	// a tap is acknowledged and a command is told Oops; when it panics, the panic is logged and the person told Oops.
	// ctx ends when the client has waited long enough for it while stopping, or when the interaction's token dies.
	Handle func(ctx context.Context, in Interaction, a *Answer)
	Oops   Message
	Ready  func(ctx context.Context) // after every beginning or resumption of the first shard's session; may be nil
	Shards Shards

	// Cut is told when a shard begins without a connection or has lost it: how long it has been silent already, and which servers it serves
	// ("" for direct messages). Mended is told when its connection stands. They must return at once; either may be nil.
	Cut    func(shard int, silent time.Duration, serves func(server string) bool)
	Mended func(shard int)

	// Arrived is told of every server that the bot is in, at the beginning of each session and when it joins one, and Left
	// of every one that it was removed from. They are called one after another, for each server in the order of Discord's
	// events, which wait for them: they must return at once. Either may be nil.
	Arrived func(Server)
	Left    func(server string)

	// Sent and Handled count; they are called from many goroutines at once, and must return at once. Either may be nil.
	Sent    func(Sent)
	Handled func(Handled)

	DeferAfter     time.Duration // a silent command is acknowledged then: 1.2 s
	DeferTapAfter  time.Duration // a silent tap, which nobody sees: DeferAfter where that is set, else 0.2 s
	AnswerWithin   time.Duration // a first response, with all tries, is given up then: 2.5 s
	ChoicesAfter   time.Duration // a silent autocomplete gets an empty list then: 2.5 s
	OpenTimeout    time.Duration // for connecting up to the session's beginning: 20 s
	ReconnectAfter time.Duration // the first delay; doubles: 1 s
	ReconnectMost  time.Duration // the longest: 3 min
	Steady         time.Duration // a connection that lasted so long makes the next delay the first again: 2 min
	IdentifyEvery  time.Duration // new sessions are at least so far apart: 5 s
	Grace          time.Duration // handlers get so long to finish when stopping: 10 s
	Backoff        time.Duration // before a request's second try; doubles: 250 ms
}

const discordAPI = "https://discord.com/api/v9" // the version discordgo speaks

// Bounds on what is kept and what runs at once.
const (
	maxHandlers       = 512
	maxHandlersOne    = 128     // of one server: the others are answered, whatever happens there
	maxHandlersMember = 16      // of one member: so are the others of the server
	maxSeen           = 1 << 14 // ids of interactions; older than a token's life they are refused anyway
	slotTime          = 2500 * time.Millisecond
)

// New checks a configuration and makes a client of it. An *AddressError says that API may not be sent a token.
func New(cfg Config) (*Client, error) {
	cfg.Token = strings.TrimPrefix(strings.TrimSpace(cfg.Token), "Bot ")
	if cfg.Token == "" {
		return nil, errors.New("no bot token")
	}
	if cfg.Handle == nil {
		return nil, errors.New("nobody handles interactions")
	}
	cfg.fill()
	if err := CheckAPI(cfg.API); err != nil {
		return nil, err
	}
	if err := cfg.Shards.Valid(); err != nil {
		return nil, err
	}
	seen, err := lru.New[string, struct{}](maxSeen)
	if err != nil {
		return nil, err
	}
	clock := &discordTime{now: cfg.Now}
	r, err := newRest(cfg, clock)
	if err != nil {
		return nil, err
	}
	c := &Client{
		cfg: cfg, rest: r, seen: seen, time: clock,
		tls: &tls.Config{MinVersion: tls.VersionTLS12}, proxy: http.ProxyFromEnvironment,
		slots:     fair.New(maxHandlers, maxHandlersOne),
		hands:     fair.New(math.MaxInt, maxHandlersMember), // a member who waits for a slot takes no place from others
		connected: make(chan struct{}),
		gate:      newGate(cfg.IdentifyEvery),
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

func (cfg *Config) fill() {
	cfg.API = strings.TrimRight(cfg.API, "/")
	if cfg.API == "" {
		cfg.API = discordAPI
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Random == nil {
		cfg.Random = rand.Float64
	}
	if cfg.DeferTapAfter <= 0 {
		cfg.DeferTapAfter = cfg.DeferAfter
	}
	defaults := []struct {
		d    *time.Duration
		when time.Duration
	}{
		{&cfg.DeferAfter, 1200 * time.Millisecond},
		{&cfg.DeferTapAfter, 200 * time.Millisecond},
		{&cfg.AnswerWithin, callbackTime},
		{&cfg.ChoicesAfter, choicesTime},
		{&cfg.OpenTimeout, 20 * time.Second},
		{&cfg.ReconnectAfter, time.Second},
		{&cfg.ReconnectMost, 3 * time.Minute},
		{&cfg.Steady, 2 * time.Minute},
		{&cfg.IdentifyEvery, 5 * time.Second},
		{&cfg.Grace, 10 * time.Second},
		{&cfg.Backoff, 250 * time.Millisecond},
	}
	for _, one := range defaults {
		if *one.d <= 0 {
			*one.d = one.when
		}
	}
}

// CheckAPI refuses addresses that would carry the token in the clear over a network. The error is an *AddressError.
func CheckAPI(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return &AddressError{address, "is not the address of an API"}
	case u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()):
		return nil
	case u.Scheme == "http":
		return &AddressError{address, "plain http is only for this machine; use https"}
	}
	return &AddressError{address, "must begin with https://"}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Client is a bot's connection to Discord. Its methods may be called from anywhere at once.
type Client struct {
	cfg       Config
	rest      *rest
	time      *discordTime
	seen      *lru.Cache[string, struct{}]
	slots     *fair.Places // of servers
	hands     *fair.Places // of members
	connected chan struct{}
	gate      *gate
	places    sync.Mutex // Arrived and Left are called one after another, whichever shard hears

	tls   *tls.Config // of the gateway
	proxy func(*http.Request) (*url.URL, error)

	ctx    context.Context // of handlers
	cancel context.CancelFunc

	mu      sync.Mutex
	started bool
	closing bool
	work    sync.WaitGroup // handlers, acknowledgements, Ready
	self    string
	app     string
	shards  []*shard
}

// Connected is closed when the first session has begun.
func (c *Client) Connected() <-chan struct{} { return c.connected }

// SelfID is the bot's user id, empty until Connected.
func (c *Client) SelfID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.self
}

// enter begins a piece of work that stopping waits for; it fails when the client is stopping. leave must be called.
func (c *Client) enter() (ctx context.Context, leave func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return nil, nil, false
	}
	c.work.Add(1)
	return c.ctx, c.work.Done, true
}

// drain lets running work finish, within bounds.
func (c *Client) drain() {
	c.mu.Lock()
	c.closing = true
	c.mu.Unlock()
	done := make(chan struct{})
	go func() {
		c.work.Wait()
		close(done)
	}()
	grace := time.NewTimer(c.cfg.Grace)
	defer grace.Stop()
	select {
	case <-done:
	case <-grace.C:
		c.cfg.Log.Warn("stopping although handlers still run")
	}
	c.cancel()
}

// on receives every gateway event, in their order; what takes time goes its own way.
func (c *Client) on(s *shard, e *discordgo.Event) {
	switch e.Type {
	case "INTERACTION_CREATE":
		go c.guard(e.Type, "", func() { c.interaction(e.RawData) })
	case "READY":
		c.ready(e.RawData)
		go c.tellReady(s)
	case "RESUMED":
		go c.tellReady(s)
	case "GUILD_CREATE":
		c.arrived(e.RawData)
	case "GUILD_DELETE":
		c.left(e.RawData)
	}
}

func (c *Client) ready(raw json.RawMessage) {
	told := part[struct {
		User struct {
			ID string `json:"id"`
		} `json:"user"`
		Application struct {
			ID string `json:"id"`
		} `json:"application"`
	}](raw)
	c.mu.Lock()
	defer c.mu.Unlock()
	first := c.self == ""
	c.self, c.app = told.User.ID, told.Application.ID
	if c.app == "" {
		c.app = c.self
	}
	if first && c.self != "" {
		close(c.connected)
	}
}

func (c *Client) tellReady(s *shard) {
	if c.cfg.Ready == nil || !s.first {
		return
	}
	ctx, leave, ok := c.enter()
	if !ok {
		return
	}
	defer leave()
	c.guard("Ready", "", func() { c.cfg.Ready(ctx) })
}

// interaction hands one interaction to the handler, unless it is known already: Discord may deliver it more than once.
func (c *Client) interaction(payload []byte) {
	ctx, leave, ok := c.enter()
	if !ok {
		return
	}
	defer leave()
	in, err := parseInteraction(payload)
	if err != nil {
		c.cfg.Log.Warn("interaction ignored", "error", err)
		return
	}
	if c.tooOld(ctx, in) {
		c.logOf(in).Debug("interaction is too old to be answered")
		return
	}
	if seen, _ := c.seen.ContainsOrAdd(in.ID, struct{}{}); seen {
		c.logOf(in).Debug("interaction delivered again")
		return
	}
	a := newAnswer(c, in)
	leaveSlot, err := c.slot(ctx, in)
	begun := err == nil
	handled := begun && c.handle(ctx, in, a, leaveSlot)
	a.finish(ctx, !handled)
	c.tellHandled(a, begun, handled)
}

// slot waits for one of the places in which handlers run; it fails where there are too many for too long.
func (c *Client) slot(ctx context.Context, in Interaction) (leave func(), err error) {
	soon, cancel := context.WithTimeout(ctx, slotTime)
	defer cancel()
	leaveHand, err := c.hands.Enter(soon, in.User.ID)
	if err == nil {
		var leaveSlot func()
		if leaveSlot, err = c.slots.Enter(soon, cmp.Or(in.Server, in.User.ID)); err == nil {
			return func() { leaveSlot(); leaveHand() }, nil
		}
		leaveHand()
	}
	if ctx.Err() == nil {
		c.cfg.Log.Error("too many interactions at once", "server", in.Server, "most", maxHandlers,
			"of one server", maxHandlersOne, "of one member", maxHandlersMember)
	}
	return nil, err
}

// handle runs the handler in the slot that was taken for it; false: it panicked.
func (c *Client) handle(ctx context.Context, in Interaction, a *Answer, leave func()) bool {
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, tokenLife)
	defer cancel()
	return c.guard(in.String(), in.Token, func() { c.cfg.Handle(ctx, in, a) })
}

// guard runs f; a panic in it is logged, without secrets, and does not end the process. discordgo recovers nothing.
func (c *Client) guard(what, secret string, f func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			c.cfg.Log.Error("panic", "in", what, "panic", c.clean(fmt.Sprint(p), secret), "stack", c.clean(string(debug.Stack()), secret))
		}
	}()
	f()
	return true
}

// clean takes secrets out of a text that others have written.
func (c *Client) clean(text, secret string) string {
	text = strings.ReplaceAll(text, c.cfg.Token, "(token)")
	if secret != "" {
		text = strings.ReplaceAll(text, secret, "(token)")
	}
	return text
}
