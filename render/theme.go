package render

import (
	"image/color"

	"kraal/rules"
)

// theme is how a board looks, as data: a further look is a further value.
type theme struct {
	Frame  wood // around the board, under the coordinates
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

	Last   mark // arrow, ring and mill of the last turn
	Target mark // what may be shot, and shots owed
	Shot   mark // the cross where a piece was shot
	Turn   mark // turn marker and crown
}

// mark is a colour that stands out from whatever it lies on by its edge.
type mark struct{ Fill, Edge color.RGBA }

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
	Shade float64 // how much the light from the upper left changes Body
	Rings []ring  // later ones lie on earlier ones
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
	Contrast Theme = "contrast" // black on white, for those who see little difference
)

// Themes lists them, the usual one first.
func Themes() []Theme { return []Theme{Wood, Contrast} }

// themed gives a theme's look; the zero Theme is the usual one.
func themed(name Theme) (theme, bool) {
	switch name {
	case "", Wood:
		return plank(), true
	case Contrast:
		return diagram(), true
	}
	return theme{}, false
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// plank is the look of a wooden board in a walnut frame. White and black differ
// in form too: white is a light disc with one ring inside a dark outline, black
// a dark disc with a light rim and a dot.
func plank() theme {
	ink, cream := rgb(0x2a1506), rgb(0xf6e9d2)
	return theme{
		Frame:  wood{Light: rgb(0x4a2d18), Dark: rgb(0x38200f), Seam: rgb(0x38200f), Seed: 7},
		Panel:  wood{Light: rgb(0xb47c42), Dark: rgb(0x9f6a35), Seam: rgb(0x7d4f24), Plank: (boardHigh - 2*frameWide) / 7.0, Seed: 40},
		Bevel:  [2]color.RGBA{rgb(0x1d0f05), rgb(0x6f4826)},
		Line:   ink,
		Gleam:  rgb(0xd3a065),
		Letter: rgb(0xf2dfc0),
		Brand:  rgb(0x402208),

		Bar: rgb(0x1f1712), BarActive: rgb(0x3a2a1d), BarEdge: rgb(0x120c08),
		Name: cream, Rating: rgb(0xd2bd9c),

		Pieces: [2]pieceLook{
			rules.White: {Body: rgb(0xf7efdf), Shade: 0.09, Rings: []ring{
				{0.93, 1, ink}, {0.56, 0.66, rgb(0x8a6a45)},
			}},
			rules.Black: {Body: rgb(0x25211f), Shade: 0.30, Rings: []ring{
				{0.95, 1, rgb(0x120c08)}, {0.84, 0.95, rgb(0xe8dcc6)}, {0, 0.2, rgb(0xe8dcc6)},
			}},
		},

		Last:   mark{rgb(0x7fd0ff), rgb(0x0b2436)},
		Target: mark{rgb(0xffc02e), rgb(0x3b1f00)},
		Shot:   mark{rgb(0xc4161c), rgb(0xffffff)},
		Turn:   mark{rgb(0xffc02e), rgb(0x3b1f00)},
	}
}

// diagram is the look of a printed diagram: nothing has a grain, a shade or a colour that carries the meaning alone. White
// is a white disc within a black outline, black a black disc with a white dot.
func diagram() theme {
	black, white := rgb(0x000000), rgb(0xffffff)
	return theme{
		Frame:  wood{Light: black, Dark: black, Seam: black},
		Panel:  wood{Light: white, Dark: white, Seam: white},
		Bevel:  [2]color.RGBA{black, white},
		Line:   black,
		Gleam:  white,
		Letter: white,
		Brand:  rgb(0x4d4d4d),

		Bar: black, BarActive: rgb(0x262626), BarEdge: white,
		Name: white, Rating: white,

		Pieces: [2]pieceLook{
			rules.White: {Body: white, Rings: []ring{{0.84, 1, black}, {0.5, 0.6, black}}},
			rules.Black: {Body: black, Rings: []ring{{0.97, 1, black}, {0.87, 0.97, white}, {0, 0.24, white}}},
		},

		Last:   mark{rgb(0x0090ff), black},
		Target: mark{rgb(0xffd400), black},
		Shot:   mark{rgb(0xff6060), black},
		Turn:   mark{rgb(0xffd400), black},
	}
}
