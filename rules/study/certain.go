package study

import (
	"kraal/rules"
	"kraal/rules/endgame"
)

// Certain is what endgame tables say of a position for the side to move, both sides playing their best. The zero value is
// that they do not tell.
type Certain struct {
	Known bool
	Value endgame.Value
	Turns int // of the winning side's own until the end; 0 of a draw, and where a count of turns hides the number
}

// Won, Drawn and Lost tell which of the three it is; none is true where tables do not tell.
func (c Certain) Won() bool   { return c.Known && c.Value == endgame.Win }
func (c Certain) Drawn() bool { return c.Known && c.Value == endgame.Draw }
func (c Certain) Lost() bool  { return c.Known && c.Value == endgame.Loss }

// certain is what the tables say of a position at the start of a turn.
func certain(r *endgame.Reader, p rules.Position) Certain {
	f, ok := r.Probe(&p)
	if !ok {
		return Certain{}
	}
	c := Certain{Known: true, Value: f.Value, Turns: (f.Turns + 1) / 2}
	if f.Late || f.Turns >= endgame.Longest-1 {
		c.Turns = 0
	}
	return c
}

// afterTurn is what is certain for who has made a turn, of the position that was before it: what the turn wins is won. It
// could have been better than a turn that draws or loses.
func afterTurn(r *endgame.Reader, after rules.Position) Certain {
	f, ok := r.Probe(&after)
	if !ok || f.Value != endgame.Loss {
		return Certain{}
	}
	c := Certain{Known: true, Value: endgame.Win, Turns: f.Turns/2 + 1}
	if f.Late || f.Turns >= endgame.Longest-1 {
		c.Turns = 0
	}
	return c
}

// chance is what is certain as a chance.
func (c Certain) chance() float64 { return float64(c.Value+1) / 2 }

// Slip is what a turn gave away for certain.
type Slip string

// The slips. The zero value is that tables do not tell of one.
const (
	SlipWinDrawn Slip = "winDrawn" // a win for a draw
	SlipWinLost  Slip = "winLost"  // a win for a loss
	SlipDrawLost Slip = "drawLost" // a draw for a loss
)

// slip is what was given away between two moments, both seen by who moved.
func slip(before, after Certain) Slip {
	switch {
	case before.Won() && after.Drawn():
		return SlipWinDrawn
	case before.Won() && after.Lost():
		return SlipWinLost
	case before.Drawn() && after.Lost():
		return SlipDrawLost
	}
	return ""
}

// turned is what is certain, seen by the other side.
func (c Certain) turned() Certain {
	c.Value = -c.Value
	return c
}
