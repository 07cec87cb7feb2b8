package bot

import (
	"context"
	"errors"
	"time"

	"kraal/storage"
)

// Retention is how long what is over is kept. Zero: for ever.
type Retention struct {
	Games      time.Duration // matches that have a result, with what others said would come of them
	Challenges time.Duration // matches that came to nothing: never accepted, called off
}

const (
	forgetFirst = time.Hour // after the start: by then a board computer knows the time, and does not take all for old
	forgetEvery = 24 * time.Hour
	forgetPage  = 50 // matches looked at, and deleted, at once
)

// forget deletes what has been kept long enough, once a day, until ctx ends.
func (a *App) forget(ctx context.Context) {
	if a.Keep == (Retention{}) {
		return
	}
	for wait := forgetFirst; ; wait = forgetEvery {
		select {
		case <-ctx.Done():
			return
		case <-a.Clock.After(wait):
		}
		gone := 0
		err := guard(func() (err error) {
			gone, err = a.forgetOld(ctx, wait == forgetFirst)
			return err
		})
		if ctx.Err() != nil {
			return
		}
		if a.Forgot != nil {
			a.Forgot(gone, err)
		}
		if err != nil {
			a.Log.Error("what is old is not deleted", "deleted", gone, "error", err)
		} else if gone > 0 {
			a.Log.Info("what is old was deleted", "matches", gone)
		}
	}
}

// forgetOld deletes what is old. The first time it goes through all matches, which are sorted by when they were created,
// up to those that are too young for any bound. Later it goes through games as far as they are bounded, and finds what came
// to nothing by its index: where that alone is bounded, the games, of which there are ever more, are not read every day.
func (a *App) forgetOld(ctx context.Context, first bool) (gone int, err error) {
	all, off := storage.All(storage.KindMatch), storage.CameToNothing()
	switch keep := a.Keep; {
	case first:
		return a.forgetIn(ctx, all, shortest(keep))
	case keep.Challenges == 0:
		return a.forgetIn(ctx, all, keep.Games)
	case keep.Games == 0:
		return a.forgetIn(ctx, off, 0)
	}
	gone, err = a.forgetIn(ctx, all, a.Keep.Games)
	if err != nil {
		return gone, err
	}
	more, err := a.forgetIn(ctx, off, 0)
	return gone + more, err
}

// shortest is the shorter of the two bounds that there are.
func shortest(keep Retention) time.Duration {
	if keep.Games == 0 || keep.Challenges > 0 && keep.Challenges < keep.Games {
		return keep.Challenges
	}
	return keep.Games
}

// forgetIn deletes what is old among the matches of an index, a page at a time, up to one created less than so long ago,
// where those that follow are younger still; 0: all of them.
func (a *App) forgetIn(ctx context.Context, ix storage.Index, upTo time.Duration) (gone int, err error) {
	now := a.Clock.Now()
	for from, more := storage.Cursor(""), true; more; {
		var old []storage.Expect
		err := a.Store.View(ctx, func(r storage.Reader) error {
			hits, err := r.Range(ix, from, forgetPage)
			if err != nil {
				return err
			}
			more = len(hits) == forgetPage
			for _, hit := range hits {
				from = hit.Cursor
				kept, err := r.Get(hit.Key)
				if err != nil {
					continue // damaged: nobody knows how old it is
				}
				m := kept.Record.(storage.Match)
				more = more && (upTo == 0 || now.Sub(m.Created) >= upTo)
				if a.isOld(m, now) {
					old = append(old, storage.Expect{Key: hit.Key, Version: kept.Version})
				}
			}
			return nil
		})
		if err != nil {
			return gone, err
		}
		some, err := a.forgetThese(ctx, old)
		if gone += some; err != nil {
			return gone, err
		}
	}
	return gone, nil
}

func (a *App) forgetThese(ctx context.Context, old []storage.Expect) (gone int, err error) {
	for _, o := range old {
		switch err := a.forgetMatch(ctx, o); {
		case errors.Is(err, storage.ErrConflict): // changed just now, and looked at again another day, or gone already
		case err != nil:
			return gone, err
		default:
			gone++
		}
	}
	return gone, nil
}

// isOld tells whether a match is over, was told of, and has been kept long enough.
func (a *App) isOld(m storage.Match, now time.Time) bool {
	keep := a.Keep.Games
	if m.State == storage.Withdrawn {
		keep = a.Keep.Challenges
	}
	return keep > 0 && !m.Live() && !m.Untold() && m.Due().IsZero() && now.Sub(m.Ended) >= keep
}

// forgetMatch deletes a match, if nothing has changed it meanwhile, and what others said of it: some of that at a time,
// the match last, so that what a crash left is found again.
func (a *App) forgetMatch(ctx context.Context, old storage.Expect) error {
	for {
		var said []storage.Hit
		err := a.Store.View(ctx, func(r storage.Reader) (err error) {
			said, err = r.Range(storage.PredictionsOf(old.Key.ID), "", storage.MaxChanges-1)
			return err
		})
		if err != nil {
			return err
		}
		c := storage.Changes{Expect: []storage.Expect{old}}
		for _, hit := range said {
			c.Delete = append(c.Delete, hit.Key)
		}
		last := len(said) < storage.MaxChanges-1
		if last {
			c.Delete = append(c.Delete, old.Key)
		}
		if _, err := a.Store.Commit(ctx, c); err != nil || last {
			return err
		}
	}
}
