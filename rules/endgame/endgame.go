// Package endgame knows the moving phase with few pieces by heart: for each position whether the side to move wins, loses
// or draws, and in how many turns.
//
// The tables come from retrograde analysis (Thompson, "Retrograde analysis of certain endgames", 1986; for these games
// Gasser, "Solving Nine Men's Morris", Games of No Chance, 1996, and Gévay and Danner, "Calculating ultra-strong and
// extended solutions for Nine Men's Morris, Morabaraba, and Lasker Morris", 2016): each position counts the quiet moves
// that are left to it, and from the ends of games the results are carried backwards, one turn at a time.
//
// A subspace is all positions with so many pieces of the side to move and so many of the other; 4-3 has four and three. A
// quiet move leads from x-y to y-x, a shot to a subspace with fewer pieces, so x-y and y-x are built together when all
// with fewer pieces have been.
//
// Tables do not know repetition, and by themselves no count of turns. Where a variant draws after some turns without a
// shot and a win may take longer than half of them, a second table says how far the next shot is when the draw is in
// force, and a win is one only while that fits. The no-return rule makes a position more than its pieces, so a variant
// that has it is not tabled.
package endgame

import (
	"errors"

	"kraal/rules"
)

// Value is what a position is worth to the side to move.
type Value int8

// The three values.
const (
	Loss Value = -1
	Draw Value = 0
	Win  Value = 1
)

// String is "win", "loss" or "draw".
func (v Value) String() string {
	switch {
	case v > 0:
		return "win"
	case v < 0:
		return "loss"
	}
	return "draw"
}

// ErrNoReturn refuses to table a variant with the no-return rule.
var ErrNoReturn = errors.New("no tables with the no-return rule: what may be played depends on the move before, " +
	"which a table does not know")

const (
	fewest = 3  // pieces of a side in the moving phase
	most   = 12 // that a variant gives a side
)

// Longest is the most turns that a table can say, in a byte beside "drawn": a loss. A win is at most one less.
const Longest = 254

// columns are the settings that tables depend on.
type columns struct {
	diagonals, flies, protected, each, passes, fullDraws bool
}

func columnsOf(v rules.Variant) columns {
	return columns{
		diagonals: v.Diagonals, flies: v.Flies, protected: v.Protected, each: v.Shots == rules.OneAMill,
		passes: v.Blocked == rules.Passes, fullDraws: v.FullBoard == rules.Draws,
	}
}

// code is a bit for each column, in their order.
func (c columns) code() (code uint8) {
	for i, set := range [...]bool{c.diagonals, c.flies, c.protected, c.each, c.passes, c.fullDraws} {
		if set {
			code |= 1 << i
		}
	}
	return code
}

// columnsFrom undoes code.
func columnsFrom(code uint8) columns {
	return columns{
		diagonals: code&1 != 0, flies: code&2 != 0, protected: code&4 != 0, each: code&8 != 0,
		passes: code&16 != 0, fullDraws: code&32 != 0,
	}
}

// String is the columns as part of a file's name: "plain-flies-protected-one-loses-plays".
func (c columns) String() string {
	word := func(set bool, yes, no string) string {
		if set {
			return yes
		}
		return no
	}
	return word(c.diagonals, "diagonal", "plain") + "-" + word(c.flies, "flies", "walks") + "-" +
		word(c.protected, "protected", "open") + "-" + word(c.each, "each", "one") + "-" +
		word(c.passes, "passes", "loses") + "-" + word(c.fullDraws, "draws", "plays")
}

// subspace is how many pieces the side to move and the other have.
type subspace struct{ own, other int }

func (s subspace) partner() subspace { return subspace{s.other, s.own} }
func (s subspace) pieces() int       { return s.own + s.other }

// stand is where the pieces are: those of the side to move, and the other's.
type stand struct{ own, other rules.Points }
