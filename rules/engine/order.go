package engine

import "kraal/rules"

// What an action is worth trying early, most first. Quiet actions are ordered by history, which stays below.
const (
	fromTable int32 = 1 << 30
	closing   int32 = 1 << 28 // makes a mill
	blocking  int32 = 1 << 27 // takes a point where the opponent would make one
	killing   int32 = 1 << 26 // refuted a neighbour of the position
	quietest  int32 = 1 << 25
)

// history counts how often an action was good, whatever the position: by side, then from (24 for the hand, 25 for a
// shot) and to.
type history [2][26][rules.PointCount]int32

func (h *history) at(side rules.Side, a rules.Action) *int32 {
	from := a.From
	switch a.Kind {
	case rules.Place:
		from = rules.PointCount
	case rules.Shoot:
		from = rules.PointCount + 1
	}
	return &h[side&1][from][a.To]
}

// reward counts an action that cut the search short, and halves everything before numbers grow into the classes above.
func (h *history) reward(side rules.Side, a rules.Action, depth int) {
	at := h.at(side, a)
	*at += int32(depth*depth + 1)
	if *at < quietest {
		return
	}
	for i := range h {
		for j := range h[i] {
			for k := range h[i][j] {
				h[i][j][k] /= 2
			}
		}
	}
}

// rate says of each action in the frame how early it should be tried.
func (w *worker) rate(f *frame, p *rules.Position, first rules.Action, known bool) {
	mover := p.Turn & 1
	ours, theirs := w.lines(p, mover)
	for i, a := range f.legal {
		worth := *w.history.at(mover, a)
		switch {
		case known && a == first:
			worth = fromTable
		case a.Kind == rules.Shoot:
			if theirs.Has(a.To) {
				worth += blocking
			}
		case ours.Has(a.To) && w.closes(p.Pieces[mover], a):
			worth += closing
		case theirs.Has(a.To):
			worth += blocking
		case a == f.killers[0] || a == f.killers[1]:
			worth += killing
		}
		f.worth[i] = worth
	}
}

// lines is the points where each side would make a mill with one more piece. While a shot is due, the second set is the
// opponent's pieces that take part in such lines: shooting one of them takes a threat away.
func (w *worker) lines(p *rules.Position, mover rules.Side) (ours, theirs rules.Points) {
	r := w.judge.rings
	own, other := r.set(p.Pieces[mover]), r.set(p.Pieces[mover^1])
	theirShape := r.shape(other)
	if p.Pending == 0 {
		ourShape := r.shape(own)
		return r.points(ourShape.closing()), r.points(theirShape.closing())
	}
	open := theirShape.closing() &^ (own | other)
	return 0, r.points(r.beside(open))
}

// closes tells whether the action makes a mill, given that its point would fill a line of own.
func (w *worker) closes(own rules.Points, a rules.Action) bool {
	if a.Kind == rules.Place {
		return true
	}
	s := w.judge.rings.shape(w.judge.rings.set(own.Without(a.From)))
	return w.judge.rings.points(s.closing()).Has(a.To)
}

// pick moves the best of the actions from i on to i.
func (f *frame) pick(i int) rules.Action {
	best := i
	for k := i + 1; k < len(f.legal); k++ {
		if f.worth[k] > f.worth[best] {
			best = k
		}
	}
	f.legal[i], f.legal[best] = f.legal[best], f.legal[i]
	f.worth[i], f.worth[best] = f.worth[best], f.worth[i]
	return f.legal[i]
}
