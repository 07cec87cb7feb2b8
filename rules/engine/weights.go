package engine

import (
	"embed"
	"encoding/json"

	"kraal/rules"
)

// Terms are what an evaluation adds up for the side to move, less the same for the other, in hundredths of a piece.
type Terms struct {
	Piece    int // a piece on the board
	Hand     int // a piece in hand
	Mobility int // a step along a line to an empty point
	Mill     int // a mill that stands
	Cross    int // a piece that stands in two mills
	Swing    int // a piece that can leave its mill and come back, as no opponent stands beside its point
	Two      int // an empty point where one more piece makes a mill
	Ready    int // such a point that the side can reach in one action
	Blocked  int // a piece without a step
	Shot     int // being to move with a mill to close
	Turn     int // being to move
}

// numbers is the terms one after the other, to be read or set.
func (t *Terms) numbers() [11]*int {
	return [...]*int{&t.Piece, &t.Hand, &t.Mobility, &t.Mill, &t.Cross, &t.Swing, &t.Two, &t.Ready, &t.Blocked, &t.Shot,
		&t.Turn}
}

// Weights are the terms of an evaluation by phase. While pieces are placed they go over from Opening to Placing as the
// hands empty, afterwards from Moving to Thinned as pieces are shot. The zero value stands for the weights that suit the
// variant.
type Weights struct {
	Opening Terms // all pieces in hand
	Placing Terms // the hands empty
	Moving  Terms // all pieces on the board
	Thinned Terms // three left on each side
	Flying  Terms // either side may fly
}

// Numbers is all terms of all phases, one after the other, always in the same order, to be read or set.
func (w *Weights) Numbers() (all []*int) {
	for _, t := range [...]*Terms{&w.Opening, &w.Placing, &w.Moving, &w.Thinned, &w.Flying} {
		numbers := t.numbers()
		all = append(all, numbers[:]...)
	}
	return all
}

// found is what `kraal dev tune` wrote, a file for each game; docs/engine.md tells of it.
//
//go:embed weights/*.json
var found embed.FS

// WeightsFor is the weights that the engine plays a variant with unless it is given others: a house rule's are those of
// the game it changes, or of the first game on the same board if it changes the board.
func WeightsFor(v rules.Variant) (w Weights) {
	key := v.Base
	if key == "" {
		key = v.Key
	}
	if row, known := rules.Lookup(key); !known || row.Diagonals != v.Diagonals {
		for _, row := range rules.Variants() {
			if key = row.Key; row.Diagonals == v.Diagonals {
				break
			}
		}
	}
	text, err := found.ReadFile("weights/" + key + ".json")
	if err == nil {
		_ = json.Unmarshal(text, &w) // the files are part of the program: a test reads each
	}
	return w
}

// Gauge counts in the positions of a variant what an evaluation adds up.
type Gauge struct{ judge *judge }

// NewGauge makes a gauge.
func NewGauge(v rules.Variant) Gauge { return Gauge{newJudge(v, Weights{})} }

// Count is how often each weight counts in a position in which the game is not over, in parts of Whole: the sum of
// the weights times these, divided by Whole, is what Engine.Evaluate says.
func (g Gauge) Count(p *rules.Position) (often Weights) {
	var c, one Terms
	each := one.numbers()
	for i, n := range c.numbers() {
		*each[i] = 1
		*n, _ = g.judge.sum(p, &one) // it is linear, so with one weight of one it says how often that counts
		*each[i] = 0
	}
	switch {
	case p.Placing():
		part := share(int(p.Hand[0])+int(p.Hand[1]), g.judge.pieces)
		often.Opening, often.Placing = mix(c, Terms{}, part), mix(Terms{}, c, part)
	case g.judge.fliers(p, rules.White) || g.judge.fliers(p, rules.Black):
		often.Flying = mix(c, Terms{}, Whole)
	default:
		part := g.judge.crowded(p.Occupied().Len())
		often.Moving, often.Thinned = mix(c, Terms{}, part), mix(Terms{}, c, part)
	}
	return often
}
