package rules

import (
	"iter"
	"math/bits"
	"strings"
)

// Point is one of the 24 points of the board, numbered in the order of the position notation: row 7 to row 1, each row
// from file a to g.
type Point uint8

// PointCount is the number of points of every board.
const PointCount = 24

// pointNames holds the names of all points in their order, two letters each.
const pointNames = "a7d7g7b6d6f6c5d5e5a4b4c4e4f4g4c3d3e3b2d2f2a1d1g1"

// ParsePoint reads a point's name, such as d7. Case and surrounding space do not matter. The error is a *SyntaxError
// that wraps ErrNotAPoint.
func ParsePoint(s string) (Point, error) {
	name := strings.ToLower(strings.TrimSpace(s))
	if i := strings.Index(pointNames, name); len(name) == 2 && i >= 0 && i%2 == 0 {
		return Point(i / 2), nil
	}
	return 0, &SyntaxError{Field: "point", Text: s, Want: "a point such as d7", Reason: ErrNotAPoint}
}

// String gives the point's name, such as d7, and "?" for a number that is no point.
func (p Point) String() string {
	if p >= PointCount {
		return "?"
	}
	return pointNames[2*p : 2*p+2]
}

// Points is a set of points: bit n stands for Point n.
type Points uint32

// allPoints is the whole board.
const allPoints Points = 1<<PointCount - 1

// Has tells whether p is in the set.
func (s Points) Has(p Point) bool { return s>>p&1 != 0 }

// With gives the set with p in it. A p that is no point changes nothing.
func (s Points) With(p Point) Points { return s | 1<<p&allPoints }

// Without gives the set without p.
func (s Points) Without(p Point) Points { return s &^ (1 << p) }

// Len is the number of points in the set.
func (s Points) Len() int { return bits.OnesCount32(uint32(s)) }

// All goes through the points of the set in their order.
func (s Points) All() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for rest := s & allPoints; rest != 0; rest &= rest - 1 {
			if !yield(rest.first()) {
				return
			}
		}
	}
}

// String names the points in their order, one space between: "a7 d7".
func (s Points) String() string {
	var b strings.Builder
	for p := range s.All() {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.String())
	}
	return b.String()
}

// first is the set's first point; the set must not be empty.
func (s Points) first() Point { return Point(bits.TrailingZeros32(uint32(s))) }

// Side is one of the two players. The zero value is White.
type Side uint8

// The two sides.
const (
	White Side = 0
	Black Side = 1
)

// Opponent is the other side.
func (s Side) Opponent() Side { return s&1 ^ 1 }

// String is "white" or "black".
func (s Side) String() string {
	if s&1 == Black {
		return "black"
	}
	return "white"
}
