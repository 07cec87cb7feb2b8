package discord_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"kraal/render"
	"kraal/storage"
)

// clock is the machine's, moved forward by tests. Whoever waits on it is woken when time is moved.
type clock struct {
	mu      sync.Mutex
	ahead   time.Duration
	waiting map[chan struct{}]struct{}
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *clock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
	for w := range c.waiting {
		close(w)
	}
	c.waiting = map[chan struct{}]struct{}{}
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	fired := make(chan time.Time, 1)
	until := c.Now().Add(d)
	go func() {
		for {
			c.mu.Lock()
			left := until.Sub(time.Now().Add(c.ahead))
			moved := make(chan struct{})
			c.waiting[moved] = struct{}{}
			c.mu.Unlock()
			if left <= 0 {
				fired <- until
				return
			}
			timer := time.NewTimer(left)
			select {
			case <-moved:
			case <-timer.C:
			}
			timer.Stop()
		}
	}()
	return fired
}

// painter draws as the bot does, as slowly as a test wants, and films that are as small.
type painter struct {
	*render.Renderer
	mu    sync.Mutex
	slow  time.Duration
	limit int // bytes of a film, where a test has a wish
}

func (p *painter) GIF(w io.Writer, r render.Replay) (render.Film, error) {
	p.mu.Lock()
	r.Limit = cmp.Or(p.limit, r.Limit)
	p.mu.Unlock()
	return p.Renderer.GIF(w, r)
}

func (p *painter) PNG(w io.Writer, s render.Scene) error {
	p.mu.Lock()
	slow := p.slow
	p.mu.Unlock()
	if slow > 0 {
		<-time.After(slow)
	}
	return p.Renderer.PNG(w, s)
}

// slowStore takes its time over every commit, and tells of it afterwards. When its process is dead it keeps nothing.
type slowStore struct {
	storage.Store
	by   *atomic.Int64
	kept *bell
	dead *atomic.Bool // nil: it lives for ever
}

var errDead = errors.New("the process was killed")

func (s slowStore) Commit(ctx context.Context, c storage.Changes) (storage.Versions, error) {
	if by := time.Duration(s.by.Load()); by > 0 {
		<-time.After(by)
	}
	defer s.kept.ring()
	if s.dead != nil && s.dead.Load() {
		return nil, errDead
	}
	return s.Store.Commit(ctx, c)
}

// bell wakes those who wait for something to be kept.
type bell struct {
	mu   sync.Mutex
	next chan struct{}
}

// rung is closed when the bell rings next.
func (b *bell) rung() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next = make(chan struct{})
	}
	return b.next
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next != nil {
		close(b.next)
		b.next = nil
	}
}

// logBook keeps the log, for a failing test to show and for secrets to be looked for.
type logBook struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
