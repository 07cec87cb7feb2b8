package endgame

import "kraal/rules"

// Finding is what the tables say of a position.
type Finding struct {
	Value Value

	// Turns is how many turns of both sides it takes to the end, if the one goes for it and the other puts it off. A draw
	// has none. A win in Longest less one, or a loss in Longest, may take more.
	Turns int

	// Shot is how many turns it takes to the next shot or the end on the way that no count of turns cuts short; 0 where
	// that is not kept.
	Shot int

	// Late is that a count of turns would draw before so many Turns: only the way to the next shot wins.
	Late bool
}

// Reader reads the tables of a variant. It is safe for concurrent use; nil is one without tables.
type Reader struct {
	tables [most + 1][most + 1]*known
	limits limits
	most   int // pieces on the board that any table has

	longest int // turns
}

// Pieces is the most pieces on the board, of both sides together, for which there is a table; 0 if there is none.
func (r *Reader) Pieces() int {
	if r == nil {
		return 0
	}
	return r.most
}

// Longest is the most turns that a win or loss takes in any of the tables.
func (r *Reader) Longest() int {
	if r == nil {
		return 0
	}
	return r.longest
}

// Probe finds a position of the moving phase at the start of a turn, for the side to move; false where no table tells. A
// win or loss is claimed only where no count of turns can make a draw of it.
func (r *Reader) Probe(p *rules.Position) (Finding, bool) {
	k, slot := r.find(p)
	if k == nil {
		return Finding{}, false
	}
	return r.count(p, k, slot, k.finding(slot))
}

// Uncounted is what Probe would say if no count of turns made a draw. Where Probe does not tell, a win is at least a draw, a
// loss at most one.
func (r *Reader) Uncounted(p *rules.Position) (Finding, bool) {
	k, slot := r.find(p)
	if k == nil {
		return Finding{}, false
	}
	return k.finding(slot), true
}

// find is the table and the slot of a position; nil where there is none.
func (r *Reader) find(p *rules.Position) (*known, uint32) {
	if r == nil || p.Placing() || p.Pending != 0 || p.Forbidden[0].Set || p.Forbidden[1].Set {
		return nil, 0
	}
	at := stand{p.Pieces[p.Turn&1], p.Pieces[p.Turn&1^1]}
	own, other := at.own.Len(), at.other.Len()
	if own > most || other > most || at.own&at.other != 0 || (at.own|at.other)&^allPoints != 0 {
		return nil, 0
	}
	k := r.tables[own][other]
	if k == nil {
		return nil, 0
	}
	slot, _ := k.slot(at)
	return k, slot
}

// finding is what a table says of a slot.
func (k *known) finding(slot uint32) Finding {
	code := k.codes[slot]
	f := Finding{Value: valueOf(code), Turns: max(int(code)-1, 0)}
	if k.shots != nil {
		f.Shot = max(int(k.shots[slot])-1, 0)
	}
	return f
}

// count holds a finding against the counts of turns.
func (r *Reader) count(p *rules.Position, k *known, slot uint32, f Finding) (Finding, bool) {
	room := r.limits.room(p)
	switch {
	case f.Value == Draw || r.limits == limits{}, f.Turns < Longest-1 && f.Turns <= min(room, r.limits.tightest()):
		return f, true
	case k.shots == nil:
		return Finding{}, false
	case k.shots[slot] != 0 && f.Shot <= room:
		f.Late = true
		return f, true
	case k.shots[slot] == 0 && r.limits.within(k.subspace) == Longest:
		return Finding{}, false // the byte ended before the count did
	}
	return Finding{}, true
}

// add takes a table in.
func (r *Reader) add(k *known) {
	r.tables[k.own][k.other] = k
	r.most = max(r.most, k.pieces())
}
