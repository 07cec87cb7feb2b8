package render

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/fogleman/gg"

	"kraal/rules"
)

// surface is what a scene is laid onto. There are two: a canvas, in full colour, and a sheet, of one byte a pixel, which
// is what people are sent. Both are given the same calls, so the first is the measure of the second.
type surface interface {
	// fill covers a rectangle.
	fill(box rect, colour color.RGBA)
	// lay puts a sprite with its middle at a spot.
	lay(s sprite, at spot)
	// trace draws an arrow or a mill.
	trace(t trace)
	// write sets a text and answers its width in units.
	write(t text, at spot, anchor float64) float64
	// bar draws a player's bar.
	bar(b bar, st standing)
	// piece puts a piece on a point. Below it nothing is to be seen but the empty board and the mills through the point,
	// whose points are in below.
	piece(s sprite, l *layout, p rules.Point, below rules.Points)
}

// canvas is a picture in full colour in the making. Its methods take units.
type canvas struct {
	r     *Renderer
	dc    *gg.Context
	image *image.RGBA
	scale float64        // pixels a unit
	drawn map[sprite]art // in this picture
}

// newCanvas draws onto im, on which the spot 0, 0 is at the pixel origin.
func newCanvas(r *Renderer, im *image.RGBA, origin image.Point) *canvas {
	c := &canvas{r: r, dc: gg.NewContextForRGBA(im), image: im, scale: r.scale, drawn: make(map[sprite]art)}
	c.dc.Translate(float64(origin.X), float64(origin.Y))
	c.dc.Scale(r.scale, r.scale)
	return c
}

// pixels is the rectangle in pixels, its edges rounded to whole ones.
func (r rect) pixels(scale float64) image.Rectangle {
	round := func(v float64) int { return int(math.Round(v * scale)) }
	return image.Rect(round(r.X), round(r.Y), round(r.X+r.W), round(r.Y+r.H))
}

// pixel is the whole pixel nearest to a spot.
func (s spot) pixel(scale float64) image.Point {
	return image.Pt(int(math.Round(s.X*scale)), int(math.Round(s.Y*scale)))
}

func (c *canvas) fill(r rect, colour color.RGBA) {
	draw.Draw(c.image, r.pixels(c.scale), image.NewUniform(colour), image.Point{}, draw.Src)
}

func (c *canvas) lay(s sprite, at spot) {
	a, ok := c.drawn[s]
	if !ok {
		a = c.r.art(s)
		c.drawn[s] = a
	}
	draw.Draw(c.image, a.image.Bounds().Add(at.pixel(c.scale).Sub(a.middle)), a.image, image.Point{}, draw.Over)
}

func (c *canvas) trace(t trace) {
	a := c.r.traceArt(t)
	draw.Draw(c.image, a.image.Bounds().Sub(a.middle), a.image, image.Point{}, draw.Over)
}

func (c *canvas) write(t text, at spot, anchor float64) float64 {
	in := c.r.letters.inscribe(t)
	origin := in.origin(at, anchor, c.scale)
	draw.DrawMask(c.image, in.mask.Bounds().Add(origin), image.NewUniform(t.colour), image.Point{},
		in.mask, in.mask.Bounds().Min, draw.Over)
	return in.width / c.scale
}

func (c *canvas) bar(b bar, st standing) { c.r.bar(c, b, st) }

func (c *canvas) piece(s sprite, l *layout, p rules.Point, _ rules.Points) { c.lay(s, l.Points[p]) }

// line draws the path there is with a line of the width.
func (c *canvas) line(width float64, colour color.RGBA) {
	c.dc.SetLineWidth(width * c.scale)
	c.dc.SetColor(colour)
	c.dc.Stroke()
}

// paint fills the path there is.
func (c *canvas) paint(colour color.RGBA) {
	c.dc.SetColor(colour)
	c.dc.Fill()
}

// disc fills a circle.
func (c *canvas) disc(at spot, radius float64, colour color.RGBA) {
	c.dc.DrawCircle(at.X, at.Y, radius)
	c.paint(colour)
}

// band fills what lies between two circles. A stroked circle would show a seam
// where it begins.
func (c *canvas) band(at spot, inner, outer float64, colour color.RGBA) {
	c.dc.SetFillRule(gg.FillRuleEvenOdd)
	c.dc.DrawCircle(at.X, at.Y, outer)
	c.dc.DrawCircle(at.X, at.Y, inner)
	c.paint(colour)
	c.dc.SetFillRule(gg.FillRuleWinding)
}

// box fills a rectangle with edges wherever they fall, between pixels too.
func (c *canvas) box(r rect, colour color.RGBA) {
	c.dc.DrawRectangle(r.X, r.Y, r.W, r.H)
	c.paint(colour)
}

// polygon makes a closed path of the corners.
func (c *canvas) polygon(corners ...spot) {
	for i, p := range corners {
		if i == 0 {
			c.dc.MoveTo(p.X, p.Y)
		} else {
			c.dc.LineTo(p.X, p.Y)
		}
	}
	c.dc.ClosePath()
}

// path makes a path of straight lines that stays open.
func (c *canvas) path(through ...spot) {
	for _, p := range through {
		c.dc.LineTo(p.X, p.Y)
	}
}

// shape fills a polygon with the mark's colour inside an edge of the width.
func (c *canvas) shape(m mark, edge float64, corners ...spot) {
	c.polygon(corners...)
	c.line(2*edge, m.Edge)
	c.polygon(corners...)
	c.paint(m.Fill)
}
