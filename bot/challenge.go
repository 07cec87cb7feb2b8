package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kraal/bot/match"
	"kraal/storage"
)

// Challenge keeps a new challenge and returns it, to be shown. Terms need no ID and no Expires: they are set here. It
// refuses with *BusyError, *PaceError, *FullError, *UnwillingError, ErrLeaving, ErrBanned or ErrBannedOpponent, and, against the
// engine, with ErrNoPlayer or *match.LevelError.
func (a *App) Challenge(ctx context.Context, t match.Terms, via Shower) (Done, error) {
	if err := a.unbanned(ctx, t.Server, t.Challenger.ID, t.Opponent.ID); err != nil {
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
	defer a.lockServer(t.Server)()
	if err := a.mayBegin(ctx, t, bound); err != nil {
		return Done{}, err
	}
	for range attempts {
		var done Done
		if done, err = a.challengeOnce(ctx, t, via); err == nil {
			a.pace.note(t.Challenger.ID, a.Clock.Now())
			return done, nil
		}
		if !errors.Is(err, storage.ErrConflict) {
			break
		}
	}
	return Done{}, fmt.Errorf("keep a challenge: %w", err)
}

// mayBegin refuses a challenge that nobody should make now, whatever the terms are.
func (a *App) mayBegin(ctx context.Context, t match.Terms, bound []storage.Match) error {
	if err := a.checkPlayer(t.Level); err != nil {
		return err
	}
	if err := a.busy(bound); err != nil {
		return err
	}
	if err := a.pace.check(t.Challenger.ID, a.Clock.Now(), a.Limits.ChallengesAMinute); err != nil {
		return err
	}
	if err := a.checkRoom(ctx, t.Server, t.Channel); err != nil {
		return err
	}
	return a.mayChallenge(ctx, t)
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
	if err := a.wantThread(ctx, &m); err != nil {
		return Done{}, err
	}
	defer a.locks.lock(m.ID)()
	changes := storage.Changes{Expect: []storage.Expect{{Key: m.Key()}}, Put: []storage.Record{m}}
	staying(&changes, m.Members()...)
	if err = a.commit(ctx, changes); err != nil {
		if !refused(err) {
			a.tellIfKept(ctx, match.Outcome{Match: m})
		}
		return Done{}, err
	}
	told := a.tell(m.ID, via)
	a.await(match.Outcome{Match: m})
	a.tellBegun(ctx, m)
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
