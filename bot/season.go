package bot

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

const (
	championGames = 5           // that a champion needs to have played, where the server says nothing
	closeAfter    = time.Minute // after a season's end: what ended in its last moments is kept by then
	podiumPlaces  = 3           // that are remembered of a season
	podiumMost    = 12          // people on it, where many share a place
	podiumLooked  = 500         // rows of a board that are looked through for them
	maxHall       = 20          // seasons that the hall of fame shows
)

// SetSeason keeps what is chosen of a server's seasons: how long they last, how many games a champion needs, and the role
// of champions. Whatever else is in chosen counts for nothing.
func (a *App) SetSeason(ctx context.Context, server string, chosen storage.Seasons) error {
	err := a.SetSettings(ctx, server, func(s *storage.Server) error {
		s.Season = match.WithLength(s.Season, chosen.Length, a.Clock.Now().UTC())
		s.Season.Games, s.Season.Role, s.Season.Trouble = chosen.Games, chosen.Role, ""
		return nil
	})
	if err == nil {
		a.poke()
		a.tellUncrowned(ctx)
	}
	return err
}

// Season is a server's season that is under way; ok is false where there is none.
func (a *App) Season(s storage.Server) (under storage.Seasons, ok bool) {
	return match.SeasonAt(s.Season, a.Clock.Now())
}

// ChampionGames is how many games a champion of a server's needs to have played in the season.
func ChampionGames(s storage.Seasons) int {
	if s.Games > 0 {
		return s.Games
	}
	return championGames
}

// Hall lists a server's seasons that are over, the last first.
func (a *App) Hall(ctx context.Context, server string) (hall []storage.Season, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		hall, err = readAll[storage.Season](a, r, storage.SeasonsOf(server), maxHall)
		return err
	})
	return hall, err
}

// seasonPool is the pool of the season in which a match ended; "" where there was none. A server whose record cannot be
// read has none either: that must not keep its games from ending.
func (a *App) seasonPool(r storage.Reader, m storage.Match) (string, error) {
	if m.Server == "" {
		return "", nil
	}
	stored, ok, err := a.get(r, storage.ServerKey(m.Server))
	if !ok {
		return "", err
	}
	under, ok := match.SeasonAt(stored.Record.(storage.Server).Season, m.Ended)
	if !ok {
		return "", nil
	}
	return storage.SeasonPool(m.Server, under.Number), nil
}

// seasons closes the seasons that are over, some at a time, and tells in what time to go on. One that cannot be closed is
// left alone for a while and holds up no other, however many there are of them.
func (s *sweeper) seasons(ctx context.Context) time.Duration {
	now, wait := s.Clock.Now(), sweepIdle
	for from := storage.Cursor(""); ; {
		var hits []storage.Hit
		err := s.Store.View(ctx, func(r storage.Reader) (err error) {
			hits, err = r.Range(storage.SeasonsDue(), from, sweepAtOnce)
			return err
		})
		if err != nil {
			if ctx.Err() == nil {
				s.Log.Error("the seasons that are over cannot be read", "error", err)
			}
			return min(wait, sweepLater)
		}
		for _, h := range hits {
			if left := s.lookAgain(seasonOf(h), h.At.Add(closeAfter)).Sub(now); left > 0 {
				wait = min(wait, left)
				continue
			}
			wait = min(wait, s.tryClosing(ctx, h))
		}
		if n := len(hits); n < sweepAtOnce || hits[n-1].At.After(now) || ctx.Err() != nil {
			return wait
		}
		from = hits[len(hits)-1].Cursor
	}
}

// seasonOf is the name under which the failures to close a server's season are counted.
func seasonOf(h storage.Hit) string { return "season " + h.Key.ID }

// tryClosing closes a season, and tells in what time there may be more to do in that server: at once, for it may be
// followed by one that is over too.
func (s *sweeper) tryClosing(ctx context.Context, h storage.Hit) time.Duration {
	err := guard(func() error { return s.closeSeason(ctx, h.Key.ID) })
	switch {
	case err == nil:
		s.mend(seasonOf(h))
		return 0
	case ctx.Err() == nil:
		s.fail(ctx, seasonOf(h), err)
	}
	return sweepLater
}

