package wire

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Shards is which part of the bot's servers a client serves. Discord deals servers out to shards by their ids; direct
// messages go to shard 0 (events/gateway, Sharding). The zero value is all of them, in as many shards as Discord
// recommends.
type Shards struct {
	Count int // in all processes together; 0: as many as Discord recommends
	First int // of this client's, with Count
	Last  int
}

// Valid refuses a range that is not one.
func (s Shards) Valid() error {
	switch {
	case s.Count < 0 || s.First < 0 || s.Last < s.First:
		return fmt.Errorf("shards %d to %d are no range", s.First, s.Last)
	case s.Count == 0 && s.Last > 0:
		return errors.New("a range of shards needs their number")
	case s.Count > 0 && s.Last >= s.Count:
		return fmt.Errorf("shard %d is not one of %d: the first is 0", s.Last, s.Count)
	}
	return nil
}

// Of is the shard that a server belongs to; the one of direct messages where there is no server.
func (s Shards) Of(server string) int {
	id, ok := snowflake(server)
	if !ok || s.Count < 2 {
		return 0
	}
	return int(id >> 22 % uint64(s.Count))
}

// supervise keeps every shard connected until ctx ends or Discord says no for good. When it recommends more shards than
// there are, because the bot has come to be in more servers, all begin anew.
func (c *Client) supervise(ctx context.Context) error {
	for {
		set, err := c.plan(ctx)
		if err != nil || ctx.Err() != nil {
			return err
		}
		err = c.serve(ctx, set)
		if no, is := errors.AsType[*FatalError](err); !is || no.Code != codeShardsNeeded || c.cfg.Shards.Count > 0 {
			return err
		}
		if e := c.askGateway(ctx); e != nil || c.recommended() <= set.Count {
			return err
		}
		c.cfg.Log.Warn("the bot is in too many servers for its shards", "had", set.Count, "begins", c.recommended())
	}
}

// plan settles which shards to serve. Without a number that is set it takes an answer of Discord's.
func (c *Client) plan(ctx context.Context) (Shards, error) {
	set := c.cfg.Shards
	for delay := c.cfg.ReconnectAfter; ; delay = min(2*delay, c.cfg.ReconnectMost) {
		err := c.askGateway(ctx)
		if fatal(err) || ctx.Err() != nil {
			return set, err
		}
		if err == nil || set.Count > 0 {
			break
		}
		wait := c.spread(delay)
		c.cfg.Log.Warn("Discord does not say how many shards it wants", "error", err, "again in", wait.Round(time.Millisecond))
		if pause(ctx, wait) != nil {
			return set, nil
		}
	}
	if set.Count == 0 {
		set.Count = c.recommended()
		set.Last = set.Count - 1
	}
	return set, nil
}

func (c *Client) recommended() int {
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	return c.gate.told.shards
}

// spread keeps many who wait for the same from coming back all at once.
func (c *Client) spread(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.5 + c.cfg.Random()))
}

// serve runs shards; the first that is refused for good ends the others.
func (c *Client) serve(ctx context.Context, set Shards) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	shards := make([]*shard, 0, set.Last-set.First+1)
	for n := set.First; n <= set.Last; n++ {
		shards = append(shards, &shard{c: c, number: n, of: set.Count, first: n == set.First, state: Waiting, since: time.Now()})
	}
	c.gate.room(len(shards))
	c.mu.Lock()
	c.shards = shards
	c.mu.Unlock()
	if set.Count > 1 {
		c.cfg.Log.Info("connecting in shards", "first", set.First, "last", set.Last, "of", set.Count)
	}
	var running sync.WaitGroup
	for _, s := range shards {
		running.Go(func() {
			defer s.enter(Stopped)
			if err := s.run(ctx); err != nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	if cause := context.Cause(ctx); fatal(cause) {
		return cause
	}
	return nil
}

// shard is one of the bot's connections, with the session that goes over it.
type shard struct {
	c      *Client
	number int
	of     int
	first  bool // of those that the client serves

	mu         sync.Mutex
	link       *link // the newest
	state      State
	since      time.Time
	acked      time.Time // when a connection that has ended was last heard of
	reconnects int
	why        string
}

// run opens connection after connection; discordgo's own reconnecting knows no fatal codes and spreads nothing.
func (s *shard) run(ctx context.Context) error {
	c := s.c
	s.cut(ending{}) // others may have begun long before it is this one's turn
	var l *link
	delay := c.cfg.ReconnectAfter
	for {
		if l == nil {
			if err := c.mayIdentify(ctx, s.number); err != nil || ctx.Err() != nil {
				return err
			}
			l = c.newLink(s)
		}
		began := time.Now()
		s.enter(Connecting)
		end := l.connect(ctx, s.stands)
		s.lost(l)
		if no, is := fatalCodes[end.code]; is {
			l.abandon()
			return &no
		}
		if end.lost && ctx.Err() == nil {
			l.abandon()
			l = nil
		}
		if time.Since(began) >= c.cfg.Steady {
			delay = c.cfg.ReconnectAfter
		}
		wait := c.spread(delay)
		delay = min(2*delay, c.cfg.ReconnectMost)
		if ctx.Err() == nil {
			s.ended(end, wait)
		}
		if pause(ctx, wait) != nil {
			if l != nil {
				l.close()
			}
			return nil
		}
	}
}

func (s *shard) stands() {
	s.enter(Connected)
	if s.c.cfg.Mended != nil {
		s.c.cfg.Mended(s.number)
	}
}

// cut tells that nobody reaches the bot over the shard. A server that acknowledged nothing any more has not delivered
// anything either.
func (s *shard) cut(end ending) {
	if s.c.cfg.Cut == nil {
		return
	}
	set, number := Shards{Count: s.of}, s.number
	s.c.cfg.Cut(number, end.silent, func(server string) bool { return set.Of(server) == number })
}

func (s *shard) ended(end ending, wait time.Duration) {
	s.c.cfg.Log.Warn("gateway connection ended", "shard", s.number, "why", end.why, "new session", end.lost, "again in", wait.Round(time.Millisecond))
	s.enter(Waiting)
	s.cut(end)
	s.mu.Lock()
	defer s.mu.Unlock()
	if end.why != nil {
		s.why = s.c.clean(end.why.Error(), "")
	}
}

// lost notes that a connection has ended, and when it was last heard of.
func (s *shard) lost(l *link) {
	acked := l.acked()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reconnects++
	if acked.After(s.acked) {
		s.acked = acked
	}
}
