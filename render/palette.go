package render

import (
	"cmp"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"
	"sync/atomic"

	"kraal/rules"
)

// palette holds the colours that pictures are reduced to. A picture of one byte
// a pixel is encoded several times faster than one of four, and is half as large.
type palette struct {
	colours color.Palette
	rgb     [][3]int
	// nearest maps a colour, six bits a channel, to 1 + its place in the palette;
	// 0 is not known yet. Who fills it in finds the same answer as anyone else.
	nearest [1 << 18]atomic.Uint32
}

// most is how many colours a PNG's palette can have.
const most = 256

// samples are pictures that show everything that can be in one.
func (r *Renderer) samples() []*image.RGBA {
	v := rules.Variant{Pieces: 12, Diagonals: true, Flies: true}
	seats := [2]Seat{{"Sample", "1500"}, {"Sample", "1500"}}
	d7, d6, g4, b2 := rules.Point(1), rules.Point(4), rules.Point(14), rules.Point(18)
	p := rules.Position{Placement: rules.Placement{
		Pieces: [2]rules.Points{0x0100a3, 0x40140c}, Hand: [2]uint8{9, 2}, Pending: 1,
	}}
	shoot := rules.Action{Kind: rules.Shoot, To: b2}
	return []*image.RGBA{
		r.draw(Scene{
			Variant: v, Position: p, Seats: seats, ID: "sample",
			Last: rules.Turn{{Kind: rules.Move, From: d6, To: d7}, shoot},
		}),
		r.draw(Scene{
			Variant: v, Position: p, Seats: seats, Last: rules.Turn{{Kind: rules.Place, To: g4}, shoot},
			Status: rules.Status{Over: true, Result: rules.WhiteWins},
		}),
	}
}

// shade is a colour of the samples and how many of their pixels have it.
type shade struct {
	rgb    [3]int
	weight int
}

// newPalette chooses the colours that come closest to those of the pictures.
func newPalette(pictures []*image.RGBA) *palette {
	shades := count(pictures)
	p := &palette{rgb: spread(shades)}
	for range 4 {
		p.settle(shades)
	}
	for _, c := range p.rgb {
		p.colours = append(p.colours, color.RGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255})
	}
	return p
}

// count lists the colours of the pictures, always in the same order.
func count(pictures []*image.RGBA) []shade {
	seen := make(map[[3]int]int)
	for _, im := range pictures {
		for i := 0; i < len(im.Pix); i += 4 {
			seen[[3]int{int(im.Pix[i]), int(im.Pix[i+1]), int(im.Pix[i+2])}]++
		}
	}
	shades := make([]shade, 0, len(seen))
	for c, n := range seen {
		shades = append(shades, shade{c, n})
	}
	slices.SortFunc(shades, func(a, b shade) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), slices.Compare(a.rgb[:], b.rgb[:]))
	})
	return shades
}

// spread picks colours one by one, each the one that the picked ones serve
// worst, so that rare colours, the edges of marks, are served too.
func spread(shades []shade) [][3]int {
	worst := make([]int, len(shades)) // squared distance to the nearest picked one
	for i := range worst {
		worst[i] = 1 << 30
	}
	var picked [][3]int
	next := 0
	for len(picked) < most && worst[next] > 0 {
		c := shades[next].rgb
		picked = append(picked, c)
		next = 0
		best := -1
		for i, s := range shades {
			worst[i] = min(worst[i], apart(s.rgb, c))
			if v := worst[i] * root(s.weight); v > best {
				best, next = v, i
			}
		}
	}
	return picked
}

// root is the fourth root of n, roughly: common colours count for more than rare
// ones, though not by their number.
func root(n int) int {
	r := 1
	for r*r*r*r < n {
		r++
	}
	return r
}

// settle moves each colour to the middle of the shades it stands for.
func (p *palette) settle(shades []shade) {
	sums := make([][4]int, len(p.rgb))
	for _, s := range shades {
		i, w := p.search(s.rgb), root(s.weight)*root(s.weight)
		for k := range 3 {
			sums[i][k] += w * s.rgb[k]
		}
		sums[i][3] += w
	}
	for i, s := range sums {
		if s[3] > 0 {
			p.rgb[i] = [3]int{(s[0] + s[3]/2) / s[3], (s[1] + s[3]/2) / s[3], (s[2] + s[3]/2) / s[3]}
		}
	}
}

// search finds the place of the colour nearest to c.
func (p *palette) search(c [3]int) int {
	best, at := 1<<30, 0
	for i, q := range p.rgb {
		if d := apart(c, q); d < best {
			best, at = d, i
		}
	}
	return at
}

// apart is the squared distance of two colours.
func apart(a, b [3]int) int {
	r, g, bl := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return r*r + g*g + bl*bl
}

// reduce gives the picture the palette's colours, without dithering, which would
// cost bytes and show no more.
func (p *palette) reduce(im *image.RGBA) *image.Paletted {
	out := image.NewPaletted(im.Bounds(), p.colours)
	for i := range out.Pix {
		px := im.Pix[4*i : 4*i+3 : 4*i+3]
		out.Pix[i] = p.index(px[0], px[1], px[2])
	}
	return out
}

// index is the place of the palette's colour nearest to that of a pixel.
func (p *palette) index(r, g, b uint8) uint8 {
	cell := &p.nearest[int(r>>2)<<12|int(g>>2)<<6|int(b>>2)]
	if i := cell.Load(); i > 0 {
		return uint8(i - 1)
	}
	// The middle of the cell, not the pixel, so that it does not matter who comes first.
	i := p.search([3]int{int(r&^3) + 2, int(g&^3) + 2, int(b&^3) + 2})
	cell.Store(uint32(i) + 1)
	return uint8(i)
}

// encode writes the picture as a PNG.
func (p *palette) encode(w io.Writer, im *image.RGBA) error {
	e := png.Encoder{CompressionLevel: png.DefaultCompression}
	return e.Encode(w, p.reduce(im))
}
