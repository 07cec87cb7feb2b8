package render

import (
	"image"
	"image/color"
)

// stamp is art made ready to be laid over pictures of one byte a pixel: runs of pixels that are copied, and runs of
// pixels through which something is seen, for which inks says what becomes of what lies below. Transparent pixels have no
// run, so they cost nothing.
type stamp struct {
	box  image.Rectangle // of all runs, the spot at 0, 0
	runs []run

	solid []uint8 // colours, of the runs that are copied
	clear []paint // of the others
}

type run struct {
	x, y  int32 // where it begins, from the spot
	n     int32 // how long it is
	at    int32 // in solid or in clear
	clear bool
}

// nearlyAll is an alpha from which on a pixel counts as opaque: where strokes meet they leave a trace of a gap.
const nearlyAll = 232

// newStamp reduces art to the palette.
func newStamp(a art, k *inks) *stamp {
	s, box := &stamp{}, a.image.Bounds().Sub(a.middle)
	var last color.RGBA // most pixels are like the one before, and the search is long
	var colour uint8
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			px := a.image.RGBAAt(x+a.middle.X, y+a.middle.Y)
			if px.A < nearlyAll {
				s.tint(x, y, k.paint(px))
				continue
			}
			if px != last {
				last, colour = px, k.nearest(undiluted(px))
			}
			s.cover(x, y, colour)
		}
	}
	return s
}

// newInscriptionStamp is the ink of a text in a colour.
func newInscriptionStamp(in inscription, colour color.RGBA, k *inks) *stamp {
	class := k.class(colour)
	s, size := &stamp{}, in.mask.Bounds().Max
	for y := range size.Y {
		for x, a := range in.mask.Pix[y*in.mask.Stride:][:size.X] {
			s.tint(x, y, class|k.level(a))
		}
	}
	return s
}

// cover appends an opaque pixel.
func (s *stamp) cover(x, y int, colour uint8) {
	s.extend(run{x: int32(x), y: int32(y), n: 1, at: int32(len(s.solid))})
	s.solid = append(s.solid, colour)
}

// tint appends a pixel through which something is seen, unless there is nothing of it.
func (s *stamp) tint(x, y int, p paint) {
	if p&levelMask == 0 {
		return
	}
	s.extend(run{x: int32(x), y: int32(y), n: 1, at: int32(len(s.clear)), clear: true})
	s.clear = append(s.clear, p)
}

// extend appends a pixel to the run before it where it goes on.
func (s *stamp) extend(next run) {
	x, y := int(next.x), int(next.y)
	s.box = s.box.Union(image.Rect(x, y, x+1, y+1))
	if n := len(s.runs); n > 0 {
		last := &s.runs[n-1]
		if last.clear == next.clear && last.y == next.y && last.x+last.n == next.x {
			last.n++
			return
		}
	}
	s.runs = append(s.runs, next)
}

// on lays the stamp over a picture. What would be outside of it is left out.
func (s *stamp) on(dst *image.Paletted, at image.Point, table *mixtures) {
	if !s.box.Add(at).In(dst.Rect) {
		s.clipped(dst.Rect, at).on(dst, at, table)
		return
	}
	start := at.Y*dst.Stride + at.X
	for i := range s.runs {
		run := &s.runs[i]
		to := dst.Pix[start+int(run.y)*dst.Stride+int(run.x):][:run.n]
		if !run.clear {
			copy(to, s.solid[run.at:][:run.n])
			continue
		}
		for j, p := range s.clear[run.at:][:run.n] {
			to[j] = table[p&(paints-1)][to[j]]
		}
	}
}

// tile is a piece together with the board about it: a rectangle to be copied, which is several times faster than a stamp.
// Tiles of neighbouring points do not overlap.
type tile struct {
	box image.Rectangle // in the picture
	pix []uint8
}

// baked is the stamp as it looks at a place of a picture.
func (s *stamp) baked(on *image.Paletted, at image.Point, table *mixtures) *tile {
	t := &tile{box: s.box.Add(at).Intersect(on.Rect)}
	for y := t.box.Min.Y; y < t.box.Max.Y; y++ {
		t.pix = append(t.pix, on.Pix[y*on.Stride+t.box.Min.X:][:t.box.Dx()]...)
	}
	s.on(&image.Paletted{Pix: t.pix, Stride: t.box.Dx(), Rect: image.Rectangle{Max: t.box.Size()}}, at.Sub(t.box.Min), table)
	return t
}

func (t *tile) on(dst *image.Paletted) {
	w, at := t.box.Dx(), t.box.Min.Y*dst.Stride+t.box.Min.X
	for from := t.pix; len(from) >= w && w > 0; from = from[w:] {
		copy(dst.Pix[at:at+w], from[:w])
		at += dst.Stride
	}
}

// clipped is the part of the stamp at a place that is inside the frame.
func (s *stamp) clipped(frame image.Rectangle, at image.Point) *stamp {
	frame = frame.Sub(at)
	part := &stamp{}
	for _, run := range s.runs {
		for i := range run.n {
			x, y := int(run.x+i), int(run.y)
			switch {
			case !image.Pt(x, y).In(frame):
			case run.clear:
				part.tint(x, y, s.clear[run.at+i])
			default:
				part.cover(x, y, s.solid[run.at+i])
			}
		}
	}
	return part
}
