package bot

import (
	"context"
	"errors"
	"slices"
	"time"

	"kraal/bot/match"
	"kraal/bot/rating"
	"kraal/storage"
)

// ranksAtOnce is how many ratings are put in their place with one commit.
const ranksAtOnce = 200

// ranks keeps the boards true: a rating is ranked until it lapses, and then somebody has to take it down. It does some of
// what is due, and tells in what time to go on. Where that fails the rest of the sweep goes on.
func (s *sweeper) ranks(ctx context.Context) time.Duration {
	wait := sweepIdle
	for _, some := range []func(context.Context) (time.Duration, error){s.weigh, s.lapse} {
		again, err := some(ctx)
		switch {
		case errors.Is(err, storage.ErrConflict):
			again = 0 // one of them has just played: the others are looked at anew
		case err != nil && ctx.Err() == nil:
			s.Log.Error("ratings are not put in their places", "error", err)
			again = sweepLater
		}
		wait = min(wait, again)
	}
	return wait
}

// weigh works out when ratings lapse of which that is not known, as they are from before it was kept; and so are their games
// from before those were counted.
func (a *App) weigh(ctx context.Context) (time.Duration, error) {
	return a.place(ctx, storage.Unweighed(), countOld, func(r storage.Rating, now time.Time) storage.Rating {
		r.Weighed, r.Lapses = true, a.Ratings.Lapse(strength(r), r.At)
		if !r.Lapses.After(now) {
			r.Lapses = time.Time{}
		}
		return r
	})
}

// lapse takes the ratings from their boards that have become too uncertain.
func (a *App) lapse(ctx context.Context) (time.Duration, error) {
	return a.place(ctx, storage.Lapsing(), nil, func(r storage.Rating, _ time.Time) storage.Rating {
		r.Lapses = time.Time{}
		return r
	})
}

// place puts some of the ratings of an index in their places, those that are due where it tells when, and says in what
// time there is more to do. A rating that cannot be read is passed by: whoever lists it says so.
func (a *App) place(
	ctx context.Context, index storage.Index, also func(storage.Reader, *storage.Changes) error,
	to func(storage.Rating, time.Time) storage.Rating,
) (wait time.Duration, err error) {
	var changes storage.Changes
	now := a.Clock.Now()
	err = a.Store.View(ctx, func(r storage.Reader) (err error) {
		wait, err = placeSome(r, index, now, &changes, func(r storage.Rating) storage.Rating { return to(r, now) })
		if err == nil && also != nil {
			err = also(r, &changes)
		}
		return err
	})
	if err == nil && len(changes.Put) > 0 {
		err = a.commit(ctx, changes)
	}
	return wait, err
}

// placeSome adds the ratings to the changes that are due, at most ranksAtOnce.
func placeSome(
	r storage.Reader, index storage.Index, now time.Time, changes *storage.Changes, to func(storage.Rating) storage.Rating,
) (wait time.Duration, err error) {
	for from := storage.Cursor(""); ; {
		hits, err := r.Range(index, from, ranksAtOnce)
		if err != nil {
			return 0, err
		}
		for _, h := range hits {
			if left := h.At.Sub(now); left > 0 {
				return min(left, sweepIdle), nil
			}
			if err := placeOne(r, h.Key, changes, to); err != nil || len(changes.Put) == ranksAtOnce {
				return 0, err
			}
			from = h.Cursor
		}
		if len(hits) < ranksAtOnce {
			return sweepIdle, nil
		}
	}
}

// countOld adds the games of the ratings in the changes to the tallies of their members.
func countOld(r storage.Reader, changes *storage.Changes) error {
	counted, order := map[storage.Key]storage.Tally{}, []storage.Key{}
	for _, put := range changes.Put {
		old := put.(storage.Rating)
		key := storage.TallyKey(old.Pool, old.Member)
		if !slices.Contains(order, key) {
			order = append(order, key)
			if err := readInto(r, key, counted, changes); err != nil {
				return err
			}
		}
		t := match.WithOld(counted[key], old)
		t.Pool, t.Member = old.Pool, old.Member
		if old.At.After(t.At) {
			t.Name, t.At = old.Name, old.At
		}
		counted[key] = t
	}
	for _, key := range order {
		changes.Put = append(changes.Put, counted[key])
	}
	return nil
}

func placeOne(r storage.Reader, k storage.Key, changes *storage.Changes, to func(storage.Rating) storage.Rating) error {
	stored, err := r.Get(k)
	var unreadable *storage.RecordError
	if errors.As(err, &unreadable) {
		return nil
	}
	if err != nil {
		return err
	}
	changes.Expect = append(changes.Expect, storage.Expect{Key: k, Version: stored.Version})
	changes.Put = append(changes.Put, to(stored.Record.(storage.Rating)))
	return nil
}

func strength(r storage.Rating) rating.Rating {
	return rating.Rating{Points: r.Points, Deviation: r.Deviation, Volatility: r.Volatility}
}
