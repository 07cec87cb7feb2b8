package bot

import (
	"context"
	"errors"

	"kraal/storage"
)

// Busy is how much one member plays.
type Busy struct {
	Rank  int // 1 plays most; equal ones share a rank and the next is skipped
	Tally storage.Tally
}

// Activity is a page of who plays most in a pool, over all variants.
type Activity struct {
	Rows        []Busy
	Page, Pages int
	Members     int   // how many there are on all pages
	Own         *Busy // of whoever asks; nil: they have finished no rated game here
}

// Activity reads a page of who has finished most rated games in a pool. The page's variant counts for nothing.
func (a *App) Activity(ctx context.Context, q BoardPage) (all Activity, err error) {
	index := storage.Busiest(q.Pool)
	err = a.Store.View(ctx, func(r storage.Reader) error {
		counts, err := r.Counts(index)
		if err != nil {
			return err
		}
		busy := func(t storage.Tally) Busy { return Busy{Rank: counts.Above(t.Games()) + 1, Tally: t} }
		all = Activity{Members: counts.All()}
		all.Page, all.Pages = q.on(all.Members)
		hits, err := storage.RangeFrom(r, index, counts, (all.Page-1)*q.Rows, q.Rows)
		if err != nil {
			return err
		}
		tallies, err := readHits[storage.Tally](a, r, hits)
		for _, t := range tallies {
			all.Rows = append(all.Rows, busy(t))
		}
		if err != nil {
			return err
		}
		stored, err := r.Get(storage.TallyKey(q.Pool, q.Member))
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err == nil {
			own := busy(stored.Record.(storage.Tally))
			all.Own = &own
		}
		return err
	})
	return all, err
}
