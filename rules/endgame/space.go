package endgame

import (
	"math/bits"

	"kraal/rules"
)

// space numbers the positions of a subspace from 0. Where symmetries keep the own pieces, several slots would fit: the
// one with the least rank is the position's, the others are empty.
type space struct {
	subspace
	ix    *index
	sets  *family // of the own pieces
	width uint32  // arrangements of the other's pieces for one of the own
}

// newSpace prepares the numbers of a subspace.
func newSpace(ix *index, s subspace) space {
	return space{subspace: s, ix: ix, sets: ix.family(s.own), width: ix.choose[rules.PointCount-s.own][s.other]}
}

// slots is how many there are.
func (s *space) slots() int { return len(s.sets.orbits) * int(s.width) }

// slot is where a position is kept, and how many of the sixteen symmetries keep it as it is.
func (s *space) slot(at stand) (slot uint32, kept int) {
	place := s.sets.place[s.ix.rank(at.own)]
	o := &s.sets.orbits[place>>4]
	other := s.ix.turned(place, at.other)
	kept = 1
	if o.keeps != 1 {
		other, kept = s.ix.least(o.keeps, other)
	}
	return place>>4*s.width + s.ix.rank(s.ix.squeezed(other, ^o.least)), kept
}

// least is the smallest image of a set under some ways, and how many of them keep it as it is.
func (ix *index) least(ways uint16, set rules.Points) (least rules.Points, kept int) {
	least = set
	for ; ways != 0; ways &= ways - 1 {
		image := ix.turned(uint32(bits.TrailingZeros16(ways)), set)
		if image == set {
			kept++
		}
		least = min(least, image)
	}
	return least, kept
}

// stand is the position in a slot.
func (s *space) stand(slot uint32) stand {
	o := &s.sets.orbits[slot/s.width]
	return stand{own: o.least, other: s.ix.widened(s.ix.unrank(slot%s.width, s.other), ^o.least)}
}

// kept is how many symmetries keep the position in a slot as it is; 0 for an empty slot.
func (s *space) kept(at stand, o *orbit) int {
	if o.keeps == 1 {
		return 1
	}
	least, kept := s.ix.least(o.keeps, at.other)
	if least != at.other {
		return 0
	}
	return kept
}
