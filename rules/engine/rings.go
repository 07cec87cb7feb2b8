package engine

import (
	"math/bits"

	"kraal/rules"
)

// ringSet is a set of points in an order that shifts can walk: a byte for each ring, the outer one lowest, and in it
// the eight points around, corners on even bits. Lines and neighbours of whole sets then cost a few shifts.
type ringSet uint32

const (
	ringPoints ringSet = 0xffffff
	corners    ringSet = 0x555555
	middles    ringSet = 0xaaaaaa
	outerRing  ringSet = 0x0000ff
	middleRing ringSet = 0x00ff00
	innerRing  ringSet = 0xff0000
)

// rings turns sets of points into ring sets and back, eight points at a time, and knows which points have a line across
// the rings.
type rings struct {
	to     [3][256]ringSet
	from   [3][256]rules.Points
	across ringSet
}

// newRings works out the tables for a board with or without diagonals.
func newRings(diagonals bool) *rings {
	r := &rings{across: middles}
	if diagonals {
		r.across = ringPoints
	}
	for p := range rules.Point(rules.PointCount) {
		at := ringIndex(p)
		for set := range 256 {
			if part := p / 8; set>>(p%8)&1 != 0 {
				r.to[part][set] |= 1 << at
			}
			if part := at / 8; set>>(at%8)&1 != 0 {
				r.from[part][set] |= 1 << p
			}
		}
	}
	return r
}

// ringIndex is the bit of a point in a ringSet, worked out from its name: d4 is the middle, and a ring's points are as far
// from it as their farther coordinate.
func ringIndex(p rules.Point) int {
	const around = "\x00\x01\x02\x07\xff\x03\x06\x05\x04" // rows from the top, files from the left
	name := p.String()
	x, y := int(name[0])-'d', '4'-int(name[1])
	far := max(x, -x, y, -y)
	return 8*(3-far) + int(around[3*(y/far+1)+x/far+1])
}

func (r *rings) set(s rules.Points) ringSet {
	return r.to[0][s&255] | r.to[1][s>>8&255] | r.to[2][s>>16&255]
}

func (r *rings) points(s ringSet) rules.Points {
	return r.from[0][s&255] | r.from[1][s>>8&255] | r.from[2][s>>16&255]
}

func (s ringSet) len() int { return bits.OnesCount32(uint32(s)) }

// onward and back turn every ring by one point.
func (s ringSet) onward() ringSet { return s<<1&0xfefefe | s>>7&0x010101 }
func (s ringSet) back() ringSet   { return s>>1&0x7f7f7f | s<<7&0x808080 }

// shape is what the lines of the board make of one side's pieces.
type shape struct {
	own           ringSet
	onward, back  ringSet // the pieces, turned by one point
	inward, outer ringSet // the pieces, stepped across the rings
	around        ringSet // the points that fill a line along a ring whose other two are the side's
	over          ringSet // the points that fill a line across the rings
	ready         ringSet // the points, taken or not, where a step along the lines closes a mill
}

func (r *rings) shape(own ringSet) (s shape) {
	s.own, s.onward, s.back = own, own.onward(), own.back()
	o := own & r.across
	s.inward, s.outer = o<<8&ringPoints, o>>8
	before, after := s.onward&s.onward.onward()&corners, s.back&s.back.back()&corners
	between := s.onward & s.back & middles
	s.around = before | after | between
	s.over = s.outer&(o>>16)&outerRing | s.inward&s.outer&middleRing | s.inward&(o<<16)&innerRing
	step := s.inward | s.outer
	// The piece that steps in must not be one of the line's own two.
	s.ready = before&(s.back|step) | after&(s.onward|step) | between&step | s.over&(s.onward|s.back)
	return s
}

// closing is every point where one more piece of the side makes a mill.
func (s *shape) closing() ringSet { return s.around | s.over }

// mobility is the number of steps along lines to points that are empty.
func (s *shape) mobility(empty ringSet) int {
	return (s.onward & empty).len() + (s.back & empty).len() + (s.inward & empty).len() + (s.outer & empty).len()
}

// milled tells whether any mill stands.
func (s *shape) milled() bool { return s.own&(s.around&middles|s.over&outerRing) != 0 }

// beside is the points one step away from the side's pieces.
func (s *shape) beside() ringSet { return s.onward | s.back | s.inward | s.outer }

// beside is the points one step away from those of the set.
func (r *rings) beside(s ringSet) ringSet {
	o := s & r.across
	return s.onward() | s.back() | o<<8&ringPoints | o>>8
}
