package render

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"kraal/rules"
)

// palette holds the colours that pictures are reduced to. A picture of one byte
// a pixel is encoded several times faster than one of four, and is half as large.
type palette struct {
	colours color.Palette
	rgb     [][3]int
}

// mostColours is how many colours a palette has where a theme does not do with fewer: with them every theme keeps 48 dB. The
// usual one has fewer, by which a picture with bars stays under 60 KiB. One more is left for what is transparent in a film.
const mostColours = 240

// samples are pictures that show everything that can be in one: a board a third
// white, a third black, with every mark on both, once with cows and once with stones.
func (r *Renderer) samples() []*image.RGBA {
	var p rules.Position
	for at := range rules.Point(rules.PointCount) {
		if side := at % 3; side < 2 {
			p.Pieces[side] = p.Pieces[side].With(at)
		}
	}
	p.Hand, p.Pending = [2]uint8{9, 2}, 1
	const b6, g7, g4, e3, f2, a1, d1, g1 = 3, 2, 14, 17, 20, 21, 22, 23
	s := Scene{
		Variant:  rules.Variant{Pieces: 20, Diagonals: true, Protected: true, Shots: rules.OneAMill},
		Position: p, Seats: [2]Seat{{"Sample", "1500", "1:23"}, {"Sample", "1500", "1:23"}}, ID: "sample",
		Hints: p.Empty(), Picked: rules.Points(0).With(b6), Pieces: Cows,
		Last: rules.Turn{{Kind: rules.Move, From: g7, To: d1}, {Kind: rules.Shoot, To: g4}},
	}
	moved := r.draw(s) // with shots owed in a bar, which no picture with a line below it has
	s.Caption, s.Corner = "12. sample", "1 / 2"
	s.Position.Turn = rules.Black
	s.Pieces = Stones
	s.Last = rules.Turn{{Kind: rules.Place, To: a1}, {Kind: rules.Shoot, To: g4}}
	placed := r.draw(s)
	s.Status = rules.Status{Over: true, Result: rules.WhiteWins}
	s.Last = rules.Turn{{Kind: rules.Move, From: e3, To: g1}, {Kind: rules.Shoot, To: f2}}
	return []*image.RGBA{moved, placed, r.draw(s)}
}

// shade is a colour of the samples and how many of their pixels have it.
type shade struct {
	rgb    [3]int
	weight int
}

// newPalette chooses the colours that come closest to those of the pictures.
func newPalette(pictures []*image.RGBA, most int) *palette {
	shades := count(pictures)
	p := &palette{rgb: spread(shades, most)}
	for range 16 {
		p.settle(shades)
	}
	for _, c := range p.rgb {
		p.colours = append(p.colours, color.NRGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255}) // image/png converts others
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
func spread(shades []shade, most int) [][3]int {
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

// root is the square root of n, roughly: common colours count for more than rare
// ones, though not by their number.
func root(n int) int {
	return int(math.Sqrt(float64(n))) + 1
}

// settle moves each colour to the middle of the shades it stands for.
func (p *palette) settle(shades []shade) {
	sums := make([][4]int, len(p.rgb))
	for _, s := range shades {
		i, w := p.search(s.rgb), s.weight
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

// search finds the place of the colour nearest to c. Most colours are ruled out by one channel.
func (p *palette) search(c [3]int) int {
	best, at := 1<<30, 0
	for i := range p.rgb {
		q := &p.rgb[i]
		g := c[1] - q[1]
		if g *= g; g >= best {
			continue
		}
		r, b := c[0]-q[0], c[2]-q[2]
		if d := g + r*r + b*b; d < best {
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
	// A picture has some thousand colours, and most pixels are like the one before.
	found := make(map[uint32]uint8, 1<<13)
	var last uint32
	var index uint8
	for i := range out.Pix {
		px := im.Pix[4*i : 4*i+4 : 4*i+4]
		c := uint32(px[0])<<16 | uint32(px[1])<<8 | uint32(px[2])
		if c != last || i == 0 {
			var known bool
			if index, known = found[c]; !known {
				index = uint8(p.search([3]int{int(px[0]), int(px[1]), int(px[2])}))
				found[c] = index
			}
			last = c
		}
		out.Pix[i] = index
	}
	return out
}

// nearest is search for a colour.
func (p *palette) nearest(c color.RGBA) uint8 { return uint8(p.search(triple(c))) }
