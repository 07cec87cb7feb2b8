package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// Why somebody may not begin a game in a server.
var (
	ErrBanned         = errors.New("banned from games here")
	ErrBannedOpponent = errors.New("the opponent is banned from games here")
)

// maxBanned is how many members a server can ban: its record is read whenever a game begins.
const maxBanned = 1000

// Ban has a member begin no more games in a server, or lifts that; games in play go on. It is entered in the log together
// with that, and changes nothing, false, where it was so already.
func (a *App) Ban(ctx context.Context, server string, by, member storage.Person, lift bool) (changed bool, err error) {
	act := storage.Act{Kind: storage.ActBan, By: by, Member: member, At: a.Clock.Now().UTC()}
	if lift {
		act.Kind = storage.ActUnban
	}
	err = a.changeServer(ctx, server, func(s *storage.Server, changes *storage.Changes) error {
		changed = slices.Contains(s.Banned, member.ID) == lift
		if !changed {
			return errUnchanged
		}
		s.Banned = slices.DeleteFunc(s.Banned, func(id string) bool { return id == member.ID })
		switch {
		case !lift && len(s.Banned) >= maxBanned:
			return ErrTooMany
		case !lift:
			s.Banned = append(s.Banned, member.ID)
		}
		return a.enter(ctx, server, act, changes)
	})
	return changed && err == nil, err
}

// Acts is what the referees of a server did, the last first.
func (a *App) Acts(ctx context.Context, server string) ([]storage.Act, error) {
	log, _, err := a.log(ctx, server)
	slices.Reverse(log.Acts)
	return log.Acts, err
}

func (a *App) log(ctx context.Context, server string) (log storage.Log, version storage.Version, err error) {
	log.Server = server
	err = a.Store.View(ctx, func(r storage.Reader) error {
		stored, err := r.Get(storage.LogKey(server))
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err == nil {
			log, version = stored.Record.(storage.Log), stored.Version
		}
		return err
	})
	return log, version, err
}

// enter adds an act to a server's log, in the same changes as the act itself.
func (a *App) enter(ctx context.Context, server string, act storage.Act, changes *storage.Changes) error {
	log, version, err := a.log(ctx, server)
	if err != nil {
		return fmt.Errorf("read the referees' log: %w", err)
	}
	changes.Expect = append(changes.Expect, storage.Expect{Key: log.Key(), Version: version})
	changes.Put = append(changes.Put, log.With(act))
	staying(changes, act.By.ID, act.Member.ID)
	return nil
}

// referee adds to the changes what a referee's act needs besides the match: its entry in the log, and of an annulled
// match the ratings, and how high its winner has climbed, as they were without it.
func (a *App) referee(ctx context.Context, act match.Act, m storage.Match, changes *storage.Changes) error {
	entry := storage.Act{By: act.By, Match: m.ID, At: a.Clock.Now().UTC()}
	switch do := act.Do.(type) {
	case match.End:
		entry.Kind, entry.Said = storage.ActEnd, string(do.Result)
	case match.Annul:
		entry.Kind = storage.ActAnnul
		if err := errors.Join(
			a.annul(ctx, m, changes), a.descend(ctx, m, changes), a.rescore(ctx, m, changes),
		); err != nil {
			return err
		}
	case match.Relocate:
		entry.Kind, entry.Said = storage.ActMove, do.Channel
	case match.Standing:
		entry.Kind = storage.ActUncount
		if do.On {
			entry.Kind = storage.ActStanding
		}
	default:
		return nil
	}
	if m.Server == "" {
		return nil // there is nobody else to read it
	}
	return a.enter(ctx, m.Server, entry, changes)
}

// annul adds the ratings and tallies without the match to the changes.
func (a *App) annul(ctx context.Context, m storage.Match, changes *storage.Changes) error {
	had, counted := map[storage.Key]storage.Rating{}, map[storage.Key]storage.Tally{}
	err := a.Store.View(ctx, func(r storage.Reader) error {
		for _, c := range m.Changes {
			err := errors.Join(readInto(r, storage.RatingKey(c.Pool, m.Variant.Key, c.Member), had, changes),
				readInto(r, storage.TallyKey(c.Pool, c.Member), counted, changes))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	keep, forget := match.Annulment(m, had)
	for _, r := range keep {
		changes.Put = append(changes.Put, r)
	}
	tallies, none := match.Untally(m, counted, had)
	for _, t := range tallies {
		changes.Put = append(changes.Put, t)
	}
	changes.Delete = append(append(changes.Delete, forget...), none...)
	return nil
}

// unbanned refuses a game in a server to those who are banned there: first to whoever asks.
func (a *App) unbanned(ctx context.Context, server, asker string, others ...string) error {
	if server == "" {
		return nil
	}
	settings, err := a.Settings(ctx, server)
	if err != nil {
		return err
	}
	banned := func(id string) bool { return slices.Contains(settings.Banned, id) }
	switch {
	case banned(asker):
		return ErrBanned
	case slices.ContainsFunc(others, banned):
		return ErrBannedOpponent
	}
	return nil
}

// checkBegin refuses an act that begins a game to those who may not, or have enough of them.
func (a *App) checkBegin(ctx context.Context, act match.Act, m storage.Match) error {
	switch act.Do.(type) {
	case match.Accept:
		if err := a.unbanned(ctx, m.Server, act.By.ID, m.Challenger.ID); err != nil {
			return err
		}
		return a.checkBusy(ctx, act.By.ID)
	case match.Rematch:
		return a.unbanned(ctx, m.Server, act.By.ID, m.Seats[rules.White].ID, m.Seats[rules.Black].ID)
	}
	return nil
}
