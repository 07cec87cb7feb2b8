package endgame

import (
	"math/bits"

	"kraal/rules"
)

// allPoints is the whole board.
const allPoints rules.Points = 1<<rules.PointCount - 1

// never is a mask that no set of points contains: it stands where a point has fewer than three lines.
const never rules.Points = 1 << 31

// board is what the drawn lines imply for moves and mills.
type board struct {
	lines []rules.Points
	near  [32]rules.Points
	rests [32][3]rules.Points  // the other two points of each line through a point
	reach [3][256]rules.Points // the neighbours of sets, eight points at a time
}

// newBoard works out the tables of a board with or without diagonals.
func newBoard(diagonals bool) *board {
	v := rules.Variant{Diagonals: diagonals}
	b := &board{}
	for p := range b.rests {
		b.rests[p] = [3]rules.Points{never, never, never}
	}
	var through [rules.PointCount]int
	for _, line := range v.Lines() {
		mask := rules.Points(0).With(line[0]).With(line[1]).With(line[2])
		b.lines = append(b.lines, mask)
		for _, p := range line {
			b.rests[p][through[p]] = mask.Without(p)
			through[p]++
		}
	}
	for p := range rules.Point(rules.PointCount) {
		b.near[p] = v.Neighbours(p)
	}
	for part := range b.reach {
		for set := range b.reach[part] {
			for p := range (rules.Points(set) << (8 * part)).All() {
				b.reach[part][set] |= b.near[p]
			}
		}
	}
	return b
}

// closed is the number of lines through to whose other two points are all in s.
func (b *board) closed(s rules.Points, to rules.Point) (n uint8) {
	rests := &b.rests[to&31]
	for _, rest := range rests {
		if s&rest == rest {
			n++
		}
	}
	return n
}

// mills is every point of s that stands in a mill of s.
func (b *board) mills(s rules.Points) (in rules.Points) {
	for _, line := range b.lines {
		if s&line == line {
			in |= line
		}
	}
	return in
}

// neighbours is every point next to a point of s.
func (b *board) neighbours(s rules.Points) rules.Points {
	return b.reach[0][s&255] | b.reach[1][s>>8&255] | b.reach[2][s>>16&255]
}

// first is the first point of a set that is not empty.
func first(s rules.Points) rules.Point { return rules.Point(bits.TrailingZeros32(uint32(s))) }
