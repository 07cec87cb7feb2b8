package render

import "image/color"

// theme is how a board looks, as data: a further look is a further value.
type theme struct {
	Frame  wood // around the board, under the coordinates
	Edging edging
	Panel  wood // under the lines
	Bevel  [2]color.RGBA
	Line   color.RGBA
	Gleam  color.RGBA // the lit edge of an engraved line
	Letter color.RGBA // coordinates
	Brand  color.RGBA // the game's id, burnt into the wood

	Bar, BarActive color.RGBA // a player's bar; of the side to move
	BarEdge        color.RGBA
	Name, Rating   color.RGBA

	Pieces [2]pieceLook

	Colours int // of the palette: so many that it is closer to the drawing than 48 dB, and no more; 0: mostColours

	Seal   mark // the result in the middle of the board
	Last   mark // arrow, ring and mill of the last turn
	Target mark // what may be shot
	Owed   mark // shots owed, in a bar
	Hint   mark // where a piece may go
	Shot   mark // the cross where a piece was shot
	Turn   mark // turn marker and crown
}

// mark is a colour that stands out from whatever it lies on by its edge.
type mark struct{ Fill, Edge color.RGBA }

// edging is what runs along the outer edge of a board's frame.
type edging uint8

const (
	noEdging   edging = iota
	posts             // a kraal's fence: upright posts
	doubleLine        // a printed double line
)

// wood is a surface whose colour depends on the row alone: it reads as planks,
// and rows of one colour cost hardly any bytes.
type wood struct {
	Light, Dark color.RGBA
	Seam        color.RGBA
	Plank       float64 // height of a plank; 0: one piece
	Seed        uint32
}

// pieceLook is a disc described from the rim inwards.
type pieceLook struct {
	Body  color.RGBA
	Shade float64 // how much the light from above changes Body: rows of one colour cost hardly any bytes
	Rings []ring  // later ones lie on earlier ones
	Crisp bool    // edges are less soft, and the shadow is short
	Cow   cowLook
}

// ring covers the piece between two fractions of its radius; From 0 is a dot.
type ring struct {
	From, To float64
	Colour   color.RGBA
}

// Theme names how a board looks.
type Theme string

// The themes. Which one is looked at is for its reader to choose; what is drawn is the same in each.
const (
	Wood     Theme = "wood"     // a plank in a walnut frame
	Sand     Theme = "sand"     // a kraal drawn in sand, inside its fence
	Slate    Theme = "slate"    // chalk on a slate
	Paper    Theme = "paper"    // a print on paper
	Contrast Theme = "contrast" // black on white, for those who see little difference
)

// Themes lists them, the usual one first.
func Themes() []Theme { return []Theme{Wood, Sand, Slate, Paper, Contrast} }

// themed gives a theme's look; the zero Theme is the usual one.
func themed(name Theme) (theme, bool) {
	switch name {
	case "", Wood:
		return plank(), true
	case Sand:
		return kraal(), true
	case Slate:
		return chalk(), true
	case Paper:
		return printed(), true
	case Contrast:
		return diagram(), true
	}
	return theme{}, false
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}
