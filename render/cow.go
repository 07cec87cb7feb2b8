package render

import (
	"image/color"

	"github.com/fogleman/gg"
)

// cowLook is the head of a cow, seen from the front.
type cowLook struct {
	Hide  color.RGBA // the head
	Horn  color.RGBA
	Blaze color.RGBA // down the forehead, and the muzzle
	Eye   color.RGBA
	Horns horns // the sides' are not the same: in black and white their heads would be each other's negative
}

// horns are how a cow's horns grow.
type horns uint8

const (
	lyre horns = iota // up and together again
	wide              // far to both sides
)

// outer are the rings that stay round a cow: those at the rim.
func (look pieceLook) outer() (rings []ring) {
	for _, ring := range look.Rings {
		if ring.From > 0.7 {
			rings = append(rings, ring)
		}
	}
	return rings
}

// cow draws a cow's head into a piece of the radius: horns above, ears beside, a muzzle below.
func (c *canvas) cow(look cowLook, radius float64) {
	c.dc.Push()
	defer c.dc.Pop()
	c.dc.Scale(radius, radius)
	c.dc.Translate(0, 0.07)
	for _, side := range [...]float64{-1, 1} {
		if look.Horns == wide {
			c.wideHorn(look.Horn, side)
		} else {
			c.lyreHorn(look.Horn, side)
		}
		c.ear(look.Hide, side)
	}
	c.head(look)
}

func (c *canvas) lyreHorn(colour color.RGBA, side float64) {
	c.dc.MoveTo(side*0.12, -0.40)
	c.dc.CubicTo(side*0.50, -0.40, side*0.60, -0.56, side*0.40, -0.84)
	c.dc.CubicTo(side*0.80, -0.62, side*0.74, -0.22, side*0.14, -0.24)
	c.dc.ClosePath()
	c.paint(colour)
}

func (c *canvas) wideHorn(colour color.RGBA, side float64) {
	c.dc.MoveTo(side*0.10, -0.44)
	c.dc.CubicTo(side*0.34, -0.53, side*0.54, -0.44, side*0.60, -0.62)
	c.dc.CubicTo(side*0.80, -0.36, side*0.58, -0.25, side*0.14, -0.29)
	c.dc.ClosePath()
	c.paint(colour)
}

func (c *canvas) ear(colour color.RGBA, side float64) {
	c.dc.MoveTo(side*0.24, -0.22)
	c.dc.CubicTo(side*0.44, -0.26, side*0.60, -0.18, side*0.68, -0.02)
	c.dc.CubicTo(side*0.50, 0.08, side*0.34, 0.04, side*0.22, -0.06)
	c.dc.ClosePath()
	c.paint(colour)
}

func (c *canvas) head(look cowLook) {
	c.dc.MoveTo(-0.27, -0.34)
	c.dc.CubicTo(-0.12, -0.46, 0.12, -0.46, 0.27, -0.34)
	c.dc.CubicTo(0.36, -0.10, 0.26, 0.20, 0.23, 0.40)
	c.dc.CubicTo(0.22, 0.70, -0.22, 0.70, -0.23, 0.40)
	c.dc.CubicTo(-0.26, 0.20, -0.36, -0.10, -0.27, -0.34)
	c.dc.ClosePath()
	c.paint(look.Hide)

	c.dc.MoveTo(0, -0.38)
	c.dc.CubicTo(0.10, -0.20, 0.07, 0.10, 0.10, 0.26)
	c.dc.LineTo(-0.10, 0.26)
	c.dc.CubicTo(-0.07, 0.10, -0.10, -0.20, 0, -0.38)
	c.dc.ClosePath()
	c.paint(look.Blaze)
	c.dc.DrawEllipse(0, 0.44, 0.19, 0.14)
	c.paint(look.Blaze)

	c.dc.SetFillRule(gg.FillRuleWinding)
	for _, side := range [...]float64{-1, 1} {
		c.dc.DrawCircle(side*0.18, -0.06, 0.055)
		c.dc.DrawCircle(side*0.075, 0.45, 0.04)
	}
	c.paint(look.Eye)
}