// closeSeason closes the season of a server that is over, and begins the next, in one change.
func (a *App) closeSeason(ctx context.Context, id string) error {
	var closed storage.Season
	err := a.changeServer(ctx, id, func(server *storage.Server, changes *storage.Changes) error {
		over := server.Season
		closed = storage.Season{}
		if over.To.IsZero() || a.Clock.Now().Before(over.To.Add(closeAfter)) {
			return errUnchanged
		}
		final, err := a.finalSeason(ctx, *server)
		if err != nil {
			return err
		}
		if final, err = a.succeed(ctx, final, changes); err != nil {
			return err
		}
		staying(changes, final.Members()...)
		closed = final
		server.Season = match.NextSeason(over)
		return nil
	})
	if err != nil {
		return fmt.Errorf("season of server %s: %w", id, err)
	}
	if closed.Number > 0 {
		a.Log.Info("a season is over", "server", id, "number", closed.Number, "champions", len(closed.Champions()))
	}
	if closed.Uncrowned {
		a.tell(crownPrefix+id, nil)
	}
	return nil
}

// finalSeason is a season as it is remembered.
func (a *App) finalSeason(ctx context.Context, server storage.Server) (storage.Season, error) {
	over := server.Season
	final := storage.Season{Server: server.ID, Number: over.Number, From: over.From, To: over.To, Role: over.Role}
	pool := storage.SeasonPool(server.ID, over.Number)
	err := a.Store.View(ctx, func(r storage.Reader) error {
		for _, v := range a.Variants(server) {
			places, err := a.podium(r, pool, v, ChampionGames(over))
			if err != nil {
				return err
			}
			if len(places) > 0 {
				final.Podiums = append(final.Podiums, storage.Podium{Variant: v.Key, Name: v.Name, Places: places})
			}
		}
		return nil
	})
	return final, err
}

// succeed adds a season to the changes with those from whom the role goes: the champions before, and where the role has
// yet to be given to them, those from whom they were to have it. That is then left to the new season.
func (a *App) succeed(ctx context.Context, final storage.Season, changes *storage.Changes) (storage.Season, error) {
	before, version, err := a.lastSeason(ctx, final.Server)
	if err != nil {
		return final, err
	}
	former := before.Champions()
	if before.Uncrowned {
		former = append(former, before.Former...)
		before.Uncrowned, before.Crowned = false, 0
		changes.Expect = append(changes.Expect, storage.Expect{Key: before.Key(), Version: version})
		changes.Put = append(changes.Put, before)
	}
	if final.Role != "" {
		now := final.Champions()
		final.Former = slices.DeleteFunc(former, func(id string) bool { return slices.Contains(now, id) })
		final.Uncrowned = len(now)+len(final.Former) > 0
	}
	changes.Expect = append(changes.Expect, storage.Expect{Key: final.Key()})
	changes.Put = append(changes.Put, final)
	return final, nil
}

// podium is who came first in a pool, of those with enough games: the ranked ones, then those who are too uncertain for
// that, as they stand on the board. Equal ones share a place.
func (a *App) podium(r storage.Reader, pool string, v rules.Variant, games int) (places []storage.Place, err error) {
	place, points := 0, 0
	for i, index := range []storage.Index{storage.Board(pool, v.Key), storage.Below(pool, v.Key)} {
		rows, err := readAll[storage.Rating](a, r, index, podiumLooked)
		if err != nil {
			return nil, err
		}
		first := true // of those ranked, or of the others: neither shares a place with the other
		for _, k := range rows {
			if k.Games() < games {
				continue
			}
			if whole := storage.Whole(k.Points); first || whole != points {
				place, points, first = len(places)+1, whole, false
			}
			if place > podiumPlaces || len(places) == podiumMost {
				return places, nil
			}
			places = append(places, storage.Place{
				Person: storage.Person{ID: k.Member, Name: k.Name}, Place: place, Points: k.Points, Games: k.Games(),
			})
		}
		if i == 0 && len(rows) == podiumLooked {
			break // there are more who are ranked, and they come first
		}
	}
	return places, nil
}
