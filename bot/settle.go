package bot

import (
	"context"
	"errors"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// pairSpan is the time in which the rated games of the same two are counted.
const pairSpan = 24 * time.Hour

// settle adds a finished match's ratings to the changes, so that both are kept together or not at all. Where it changes
// none although it was to be rated, the match says why.
func (a *App) settle(ctx context.Context, m storage.Match, changes *storage.Changes) (storage.Match, error) {
	t, err := match.Look(m)
	if err != nil {
		return m, err
	}
	if match.AgreedEarly(t) {
		m.Unrated = storage.UnratedAgreed
	}
	if !match.Counts(t) {
		return m, nil
	}
	var before standing
	enough := false
	err = a.Store.View(ctx, func(r storage.Reader) (err error) {
		if enough, err = a.metEnough(r, m); err == nil && !enough {
			before, err = a.standingBefore(r, m, changes)
		}
		return err
	})
	if err != nil {
		return m, err
	}
	if enough {
		m.Unrated = storage.UnratedPair
		return m, nil
	}
	for _, t := range match.Tallies(m, before.pools, before.tallies, before.ratings) {
		changes.Put = append(changes.Put, t)
	}
	m, ratings := match.Settle(m, before.pools, before.ratings, a.Ratings)
	for _, r := range ratings {
		changes.Put = append(changes.Put, r)
	}
	return m, nil
}

// standing is what two players have before a game of theirs is settled.
type standing struct {
	pools   []match.Pool
	ratings map[storage.Key]storage.Rating
	tallies map[storage.Key]storage.Tally
}

// standingBefore reads that, in every pool in which the match is rated, and has the changes expect it.
func (a *App) standingBefore(r storage.Reader, m storage.Match, changes *storage.Changes) (standing, error) {
	s := standing{ratings: map[storage.Key]storage.Rating{}, tallies: map[storage.Key]storage.Tally{}}
	season, err := a.seasonPool(r, m)
	if err != nil {
		return s, err
	}
	s.pools = match.Pools(m, season)
	for _, pool := range s.pools {
		for _, seat := range m.Seats {
			err := errors.Join(readInto(r, storage.RatingKey(pool.Name, m.Variant.Key, seat.ID), s.ratings, changes),
				readInto(r, storage.TallyKey(pool.Name, seat.ID), s.tallies, changes))
			if err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

// readInto reads a record, if there is one, and has the changes expect it to be as it was read.
func readInto[T storage.Record](r storage.Reader, k storage.Key, into map[storage.Key]T, changes *storage.Changes) error {
	stored, err := r.Get(k)
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	changes.Expect = append(changes.Expect, storage.Expect{Key: k, Version: stored.Version})
	if err == nil {
		into[k] = stored.Record.(T)
	}
	return nil
}

// metEnough tells whether the two of a match have played as many rated games with each other lately as count. Two games
// of theirs that end at once change the same ratings, so that the later one is decided again and sees the other.
func (a *App) metEnough(r storage.Reader, m storage.Match) (bool, error) {
	const page, most = 20, 200
	limit, rated := a.Limits.RatedPerPair, 0
	if limit == 0 {
		return false, nil
	}
	from := storage.Cursor("")
	for range most / page {
		hits, err := r.Range(storage.FinishedAgainst(m.Seats[rules.White].ID, m.Seats[rules.Black].ID), from, page)
		if err != nil {
			return false, err
		}
		last, err := readHits[storage.Match](a, r, hits)
		if err != nil {
			return false, err
		}
		for _, other := range last { // the last to end first
			if !other.Ended.After(m.Ended.Add(-pairSpan)) {
				return false, nil
			}
			if len(other.Changes) > 0 && other.Annulled.IsZero() && other.ID != m.ID {
				rated++
			}
			if rated >= limit {
				return true, nil
			}
		}
		if len(hits) < page {
			return false, nil
		}
		from = hits[page-1].Cursor
	}
	return false, nil
}
