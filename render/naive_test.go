package render

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"kraal/rules"
)

// anew is a surface on which everything is drawn with gg wherever it is wanted, as somebody would who knows neither sprites
// nor palettes: it is what benchmarks compare with. Pieces are paths and gradients of gg; only what gg has no form for, the
// grain of the wood and the letters, is as on a canvas.
type anew struct{ *canvas }

// naive draws a scene in this way.
func (r *Renderer) naive(s Scene) *image.RGBA {
	im := r.newBase(&r.layouts[s.way()], s.Variant.Diagonals)
	r.scene(anew{newCanvas(r, im, image.Point{})}, s)
	return im
}

func (a anew) lay(s sprite, at spot) {
	a.dc.Push()
	defer a.dc.Pop()
	a.dc.Translate(at.X, at.Y)
	switch s.kind {
	case boardPiece:
		a.token(a.r.theme.Pieces[s.side], pieceRadius, s.cows)
	case barPiece:
		a.token(a.r.theme.Pieces[s.side].small(), emblemRadius, s.cows)
	case handPiece:
		a.token(a.r.theme.Pieces[s.side].small(), smallRadius, false)
	default:
		a.mark(a.r.theme, s.kind)
	}
}

func (a anew) trace(t trace) {
	if t.mill {
		a.mill(a.r.theme.Last, t.track[0], t.track[1])
	} else {
		a.arrow(t.track, a.r.theme.Last)
	}
}

func (a anew) bar(b bar, st standing) { a.r.bar(a, b, st) }

func (a anew) piece(s sprite, l *layout, p rules.Point, _ rules.Points) { a.lay(s, l.Points[p]) }

// token is a piece: a shadow that fades, a body lit from above, rings from the rim inwards.
func (a anew) token(look pieceLook, radius float64, cow bool) {
	if cow {
		look.Rings = look.outer()
	}
	x, y := a.dc.TransformPoint(0, 0)
	r := radius * a.scale
	shadow := gg.NewRadialGradient(x, y+shadowDown*r, r, x, y+shadowDown*r, (1+shadowReach)*r)
	shadow.AddColorStop(0, fade(shadowDark))
	shadow.AddColorStop(0.5, fade(shadowDark/4))
	shadow.AddColorStop(1, fade(0))
	a.dc.DrawCircle(0, shadowDown*radius, (1+shadowReach)*radius)
	a.dc.SetFillStyle(shadow)
	a.dc.Fill()
	body := gg.NewLinearGradient(x, y-r, x, y+r)
	body.AddColorStop(0, blend(look.Body, rgb(0xffffff), look.Shade))
	body.AddColorStop(0.5, look.Body)
	body.AddColorStop(1, blend(look.Body, rgb(0x000000), look.Shade))
	a.dc.DrawCircle(0, 0, radius)
	a.dc.SetFillStyle(body)
	a.dc.Fill()
	for _, ring := range look.Rings {
		a.band(spot{}, ring.From*radius, ring.To*radius, ring.Colour)
	}
	if cow {
		a.cow(look.Cow, radius)
	}
}

// fade is black of which there is so much.
func fade(of float64) color.NRGBA { return color.NRGBA{A: uint8(math.Round(255 * of))} }
