package rules

// Line is three points in a row, on which one side's pieces make a mill.
type Line [3]Point

// mask is the line as a set.
func (l Line) mask() Points { return 1<<l[0] | 1<<l[1] | 1<<l[2] }

// lineNames lists the lines of the board: sixteen that every board has, then the four diagonals.
const lineNames = "a7d7g7 b6d6f6 c5d5e5 a4b4c4 e4f4g4 c3d3e3 b2d2f2 a1d1g1 " +
	"a7a4a1 b6b4b2 c5c4c3 d7d6d5 d3d2d1 e5e4e3 f6f4f2 g7g4g1 " +
	"a7b6c5 g7f6e5 a1b2c3 g1f2e3"

const (
	straightLines = 16
	allLines      = 20
)

// never is a mask that no set of points contains: it stands where a point has fewer than three lines.
const never Points = 1 << 31

// geometry is what the drawn lines of a board imply. Its tables have 32 entries so that a masked index needs no check.
type geometry struct {
	lines []Line
	masks []Points       // the lines as sets
	near  [32]Points     // the neighbours of each point
	rests [32][3]Points  // the other two points of each line through a point
	reach [3][256]Points // the neighbours of sets, eight points at a time
}

// The two boards there are. They never change.
var (
	plainBoard    = newGeometry(straightLines)
	diagonalBoard = newGeometry(allLines)
)

// newGeometry works out the tables of the board with the first n of the lines.
func newGeometry(n int) *geometry {
	g := &geometry{lines: make([]Line, n), masks: make([]Points, n)}
	for p := range g.rests {
		g.rests[p] = [3]Points{never, never, never}
	}
	var through [PointCount]int
	for i := range g.lines {
		g.lines[i] = lineAt(i)
		mask := g.lines[i].mask()
		g.masks[i] = mask
		for at, p := range g.lines[i] {
			g.rests[p][through[p]] = mask.Without(p)
			through[p]++
			if at > 0 {
				q := g.lines[i][at-1]
				g.near[p] |= 1 << q
				g.near[q] |= 1 << p
			}
		}
	}
	g.fillReach()
	return g
}

// fillReach works out the neighbours of sets from those of single points.
func (g *geometry) fillReach() {
	for part := range g.reach {
		for set := range g.reach[part] {
			for p := range (Points(set) << (8 * part)).All() {
				g.reach[part][set] |= g.near[p]
			}
		}
	}
}

// lineAt reads line i from the list of names.
func lineAt(i int) (l Line) {
	for k := range l {
		l[k] = pointNamed(lineNames[7*i+2*k : 7*i+2*k+2])
	}
	return l
}

// pointNamed finds the point of a name that is known to be one.
func pointNamed(name string) Point {
	for p := range Point(PointCount) {
		if p.String() == name {
			return p
		}
	}
	return 0
}

// neighboursOf is every point that is next to a point of s.
func (g *geometry) neighboursOf(s Points) Points {
	return g.reach[0][s&255] | g.reach[1][s>>8&255] | g.reach[2][s>>16&255]
}

// mills is every point of s that stands in a mill of s.
func (g *geometry) mills(s Points) (in Points) {
	for _, m := range g.masks {
		if s&m == m {
			in |= m
		}
	}
	return in
}

// closed is the number of lines through to that s, in which to is, fills.
func (g *geometry) closed(s Points, to Point) (n uint8) {
	rests := &g.rests[to&31]
	for _, rest := range rests {
		if s&rest == rest {
			n++
		}
	}
	return n
}
