package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kraal/bot/match"
	"kraal/storage"
)

const (
	farewells     = 100 // that are worked off in one go
	farewellBatch = 50  // records that are looked at, and changed, at once
)

// keepFarewells works off what members have asked for, until ctx ends.
func (a *App) keepFarewells(ctx context.Context) {
	for {
		wait := sweepIdle
		if err := a.workOff(ctx); err != nil && ctx.Err() == nil {
			a.Log.Error("somebody's data are not deleted yet", "error", err)
			wait = sweepLater
		}
		select {
		case <-ctx.Done():
			return
		case <-a.parted:
		case <-a.Clock.After(wait):
		}
	}
}

// workOff works off every farewell that stands. One that fails holds up no other.
func (a *App) workOff(ctx context.Context) error {
	var standing []storage.Stored
	err := a.Store.View(ctx, func(r storage.Reader) error {
		hits, err := r.Range(storage.All(storage.KindFarewell), "", farewells)
		for _, h := range hits {
			stored, ok, err := a.get(r, h.Key)
			if err != nil {
				return err
			}
			if ok {
				standing = append(standing, stored)
			}
		}
		return err
	})
	errs := []error{err}
	for _, s := range standing {
		f := s.Record.(storage.Farewell)
		p := parting{a, f.Member, f.Alias, s.Version}
		if err := guard(func() error { return p.work(ctx) }); !errors.Is(err, ErrLeaving) { // another has done it
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// parting is the work that one farewell asks for. All of it can be done again.
type parting struct {
	*App
	who, alias string
	version    storage.Version // of the farewell
}

func (p parting) key() storage.Key { return storage.FarewellKey(p.who) }

// work ends the member's matches first: after that nothing new of theirs is kept while the farewell stands.
func (p parting) work(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		p.leaveMatches, p.forgetWins, p.renameMatches, p.forgetRatings, p.forgetSeasons, p.forgetPredictions, p.forgetInServers,
		p.forgetInLogs, p.forgetChoices,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return p.commit(ctx, storage.Changes{Expect: []storage.Expect{p.stands()}, Delete: []storage.Key{p.key()}})
}

// stands is the condition of everything that is done: whoever has come back since is left alone.
func (p parting) stands() storage.Expect {
	return storage.Expect{Key: p.key(), Version: p.version}
}

// leaveMatches ends what is going on, as anybody's act would: decided, kept and told. It looks again until there is
// nothing left, for a match that stayed alive would keep its member's name.
func (p parting) leaveMatches(ctx context.Context) error {
	for range attempts {
		left, err := p.leaveAll(ctx)
		if err != nil || left == 0 {
			return err
		}
	}
	return fmt.Errorf("leave %s's matches, %d attempts: %w", p.alias, attempts, storage.ErrConflict)
}

// leaveAll goes once through the matches that are not over, and tells how many there were.
func (p parting) leaveAll(ctx context.Context) (left int, err error) {
	var from storage.Cursor
	for {
		var hits []storage.Hit
		err := p.Store.View(ctx, func(r storage.Reader) (err error) {
			hits, err = r.Range(storage.OfMember(p.who), from, farewellBatch)
			return err
		})
		if err != nil {
			return left, err
		}
		for _, h := range hits {
			ended, err := p.leave(ctx, h.Key.ID)
			if err != nil {
				return left, err
			}
			if ended {
				left++
			}
			from = h.Cursor
		}
		if len(hits) < farewellBatch {
			return left, nil
		}
	}
}

// leave ends one match. ended is false for one that cannot be read, and so stays as it is.
func (p parting) leave(ctx context.Context, id string) (ended bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	_, err = p.Do(ctx, id, match.Act{By: storage.Person{ID: p.who}, Do: match.Leave{}}, nil)
	var unreadable *storage.RecordError
	switch {
	case err == nil, errors.Is(err, match.ErrNotPlaying), errors.Is(err, match.ErrTimeUp):
		return true, nil // somebody, or the clock, may have been faster
	case errors.As(err, &unreadable):
		p.Log.Error("a record is left as it is", "error", err)
		return false, nil
	}
	return false, fmt.Errorf("leave match %s: %w", id, err)
}

// renameMatches puts the alias into every match that is over. Boards in channels are not touched, and taps stay good.
func (p parting) renameMatches(ctx context.Context) error {
	for _, ix := range []storage.Index{storage.FinishedOf(p.who), storage.WithdrawnOf(p.who)} {
		err := p.each(ctx, ix, "", func(_ storage.Reader, s storage.Stored, c *storage.Changes) error {
			c.Put = append(c.Put, s.Record.(storage.Match).Renamed(p.who, p.alias))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetRatings deletes them, and the counts of rated games.
func (p parting) forgetRatings(ctx context.Context) error {
	for _, ix := range []storage.Index{storage.RatingsOf(p.who), storage.TalliesOf(p.who)} {
		err := p.each(ctx, ix, "", func(_ storage.Reader, s storage.Stored, c *storage.Changes) error {
			c.Delete = append(c.Delete, s.Record.Key())
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetPredictions takes what was said of games back. The match is expected too, for its end looks at what was said of it.
func (p parting) forgetPredictions(ctx context.Context) error {
	from := storage.PredictionsBy(p.who)
	return p.each(ctx, storage.All(storage.KindPrediction), from, func(r storage.Reader, s storage.Stored, c *storage.Changes) error {
		said := s.Record.(storage.Prediction)
		c.Delete = append(c.Delete, said.Key())
		stored, ok, err := p.get(r, storage.MatchKey(said.Game))
		if !ok {
			return err
		}
		c.Expect = append(c.Expect, storage.Expect{Key: stored.Record.Key(), Version: stored.Version})
		if m := stored.Record.(storage.Match); m.State == storage.Playing {
			m.Foretold = m.Foretold.Moved(said.Said, "")
			m.Shown.Revision = min(m.Shown.Revision, m.Revision-1) // the board counts it
			c.Put = append(c.Put, m)
		}
		return nil
	})
}

func (p parting) forgetInServers(ctx context.Context) error {
	return p.each(ctx, storage.All(storage.KindServer), "", func(_ storage.Reader, s storage.Stored, c *storage.Changes) error {
		if server := s.Record.(storage.Server).Clone(); server.Herald == p.who {
			server.Herald = ""
			c.Put = append(c.Put, server)
		}
		return nil
	})
}

func (p parting) forgetInLogs(ctx context.Context) error {
	return p.each(ctx, storage.All(storage.KindLog), "", func(_ storage.Reader, s storage.Stored, c *storage.Changes) error {
		if log, changed := s.Record.(storage.Log).Renamed(p.who, p.alias); changed {
			c.Put = append(c.Put, log)
		}
		return nil
	})
}

// forgetChoices deletes what the member has chosen. Where others have blocked them the id stays, but no name.
func (p parting) forgetChoices(ctx context.Context) error {
	return p.each(ctx, storage.All(storage.KindMember), "", func(_ storage.Reader, s storage.Stored, c *storage.Changes) error {
		m := s.Record.(storage.Member)
		if m.ID == p.who {
			c.Delete = append(c.Delete, m.Key())
			return nil
		}
		i := slices.IndexFunc(m.Blocked, func(who storage.Person) bool { return who.ID == p.who && who.Name != "" })
		if i >= 0 {
			m.Blocked = slices.Clone(m.Blocked)
			m.Blocked[i].Name = ""
			c.Put = append(c.Put, m)
		}
		return nil
	})
}

// change adds to the changes what becomes of one record; what it leaves out stays as it is.
type change func(r storage.Reader, s storage.Stored, c *storage.Changes) error

// each changes the records of an index from a cursor on, some in each commit. Of predictions it stops after the member's.
func (p parting) each(ctx context.Context, ix storage.Index, from storage.Cursor, do change) error {
	batch := farewellBatch
	for tries := 0; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, next, err := p.batch(ctx, ix, from, batch, do)
		if err != nil {
			return err
		}
		if len(c.Put)+len(c.Delete) > 0 {
			err = p.commit(ctx, c)
		}
		switch {
		case err == nil && next == from:
			return nil
		case err == nil:
			p.tellPlaying(c)
			from, tries = next, 0
		case errors.Is(err, storage.ErrTooLarge) && batch > 1:
			batch /= 2
		case errors.Is(err, storage.ErrConflict) && tries < attempts:
			tries++
		default:
			return fmt.Errorf("forget %s: %w", p.alias, err)
		}
	}
}

// batch works out the changes to the next records; next is where they end, or from where there are none.
func (p parting) batch(
	ctx context.Context, ix storage.Index, from storage.Cursor, most int, do change,
) (c storage.Changes, next storage.Cursor, err error) {
	c.Expect, next = []storage.Expect{p.stands()}, from
	err = p.Store.View(ctx, func(r storage.Reader) error {
		hits, err := r.Range(ix, from, most)
		if err != nil {
			return err
		}
		for _, h := range hits {
			if h.Key.Kind == storage.KindPrediction && !strings.HasPrefix(h.Key.ID, string(storage.PredictionsBy(p.who))) {
				return nil
			}
			next = h.Cursor
			stored, ok, err := p.get(r, h.Key)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			before := len(c.Put) + len(c.Delete)
			if err := do(r, stored, &c); err != nil {
				return err
			}
			if len(c.Put)+len(c.Delete) > before {
				c.Expect = append(c.Expect, storage.Expect{Key: h.Key, Version: stored.Version})
			}
		}
		return nil
	})
	return c, next, err
}

// tellPlaying has the boards of games in play shown anew.
func (p parting) tellPlaying(c storage.Changes) {
	for _, r := range c.Put {
		if m, ok := r.(storage.Match); ok && m.State == storage.Playing {
			p.tell(m.ID, nil)
		}
	}
}
