package render

import (
	"math"

	"github.com/fogleman/gg"

	"kraal/rules"
)

// How marks are drawn. A mark has a dark edge round its colour, so that it stands
// out from wood and from pieces of both sides, in grey as well, and each has a
// form of its own: ring, arrow, cross, sight.
const (
	markInner = 39.0 // a ring round a piece
	markOuter = 48.0
	markEdge  = 2.5

	millWide = 17.0
	millEdge = 3.5

	shaftWide = 11.0
	headLong  = 28.0
	headHalf  = 18.0
	tailDisc  = 13.0

	crossArm  = 23.0
	crossWide = 11.0
	crossEdge = 3.5
)

// mills draws the mills that the last turn closed, under the pieces.
func (r *Renderer) mills(c *canvas, l *layout, lines []rules.Line) {
	c.dc.SetLineCap(gg.LineCapRound)
	for _, line := range lines {
		a, b := l.Points[line[0]], l.Points[line[2]]
		c.dc.DrawLine(a.X, a.Y, b.X, b.Y)
		c.stroke(millWide+2*millEdge, r.theme.Last.Edge)
	}
	for _, line := range lines {
		a, b := l.Points[line[0]], l.Points[line[2]]
		c.dc.DrawLine(a.X, a.Y, b.X, b.Y)
		c.stroke(millWide, r.theme.Last.Fill)
	}
}

// ring marks a piece that was placed.
func (r *Renderer) ring(c *canvas, at spot, m mark) {
	c.band(at, markInner-markEdge, markOuter+markEdge, m.Edge)
	c.band(at, markInner, markOuter, m.Fill)
}

// sight marks a piece that may be shot: a ring with four ticks pointing inwards.
func (r *Renderer) sight(c *canvas, at spot, m mark) {
	c.band(at, markInner-markEdge, markOuter+markEdge, m.Edge)
	c.dc.SetLineCap(gg.LineCapButt)
	const long = 17.0
	tick := func(from, to, width float64, sides mark) {
		for _, d := range [...]spot{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			c.dc.DrawLine(at.X+d.X*from, at.Y+d.Y*from, at.X+d.X*to, at.Y+d.Y*to)
		}
		c.stroke(width, sides.Fill)
	}
	tick(markInner+2, markInner-long-markEdge, 8+2*markEdge, mark{Fill: m.Edge})
	c.band(at, markInner, markOuter, m.Fill)
	tick(markInner+2, markInner-long, 8, m)
}

// cross marks a point where a piece was shot.
func (r *Renderer) cross(c *canvas, at spot, arm, width, edge float64) {
	c.dc.SetLineCap(gg.LineCapRound)
	for _, pass := range [...]struct {
		width float64
		rim   bool
	}{{width + 2*edge, true}, {width, false}} {
		c.dc.DrawLine(at.X-arm, at.Y-arm, at.X+arm, at.Y+arm)
		c.dc.DrawLine(at.X-arm, at.Y+arm, at.X+arm, at.Y-arm)
		colour := r.theme.Shot.Fill
		if pass.rim {
			colour = r.theme.Shot.Edge
		}
		c.stroke(pass.width, colour)
	}
}

// arrow shows where a piece went, from the middle of the point it left to the rim
// of the piece where it is now.
func (r *Renderer) arrow(c *canvas, track []spot, m mark) {
	tip, n := track[len(track)-1], len(track)-1
	for n > 0 && distance(track[n], tip) < headLong-4 {
		n--
	}
	neck := track[n]
	d := math.Max(distance(neck, tip), 1)
	ux, uy := (tip.X-neck.X)/d, (tip.Y-neck.Y)/d
	base := spot{tip.X - ux*headLong, tip.Y - uy*headLong}
	head := []spot{
		tip,
		{base.X - uy*headHalf, base.Y + ux*headHalf},
		{base.X + uy*headHalf, base.Y - ux*headHalf},
	}
	c.dc.SetLineCap(gg.LineCapRound)
	shaft := func(width float64, m mark) {
		for _, p := range track[:n+1] {
			c.dc.LineTo(p.X, p.Y)
		}
		c.stroke(width, m.Edge)
	}
	c.disc(track[0], tailDisc+3, m.Edge)
	shaft(shaftWide+6, m)
	c.shape(m, 3, head...)
	c.disc(track[0], tailDisc, m.Fill)
	shaft(shaftWide, mark{Edge: m.Fill})
	c.polygon(head...)
	c.dc.SetColor(m.Fill)
	c.dc.Fill()
}

// track is the way an arrow takes from one point to another: straight, or bent
// past pieces in between where a flight would cross them.
func track(l *layout, from, to rules.Point, occupied rules.Points) []spot {
	var best []spot
	fewest := math.MaxInt
	for _, bend := range [...]float64{0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3} {
		way := curve(l.Points[from], l.Points[to], bend)
		if n := l.crossed(way, occupied.Without(to).Without(from)); n < fewest && l.inside(way) {
			best, fewest = way, n
		}
	}
	return best
}

// curve runs from a to the rim of the piece on b, bent aside by a part of its length.
func curve(a, b spot, bend float64) []spot {
	const steps = 48
	control := spot{(a.X+b.X)/2 - (b.Y-a.Y)*bend*2, (a.Y+b.Y)/2 + (b.X-a.X)*bend*2}
	way := make([]spot, 0, steps)
	for i := range steps {
		t := float64(i) / steps
		p := spot{
			(1-t)*(1-t)*a.X + 2*t*(1-t)*control.X + t*t*b.X,
			(1-t)*(1-t)*a.Y + 2*t*(1-t)*control.Y + t*t*b.Y,
		}
		if distance(p, b) < pieceRadius+2 {
			break
		}
		way = append(way, p)
	}
	return way
}

// crossed counts the points of a set that a way passes over.
func (l *layout) crossed(way []spot, set rules.Points) int {
	n := 0
	for p := range set.All() {
		for _, at := range way {
			if distance(at, l.Points[p]) < pieceRadius+shaftWide {
				n++
				break
			}
		}
	}
	return n
}

// inside reports whether a way stays on the panel.
func (l *layout) inside(way []spot) bool {
	for _, at := range way {
		if at.X < l.Panel.X+shaftWide || at.X > l.Panel.X+l.Panel.W-shaftWide ||
			at.Y < l.Panel.Y+shaftWide || at.Y > l.Panel.Y+l.Panel.H-shaftWide {
			return false
		}
	}
	return true
}

func distance(a, b spot) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
