package render

import (
	"image"
	"math"

	"kraal/rules"
)

// kind is a form that is drawn once and laid over pictures many times.
type kind uint8

const (
	boardPiece  kind = iota
	barPiece         // beside a name
	handPiece        // in a bar: in hand, or lost
	ringMark         // round a piece that was placed
	sightMark        // on a piece that may be shot
	crossMark        // where a piece was shot
	hintMark         // where a piece may go
	pickMark         // round the piece that is to go there
	lostMark         // over a piece that is lost
	shotMark         // a shot owed
	pointerMark      // the side to move
	crownMark        // the winner
	equalsMark       // a drawn game
	clockMark        // before the time that is left
	postMark         // of a fence
	kinds
)

// sprite is a form as it is wanted. The last two fields are of pieces alone.
type sprite struct {
	kind kind
	side rules.Side
	cows bool
}

// art is a drawing on nothing.
type art struct {
	image  *image.RGBA
	middle image.Point // where its spot is in the image
}

// reach is how far a form goes from its middle, in units.
func (k kind) reach() float64 {
	switch k {
	case boardPiece:
		return pieceRadius * (1 + shadowReach)
	case barPiece:
		return emblemRadius * (1 + shadowReach)
	case handPiece:
		return smallRadius * (1 + shadowReach)
	case ringMark, sightMark, pickMark:
		return markOuter + markEdge
	case crossMark:
		return crossArm + crossWide/2 + crossEdge
	case hintMark:
		return hintRadius + hintEdge
	case lostMark:
		return 7 + 2 + 1.5
	}
	return 28
}

// sprites lists everything that can be laid over a picture.
func sprites() (list []sprite) {
	for k := range kinds {
		if k > handPiece {
			list = append(list, sprite{kind: k})
			continue
		}
		for _, side := range [...]rules.Side{rules.White, rules.Black} {
			list = append(list, sprite{k, side, false}, sprite{k, side, true})
		}
	}
	return list
}

// art draws a form.
func (r *Renderer) art(s sprite) art {
	half := int(math.Ceil(s.kind.reach()*r.scale)) + 1
	a := art{image.NewRGBA(image.Rect(0, 0, 2*half, 2*half)), image.Pt(half, half)}
	c := newCanvas(r, a.image, a.middle)
	switch s.kind {
	case boardPiece:
		c.token(r.theme.Pieces[s.side], half, pieceRadius, s.cows)
	case barPiece:
		c.token(r.theme.Pieces[s.side].small(), half, emblemRadius, s.cows)
	case handPiece:
		c.token(r.theme.Pieces[s.side].small(), half, smallRadius, false) // too small for a cow
	default:
		c.mark(r.theme, s.kind)
	}
	return a
}

// mark draws a form that is no piece, with its middle at 0, 0.
func (c *canvas) mark(th theme, k kind) {
	switch k {
	case ringMark:
		c.ring(th.Last)
	case sightMark:
		c.sight(th.Target)
	case crossMark:
		c.cross(th.Shot, crossArm, crossWide, crossEdge)
	case hintMark:
		c.disc(spot{}, hintRadius+hintEdge, th.Hint.Edge)
		c.disc(spot{}, hintRadius, th.Hint.Fill)
	case pickMark:
		c.grip(th.Hint)
	case lostMark:
		c.cross(th.Shot, 7, 4, 1.5)
	case shotMark:
		c.shotOwed(th.Owed)
	case pointerMark:
		c.shape(th.Turn, 3, spot{-13, -20}, spot{19, 0}, spot{-13, 20})
	case crownMark:
		c.crown(th.Turn)
	case equalsMark:
		c.box(rect{-17, -13, 34, 9}, th.Turn.Fill)
		c.box(rect{-17, 4, 34, 9}, th.Turn.Fill)
	case clockMark:
		c.clock(th)
	case postMark:
		c.disc(spot{}, 4.5, th.Frame.Seam)
		c.disc(spot{-0.5, -0.5}, 3, th.Bevel[1])
	}
}

// shotOwed is the sight that marks targets, alone: one for each shot owed.
func (c *canvas) shotOwed(m mark) {
	c.band(spot{}, 8, 12.5, m.Fill)
	for _, box := range [...]rect{
		{-16, -1.75, 11, 3.5}, {5, -1.75, 11, 3.5}, {-1.75, -16, 3.5, 11}, {-1.75, 5, 3.5, 11},
	} {
		c.box(box, m.Fill)
	}
}

// crown marks the winner.
func (c *canvas) crown(m mark) {
	tips := [...]spot{{-20, -12}, {0, -18}, {20, -12}}
	for _, tip := range tips {
		c.disc(tip, 8, m.Edge)
	}
	c.shape(m, 3,
		spot{-16, 17}, spot{-20, -10}, spot{-9, 2}, spot{0, -16}, spot{9, 2}, spot{20, -10}, spot{16, 17},
	)
	for _, tip := range tips {
		c.disc(tip, 5, m.Fill)
	}
	c.box(rect{-16, 8, 32, 3}, m.Edge)
}

// clock is a dial at three o'clock.
func (c *canvas) clock(th theme) {
	c.band(spot{}, 8.5, 11.5, th.Rating)
	c.box(rect{-1.5, -6.5, 3, 8}, th.Rating)
	c.box(rect{-1.5, -1.5, 7.5, 3}, th.Rating)
}
