package engine

import "kraal/rules"

// Terms are what an evaluation adds up for each side, in hundredths of a piece.
type Terms struct {
	Piece    int // a piece, on the board or in hand
	Mobility int // a step along a line to an empty point
	Mill     int // a mill that stands
	Two      int // an empty point where one more piece makes a mill
	Ready    int // such a point that the side can reach in one action
	Blocked  int // a piece without a step
	Shot     int // being to move with a mill to close
}

// Weights are the terms of an evaluation by phase. The zero value stands for the weights that suit the variant.
type Weights struct {
	Placing Terms
	Moving  Terms
	Flying  Terms // either side may fly
}

// WeightsFor is the weights that the engine plays a variant with unless it is given others. Matches of 200 games between
// neighbours found them. Mobility tells most: half as much while placing, or half more in moving, costs fifty points of Elo.
func WeightsFor(v rules.Variant) Weights {
	w := Weights{
		Placing: Terms{Piece: 100, Mobility: 30, Mill: 8, Two: 8, Ready: 20, Blocked: -6, Shot: 30},
		Moving:  Terms{Piece: 100, Mobility: 20, Mill: 8, Two: 6, Ready: 28, Blocked: -6, Shot: 40},
		Flying:  Terms{Piece: 100, Mobility: 6, Mill: 5, Two: 10, Ready: 20, Blocked: -3, Shot: 50},
	}
	if v.Diagonals { // there are more lines to step along, so a step is worth less
		w.Placing.Mobility = 18
	}
	return w
}

// judge evaluates the positions of one variant.
type judge struct {
	rings   *rings
	weights Weights
	flies   bool
}

func newJudge(v rules.Variant, w Weights) *judge {
	if w == (Weights{}) {
		w = WeightsFor(v)
	}
	return &judge{rings: newRings(v.Diagonals), weights: w, flies: v.Flies}
}

// terms chooses the weights by phase.
func (j *judge) terms(p *rules.Position) *Terms {
	switch {
	case p.Placing():
		return &j.weights.Placing
	case j.flying(p, rules.White) || j.flying(p, rules.Black):
		return &j.weights.Flying
	}
	return &j.weights.Moving
}

func (j *judge) flying(p *rules.Position, side rules.Side) bool {
	return j.flies && !p.Placing() && p.Pieces[side].Len() == 3
}

// evaluate scores a position in which the game is not over, for the side to move. The second result is how many steps
// along lines that side has, whether it may make them or not.
func (j *judge) evaluate(p *rules.Position) (Score, int) {
	t := j.terms(p)
	mover := p.Turn & 1
	own, other := j.rings.set(p.Pieces[mover]), j.rings.set(p.Pieces[mover^1])
	empty := ringPoints &^ (own | other)
	open := j.rings.beside(empty)
	ours, theirs := j.rings.shape(own), j.rings.shape(other)
	closable := j.closable(p, mover, &ours, empty)
	steps := ours.mobility(empty)
	sum := j.side(t, &ours, empty, open, closable)
	sum -= j.side(t, &theirs, empty, open, j.closable(p, mover^1, &theirs, empty))
	sum += t.Mobility*(steps-theirs.mobility(empty)) + t.Piece*(int(p.Hand[mover])-int(p.Hand[mover^1]))
	if closable != 0 {
		sum += t.Shot
	}
	return max(-decisive+1, min(decisive-1, Score(sum))), steps
}

// side adds up the terms of one side but mobility.
func (j *judge) side(t *Terms, s *shape, empty, open, closable ringSet) int {
	return t.Piece*s.own.len() + t.Mill*s.mills() + t.Two*(s.closing()&empty).len() + t.Ready*closable.len() +
		t.Blocked*(s.own&^open).len()
}

// closable is the points where a side can close a mill in one action, were it its turn.
func (j *judge) closable(p *rules.Position, side rules.Side, s *shape, empty ringSet) ringSet {
	if p.Hand[side] > 0 || j.flying(p, side) {
		return s.closing() & empty
	}
	return s.ready & empty
}
