package match

import (
	"slices"
	"time"

	"kraal/storage"
)

const (
	// countLasts is how long a player has for a turn that the arbiter counts.
	countLasts = 2 * time.Minute
	// atTheBoard is for how long somebody who did something counts as being there.
	atTheBoard = 10 * time.Minute
)

// Protest calls the two-minute rule: the player to move loses if this turn, with its shots, is not complete when two
// minutes are over. Only while they are at the board; whoever protests evidently is.
type Protest struct{}

func (Protest) apply(l *life) error {
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
	past := reckon(t, Control{})
	_, counted := past.count(l.Match)
	switch {
	case !l.Variant.TwoMinuteRule():
		return ErrNoCount
	case HasClock(l.Match):
		return ErrHasClock
	case side == t.ToMove():
		return ErrYourTurn
	case counted:
		return ErrCounted
	case l.Now.Sub(l.Seats[t.ToMove()].Acted) > atTheBoard:
		return ErrAbsent
	}
	l.Protests = append(l.Protests, storage.Protest{Turn: past.from, At: l.Now})
	l.noNotice() // the arbiter speaks instead
	l.scheduleAt(t.Game)
	return nil
}

// Standing orders a count for every turn from now on, or ends that order. A referee does it; who may be one is for whoever
// calls to know.
type Standing struct{ On bool }

func (s Standing) apply(l *life) error {
	switch {
	case l.State != storage.Playing:
		return ErrNotPlaying
	case l.late():
		return ErrTimeUp
	case !l.Variant.TwoMinuteRule():
		return ErrNoCount
	case HasClock(l.Match):
		return ErrHasClock
	case s.On && !l.Standing.IsZero():
		return ErrCounted
	case !s.On && l.Standing.IsZero():
		return ErrNotCounted
	}
	l.Standing = time.Time{}
	if s.On {
		l.Standing = l.Now
	}
	l.schedule()
	return nil
}

// count tells since when the arbiter counts the turn under way: since a protest, else since it began under a standing
// order.
func (r reckoning) count(m storage.Match) (since time.Time, counted bool) {
	if r.protested(m) {
		return m.Protests[len(m.Protests)-1].At, true
	}
	return later(r.began, m.Standing), !m.Standing.IsZero()
}

// protested tells whether the count of the turn under way was called for by the opponent.
func (r reckoning) protested(m storage.Match) bool {
	n := len(m.Protests)
	return n > 0 && m.Protests[n-1].Turn == r.from
}

// forgetProtests drops those of turns that are taken back: the turn that is made anew has not been protested against.
func (l *life) forgetProtests(start int) {
	l.Protests = slices.DeleteFunc(l.Protests, func(p storage.Protest) bool { return p.Turn >= start })
}
