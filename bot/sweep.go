package bot

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

const (
	sweepAtOnce = 32          // due matches looked at together
	sweepIdle   = time.Hour   // the longest the sweep sleeps
	noticeLater = time.Minute // when a notice that failed is tried again
)

// poke wakes the sweep: something may be due sooner than it thinks.
func (a *App) poke() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// sweep does what is due, whenever it is, until ctx ends.
func (a *App) sweep(ctx context.Context) error {
	for {
		wait := a.sweepOnce(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-a.wake:
		case <-a.Clock.After(wait):
		}
	}
}

// sweepOnce does what is due now and tells how long there is until the next.
func (a *App) sweepOnce(ctx context.Context) time.Duration {
	for ctx.Err() == nil {
		due, err := a.matches(ctx, storage.Due(), sweepAtOnce)
		if err != nil {
			a.Log.Error("what is due cannot be read", "error", err)
			return noticeLater
		}
		if wait := a.doRipe(ctx, due); wait > 0 {
			return wait
		}
	}
	return sweepIdle
}

// doRipe does what is due now and tells how long there is until the next: 0 if there may be more already. What failed
// stays due, so after a failure there is a wait too: without one the sweep would try for ever, and do nothing else.
func (a *App) doRipe(ctx context.Context, due []storage.Match) time.Duration {
	now := a.Clock.Now()
	var ripe sync.WaitGroup
	var failed atomic.Bool
	next, some := sweepIdle, false
	for _, m := range due {
		if left := m.Due().Sub(now); left > 0 {
			next = min(next, left)
			break
		}
		some = true
		ripe.Go(func() {
			if !a.doDue(ctx, m) {
				failed.Store(true)
			}
		})
	}
	ripe.Wait()
	switch {
	case failed.Load():
		return min(next, noticeLater)
	case some:
		return 0
	}
	return next
}

// doDue does what is due of one match, and tells whether it could.
func (a *App) doDue(ctx context.Context, m storage.Match) bool {
	var err error
	if m.State == storage.Challenged {
		_, err = a.Do(ctx, m.ID, match.Act{Do: match.Expire{}}, nil)
		if errors.Is(err, match.ErrNotWaiting) || errors.Is(err, match.ErrNotExpired) {
			err = nil // answered, or looked at, in the same moment
		}
	} else {
		err = a.notify(ctx, m)
	}
	if err != nil && ctx.Err() == nil {
		a.Log.Error("not done when it was due", "game", m.ID, "error", err)
	}
	return err == nil
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
	var trouble *Trouble
	switch {
	case errors.As(err, &trouble):
		a.Log.Warn("no notice", "game", m.ID, "why", trouble.Why)
	case err != nil:
		a.Log.Warn("no notice yet", "game", m.ID, "error", err)
		again, notice = a.Clock.Now().Add(noticeLater), m.Shown.Notice
	}
	return a.note(ctx, m.ID, func(now *storage.Match) {
		now.Shown.Notice = notice
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
	if last, ok := t.LastTurn(); ok {
		return last.Side.Opponent()
	}
	return rules.White
}

// Member reads what a member has chosen; somebody who has chosen nothing is their id alone.
func (a *App) Member(ctx context.Context, id string) (member storage.Member, err error) {
	member.ID = id
	err = a.Store.View(ctx, func(r storage.Reader) error {
		stored, err := r.Get(storage.MemberKey(id))
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err == nil {
			member = stored.Record.(storage.Member)
		}
		return err
	})
	return member, err
}

// SetQuiet keeps whether a member wants turn notices.
func (a *App) SetQuiet(ctx context.Context, id string, quiet bool) error {
	_, err := a.Store.Commit(ctx, storage.Changes{Put: []storage.Record{storage.Member{ID: id, Quiet: quiet}}})
	return err
}
