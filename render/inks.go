package render

import (
	"image/color"
	"slices"
)

// paint is a colour and how much of it there is: the class of the colour in the upper bits, the level in the lower. Level
// 0 is nothing, the highest all.
type paint uint16

const (
	levelBits = 5
	levelMask = 1<<levelBits - 1
	classes   = 16
	paints    = classes << levelBits
)

// mixtures is what becomes of each colour of a palette under each paint.
type mixtures [paints][256]uint8

// inks knows what becomes of each colour of a palette under each paint. With it anything with soft edges can be laid over
// a picture of one byte a pixel by looking up a byte.
type inks struct {
	*palette
	colours [classes]color.RGBA
	tints   int // levels in use, but for nothing
	table   mixtures
}

// newInks mixes the colours of the classes, at most sixteen of them, with all of the palette.
func newInks(p *palette, colours []color.RGBA, tints int) *inks {
	k := &inks{palette: p, tints: tints}
	copy(k.colours[:], colours)
	known := make(map[color.RGBA]uint8)
	for class, over := range k.colours {
		for lvl := range levelMask + 1 {
			for below, c := range p.rgb {
				under := color.RGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255}
				mixed := blend(under, over, float64(lvl)/levelMask)
				at, ok := known[mixed]
				if !ok {
					at = p.nearest(mixed)
					known[mixed] = at
				}
				if lvl == 0 {
					at = uint8(below)
				}
				k.table[class<<levelBits|lvl][below] = at
			}
		}
	}
	return k
}

// class is the paint, still without a level, of the colour nearest to c.
func (k *inks) class(c color.RGBA) paint {
	best, at := 1<<30, 0
	for i, q := range k.colours {
		if d := apart(triple(c), triple(q)); d < best {
			best, at = d, i
		}
	}
	return paint(at << levelBits)
}

// level is an alpha as a paint has it.
func (k *inks) level(alpha uint8) paint {
	return paint((int(alpha)*k.tints + 127) / 255 * levelMask / k.tints)
}

// paint is what comes nearest to a pixel that is not opaque.
func (k *inks) paint(px color.RGBA) paint {
	if px.A == 0 {
		return 0
	}
	return k.class(undiluted(px)) | k.level(px.A)
}

// undiluted is the colour of a pixel that has any, were it opaque.
func undiluted(px color.RGBA) color.RGBA {
	full := func(v uint8) uint8 { return uint8(min(int(v)*255/int(px.A), 255)) }
	return color.RGBA{full(px.R), full(px.G), full(px.B), 255}
}

// edges lists the colours that a theme uses with soft edges, each once: of shadows, rims, edges and letters, and what
// lies half way between two of them where a form is so small that both share a pixel.
func (th *theme) edges() (list []color.RGBA) {
	white, black := th.Pieces[0], th.Pieces[1]
	for _, c := range [...]color.RGBA{
		rgb(0x000000), white.rim(), black.rim(), blend(white.rim(), white.Body, 0.5), blend(black.rim(), black.Rings[1].Colour, 0.5),
		th.Last.Edge, th.Target.Edge, th.Shot.Edge, th.Hint.Edge, th.Turn.Edge, th.Turn.Fill,
		th.Owed.Fill, th.Name, th.Rating, th.Brand, th.Seal.Edge,
	} {
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// rim is the colour of the outermost ring.
func (look pieceLook) rim() color.RGBA {
	for _, ring := range look.Rings {
		if ring.To >= 1 {
			return ring.Colour
		}
	}
	return look.Body
}

func triple(c color.RGBA) [3]int { return [3]int{int(c.R), int(c.G), int(c.B)} }
