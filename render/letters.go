package render

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"sync"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// text is something to be written: what, how large, in which colour, and how many units it may be wide before it is cut;
// 0: as wide as it is.
type text struct {
	said   string
	size   float64
	colour color.RGBA
	room   float64
}

// letters sets texts in the one font that is compiled in, Go Bold: Latin with the letters of European and African
// languages, Greek and Cyrillic. Other scripts are shown by a substitute (see drawable): a font for each would make the
// program many times as large, and the words beside a picture keep every script anyway.
type letters struct {
	scale float64
	font  *sfnt.Font

	mu    sync.Mutex            // a face may be used by one at a time
	faces map[float64]font.Face // by size in units
}

func newLetters(scale float64) (*letters, error) {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("built-in font: %w", err)
	}
	return &letters{scale: scale, font: f, faces: make(map[float64]font.Face)}, nil
}

// inscription is a text as ink, before it has a place.
type inscription struct {
	mask  *image.Alpha
	width float64     // in pixels, as the font measures it
	high  float64     // from the text's middle line to its foot, in pixels
	foot  image.Point // the text's beginning on its foot, in the mask
}

// origin is where the mask goes when the text's middle line, half way up its capitals, is at at.Y. anchor says which part
// of the text is at at.X: 0 its left edge, 0.5 the middle, 1 the right edge.
func (in inscription) origin(at spot, anchor, scale float64) image.Point {
	x := int(math.Round(at.X*scale - anchor*in.width))
	y := int(math.Round(at.Y*scale + in.high))
	return image.Pt(x, y).Sub(in.foot)
}

// mostBytes of a text are looked at: nothing of what follows could be seen.
const mostBytes = 2048

// shorten takes away what is beyond mostBytes, so that a name of a million letters costs no more than others.
func shorten(s string) string {
	if len(s) <= mostBytes {
		return s
	}
	n := mostBytes
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// inscribe makes the ink of a text that the font can show, cut to its room.
func (l *letters) inscribe(t text) inscription {
	said := drawable(l.font, shorten(t.said))
	l.mu.Lock()
	defer l.mu.Unlock()
	face := l.face(t.size)
	if t.room != 0 {
		said = cut(face, said, fixed.Int26_6(max(t.room, 0)*l.scale*64))
	}
	const capital = 0.72 // height of a capital in the font's size
	in := inscription{high: capital * t.size / 2 * l.scale}
	bounds, width := font.BoundString(face, said)
	in.width = float64(width) / 64
	box := image.Rect(bounds.Min.X.Floor(), bounds.Min.Y.Floor(), bounds.Max.X.Ceil(), bounds.Max.Y.Ceil())
	in.mask, in.foot = image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy())), image.Point{}.Sub(box.Min)
	d := font.Drawer{Dst: in.mask, Src: image.Opaque, Face: face, Dot: fixed.P(in.foot.X, in.foot.Y)}
	d.DrawString(said)
	return in
}

// face is the font at a size.
func (l *letters) face(size float64) font.Face {
	if f, ok := l.faces[size]; ok {
		return f
	}
	f, err := opentype.NewFace(l.font, &opentype.FaceOptions{Size: size * l.scale, DPI: 72})
	if err != nil {
		panic(err) // NewFace has no way to fail
	}
	l.faces[size] = f
	return f
}
