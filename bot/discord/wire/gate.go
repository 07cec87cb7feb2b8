package wire

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// New sessions: Discord allows 1000 a day, more only to bots with thousands of shards, and takes the token away after
// that. These bounds together allow 530, and one for each shard besides.
const (
	identifyRefill = 3 * time.Minute
	identifyBurst  = 50
)

// gate lets new sessions begin no faster and no more often than Discord allows (events/gateway, Session Start Limit).
type gate struct {
	every time.Duration // between two sessions of a lane
	daily *rate.Limiter

	mu    sync.Mutex
	told  budget
	fresh bool // told has not been used for a session yet
	lanes map[int]*rate.Limiter
}

// budget is what Discord says of beginning sessions.
type budget struct {
	shards   int           // that it recommends
	together int           // lanes: shards whose numbers differ modulo this may begin at once
	left     int           // sessions that may still be begun; below zero: not told
	reset    time.Duration // until there are more
}

func newGate(every time.Duration) *gate {
	return &gate{
		every: every, daily: rate.NewLimiter(rate.Every(identifyRefill), identifyBurst),
		told: budget{shards: 1, together: 1, left: -1}, lanes: map[int]*rate.Limiter{},
	}
}

// room makes the day's bound fit so many shards: each has to begin once before the bound is about anything amiss.
func (g *gate) room(shards int) { g.daily.SetBurst(identifyBurst + shards) }

func (g *gate) lane(shard int) *rate.Limiter {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := shard % g.told.together
	if g.lanes[n] == nil {
		g.lanes[n] = rate.NewLimiter(rate.Every(g.every), 1)
	}
	return g.lanes[n]
}

func (g *gate) learn(b budget) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.told, g.fresh = b, true
}

// take gives what was told and not yet used for a session.
func (g *gate) take() (b budget, fresh bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	b, fresh = g.told, g.fresh
	g.fresh = false
	return b, fresh
}

// mayIdentify waits until a shard may begin a new session.
func (c *Client) mayIdentify(ctx context.Context, shard int) error {
	if c.gate.daily.Wait(ctx) != nil || c.gate.lane(shard).Wait(ctx) != nil {
		<-ctx.Done() // it has ended, or would before it is time
		return nil
	}
	told, fresh := c.gate.take()
	if !fresh {
		if err := c.askGateway(ctx); fatal(err) {
			return err
		}
		told, _ = c.gate.take()
	}
	if told.left == 0 {
		c.cfg.Log.Error("Discord allows no new sessions for now", "shard", shard, "again in", told.reset)
		_ = pause(ctx, told.reset)
	}
	return nil // else trouble shows when connecting
}

// askGateway learns what Discord says of beginning sessions; its error is a *FatalError where it refuses the token.
func (c *Client) askGateway(ctx context.Context) error {
	var told struct {
		Shards int `json:"shards"`
		Limit  *struct {
			Remaining  int   `json:"remaining"`
			ResetAfter int64 `json:"reset_after"`
			Together   int   `json:"max_concurrency"`
		} `json:"session_start_limit"`
	}
	_, err := c.rest.do(ctx, request{
		method: http.MethodGet, path: "/gateway/bot", key: "gateway", repeatable: true, within: requestTime,
	}, &told)
	if e, is := errors.AsType[*Error](err); is && e.Status == http.StatusUnauthorized {
		no := fatalCodes[4004]
		return &no
	}
	if err != nil {
		return err
	}
	b := budget{shards: max(told.Shards, 1), together: 1, left: -1}
	if l := told.Limit; l != nil {
		b.left, b.together = max(l.Remaining, 0), max(l.Together, 1)
		b.reset = time.Duration(l.ResetAfter) * time.Millisecond
	}
	c.gate.learn(b)
	return nil
}

func fatal(err error) bool {
	_, is := errors.AsType[*FatalError](err)
	return is
}
