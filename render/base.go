package render

import (
	"image"

	"github.com/fogleman/gg"

	"kraal/rules"
)

// newBase draws what stays the same for all scenes of a board: wood, lines,
// points and coordinates. Which lines there are the rules say, so a diagonal is
// drawn exactly when it counts.
func (r *Renderer) newBase(l *layout, lines []rules.Line) *image.RGBA {
	im := image.NewRGBA(rect{0, 0, unitsWide, l.High}.pixels(r.scale))
	c := newCanvas(im, r.scale, r.font)
	r.theme.Frame.paint(im, rect{0, l.Top, unitsWide, boardHigh}.pixels(r.scale), r.scale)
	r.panel(c, l.Panel)
	for _, line := range lines {
		r.engrave(c, l.Points[line[0]], l.Points[line[2]])
	}
	for _, at := range l.Points {
		c.disc(spot{at.X + 1, at.Y + 1.5}, socket+0.5, r.theme.Gleam)
		c.disc(at, socket, r.theme.Line)
	}
	r.coordinates(c, l)
	return im
}

// panel lays the light wood into the frame, with a shadow under its upper edge.
func (r *Renderer) panel(c *canvas, p rect) {
	const edge = 4
	dark, lit := r.theme.Bevel[0], r.theme.Bevel[1]
	c.block(rect{p.X - edge, p.Y - edge, p.W + 2*edge, p.H + 2*edge}, dark)
	c.block(rect{p.X, p.Y, p.W + edge, p.H + edge}, lit)
	r.theme.Panel.paint(c.image, p.pixels(c.scale), c.scale)
}

// engrave draws a line of the board: a groove whose lower edge catches the light.
func (r *Renderer) engrave(c *canvas, from, to spot) {
	c.dc.SetLineCap(gg.LineCapRound)
	c.dc.DrawLine(from.X+1, from.Y+2, to.X+1, to.Y+2)
	c.stroke(lineWide, r.theme.Gleam)
	c.dc.DrawLine(from.X, from.Y, to.X, to.Y)
	c.stroke(lineWide, r.theme.Line)
}

// coordinates writes files above and below the board and ranks on either side.
func (r *Renderer) coordinates(c *canvas, l *layout) {
	const middle = (frameWide - 4) / 2
	for i := range 7 {
		file, rank := byte('a'+i), byte('1'+i)
		x, y := l.column(file), l.row(rank)
		for _, at := range []spot{{x, l.Top + middle}, {x, l.Top + boardHigh - middle}} {
			c.write(string(file), at, 0.5, coordinateSize, r.theme.Letter)
		}
		for _, at := range []spot{{middle, y}, {unitsWide - middle, y}} {
			c.write(string(rank), at, 0.5, coordinateSize, r.theme.Letter)
		}
	}
}
