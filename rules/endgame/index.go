package endgame

import (
	"math/bits"
	"sync"

	"kraal/rules"
)

// index numbers sets of points and positions. The sixteen symmetries of the board (the square's eight, with the inner and
// outer rings exchanged or not) are the same with diagonals and without. A position's slot is the orbit of the own pieces
// under them, times the rank of the other's pieces on the points that are left.
type index struct {
	turns   [16][3][256]rules.Points // images of sets, eight points at a time; the first changes nothing
	choose  [25][25]uint32
	low     [1 << 12]uint32     // the rank of the lower half of a set
	high    [13][1 << 12]uint32 // what the upper half adds, by how many points lie in the lower
	squeeze [256][256]uint8     // the bits of the second that lie under the first, moved together
	spread  [256][256]uint8     // undoes squeeze

	families [most + 1]family
}

// family is the sets of so many points.
type family struct {
	once   sync.Once
	place  []uint32 // by rank: the orbit, and in the four lowest bits the way that turns the set into the orbit's own
	orbits []orbit
}

// orbit is a set of points and all its images.
type orbit struct {
	least rules.Points // the image with the least rank
	keeps uint16       // a bit for each way that changes nothing in it
}

// newIndex makes an index; its families are made when they are asked for.
func newIndex() *index {
	ix := new(index)
	for n := range ix.choose {
		ix.choose[n][0] = 1
		for k := 1; k <= n; k++ {
			ix.choose[n][k] = ix.choose[n-1][k-1] + ix.choose[n-1][k]
		}
	}
	for half := range ix.low {
		for below := range ix.high {
			at := below
			for rest := uint32(half); rest != 0; rest &= rest - 1 {
				at++
				ix.high[below][half] += ix.chosen(12+bits.TrailingZeros32(rest), at)
			}
		}
		at := 0
		for rest := uint32(half); rest != 0; rest &= rest - 1 {
			at++
			ix.low[half] += ix.chosen(bits.TrailingZeros32(rest), at)
		}
	}
	ix.fillBytes()
	ix.fillTurns()
	return ix
}

// chosen is n over k, also where more is asked for than there is.
func (ix *index) chosen(n, k int) uint32 {
	if k > n {
		return 0
	}
	return ix.choose[n][k]
}

func (ix *index) fillBytes() {
	for mask := range 256 {
		for set := range 256 {
			at := 0
			for rest := uint(mask); rest != 0; rest &= rest - 1 {
				bit := bits.TrailingZeros(rest)
				ix.squeeze[mask][set] |= uint8(set >> bit & 1 << at)
				ix.spread[mask][set] |= uint8(set >> at & 1 << bit)
				at++
			}
		}
	}
}

// fillTurns works out the symmetries from the points' names: d4 is the middle.
func (ix *index) fillTurns() {
	for way := range ix.turns {
		for p := range rules.Point(rules.PointCount) {
			image := turnedPoint(way, p)
			for set := range 256 {
				if set>>(p%8)&1 != 0 {
					ix.turns[way][p/8][set] |= 1 << image
				}
			}
		}
	}
}

// turnedPoint is the image of a point: bit 0 of way mirrors, bit 1 turns by half, bit 2 exchanges files and rows, bit 3
// exchanges the rings.
func turnedPoint(way int, p rules.Point) rules.Point {
	name := p.String()
	x, y := int(name[0])-'d', int(name[1])-'4'
	if way&1 != 0 {
		x = -x
	}
	if way&2 != 0 {
		x, y = -x, -y
	}
	if way&4 != 0 {
		x, y = y, x
	}
	if ring := max(x, -x, y, -y); way&8 != 0 {
		x, y = x/ring*(4-ring), y/ring*(4-ring)
	}
	image, err := rules.ParsePoint(string([]byte{byte('d' + x), byte('4' + y)}))
	if err != nil { // no symmetry leads off the board
		return p
	}
	return image
}

// turned is the image of a set.
func (ix *index) turned(way uint32, s rules.Points) rules.Points {
	t := &ix.turns[way&15]
	return t[0][s&255] | t[1][s>>8&255] | t[2][s>>16&255]
}

// rank numbers the sets of equal size, in the order of their bits as a number.
func (ix *index) rank(set rules.Points) uint32 {
	lower := set & (1<<12 - 1)
	return ix.low[lower] + ix.high[bits.OnesCount32(uint32(lower))%13][set>>12&(1<<12-1)]
}

// unrank undoes rank for sets of n points.
func (ix *index) unrank(rank uint32, n int) (set rules.Points) {
	for at := rules.PointCount; n > 0; n-- {
		for at--; ix.chosen(at, n) > rank; at-- {
		}
		rank -= ix.chosen(at, n)
		set |= 1 << at
	}
	return set
}

// squeezed moves the points of s, all of them free, together, leaving out those that are not free.
func (ix *index) squeezed(s, free rules.Points) rules.Points {
	f0, f1, f2 := free&255, free>>8&255, free>>16&255
	n0 := bits.OnesCount32(uint32(f0))
	n1 := bits.OnesCount32(uint32(f1))
	return rules.Points(ix.squeeze[f0][s&255]) | rules.Points(ix.squeeze[f1][s>>8&255])<<n0 |
		rules.Points(ix.squeeze[f2][s>>16&255])<<(n0+n1)
}

// widened undoes squeezed.
func (ix *index) widened(s, free rules.Points) rules.Points {
	f0, f1, f2 := free&255, free>>8&255, free>>16&255
	n0 := bits.OnesCount32(uint32(f0))
	n1 := bits.OnesCount32(uint32(f1))
	return rules.Points(ix.spread[f0][s&255]) | rules.Points(ix.spread[f1][s>>n0&255])<<8 |
		rules.Points(ix.spread[f2][s>>(n0+n1)&255])<<16
}

// family is the sets of n points, numbered.
func (ix *index) family(n int) *family {
	f := &ix.families[n]
	f.once.Do(func() { ix.fill(f, n) })
	return f
}

// fill finds the orbits: the first set of each to come is its least.
func (ix *index) fill(f *family, n int) {
	f.place = make([]uint32, ix.choose[rules.PointCount][n])
	known := make([]bool, len(f.place))
	var back [16]uint32
	for way := range back {
		back[way] = ix.back(uint32(way))
	}
	set := rules.Points(1)<<n - 1
	for rank := range f.place {
		if !known[rank] {
			o := orbit{least: set}
			for way := range uint32(16) {
				image := ix.turned(way, set)
				if image == set {
					o.keeps |= 1 << way
				}
				at := ix.rank(image)
				if known[at] {
					continue
				}
				known[at] = true
				f.place[at] = uint32(len(f.orbits))<<4 | back[way]
			}
			f.orbits = append(f.orbits, o)
		}
		set = following(set)
	}
}

// back is the way that undoes a way.
func (ix *index) back(way uint32) uint32 {
	for undo := range uint32(16) {
		same := true
		for p := range rules.Point(rules.PointCount) {
			same = same && ix.turned(undo, ix.turned(way, 1<<p)) == 1<<p
		}
		if same {
			return undo
		}
	}
	return 0
}

// following is the next set of as many points, in the order of rank.
func following(s rules.Points) rules.Points {
	if s == 0 {
		return 0
	}
	lowest := s & -s
	ripple := s + lowest
	return ripple | (s^ripple)>>2/lowest
}
