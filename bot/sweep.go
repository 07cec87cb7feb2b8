package bot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"kraal/bot/match"
	"kraal/storage"
)

const (
	sweepAtOnce = 32          // due matches looked at together
	sweepIdle   = time.Hour   // the longest the sweep sleeps, and how often it looks for what was never told
	sweepLater  = time.Minute // when what failed is tried again
)

// poke wakes the sweep: something may be due sooner than it thinks.
func (a *App) poke() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// sweeper does what is due, of all matches.
type sweeper struct {
	*App
	lookAt time.Time          // for what was not told
	mu     sync.Mutex         // guards failed
	failed map[string]failure // of matches, and of servers' seasons, which are left alone for a while
}

// failure is what could not be done when it was due.
type failure struct {
	times int
	until time.Time // the match is left alone
}

func newSweeper(a *App) *sweeper { return &sweeper{App: a, failed: map[string]failure{}} }

// sweep does what is due, whenever it is, until ctx ends. Its error is a store that will never answer again.
func (s *sweeper) sweep(ctx context.Context) error {
	for {
		wait, err := s.pass(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, storage.ErrBroken) || errors.Is(err, storage.ErrClosed):
			return fmt.Errorf("do what is due: %w", err)
		case err != nil:
			s.Log.Error("what is due cannot be read", "error", err)
			wait = sweepLater
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.wake:
		case <-s.Clock.After(wait):
		}
	}
}

// pass does what is due now, each match once, and tells how long there is until the next.
func (s *sweeper) pass(ctx context.Context) (time.Duration, error) {
	if err := s.catchUp(ctx); err != nil {
		return 0, err
	}
	now := s.Clock.Now()
	if !now.Before(s.lookAt) {
		if err := s.tellUntold(ctx); err != nil {
			return 0, err
		}
		s.tellUncrowned(ctx)
		if err := s.queueKept(ctx); err != nil {
			return 0, err
		}
		s.lookAt = now.Add(sweepIdle)
	}
	s.forgive(now)
	wait := min(s.lookAt.Sub(now), s.alive(ctx), s.ranks(ctx), s.seasons(ctx))
	for from := storage.Cursor(""); ; {
		hits, err := s.due(ctx, from)
		if err != nil {
			return 0, err
		}
		var ripe sync.WaitGroup
		for _, h := range hits {
			if left := s.at(h).Sub(now); left > 0 {
				wait = min(wait, left)
				continue
			}
			ripe.Go(func() { s.try(ctx, h.Key.ID) })
		}
		ripe.Wait()
		if n := len(hits); n < sweepAtOnce || hits[n-1].At.After(now) {
			return wait, nil
		}
		from = hits[len(hits)-1].Cursor
	}
}

// alive notes that somebody is there while a clock runs, and tells in what time to do so again. Where that fails the rest
// goes on: it costs no more than precision, if the process ends.
func (s *sweeper) alive(ctx context.Context) time.Duration {
	again, err := s.noteAlive(ctx)
	if err != nil && ctx.Err() == nil {
		s.Log.Error("it is not noted that a process is alive", "error", err)
		return sweepLater
	}
	return again
}

func (s *sweeper) due(ctx context.Context, from storage.Cursor) (hits []storage.Hit, err error) {
	err = s.Store.View(ctx, func(r storage.Reader) error {
		hits, err = r.Range(storage.Due(), from, sweepAtOnce)
		return err
	})
	return hits, err
}

// at is when a match is to be looked at: when something is due, or, where that failed, a while later.
func (s *sweeper) at(h storage.Hit) time.Time { return s.lookAgain(h.Key.ID, h.At) }

// lookAgain is at by the name under which failures are counted.
func (s *sweeper) lookAgain(name string, due time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f, failed := s.failed[name]; failed && f.until.After(due) {
		return f.until
	}
	return due
}

// forgive forgets failures of which nothing was heard any more, so that their matches are looked at soon if they fail
// again.
func (s *sweeper) forgive(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.failed, func(_ string, f failure) bool { return now.Sub(f.until) > retryBroken })
}

// fail notes a failure. A match that cannot be understood is looked at ever more seldom.
func (s *sweeper) fail(ctx context.Context, id string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.failed[id].times
	s.Log.Log(ctx, failureLevel(before, err), "not done when it was due", "of", id, "error", err)
	s.failed[id] = failure{times: before + 1, until: s.Clock.Now().Add(retryIn(sweepLater, before, err))}
}

// mend forgets the failures of a match in which something could be done again.
func (s *sweeper) mend(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.failed, id)
}

// try does what is due of one match. After a failure the match is left alone for a while, so that it holds up no other.
// The times have changed then, so the sweep goes round once more; but not for what it could only leave as it was.
func (s *sweeper) try(ctx context.Context, id string) {
	done := false
	err := guard(func() (err error) {
		done, err = s.doDue(ctx, id)
		return err
	})
	if err != nil && ctx.Err() == nil {
		s.fail(ctx, id, err)
	} else if done {
		s.mend(id)
	}
	if done || err != nil {
		s.poke()
	}
}

// doDue does what is due of one match, unless that has to wait.
func (a *App) doDue(ctx context.Context, id string) (done bool, err error) {
	stored, err := a.load(ctx, id)
	if err != nil {
		return false, err
	}
	m, now := stored.Record.(storage.Match), a.Clock.Now()
	switch {
	case m.Due().IsZero() || m.Due().After(now):
		return false, nil // somebody was faster
	case m.State == storage.Challenged:
		return true, a.byItself(ctx, id, match.Expire{}, match.ErrNotWaiting) // answered in the same moment
	case m.Ticking() && !m.FlagAt.After(now) && a.outages.unreachable(m.Server):
		return false, nil // its time is not up: it will be given back
	case m.Ticking() && !m.FlagAt.After(now):
		return true, a.byItself(ctx, id, match.Tick{}, match.ErrNotDue, match.ErrNotPlaying)
	case m.Untold():
		return false, nil // a notice leads to a board, which has to be there first: whoever tells will wake the sweep
	}
	return true, a.notify(ctx, m)
}

// byItself does what nobody has to ask for. That others were faster is no error.
func (a *App) byItself(ctx context.Context, id string, do match.Deed, faster ...error) error {
	_, err := a.Do(ctx, id, match.Act{Do: do}, nil)
	for _, f := range faster {
		if errors.Is(err, f) {
			return nil
		}
	}
	return err
}
