package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kraal/bot/match"
	"kraal/storage"
)

// BusyError refuses a further match to somebody who has enough of them.
type BusyError struct{ Limit int }

func (e *BusyError) Error() string { return fmt.Sprintf("takes part in %d matches already", e.Limit) }

// Challenge keeps a new challenge and returns it, to be shown. Terms need no ID and no Expires: they are set here. It
// refuses with *BusyError, ErrBanned or ErrBannedOpponent.
func (a *App) Challenge(ctx context.Context, t match.Terms, via Shower) (Done, error) {
	if err := a.mayBegin(ctx, t.Server, t.Challenger.ID, t.Opponent.ID); err != nil {
		return Done{}, err
	}
	defer a.locks.lock(ofMember(t.Challenger.ID))()
	bound, err := a.bindings(ctx, t.Challenger.ID)
	if err != nil {
		return Done{}, err
	}
	for _, m := range bound {
		if t.Request != "" && m.Challenger.ID == t.Challenger.ID && slices.Contains(m.Handled, t.Request) {
			return Done{Match: m, Repeated: true, Told: closed()}, nil
		}
	}
	if err := a.busy(bound); err != nil {
		return Done{}, err
	}
	for range attempts {
		var done Done
		if done, err = a.challengeOnce(ctx, t, via); err == nil {
			return done, nil
		}
		if !errors.Is(err, storage.ErrConflict) {
			break
		}
	}
	return Done{}, fmt.Errorf("keep a challenge: %w", err)
}

func (a *App) challengeOnce(ctx context.Context, t match.Terms, via Shower) (Done, error) {
	draft := storage.Match{Server: t.Server, Variant: t.Variant, Challenger: t.Challenger, Opponent: t.Opponent}
	strength, err := a.strengths(ctx, draft, "")
	if err != nil {
		return Done{}, err
	}
	c := a.circumstances(strength)
	t.ID, t.Expires = c.NewID, c.Now.Add(a.Limits.ChallengeStays)
	m := match.New(t, c)
	defer a.locks.lock(m.ID)()
	err = a.commit(ctx, storage.Changes{
		Expect: []storage.Expect{{Key: m.Key()}},
		Put:    []storage.Record{m},
	})
	if err != nil {
		if !errors.Is(err, storage.ErrConflict) {
			a.tellIfKept(match.Outcome{Match: m})
		}
		return Done{}, err
	}
	told := a.tell(m.ID, via)
	a.poke()
	return Done{Match: m, Told: told}, nil
}

// ofMember names the lock under which a member's games become more: several begun at once could all be the last that the
// limit allows, or the same request.
func ofMember(id string) string { return "member " + id }

// checkBusy refuses a further match to a member who has enough of them.
func (a *App) checkBusy(ctx context.Context, member string) error {
	bound, err := a.bindings(ctx, member)
	if err != nil {
		return err
	}
	return a.busy(bound)
}

func (a *App) busy(bound []storage.Match) error {
	if len(bound) >= a.Limits.Games {
		return &BusyError{Limit: a.Limits.Games}
	}
	return nil
}

// bindings lists the live matches that a member began or plays. A challenge that somebody else made, and that they have
// not answered, binds nobody.
func (a *App) bindings(ctx context.Context, member string) ([]storage.Match, error) {
	live, err := a.matches(ctx, storage.OfMember(member), maxLive)
	return keep(live, func(m storage.Match) bool {
		return m.State == storage.Playing || m.Challenger.ID == member
	}), err
}
