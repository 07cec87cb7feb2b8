package render

import (
	"image"
	"image/color"
	"math"
)

// paint covers the rows of box with w. Everything about a row is worked out from
// its height in units, so that a small picture shows the same grain as a large one.
func (w wood) paint(dst *image.RGBA, box image.Rectangle, scale float64) {
	box = box.Intersect(dst.Bounds())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		c := w.tone((float64(y-box.Min.Y) + 0.5) / scale)
		for x := box.Min.X; x < box.Max.X; x++ {
			dst.SetRGBA(x, y, c)
		}
	}
}

// tone is the colour of the wood at a height of y units.
func (w wood) tone(y float64) color.RGBA {
	grain := 0.5*w.noise(y/17) + 0.3*w.noise(y/5+300) + 0.2*w.noise(y/1.9+700)
	if w.Plank <= 0 {
		return blend(w.Dark, w.Light, w.step(grain))
	}
	board, in := math.Floor(y/w.Plank), math.Mod(y, w.Plank)
	if in < 2 {
		return w.Seam
	}
	// A plank is lit on its upper edge and has a tone of its own.
	t := 0.45*w.noise(board*3+1000) + 0.55*grain
	if in < 4.5 {
		t = 1
	}
	return blend(w.Dark, w.Light, w.step(t))
}

// step leaves a few tones of the many between the dark and the light one: so few that each has a colour of its own in the
// palette, and so many that the step from one to the next is hardly seen.
func (w wood) step(t float64) float64 {
	const least = 2.5 // of 255, from one tone to the next
	tones := math.Ceil(math.Sqrt(float64(apart(triple(w.Light), triple(w.Dark)))) / (least * math.Sqrt(3)))
	return math.Round(t*tones) / max(tones, 1)
}

// noise is a smooth random curve between 0 and 1.
func (w wood) noise(x float64) float64 {
	i := math.Floor(x)
	f := x - i
	f = f * f * (3 - 2*f)
	a, b := w.dice(i), w.dice(i+1)
	return a + (b-a)*f
}

// dice is a number between 0 and 1 that depends on i and the seed alone.
func (w wood) dice(i float64) float64 {
	h := uint32(int32(i))*0x9e3779b1 ^ w.Seed*0x85ebca6b
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	h ^= h >> 15
	return float64(h) / math.MaxUint32
}

// blend is a for t = 0 and b for t = 1.
func blend(a, b color.RGBA, t float64) color.RGBA {
	t = min(max(t, 0), 1)
	mix := func(x, y uint8) uint8 {
		return uint8(math.Round(float64(x) + (float64(y)-float64(x))*t))
	}
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), mix(a.A, b.A)}
}
