package render

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/fogleman/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// canvas is one picture in the making. Its methods take units; one goroutine
// uses it, and its font faces, which cannot be shared.
type canvas struct {
	dc    *gg.Context
	image *image.RGBA
	scale float64 // pixels a unit
	font  *sfnt.Font
	faces map[float64]font.Face // by size
}

func newCanvas(im *image.RGBA, scale float64, f *sfnt.Font) *canvas {
	c := &canvas{
		dc: gg.NewContextForRGBA(im), image: im, scale: scale,
		font: f, faces: make(map[float64]font.Face),
	}
	c.dc.Scale(scale, scale)
	return c
}

// pixels is the rectangle in pixels, its edges rounded to whole ones.
func (r rect) pixels(scale float64) image.Rectangle {
	round := func(v float64) int { return int(math.Round(v * scale)) }
	return image.Rect(round(r.X), round(r.Y), round(r.X+r.W), round(r.Y+r.H))
}

// block fills a rectangle.
func (c *canvas) block(r rect, fill color.RGBA) {
	draw.Draw(c.image, r.pixels(c.scale), image.NewUniform(fill), image.Point{}, draw.Src)
}

// stroke draws the path there is with a line of the width.
func (c *canvas) stroke(width float64, colour color.RGBA) {
	c.dc.SetLineWidth(width * c.scale)
	c.dc.SetColor(colour)
	c.dc.Stroke()
}

// disc fills a circle.
func (c *canvas) disc(at spot, radius float64, fill color.RGBA) {
	c.dc.DrawCircle(at.X, at.Y, radius)
	c.dc.SetColor(fill)
	c.dc.Fill()
}

// band fills what lies between two circles. A stroked circle would show a seam
// where it begins.
func (c *canvas) band(at spot, inner, outer float64, fill color.RGBA) {
	c.dc.SetFillRule(gg.FillRuleEvenOdd)
	c.dc.DrawCircle(at.X, at.Y, outer)
	c.dc.DrawCircle(at.X, at.Y, inner)
	c.dc.SetColor(fill)
	c.dc.Fill()
	c.dc.SetFillRule(gg.FillRuleWinding)
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

// shape fills a polygon with the mark's colour inside an edge of the width.
func (c *canvas) shape(m mark, edge float64, corners ...spot) {
	c.polygon(corners...)
	c.stroke(2*edge, m.Edge)
	c.polygon(corners...)
	c.dc.SetColor(m.Fill)
	c.dc.Fill()
}

// piece lays a sprite with its centre at a spot.
func (c *canvas) piece(s sprite, at spot) {
	x := int(math.Round(at.X*c.scale - s.centre))
	y := int(math.Round(at.Y*c.scale - s.centre))
	box := s.image.Bounds().Add(image.Pt(x, y))
	draw.Draw(c.image, box, s.image, image.Point{}, draw.Over)
}

// face is the font at a size, made for this picture alone.
func (c *canvas) face(size float64) font.Face {
	if f, ok := c.faces[size]; ok {
		return f
	}
	f, err := opentype.NewFace(c.font, &opentype.FaceOptions{Size: size * c.scale, DPI: 72})
	if err != nil {
		panic(err) // NewFace has no way to fail
	}
	c.faces[size] = f
	return f
}

// fixed is a length in units as the fonts measure it.
func (c *canvas) fixed(units float64) fixed.Int26_6 {
	return fixed.Int26_6(units * c.scale * 64)
}

// write sets a text whose middle line, half way up its capitals, is at at.Y.
// anchor says which part of it is at at.X: 0 the left edge, 0.5 the middle, 1 the
// right edge. The answer is its width in units.
func (c *canvas) write(s string, at spot, anchor, size float64, colour color.RGBA) float64 {
	face := c.face(size)
	width := float64(font.MeasureString(face, s)) / 64
	const capital = 0.72 // height of a capital in the font's size
	d := font.Drawer{
		Dst: c.image, Src: image.NewUniform(colour), Face: face,
		Dot: fixed.Point26_6{
			X: fixed.Int26_6(math.Round(64 * (at.X*c.scale - anchor*width))),
			Y: fixed.Int26_6(math.Round(64 * (at.Y + capital*size/2) * c.scale)),
		},
	}
	d.DrawString(s)
	return width / c.scale
}
