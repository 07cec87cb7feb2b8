package bot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"kraal/bot/match"
	"kraal/rules"
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
	lookAt time.Time            // for what was not told
	mu     sync.Mutex           // guards failed
	failed map[string]time.Time // matches that are left alone until then
}

func newSweeper(a *App) *sweeper { return &sweeper{App: a, failed: map[string]time.Time{}} }

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
	now := s.Clock.Now()
	if !now.Before(s.lookAt) {
		if err := s.tellUntold(ctx); err != nil {
			return 0, err
		}
		s.lookAt = now.Add(sweepIdle)
	}
	maps.DeleteFunc(s.failed, func(_ string, later time.Time) bool { return !later.After(now) })
	wait := s.lookAt.Sub(now)
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

func (s *sweeper) due(ctx context.Context, from storage.Cursor) (hits []storage.Hit, err error) {
	err = s.Store.View(ctx, func(r storage.Reader) error {
		hits, err = r.Range(storage.Due(), from, sweepAtOnce)
		return err
	})
	return hits, err
}

// at is when a match is to be looked at: when something is due, or, where that failed, a while later.
func (s *sweeper) at(h storage.Hit) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if later, failed := s.failed[h.Key.ID]; failed && later.After(h.At) {
		return later
	}
	return h.At
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
		s.Log.Error("not done when it was due", "game", id, "error", err)
		s.mu.Lock()
		s.failed[id] = s.Clock.Now().Add(sweepLater)
		s.mu.Unlock()
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
	m := stored.Record.(storage.Match)
	switch {
	case m.Due().IsZero() || m.Due().After(a.Clock.Now()):
		return false, nil // somebody was faster
	case m.State == storage.Challenged:
		_, err = a.Do(ctx, id, match.Act{Do: match.Expire{}}, nil)
		if errors.Is(err, match.ErrNotWaiting) {
			err = nil // answered in the same moment
		}
		return true, err
	case m.Untold():
		return false, nil // a notice leads to a board, which has to be there first: whoever tells will wake the sweep
	}
	return true, a.notify(ctx, m)
}

// notify tells the player to move of their turn, or of the end, and notes that this is done. A notice that cannot be sent
// now is tried again later; one that can never be sent is let go.
func (a *App) notify(ctx context.Context, m storage.Match) error {
	quiet, err := a.quiet(ctx, m)
	if err != nil {
		return err
	}
	again := time.Time{}
	notice, err := a.sendNotice(ctx, m, quiet)
	noticeIn := m.Channel
	var trouble *Trouble
	switch {
	case errors.As(err, &trouble):
		a.Log.Warn("no notice", "game", m.ID, "why", trouble.Why)
	case err != nil:
		a.Log.Warn("no notice yet", "game", m.ID, "error", err)
		again, notice, noticeIn = a.Clock.Now().Add(sweepLater), m.Shown.Notice, m.Shown.NoticeIn
	}
	return a.note(ctx, m.ID, func(now *storage.Match) {
		now.Shown.Notice, now.Shown.NoticeIn = notice, noticeIn
		if now.NoticeAt.Equal(m.NoticeAt) {
			now.NoticeAt = again
		}
	})
}

func (a *App) sendNotice(ctx context.Context, m storage.Match, quiet bool) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	return a.screen.Notify(ctx, m, quiet)
}

// quiet tells whether the one whom a notice would mention wants none.
func (a *App) quiet(ctx context.Context, m storage.Match) (bool, error) {
	t, err := match.Look(m)
	if err != nil {
		return false, err
	}
	member, err := a.Member(ctx, m.Seats[Addressee(t)].ID)
	return member.Quiet, err
}

// Addressee is the side that a notice is for: the one to move, and at the end the one who did not act last.
func Addressee(t match.Table) rules.Side {
	if t.Match.State != storage.Finished {
		return t.ToMove()
	}
	if winner, ok := t.Match.Result.Winner(); ok && t.Match.Reason == rules.Resignation {
		return winner
	}
	if by, ok := match.Offerer(t.Match, storage.OfferDraw); ok && t.Match.Reason == rules.Agreement {
		return by
	}
	if last, ok := t.LastTurn(); ok {
		return last.Side.Opponent()
	}
	return rules.White
}
