package bot

import (
	"context"
	"errors"
	"fmt"

	"kraal/bot/match"
	"kraal/storage"
)

// ErrUnknownGame: no match has that id.
var ErrUnknownGame = errors.New("no such game")

// BusyError refuses a further match to somebody who has enough of them.
type BusyError struct{ Limit int }

func (e *BusyError) Error() string { return fmt.Sprintf("takes part in %d matches already", e.Limit) }

// Challenge keeps a new challenge and returns it, to be shown. Terms need no ID and no Expires: they are set here. It
// refuses with *BusyError.
func (a *App) Challenge(ctx context.Context, t match.Terms, via Shower) (Done, error) {
	if err := a.checkBusy(ctx, t.Challenger.ID); err != nil {
		return Done{}, err
	}
	var err error
	for range attempts {
		var m storage.Match
		m, err = a.challengeOnce(ctx, t)
		if err == nil {
			a.poke()
			return Done{Match: m, Told: a.tell(m.ID, via)}, nil
		}
		if !errors.Is(err, storage.ErrConflict) {
			break
		}
	}
	return Done{}, fmt.Errorf("keep a challenge: %w", err)
}

func (a *App) challengeOnce(ctx context.Context, t match.Terms) (storage.Match, error) {
	draft := storage.Match{Server: t.Server, Variant: t.Variant, Challenger: t.Challenger, Opponent: t.Opponent}
	strength, err := a.strengths(ctx, draft, "")
	if err != nil {
		return storage.Match{}, err
	}
	c := a.circumstances(strength)
	t.ID, t.Expires = c.NewID, c.Now.Add(a.Limits.ChallengeStays)
	m := match.New(t, c)
	_, err = a.Store.Commit(ctx, storage.Changes{
		Expect: []storage.Expect{{Key: m.Key()}},
		Put:    []storage.Record{m},
	})
	return m, err
}

// checkBusy counts the live matches that a member began or plays. A challenge that somebody else made, and that they
// have not answered, binds nobody.
func (a *App) checkBusy(ctx context.Context, member string) error {
	live, err := a.matches(ctx, storage.OfMember(member), maxLive)
	if err != nil {
		return err
	}
	bound := 0
	for _, m := range live {
		if m.State == storage.Playing || m.Challenger.ID == member {
			bound++
		}
	}
	if bound >= a.Limits.Games {
		return &BusyError{Limit: a.Limits.Games}
	}
	return nil
}

// matches reads the matches of an index, in its order, at most limit of them. One that cannot be read is left out: it
// must not take the others with it.
func (a *App) matches(ctx context.Context, ix storage.Index, limit int) (found []storage.Match, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		hits, err := r.Range(ix, "", limit)
		if err != nil {
			return err
		}
		for _, h := range hits {
			stored, err := r.Get(h.Key)
			var unreadable *storage.RecordError
			if errors.As(err, &unreadable) {
				a.Log.Error("a match is left out", "error", err)
				continue
			}
			if err != nil {
				return err
			}
			found = append(found, stored.Record.(storage.Match))
		}
		return nil
	})
	return found, err
}
