package wire

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Discord allows a bot 50 requests in any second, interactions apart. A burst and a second of the steady rate together
// stay below that.
const (
	requestsPerSecond = 40
	requestBurst      = 8
)

// maxBuckets bounds the memory of route limits; those least used are forgotten, and learned again.
const maxBuckets = 4096

// limits keeps requests within what Discord allows, so that it need not refuse any. discordgo's own limiter keeps a lock
// for ever for each address it has seen, interaction tokens within, and holds it during the request.
//
// It reads the machine's clock, not the bot's: what it measures are pauses that timers wait out.
type limits struct {
	all     *rate.Limiter
	buckets *lru.Cache[string, *bucket]
	mu      sync.Mutex
	until   time.Time // a global refusal holds back everything until then
}

func newLimits() (*limits, error) {
	buckets, err := lru.New[string, *bucket](maxBuckets)
	return &limits{all: rate.NewLimiter(requestsPerSecond, requestBurst), buckets: buckets}, err
}

func (l *limits) bucket(key string) *bucket {
	fresh := &bucket{changed: make(chan struct{})}
	if old, ok, _ := l.buckets.PeekOrAdd(key, fresh); ok {
		l.buckets.Get(key) // is in use
		return old
	}
	return fresh
}

// pass waits until a request may be sent. It returns at once when ctx would end before.
func (l *limits) pass(ctx context.Context, interaction bool) error {
	if interaction {
		return nil
	}
	l.mu.Lock()
	until := l.until
	l.mu.Unlock()
	if err := pauseWithin(ctx, time.Until(until)); err != nil {
		return err
	}
	return l.all.Wait(ctx)
}

// errNoRoom: there is more to send than Discord allows at once.
var errNoRoom = errors.New("others are waiting to be sent")

// spare tells whether a request may go that others would otherwise have to wait for: half a burst is left.
func (l *limits) spare() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Tokens() >= requestBurst/2 && !time.Now().Before(l.until)
}

func (l *limits) holdAll(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := time.Now().Add(d); until.After(l.until) {
		l.until = until
	}
}

// bucket is what Discord said about one route with its channel, server or interaction.
type bucket struct {
	mu       sync.Mutex
	known    bool // an answer told the limit, or that there is none
	limit    int  // 0: none
	left     int
	reset    time.Time
	inFlight int
	changed  chan struct{} // closed, and made anew, when something changed
}

// take waits for room and occupies it. While nothing is known yet, one request goes ahead alone.
func (b *bucket) take(ctx context.Context) error {
	for {
		b.mu.Lock()
		if b.limit > 0 && !time.Now().Before(b.reset) && !b.reset.IsZero() {
			b.left, b.reset = b.limit-b.inFlight, time.Time{} // those under way may yet be counted in the new window
		}
		free := b.limit == 0 || b.left > 0
		if !b.known {
			free = b.inFlight == 0
		}
		if free {
			b.inFlight++
			b.left--
			b.mu.Unlock()
			return nil
		}
		changed, wait := b.changed, time.Duration(-1)
		if b.known && !b.reset.IsZero() {
			wait = max(time.Until(b.reset), 0)
		}
		b.mu.Unlock()
		if end, ok := ctx.Deadline(); ok && time.Until(end) < wait {
			return context.DeadlineExceeded
		}
		if err := pauseUntil(ctx, wait, changed); err != nil {
			return err
		}
	}
}

// give ends what take began and learns from the answer; header is nil when none came.
func (b *bucket) give(header http.Header) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inFlight--
	defer func() {
		close(b.changed)
		b.changed = make(chan struct{})
	}()
	limit, err := strconv.Atoi(header.Get("X-RateLimit-Limit"))
	left, err2 := strconv.Atoi(header.Get("X-RateLimit-Remaining"))
	after, err3 := strconv.ParseFloat(header.Get("X-RateLimit-Reset-After"), 64)
	first := !b.known
	b.known = b.known || header != nil
	if err != nil || err2 != nil || err3 != nil || limit <= 0 {
		b.left++ // told nothing: the room is free again, else nobody would ever free it
		return
	}
	// Discord has not counted those under way yet, or has: assume not, and never believe more than was counted here.
	left -= b.inFlight
	if !first && b.limit > 0 {
		left = min(left, b.left)
	}
	b.limit, b.left = limit, max(left, 0)
	if reset := time.Now().Add(seconds(after)); reset.After(b.reset) { // an answer from the last window may come late
		b.reset = reset
	}
}

// hold keeps the route's further requests back.
func (b *bucket) hold(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known = true
	b.limit, b.left = max(b.limit, 1), 0
	b.reset = time.Now().Add(d)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// pause waits for d.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	return pauseUntil(ctx, d, nil)
}

// pauseWithin waits for d, but not when ctx would end before: then it fails at once.
func pauseWithin(ctx context.Context, d time.Duration) error {
	if end, ok := ctx.Deadline(); ok && time.Until(end) < d {
		return context.DeadlineExceeded
	}
	return pause(ctx, d)
}

// pauseUntil waits for d, or for ever if d is negative, or until changed is closed.
func pauseUntil(ctx context.Context, d time.Duration, changed <-chan struct{}) error {
	var over <-chan time.Time
	if d >= 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-over:
	case <-changed:
	}
	return nil
}
