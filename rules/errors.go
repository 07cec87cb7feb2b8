package rules

import (
	"errors"
	"fmt"
)

// What the rules can answer to an action. Play wraps exactly one of them in its *IllegalError.
var (
	ErrGameOver       = errors.New("the game is over")
	ErrNotAPoint      = errors.New("not a point of the board")
	ErrNotAnAction    = errors.New("not an action") // an Action value whose kind is none
	ErrShotRequired   = errors.New("a shot is due first")
	ErrNoShotPending  = errors.New("no shot is due")
	ErrOwnPiece       = errors.New("piece is one's own")
	ErrEmptyTarget    = errors.New("no piece to shoot there")
	ErrProtected      = errors.New("piece stands in a mill")
	ErrWrongPhase     = errors.New("pieces move only when all have been placed, and are placed only before that")
	ErrNothingInHand  = errors.New("no piece in hand")
	ErrOccupied       = errors.New("point is taken")
	ErrEmptyOrigin    = errors.New("no piece to move there")
	ErrNotYourPiece   = errors.New("piece is the opponent's")
	ErrNotAdjacent    = errors.New("points are not adjacent")
	ErrNoReturn       = errors.New("piece may not go straight back")
	ErrPassNotAllowed = errors.New("passing is not allowed here")
)

// What can be wrong with a position that is well written. Variant.Position wraps each in a *SetupError.
var (
	ErrNotOnBoard     = errors.New("a point off the board, or with two pieces")
	ErrTooManyPieces  = errors.New("more pieces on the board and in hand than the variant has")
	ErrTooManyShots   = errors.New("more than three shots pending")
	ErrNothingToShoot = errors.New("shots pending and no opposing piece on the board")
	ErrCountInPlacing = errors.New("turns counted while a hand is not empty")
	ErrNoReturnUnused = errors.New("a forbidden move, which the variant does not have")
)

// ErrWrongResult is Record.Game's answer to a result or reason that the turns contradict.
var ErrWrongResult = errors.New("result does not follow from the turns")

// SyntaxError is a text that cannot be read.
type SyntaxError struct {
	Field  string // what was being read: "point", "action", "hand", ...
	Text   string // what stood there
	Want   string // what was expected
	Reason error  // the sentinel behind it, or nil
}

// Error names the field, the text and what was expected.
func (e *SyntaxError) Error() string {
	text := e.Text
	if len(text) > 60 {
		text = text[:60] + "..."
	}
	return fmt.Sprintf("%s %q: expected %s", e.Field, text, e.Want)
}

// Unwrap gives the sentinel, if there is one.
func (e *SyntaxError) Unwrap() error { return e.Reason }

// SetupError is one reason why a well-written position cannot be under a variant.
type SetupError struct {
	Field  string // "pieces", "hand", "shots", "counts" or "forbidden"
	Side   Side   // whose; of no meaning for counts
	Reason error
}

// Error names the field and the reason, and the side where it matters.
func (e *SetupError) Error() string {
	if e.Field == "counts" {
		return fmt.Sprintf("%s: %v", e.Field, e.Reason)
	}
	return fmt.Sprintf("%s of %s: %v", e.Field, e.Side, e.Reason)
}

// Unwrap gives the sentinel.
func (e *SetupError) Unwrap() error { return e.Reason }

// IllegalError is an action that the rules do not allow.
type IllegalError struct {
	Action Action
	Reason error    // one of the sentinels above
	Legal  []Action // what would be legal, sorted by text; empty when the game is over
}

// Error gives the action and the reason: "xb4: piece stands in a mill".
func (e *IllegalError) Error() string { return e.Action.String() + ": " + e.Reason.Error() }

// Unwrap gives the sentinel.
func (e *IllegalError) Unwrap() error { return e.Reason }

// ColumnError is a house rule that cannot be: a column that does not exist, or a value it cannot have.
type ColumnError struct {
	Column  string
	Value   string
	Allowed string // in words: the columns there are, or the values this one takes
}

// Error names the column, the value and what is allowed.
func (e *ColumnError) Error() string {
	return fmt.Sprintf("%s=%q: allowed is %s", e.Column, e.Value, e.Allowed)
}
