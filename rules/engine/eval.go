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
	sum, steps := j.sum(p, j.terms(p))
	return max(-decisive+1, min(decisive-1, Score(sum/Whole))), steps
}

// sum adds up terms for the side to move, less those for the other. The second result is the steps of that side.
func (j *judge) sum(p *rules.Position, t *Terms) (sum, steps int) {
	mover := p.Turn & 1
	own, other := j.rings.set(p.Pieces[mover]), j.rings.set(p.Pieces[mover^1])
	empty := ringPoints &^ (own | other)
	open := j.rings.beside(empty)
	ours, theirs := j.rings.shape(own), j.rings.shape(other)
	closable := j.closable(p, mover, &ours, empty)
	steps = ours.mobility(empty)
	sum = t.Turn + t.Mobility*(steps-theirs.mobility(empty)) + t.Hand*(int(p.Hand[mover])-int(p.Hand[mover^1]))
	if closable != 0 {
		sum += t.Shot
	}
	sum += t.side(&ours, empty, open, closable) - t.side(&theirs, empty, open, j.closable(p, mover^1, &theirs, empty))
	if ours.milled() {
		sum += t.mills(&ours, open&^theirs.beside())
	}
	if theirs.milled() {
		sum -= t.mills(&theirs, open&^ours.beside())
	}
	return sum, steps
}

// side adds up the terms of one side but mobility and mills.
func (t *Terms) side(s *shape, empty, open, closable ringSet) int {
	return t.Piece*s.own.len() + t.Two*(s.closing()&empty).len() + t.Ready*closable.len() + t.Blocked*(s.own&^open).len()
}

// mills adds up the terms of the mills that stand. Which pieces could swing, were they in a mill, loose tells.
func (t *Terms) mills(s *shape, loose ringSet) int {
	around, over := s.own&s.around&middles, s.own&s.over&outerRing
	after, before := around.onward(), around.back()
	along, across := around|after|before, over|over<<8|over<<16
	return t.Mill*(around.len()+over.len()) + t.Cross*(after&before|along&across).len() +
		t.Swing*((along|across)&loose).len()
}

// closable is the points where a side can close a mill in one action, were it its turn.
func (j *judge) closable(p *rules.Position, side rules.Side, s *shape, empty ringSet) ringSet {
	if p.Hand[side] > 0 || j.fliers(p, side) {
		return s.closing() & empty
	}
	return s.ready & empty
}
