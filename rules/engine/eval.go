package engine

import "kraal/rules"

// Whole is the parts that the shares of a position's phases make up together.
const Whole = 32

// judge evaluates the positions of one variant.
type judge struct {
	rings   *rings
	weights Weights
	flies   bool
	placing [2*maxHand + 1]Terms // by the pieces in both hands, in parts of Whole, as the others
	moving  [rules.PointCount + 1]Terms
	flying  Terms
	pieces  int // of both sides at the start
}

// maxHand is the most pieces that a side can have.
const maxHand = rules.PointCount / 2

func newJudge(v rules.Variant, w Weights) *judge {
	if w == (Weights{}) {
		w = WeightsFor(v)
	}
	j := &judge{rings: newRings(v.Diagonals), weights: w, flies: v.Flies, pieces: min(2*v.Pieces, 2*maxHand)}
	for hands := range j.placing {
		j.placing[hands] = mix(w.Opening, w.Placing, share(hands, j.pieces))
	}
	for board := range j.moving {
		j.moving[board] = mix(w.Moving, w.Thinned, j.crowded(board))
	}
	j.flying = mix(w.Flying, Terms{}, Whole)
	return j
}

// share is how many parts of Whole so many of all are.
func share(some, all int) int { return Whole * max(0, min(some, all)) / max(1, all) }

// crowded is the share of the weights for a board as placing leaves it when so many pieces are left of both sides, three
// each being the fewest.
func (j *judge) crowded(board int) int { return share(board-6, j.pieces-6) }

// mix takes so many parts of the first terms, and the rest of Whole of the second.
func mix(first, second Terms, part int) (mixed Terms) {
	to, from := mixed.numbers(), second.numbers()
	for i, n := range first.numbers() {
		*to[i] = *n*part + *from[i]*(Whole-part)
	}
	return mixed
}

// terms chooses the weights by phase.
func (j *judge) terms(p *rules.Position) *Terms {
	switch {
	case p.Placing():
		return &j.placing[min(int(p.Hand[0])+int(p.Hand[1]), len(j.placing)-1)]
	case j.fliers(p, rules.White) || j.fliers(p, rules.Black):
		return &j.flying
	}
	return &j.moving[p.Occupied().Len()]
}

func (j *judge) fliers(p *rules.Position, side rules.Side) bool {
	return j.flies && !p.Placing() && p.Pieces[side].Len() == 3
}

// evaluate scores a position in which the game is not over, for the side to move. The second result is how many steps
// along lines that side has, whether it may make them or not.
func (j *judge) evaluate(p *rules.Position) (Score, int) {
	c, steps := j.count(p)
	t := j.terms(p)
	sum := t.Piece*c.Piece + t.Hand*c.Hand + t.Mobility*c.Mobility + t.Mill*c.Mill + t.Cross*c.Cross + t.Swing*c.Swing +
		t.Two*c.Two + t.Ready*c.Ready + t.Blocked*c.Blocked + t.Shot*c.Shot + t.Turn*c.Turn
	return max(-decisive+1, min(decisive-1, Score(sum/Whole))), steps
}

// count is how often each term counts for the side to move, less how often for the other, and the steps of that side.
func (j *judge) count(p *rules.Position) (c Terms, steps int) {
	mover := p.Turn & 1
	own, other := j.rings.set(p.Pieces[mover]), j.rings.set(p.Pieces[mover^1])
	empty := ringPoints &^ (own | other)
	open := j.rings.beside(empty)
	ours, theirs := j.rings.shape(own), j.rings.shape(other)
	closable, threat := j.closable(p, mover, &ours, empty), j.closable(p, mover^1, &theirs, empty)
	if closable != 0 {
		c.Shot = 1
	}
	steps = ours.mobility(empty)
	c.Mobility = steps - theirs.mobility(empty)
	c.Piece = own.len() - other.len()
	c.Hand = int(p.Hand[mover]) - int(p.Hand[mover^1])
	c.Two = (ours.closing() & empty).len() - (theirs.closing() & empty).len()
	c.Ready = closable.len() - threat.len()
	c.Blocked = (own &^ open).len() - (other &^ open).len()
	c.Turn = 1
	ours.mills(&c, +1, open&^theirs.beside())
	theirs.mills(&c, -1, open&^ours.beside())
	return c, steps
}

// closable is the points where a side can close a mill in one action, were it its turn.
func (j *judge) closable(p *rules.Position, side rules.Side, s *shape, empty ringSet) ringSet {
	if p.Hand[side] > 0 || j.fliers(p, side) {
		return s.closing() & empty
	}
	return s.ready & empty
}
