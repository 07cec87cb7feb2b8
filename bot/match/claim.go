package match

import (
	"time"

	"kraal/rules"
)

// EarlyError refuses to call a game abandoned before its time.
type EarlyError struct{ When time.Time }

func (e *EarlyError) Error() string {
	return "the game is not abandoned before " + e.When.Format(time.RFC3339)
}

// Is makes it one of the reasons of this package.
func (e *EarlyError) Is(target error) bool { return target == ErrNotDue }

// Claim wins a game without a clock that the player to move has abandoned: they have done nothing in it for a set time. It
// refuses with *EarlyError before that.
type Claim struct{}

func (Claim) apply(l *life) error {
	t, side, err := l.player()
	if err != nil {
		return err
	}
	if err := l.fresh(); err != nil {
		return err
	}
	if err := l.withPerson(); err != nil {
		return err
	}
	switch {
	case HasClock(l.Match):
		return ErrHasClock
	case side == t.ToMove():
		return ErrYourTurn
	}
	if when := t.SilentSince().Add(l.AbandonedAfter); l.Now.Before(when) {
		return &EarlyError{When: when}
	}
	l.finish(rules.Win(side), rules.Abandoned)
	return nil
}

// SilentSince is since when the player to move has done nothing: since their turn began, or since what they did after
// that, an offer for instance.
func (t Table) SilentSince() time.Time {
	return later(reckon(t, Control{}).began, t.Match.Seats[t.ToMove()].Acted)
}
