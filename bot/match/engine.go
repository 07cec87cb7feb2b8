package match

import (
	"errors"
	"fmt"
	"slices"

	"kraal/rules"
	"kraal/storage"
)

// Levels is how many levels the engine plays at, the weakest is 1.
const Levels = 7

// Why an act is refused in a game with the engine.
var (
	ErrEngine      = errors.New("that is nothing for a game with the engine")
	ErrDrawRefused = errors.New("the engine has refused a draw in this position")
	ErrNoOffer     = errors.New("there is no offer to refuse")
)

// EngineSide is the side that the engine plays; ok is false in a game between people.
func EngineSide(m storage.Match) (side rules.Side, ok bool) {
	switch {
	case m.Seats[rules.White].Level > 0:
		return rules.White, true
	case m.Seats[rules.Black].Level > 0:
		return rules.Black, true
	}
	return rules.White, false
}

// Turn makes several actions as one act: a turn of the engine with the shots that belong to it. A draw can be offered
// along with it.
type Turn struct {
	Actions   rules.Turn
	OfferDraw bool
}

func (d Turn) apply(l *life) error {
	if len(d.Actions) == 0 {
		return ErrNoTurn
	}
	t, side, err := l.toAct()
	if err != nil {
		return err
	}
	asked := l.offered(storage.OfferDraw, side.Opponent())
	if err := l.playOn(t, d.Actions...); err != nil {
		return err
	}
	if l.State != storage.Playing {
		return nil
	}
	if asked {
		l.refuseDraw()
	}
	if d.OfferDraw && !asked && !l.offered(storage.OfferDraw, side) {
		_, err = l.offer(storage.OfferDraw, side)
	}
	return err
}

// RefuseDraw says no to the draw that the other offers, where it is not the turn of whoever refuses: they cannot do it by
// playing on.
type RefuseDraw struct{}

func (RefuseDraw) apply(l *life) error {
	_, side, err := l.player()
	if err != nil {
		return err
	}
	if err := l.fresh(); err != nil {
		return err
	}
	if !l.offered(storage.OfferDraw, side.Opponent()) {
		return ErrNoOffer
	}
	l.Offers = slices.DeleteFunc(l.Offers, func(o storage.Offer) bool {
		return o.Kind == storage.OfferDraw && o.By == side.Opponent()
	})
	l.refuseDraw()
	return nil
}

// refuseDraw notes that a draw is refused in the position as it is.
func (l *life) refuseDraw() { l.DrawRefused = len(l.Deeds) + 1 }

// DrawRefused tells whether the engine has refused a draw in the position on the board.
func DrawRefused(m storage.Match) bool {
	return m.State == storage.Playing && m.DrawRefused == len(m.Deeds)+1
}

// agreesAtOnce tells whether an offer needs no second person: the engine grants what it is asked for, but for a draw,
// which it has to think about.
func (l *life) agreesAtOnce(kind storage.OfferKind, by rules.Side) bool {
	return kind != storage.OfferDraw && l.Seats[by.Opponent()].Level > 0
}

// withPerson refuses what only people can be asked for.
func (l *life) withPerson() error {
	if _, ok := EngineSide(l.Match); ok {
		return ErrEngine
	}
	return nil
}

// awaitEngine notes whether it is for the engine to act. Who is to move follows from the record, but whoever looks for
// the engine's games must not have to replay all others.
func (l *life) awaitEngine() {
	l.EngineDue = false
	side, ok := EngineSide(l.Match)
	if !ok || l.State != storage.Playing {
		return
	}
	t, err := Look(l.Match)
	if err != nil {
		return // whoever acts next is told
	}
	l.EngineDue = t.ToMove() == side || l.offered(storage.OfferDraw, side.Opponent())
}

// LevelError refuses a level that there is not.
type LevelError struct{ Level int }

func (e *LevelError) Error() string {
	return fmt.Sprintf("level %d: there are 1 to %d", e.Level, Levels)
}
