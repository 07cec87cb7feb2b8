package rules

import "math/bits"

// Perft is the number of sequences of exactly depth actions from p: repetition is ignored, every other ending honoured.
// A depth of zero or less is one. The last action of each sequence is counted, not carried out.
func (v Variant) Perft(p Position, depth int) uint64 {
	r := v.ruleset()
	return r.perft(&p, depth, true)
}

// PerftLeaves is Perft with the last action carried out too: slower, and a measure of what carrying out costs.
func (v Variant) PerftLeaves(p Position, depth int) uint64 {
	r := v.ruleset()
	return r.perft(&p, depth, false)
}

func (r *Ruleset) perft(p *Position, depth int, counted bool) (n uint64) {
	switch {
	case depth <= 0:
		return 1
	case depth == 1 && counted:
		return uint64(r.CountLegal(p))
	case p.Pending > 0:
		return r.perftShots(p, depth, counted)
	case p.Placing():
		return r.perftPlacements(p, depth, counted)
	case r.finished(p):
		return 0
	}
	return r.perftMoves(p, depth, counted)
}

// In the three functions below next stands outside the loop: inside, it would be allocated anew each time.

func (r *Ruleset) perftShots(p *Position, depth int, counted bool) (n uint64) {
	var next Position
	for rest := r.Targets(p); rest != 0; rest &= rest - 1 {
		next = *p
		r.shoot(&next, rest.first())
		n += r.perft(&next, depth-1, counted)
	}
	return n
}

func (r *Ruleset) perftPlacements(p *Position, depth int, counted bool) (n uint64) {
	var next Position
	for rest := r.placeable(p); rest != 0; rest &= rest - 1 {
		next = *p
		r.place(&next, rest.first())
		n += r.perft(&next, depth-1, counted)
	}
	return n
}

func (r *Ruleset) perftMoves(p *Position, depth int, counted bool) (n uint64) {
	var next Position
	empty, flying, moved := p.Empty(), r.flying(p, p.Turn), false
	for own := p.Pieces[p.Turn&1] & allPoints; own != 0; own &= own - 1 {
		from := own.first()
		for rest := r.reachable(p, from, empty, flying); rest != 0; rest &= rest - 1 {
			next = *p
			r.move(&next, from, rest.first())
			n += r.perft(&next, depth-1, counted)
			moved = true
		}
	}
	if !moved && r.mayPass(p) {
		next = *p
		r.Apply(&next, Action{Kind: Pass})
		n = r.perft(&next, depth-1, counted)
	}
	return n
}

// CountLegal is the number of legal actions.
func (r *Ruleset) CountLegal(p *Position) int {
	switch {
	case p.Pending > 0:
		return r.Targets(p).Len()
	case p.Placing():
		return r.placeable(p).Len()
	case r.finished(p):
		return 0
	}
	if n := r.countMoves(p); n > 0 {
		return n
	}
	if r.mayPass(p) {
		return 1
	}
	return 0
}

// countMoves is the number of moves of the side to move, endings but a blocked player's aside.
func (r *Ruleset) countMoves(p *Position) (n int) {
	empty, flying := p.Empty(), r.flying(p, p.Turn)
	for own := p.Pieces[p.Turn&1] & allPoints; own != 0; own &= own - 1 {
		n += bits.OnesCount32(uint32(r.reachable(p, own.first(), empty, flying)))
	}
	return n
}
