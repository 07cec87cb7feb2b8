package wire

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
)

// New sessions: Discord allows 1000 a day and takes the token away after that. These bounds together allow 530.
const (
	identifyRefill = 3 * time.Minute
	identifyBurst  = 50
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

// supervise opens connection after connection; discordgo's own reconnecting knows no fatal codes and spreads nothing.
func (c *Client) supervise(ctx context.Context) error {
	var l *link
	delay := c.cfg.ReconnectAfter
	for {
		if l == nil {
			if err := c.mayIdentify(ctx); err != nil || ctx.Err() != nil {
				return err
			}
			l = c.newLink()
		}
		began := time.Now()
		end := l.connect(ctx)
		c.remember(l)
		if fatal, is := fatalCodes[end.code]; is {
			l.abandon()
			return &fatal
		}
		if end.lost && ctx.Err() == nil {
			l.abandon()
			l = nil
		}
		if time.Since(began) >= c.cfg.Steady {
			delay = c.cfg.ReconnectAfter
		}
		wait := time.Duration(float64(delay) * (0.5 + c.cfg.Random()))
		delay = min(2*delay, c.cfg.ReconnectMost)
		if ctx.Err() == nil {
			c.cfg.Log.Warn("gateway connection ended", "why", end.why, "new session", end.lost, "again in", wait.Round(time.Millisecond))
		}
		if pause(ctx, wait) != nil {
			if l != nil {
				l.close()
			}
			return nil
		}
	}
}

// mayIdentify waits until a new session may be asked for.
func (c *Client) mayIdentify(ctx context.Context) error {
	if c.daily.Wait(ctx) != nil || c.spacing.Wait(ctx) != nil {
		<-ctx.Done() // it has ended, or would before it is time
		return nil
	}
	var told struct {
		Limit *struct {
			Remaining  int   `json:"remaining"`
			ResetAfter int64 `json:"reset_after"`
		} `json:"session_start_limit"`
	}
	_, err := c.rest.do(ctx, request{
		method: http.MethodGet, path: "/gateway/bot", key: "gateway", repeatable: true, within: requestTime,
	}, &told)
	if e, is := errors.AsType[*Error](err); is && e.Status == http.StatusUnauthorized {
		fatal := fatalCodes[4004]
		return &fatal
	}
	if err == nil && told.Limit != nil && told.Limit.Remaining <= 0 {
		wait := time.Duration(told.Limit.ResetAfter) * time.Millisecond
		c.cfg.Log.Error("Discord allows no new sessions for now", "again in", wait)
		pause(ctx, wait)
	}
	return nil // else trouble shows when connecting
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

func (c *Client) newLink() *link {
	s, _ := discordgo.New("Bot " + c.cfg.Token) // never fails
	l := &link{c: c, s: s, ctx: c.ctx}
	c.mu.Lock()
	c.link = l
	c.mu.Unlock()
	// Below its lowest level: it writes to the standard logger, and some of what it writes holds tokens.
	s.LogLevel = discordgo.LogError - 1
	s.ShouldReconnectOnError = false
	s.ShouldRetryOnRateLimit = false
	s.MaxRestRetries = 0
	s.StateEnabled = false
	s.SyncEvents = true // else an invitation could overtake the removal before it
	s.Identify.Intents = discordgo.IntentsGuilds
	s.UserAgent = c.rest.agent
	s.Client = &http.Client{Timeout: c.cfg.OpenTimeout, Transport: l}
	dialer := *s.Dialer // a copy: the original is shared by the whole process
	dialer.Proxy = nil
	dialer.HandshakeTimeout = c.cfg.OpenTimeout
	dialer.NetDialContext = l.dial
	dialer.NetDialTLSContext = l.dialTLS
	s.Dialer = &dialer
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		if !l.gone.Load() {
			c.guard(e.Type, "", func() { c.on(e) })
		}
	})
	return l
}

// ending is how a connection came to its end.
type ending struct {
	code int   // the server's close code, if it gave one
	lost bool  // the session cannot be resumed
	why  error // for the log
}

// connect opens a connection and waits for its end.
func (l *link) connect(ctx context.Context) ending {
	err, stuck := l.open(ctx)
	l.mu.Lock()
	t := l.tap
	l.mu.Unlock()
	if stuck || t == nil {
		return ending{lost: stuck || !l.began, why: err}
	}
	if err == nil {
		l.began = true
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
	return ending{code: code, lost: !l.began || invalid || newSession, why: why}
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
