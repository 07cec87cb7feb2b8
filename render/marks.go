package render

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"kraal/rules"
)

// How marks are drawn. A mark has a dark edge round its colour, so that it stands
// out from wood and from pieces of both sides, in grey as well, and each has a
// form of its own: ring, arrow, cross, sight.
const (
	markInner = 40.0 // a ring round a piece
	markOuter = 47.5
	markEdge  = 2.5

	millWide = 17.0
	millEdge = 3.5

	shaftWide = 11.0
	headLong  = 28.0
	headHalf  = 18.0
	tailDisc  = 13.0

	hintRadius = 13.0
	hintEdge   = 4.0

	crossArm  = 23.0
	crossWide = 11.0
	crossEdge = 3.5
)

// ring marks a piece that was placed.
func (c *canvas) ring(m mark) {
	edge, inner := markEdge*c.r.pen, markOuter-(markOuter-markInner)*c.r.pen
	c.band(spot{}, inner-edge, markOuter+edge, m.Edge)
	c.band(spot{}, inner, markOuter, m.Fill)
}

// sight marks a piece that may be shot: a ring with four ticks pointing inwards.
func (c *canvas) sight(m mark) {
	c.band(spot{}, markInner-markEdge, markOuter+markEdge, m.Edge)
	c.dc.SetLineCap(gg.LineCapButt)
	const long = 17.0
	tick := func(from, to, width float64, colour color.RGBA) {
		for _, d := range [...]spot{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			c.dc.DrawLine(d.X*from, d.Y*from, d.X*to, d.Y*to)
		}
		c.line(width, colour)
	}
	tick(markInner+2, markInner-long-markEdge, 8+2*markEdge, m.Edge)
	c.band(spot{}, markInner, markOuter, m.Fill)
	tick(markInner+2, markInner-long, 8, m.Fill)
}

// grip marks a piece that is picked: a ring in the colour of the dots, open at the four sides where lines come in, which no
// other ring is.
func (c *canvas) grip(m mark) {
	const middle, wide, half, over = (markInner + markOuter) / 2, markOuter - markInner, 0.52, 0.06
	c.dc.SetLineCap(gg.LineCapButt)
	arcs := func(half, width float64, colour color.RGBA) {
		for i := range 4 {
			at := math.Pi * (0.25 + 0.5*float64(i))
			c.dc.NewSubPath()
			c.dc.DrawArc(0, 0, middle, at-half, at+half)
		}
		c.line(width, colour)
	}
	arcs(half+over, wide+2*markEdge, m.Edge)
	arcs(half, wide, m.Fill)
}

// cross marks a point where a piece was shot.
func (c *canvas) cross(m mark, arm, width, edge float64) {
	c.dc.SetLineCap(gg.LineCapRound)
	for _, pass := range [...]struct {
		width  float64
		colour color.RGBA
	}{{(width + 2*edge) * c.r.pen, m.Edge}, {width * c.r.pen, m.Fill}} {
		c.dc.DrawLine(-arm, -arm, arm, arm)
		c.dc.DrawLine(-arm, arm, arm, -arm)
		c.line(pass.width, pass.colour)
	}
}

// traceKey tells traces apart that are drawn from one point of a board to another.
type traceKey struct {
	way      way
	from, to rules.Point
	bend     float64
	mill     bool
}

// trace is an arrow or, straight from end to end, a mill.
type trace struct {
	traceKey
	track []spot
}

// through is the points of those lines that go through a point. No two sets of lines through one have the same.
func through(p rules.Point, lines []rules.Line) (set rules.Points) {
	for _, line := range lines {
		if line[0] == p || line[1] == p || line[2] == p {
			set = set.With(line[0]).With(line[1]).With(line[2])
		}
	}
	return set
}

// mill is the trace along a line.
func (l *layout) mill(w way, line rules.Line) trace {
	return trace{traceKey{way: w, from: line[0], to: line[2], mill: true}, []spot{l.Points[line[0]], l.Points[line[2]]}}
}

// traceArt draws a trace where it belongs; its spot is the picture's corner.
func (r *Renderer) traceArt(t trace) art {
	box := image.Rectangle{}
	for _, at := range t.track {
		p := at.pixel(r.scale)
		box = box.Union(image.Rectangle{p, p.Add(image.Pt(1, 1))})
	}
	box = box.Inset(-int((headLong + headHalf) * r.scale))
	a := art{image.NewRGBA(image.Rectangle{Max: box.Size()}), image.Point{}.Sub(box.Min)}
	c := newCanvas(r, a.image, a.middle)
	if t.mill {
		c.mill(r.theme.Last, t.track[0], t.track[1])
	} else {
		c.arrow(t.track, r.theme.Last)
	}
	return a
}

// mill underlines a mill that the last turn closed.
func (c *canvas) mill(m mark, from, to spot) {
	c.dc.SetLineCap(gg.LineCapRound)
	for _, pass := range [...]struct {
		width  float64
		colour color.RGBA
	}{{(millWide + 2*millEdge) * c.r.pen, m.Edge}, {millWide * c.r.pen, m.Fill}} {
		c.dc.DrawLine(from.X, from.Y, to.X, to.Y)
		c.line(pass.width, pass.colour)
	}
}

// arrow shows where a piece went, from the middle of the point it left to the rim
// of the piece where it is now.
func (c *canvas) arrow(track []spot, m mark) {
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
	shaft := func(width float64, colour color.RGBA) {
		for _, p := range track[:n+1] {
			c.dc.LineTo(p.X, p.Y)
		}
		c.line(width*c.r.pen, colour)
	}
	tail := tailDisc * c.r.pen
	c.disc(track[0], tail+3, m.Edge)
	shaft(shaftWide+6, m.Edge)
	c.shape(m, 3, head...)
	c.disc(track[0], tail, m.Fill)
	shaft(shaftWide, m.Fill)
	c.polygon(head...)
	c.paint(m.Fill)
}

// arrow is the trace of a move.
func (l *layout) arrow(w way, from, to rules.Point, occupied rules.Points) trace {
	track, bend := track(l, from, to, occupied)
	return trace{traceKey{way: w, from: from, to: to, bend: bend}, track}
}

// track is the way an arrow takes from one point to another: straight, or bent
// past pieces in between where a flight would cross them.
func track(l *layout, from, to rules.Point, occupied rules.Points) (best []spot, bent float64) {
	fewest := math.MaxInt
	for _, bend := range [...]float64{0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3} {
		way := curve(l.Points[from], l.Points[to], bend)
		if n := l.crossed(way, occupied.Without(to).Without(from)); n < fewest && l.inside(way) {
			best, bent, fewest = way, bend, n
		}
		if fewest == 0 {
			break
		}
	}
	return best, bent
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
	const near = pieceRadius + shaftWide
	n := 0
	for p := range set.All() {
		for _, at := range way {
			dx, dy := at.X-l.Points[p].X, at.Y-l.Points[p].Y
			if dx*dx+dy*dy < near*near {
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
