package bot

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kraal/bot/match"
	"kraal/storage"
)

const (
	aliveEvery   = time.Minute     // how often it is noted that somebody is there while a clock runs
	jumpCounts   = 5 * time.Second // by less the system's clock is set while it is kept right
	worthTelling = 2 * aliveEvery  // a shorter absence is given back without a word
	aliveID      = "bot"
)

// watch knows for which time nobody could act.
type watch struct {
	mu    sync.Mutex
	last  time.Time // when it was last looked at the clock; zero: not since the start
	noted time.Time // when it was last noted that somebody is there
}

// catchUp gives the time for which nobody could act back to every clock that runs: before anything else is done, and
// before time can run out for anyone.
func (a *App) catchUp(ctx context.Context) error {
	a.watch.mu.Lock()
	defer a.watch.mu.Unlock()
	now := a.Clock.Now()
	from, err := a.absentFrom(ctx, now)
	if err == nil && !from.IsZero() && from.Before(now) {
		// Whoever happened to ask first may be gone before all is given back.
		err = a.giveBack(context.WithoutCancel(ctx), from.UTC(), now.Round(0).UTC(), everywhere)
	}
	if err == nil {
		err = a.giveBackOutages(ctx)
	}
	if errors.Is(err, storage.ErrDamaged) || errors.Is(err, storage.ErrNewer) {
		a.Log.Error("it cannot be read what time is to be given back", "error", err) // that must not end every game
		err = nil
	}
	if err != nil {
		return fmt.Errorf("give time back: %w", err)
	}
	a.watch.last = now
	return nil
}

// absentFrom tells since when nobody could act; the zero time is that somebody could.
func (a *App) absentFrom(ctx context.Context, now time.Time) (time.Time, error) {
	last := a.watch.last
	if last.IsZero() {
		return a.lastAlive(ctx)
	}
	jump := now.Round(0).Sub(last.Round(0)) - a.Clock.Since(last)
	if jump < jumpCounts {
		return time.Time{}, nil
	}
	a.Log.Warn("the system's clock has jumped", "by", jump)
	return now.Round(0).Add(-jump), nil
}

// lastAlive is when it was last noted that somebody was there while a clock ran.
func (a *App) lastAlive(ctx context.Context) (at time.Time, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		stored, err := r.Get(storage.AliveKey(aliveID))
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err == nil {
			at = stored.Record.(storage.Alive).At
		}
		return err
	})
	return at, err
}

// giveBack gives a time back to every clock that runs in those servers. A match that will not take it does not keep it
// from the others.
func (a *App) giveBack(ctx context.Context, from, to time.Time, in func(server string) bool) error {
	act := match.Act{Do: match.GiveBack{From: from, To: to, Tell: to.Sub(from) >= worthTelling}}
	given := 0
	for cursor := storage.Cursor(""); ; {
		hits, err := a.ticking(ctx, cursor, sweepAtOnce)
		if err != nil {
			return err
		}
		var all sync.WaitGroup
		for _, h := range hits {
			all.Go(func() {
				here, err := a.played(ctx, h.Key.ID, in)
				if here {
					_, err = a.do(ctx, h.Key.ID, act, nil)
				}
				if err != nil && !errors.Is(err, match.ErrNothingRuns) {
					a.Log.Error("time not given back", "game", h.Key.ID, "error", err)
				}
			})
		}
		all.Wait()
		given += len(hits)
		if len(hits) < sweepAtOnce {
			break
		}
		cursor = hits[len(hits)-1].Cursor
	}
	if given > 0 {
		a.Log.Info("time given back", "games", given, "from", from, "to", to)
	}
	return nil
}

// ticking lists matches in which a clock runs.
func (a *App) ticking(ctx context.Context, from storage.Cursor, limit int) (hits []storage.Hit, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		hits, err = r.Range(storage.Ticking(), from, limit)
		return err
	})
	return hits, err
}

// noteAlive notes that somebody is there, if a clock runs, and tells in what time to do so again.
func (a *App) noteAlive(ctx context.Context) (time.Duration, error) {
	a.watch.mu.Lock()
	defer a.watch.mu.Unlock()
	if a.outages.any() {
		return aliveEvery, nil // else whoever comes after a crash would not give back the time before it
	}
	hits, err := a.ticking(ctx, "", 1)
	if err != nil || len(hits) == 0 {
		return sweepIdle, err
	}
	now := a.Clock.Now()
	if left := aliveEvery - now.Sub(a.watch.noted); left > 0 && left <= aliveEvery {
		return left, nil
	}
	if err := a.commit(ctx, storage.Changes{Put: []storage.Record{storage.Alive{ID: aliveID, At: now.UTC()}}}); err != nil {
		return 0, err
	}
	a.watch.noted = now
	return aliveEvery, nil
}
