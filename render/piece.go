package render

import (
	"image/color"
	"math"
)

// shadow of a piece, in fractions of its radius.
const (
	shadowDown  = 0.08
	shadowReach = 0.2
	shadowDark  = 0.55

	crispReach = 0.06
)

// samples a pixel is divided into, each way.
const (
	samples      = 4
	crispSamples = 2
)

// token draws a piece of the radius, in units, onto a square canvas whose middle
// is at half. It is drawn by distance from the centre and not with paths: gg's
// radial gradients cost four allocations a row, and its stroked circles show a seam.
func (c *canvas) token(look pieceLook, half int, radius float64, cow bool) {
	if cow {
		look.Rings = look.outer()
	}
	r := radius * c.scale
	for y := range 2 * half {
		for x := range 2 * half {
			c.image.SetRGBA(x, y, look.pixel(float64(x-half)/r, float64(y-half)/r, 1/r))
		}
	}
	if cow {
		c.cow(look.Cow, radius)
	}
}

// small is the look of a piece of few pixels: the rim is broad enough that no pixel has something of all rings.
func (look pieceLook) small() pieceLook {
	const shift = 0.08
	rings := make([]ring, 0, len(look.Rings))
	if look.Crisp {
		look.Rings = look.outer()
	}
	for _, ring := range look.Rings {
		if ring.From > 0.7 {
			ring.From -= shift
			if ring.To < 1 {
				ring.To -= shift
			}
		}
		rings = append(rings, ring)
	}
	look.Rings = rings
	return look
}

// pixel is the mean of the piece over the square at x, y, premultiplied. The
// piece's radius is 1 here.
func (look pieceLook) pixel(x, y, size float64) color.RGBA {
	across := samples
	if look.Crisp {
		across = crispSamples
	}
	var r, g, b, a float64
	for i := range across {
		for j := range across {
			sx := x + size*(float64(i)+0.5)/float64(across)
			sy := y + size*(float64(j)+0.5)/float64(across)
			c, alpha := look.at(sx, sy)
			r += alpha * float64(c.R)
			g += alpha * float64(c.G)
			b += alpha * float64(c.B)
			a += alpha * 255
		}
	}
	n := float64(across * across)
	return color.RGBA{uint8(r/n + 0.5), uint8(g/n + 0.5), uint8(b/n + 0.5), uint8(a/n + 0.5)}
}

// at is the colour of the piece at x, y, and how much it covers what is below.
func (look pieceLook) at(x, y float64) (color.RGBA, float64) {
	d := math.Hypot(x, y)
	if d > 1 {
		reach := shadowReach
		if look.Crisp {
			reach = crispReach
		}
		far := math.Hypot(x, y-shadowDown) - 1
		return color.RGBA{}, shadowDark * math.Pow(min(max(1-far/reach, 0), 1), 2)
	}
	c := look.Body
	light := -look.Shade * y
	if light > 0 {
		c = blend(c, rgb(0xffffff), light)
	} else {
		c = blend(c, rgb(0x000000), -light)
	}
	for _, ring := range look.Rings {
		if d >= ring.From && d <= ring.To {
			c = ring.Colour
		}
	}
	return c, 1
}
