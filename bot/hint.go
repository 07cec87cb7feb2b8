package bot

import (
	"context"
	"errors"
	"slices"

	"kraal/bot/match"
	"kraal/storage"
)

// Why a hint is refused.
var (
	ErrRatedHint = errors.New("the game is rated")
	errHinted    = errors.New("that hint is noted already")
)

// MayHint tells why a member may not be told what to play, on the board as it stands; nil if they may.
func MayHint(m storage.Match, member string) error {
	t, err := match.Look(m)
	if err != nil {
		return err
	}
	side, plays := t.SideOf(member)
	switch {
	case !plays:
		return match.ErrStranger
	case m.State != storage.Playing:
		return match.ErrNotPlaying
	case m.Rated:
		return ErrRatedHint
	case side != t.ToMove():
		return match.ErrNotYourTurn
	}
	return nil
}

// NoteHint keeps that a member is told what to play, so that the other side can be told of it too. It is asked before the
// hint is given, refuses what MayHint does, and keeps one hint once. A game that went on is match.ErrStale.
func (a *App) NoteHint(ctx context.Context, m storage.Match, member string) error {
	err := a.noteIf(ctx, m.ID, func(now *storage.Match) error {
		if err := MayHint(*now, member); err != nil {
			return err
		}
		t, err := match.Look(*now)
		if err != nil {
			return err
		}
		hint := storage.Hint{By: t.ToMove(), Deed: len(now.Deeds)}
		switch {
		case now.Revision != m.Revision:
			return match.ErrStale
		case slices.Contains(now.Hints, hint):
			return errHinted
		}
		now.Hints = append(slices.Clone(now.Hints), hint)
		return nil
	})
	if errors.Is(err, errHinted) {
		return nil
	}
	return err
}
