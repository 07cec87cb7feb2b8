package render

import (
	"image"

	"github.com/fogleman/gg"

	"kraal/rules"
)

// newBase draws what stays the same for all scenes of a board: wood, lines,
// points and coordinates. Which lines there are the rules say, so a diagonal is
// drawn exactly when it counts.
func (r *Renderer) newBase(l *layout, diagonals bool) *image.RGBA {
	im := image.NewRGBA(rect{0, 0, unitsWide, l.High}.pixels(r.scale))
	c := newCanvas(r, im, image.Point{})
	if !r.options.Transparent {
		r.theme.Frame.paint(im, rect{0, l.Top, unitsWide, boardHigh}.pixels(r.scale), r.scale)
		r.edge(c, l)
		r.panel(c, l.Panel)
	}
	for _, line := range (rules.Variant{Diagonals: diagonals}).Lines() {
		r.engrave(c, l.Points[line[0]], l.Points[line[2]])
	}
	for _, at := range l.Points {
		c.disc(spot{at.X + 1, at.Y + 1.5}, socket+0.5, r.theme.Gleam)
		c.disc(at, socket, r.theme.Line)
	}
	if !r.options.NoCoordinates {
		r.coordinates(c, l)
	}
	return im
}

// edge draws what runs along the outer edge of the frame.
func (r *Renderer) edge(c *canvas, l *layout) {
	switch r.theme.Edging {
	case posts:
		r.fence(c, l)
	case doubleLine:
		r.rule(c, l, 0, 2)
		r.rule(c, l, 5, 1)
	}
}

// rule draws a line along the four sides.
func (r *Renderer) rule(c *canvas, l *layout, in, thick float64) {
	long, far := unitsWide-2*in, unitsWide-in-thick // a board is as high as it is wide
	for _, box := range [...]rect{
		{in, l.Top + in, long, thick}, {in, l.Top + far, long, thick}, {in, l.Top + in, thick, long}, {far, l.Top + in, thick, long},
	} {
		c.fill(box, r.theme.Line)
	}
}

// fence sets posts along the four sides, seen from above.
func (r *Renderer) fence(c *canvas, l *layout) {
	const in, apart = 4, 10
	for at := apart/2 + 0.5; at <= unitsWide-apart/2; at += apart {
		for _, post := range [...]spot{
			{at, l.Top + in}, {at, l.Top + boardHigh - in}, {in, l.Top + at}, {unitsWide - in, l.Top + at},
		} {
			c.lay(sprite{kind: postMark}, post)
		}
	}
}

// panel lays the light wood into the frame, with a shadow under its upper edge.
func (r *Renderer) panel(c *canvas, p rect) {
	const edge = 4
	dark, lit := r.theme.Bevel[0], r.theme.Bevel[1]
	c.fill(rect{p.X - edge, p.Y - edge, p.W + 2*edge, p.H + 2*edge}, dark)
	c.fill(rect{p.X, p.Y, p.W + edge, p.H + edge}, lit)
	r.theme.Panel.paint(c.image, p.pixels(c.scale), c.scale)
}

// engrave draws a line of the board: a groove whose lower edge catches the light.
func (r *Renderer) engrave(c *canvas, from, to spot) {
	c.dc.SetLineCap(gg.LineCapRound)
	c.dc.DrawLine(from.X+1, from.Y+2, to.X+1, to.Y+2)
	c.line(lineWide, r.theme.Gleam)
	c.dc.DrawLine(from.X, from.Y, to.X, to.Y)
	c.line(lineWide, r.theme.Line)
}

// coordinates writes files above and below the board and ranks on either side.
func (r *Renderer) coordinates(c *canvas, l *layout) {
	const middle = (frameWide - 4) / 2
	upper, lower := l.Top+middle, l.Top+boardHigh-middle
	if r.theme.Edging != noEdging { // a b shall not touch it, nor a g
		upper, lower = upper+2, lower-4
	}
	colour := r.theme.Letter
	if r.options.Transparent {
		colour = r.theme.Line
	}
	for i := range 7 {
		file, rank := byte('a'+i), byte('1'+i)
		x, y := l.column(file), l.row(rank)
		for _, at := range []spot{{x, upper}, {x, lower}} {
			c.write(text{said: string(file), size: coordinateSize, colour: colour}, at, 0.5)
		}
		for _, at := range []spot{{middle, y}, {unitsWide - middle, y}} {
			c.write(text{said: string(rank), size: coordinateSize, colour: colour}, at, 0.5)
		}
	}
}
