package bot

import (
	"context"

	"kraal/storage"
)

// forgetWins puts the alias into the ratings of others whose best win was over the member. All ratings are looked at: the
// match that was won may have been deleted long ago, for what is old is not kept everywhere.
func (p parting) forgetWins(ctx context.Context) error {
	return p.each(ctx, storage.All(storage.KindRating), "", func(_ storage.Reader, s storage.Stored, c *storage.Changes) error {
		if rating := s.Record.(storage.Rating); rating.Best.Over.ID == p.who {
			rating.Best.Over = storage.Person{ID: p.alias}
			c.Put = append(c.Put, rating)
		}
		return nil
	})
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
