package bot

import (
	"context"
	"errors"
	"slices"

	"kraal/storage"
)

// forgetWins puts the alias into the ratings of others whose best win was over the member. It goes by the member's
// matches, so it comes before those are renamed.
func (p parting) forgetWins(ctx context.Context) error {
	return p.each(ctx, storage.FinishedOf(p.who), "", func(r storage.Reader, s storage.Stored, c *storage.Changes) error {
		m := s.Record.(storage.Match)
		for _, change := range m.Changes {
			if err := p.forgetWin(r, storage.RatingKey(change.Pool, m.Variant.Key, change.Member), c); err != nil {
				return err
			}
		}
		return nil
	})
}

// forgetWin changes one rating, unless that is among the changes already.
func (p parting) forgetWin(r storage.Reader, key storage.Key, c *storage.Changes) error {
	stored, err := r.Get(key)
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	rating := stored.Record.(storage.Rating)
	if rating.Best.Over.ID != p.who || slices.ContainsFunc(c.Put, func(put storage.Record) bool { return put.Key() == key }) {
		return nil
	}
	rating.Best.Over = storage.Person{ID: p.alias}
	c.Expect = append(c.Expect, storage.Expect{Key: key, Version: stored.Version})
	c.Put = append(c.Put, rating)
	return nil
}

// forgetSeasons puts the alias into the halls of fame.
func (p parting) forgetSeasons(ctx context.Context) error {
	return p.each(ctx, storage.All(storage.KindSeason), "", func(_ storage.Reader, s storage.Stored, c *storage.Changes) error {
		if season, changed := s.Record.(storage.Season).Renamed(p.who, p.alias); changed {
			c.Put = append(c.Put, season)
		}
		return nil
	})
}
