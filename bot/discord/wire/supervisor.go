package wire

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
)

// stuckTime is how long an opening that was broken off gets to return.
const stuckTime = 3 * time.Second

// Run connects and stays connected until ctx ends, which is no error, or until Discord says no for good: *FatalError.
// A lost connection is resumed where possible, after a growing, spread delay. On the way out running handlers may
// finish. A client runs once.
func (c *Client) Run(ctx context.Context) error {
	c.mu.Lock()
	again := c.started
	c.started = true
	c.mu.Unlock()
	if again {
		return errors.New("this client has run already")
	}
	err := c.supervise(ctx)
	c.drain()
	c.rest.http.CloseIdleConnections()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// link is one discordgo session and the connection it has, or had. Opening it again resumes the session.
type link struct {
	c     *Client
	s     *discordgo.Session
	began bool // a session has begun that can be resumed
	gone  atomic.Bool

	mu  sync.Mutex
	ctx context.Context // of the opening under way
	tap *tap            // the newest connection
}

func (c *Client) newLink(of *shard) *link {
	s, _ := discordgo.New("Bot " + c.cfg.Token) // never fails
	l := &link{c: c, s: s, ctx: c.ctx}
	of.mu.Lock()
	of.link = l
	of.mu.Unlock()
	s.ShardID, s.ShardCount = of.number, of.of
	// Below its lowest level: it writes to the standard logger, and some of what it writes holds tokens.
	s.LogLevel = discordgo.LogError - 1
	s.ShouldReconnectOnError = false
	s.ShouldRetryOnRateLimit = false
	s.MaxRestRetries = 0
	s.StateEnabled = false
	s.SyncEvents = true // else an invitation could overtake the removal before it
	s.Identify.Intents = discordgo.IntentsGuilds
	s.Compress = false // names are disguised in the messages' text
	s.UserAgent = c.rest.agent
	s.Client = &http.Client{Timeout: c.cfg.OpenTimeout, Transport: l}
	dialer := *s.Dialer // a copy: the original is shared by the whole process
	dialer.Proxy = nil
	dialer.HandshakeTimeout = c.cfg.OpenTimeout
	dialer.NetDialContext = l.dial
	dialer.NetDialTLSContext = l.dialTLS
	s.Dialer = &dialer
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		e.Type = strings.ToUpper(e.Type) // see disguise
		if !l.gone.Load() {
			c.guard(e.Type, "", func() { c.on(of, e) })
		}
	})
	return l
}

// heard is when the gateway last acknowledged a heartbeat on this connection; zero when there is none.
func (l *link) heard() time.Time {
	l.mu.Lock()
	t := l.tap
	l.mu.Unlock()
	if t == nil {
		return time.Time{}
	}
	return t.heard()
}

// acked is when the gateway last acknowledged a heartbeat on the newest connection, also when that is no more.
func (l *link) acked() time.Time {
	l.mu.Lock()
	t := l.tap
	l.mu.Unlock()
	if t == nil {
		return time.Time{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.acked
}

// ending is how a connection came to its end.
type ending struct {
	code int   // the server's close code, if it gave one
	lost bool  // the session cannot be resumed
	why  error // for the log

	silent time.Duration // how long before it the server had said nothing that counts
}

// connect opens a connection, tells that it stands, and waits for its end.
func (l *link) connect(ctx context.Context, stands func()) ending {
	err, stuck := l.open(ctx)
	l.mu.Lock()
	t := l.tap
	l.mu.Unlock()
	if stuck || t == nil {
		return ending{lost: stuck || !l.began, why: err}
	}
	if err == nil {
		l.began = true
		stands()
		select {
		case <-t.closed:
		case <-ctx.Done():
		}
	}
	code, invalid, why := t.ending()
	if why == nil {
		why = err
	}
	newSession := code == 4007 || code == 4009 // Discord forgot it (topics/opcodes-and-status-codes)
	return ending{code: code, lost: !l.began || invalid || newSession, why: why, silent: t.silence()}
}

var errStuck = errors.New("the gateway did not begin a session in time")

// open runs discordgo's Open under a watch: it has no deadline of its own.
func (l *link) open(ctx context.Context) (err error, stuck bool) {
	ctx, cancel := context.WithTimeout(ctx, l.c.cfg.OpenTimeout)
	defer cancel()
	l.mu.Lock()
	l.ctx, l.tap = ctx, nil
	l.mu.Unlock()
	opened := make(chan error, 1)
	go func() { opened <- l.s.Open() }()
	select {
	case err := <-opened:
		return err, false
	case <-ctx.Done():
	}
	l.kill(errStuck)
	patience := time.NewTimer(stuckTime)
	defer patience.Stop()
	select {
	case err := <-opened:
		return err, false
	case <-patience.C:
		return errStuck, true
	}
}

// kill breaks the connection, so that whoever reads from it stops.
func (l *link) kill(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tap != nil {
		l.tap.fail(why)
	}
}

// abandon gives the session up: nothing it still delivers counts.
func (l *link) abandon() {
	l.gone.Store(true)
	l.kill(net.ErrClosed)
}

// close ends the session in good order, which takes discordgo a second.
func (l *link) close() {
	l.gone.Store(true)
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		l.s.Close()
	}()
	patience := time.NewTimer(stuckTime)
	defer patience.Stop()
	select {
	case <-closed:
	case <-patience.C:
	}
	l.kill(net.ErrClosed)
}
