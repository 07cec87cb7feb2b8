package render

import (
	"image/color"

	"kraal/rules"
)

// plank is the look of a wooden board in a walnut frame. White and black differ
// in form too: white is a light disc with one ring inside a dark outline, black
// a dark disc with a light rim and a dot.
func plank() theme {
	ink, cream := rgb(0x2a1506), rgb(0xf6e9d2)
	return theme{
		Colours: 156,

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
			}, Cow: cowLook{rgb(0x8a4f26), rgb(0x4a3420), rgb(0xf7efdf), ink, lyre}},
			rules.Black: {Body: rgb(0x25211f), Shade: 0.30, Rings: []ring{
				{0.95, 1, rgb(0x120c08)}, {0.84, 0.95, rgb(0xe8dcc6)}, {0, 0.2, rgb(0xe8dcc6)},
			}, Cow: cowLook{rgb(0xe8dcc6), rgb(0xc9b48f), rgb(0x25211f), rgb(0x120c08), wide}},
		},

		Seal:   mark{cream, ink},
		Last:   mark{rgb(0x7fd0ff), rgb(0x0b2436)},
		Target: mark{rgb(0xffc02e), rgb(0x3b1f00)},
		Owed:   mark{rgb(0xffc02e), rgb(0x3b1f00)},
		Hint:   mark{rgb(0x0072b2), rgb(0xffffff)},
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
			rules.White: {Body: white, Rings: []ring{{0.84, 1, black}, {0.5, 0.6, black}},
				Cow: cowLook{black, black, white, white, lyre}},
			rules.Black: {Body: black, Rings: []ring{{0.97, 1, black}, {0.87, 0.97, white}, {0, 0.24, white}},
				Cow: cowLook{white, white, black, black, wide}},
		},

		Seal:   mark{white, black},
		Last:   mark{rgb(0x0090ff), black},
		Target: mark{rgb(0xffd400), black},
		Owed:   mark{rgb(0xffd400), black},
		Hint:   mark{rgb(0x0090ff), black},
		Shot:   mark{rgb(0xff6060), black},
		Turn:   mark{rgb(0xffd400), black},
	}
}

// kraal is the look of a board drawn into sand with a stick, inside the fence of a kraal. The pieces are pebbles.
func kraal() theme {
	ink, bone := rgb(0x3a2410), rgb(0xfbf3e2)
	return theme{
		Frame:  wood{Light: rgb(0x553c22), Dark: rgb(0x4f381f), Seam: rgb(0x38250f), Seed: 11},
		Edging: posts,
		Panel:  wood{Light: rgb(0xe3c493), Dark: rgb(0xd3b07b), Seam: rgb(0xd3b07b), Seed: 91},
		Bevel:  [2]color.RGBA{rgb(0x2b1c0d), rgb(0xb08a58)},
		Line:   rgb(0x6b4521),
		Gleam:  rgb(0xf6dfb8),
		Letter: rgb(0xf8e7c8),
		Brand:  rgb(0x6b4521),

		Bar: rgb(0x2a1d12), BarActive: rgb(0x4a331f), BarEdge: rgb(0x1b120a),
		Name: bone, Rating: rgb(0xdcc6a0),

		Pieces: [2]pieceLook{
			rules.White: {Body: rgb(0xf6efe2), Shade: 0.12, Rings: []ring{
				{0.93, 1, ink}, {0.56, 0.66, rgb(0x94704a)},
			}, Cow: cowLook{rgb(0x9c4a22), rgb(0x4a3420), rgb(0xf6efe2), ink, lyre}},
			rules.Black: {Body: rgb(0x2e2620), Shade: 0.30, Rings: []ring{
				{0.95, 1, rgb(0x1b120a)}, {0.84, 0.95, rgb(0xe9d9bb)}, {0, 0.2, rgb(0xe9d9bb)},
			}, Cow: cowLook{rgb(0xe9d9bb), rgb(0xcdb48a), rgb(0x2e2620), rgb(0x1b120a), wide}},
		},

		Seal:   mark{bone, ink},
		Last:   mark{rgb(0x58b8e8), rgb(0x0b2436)},
		Target: mark{rgb(0xf2a100), rgb(0x3b1f00)},
		Owed:   mark{rgb(0xffc02e), rgb(0x3b1f00)},
		Hint:   mark{rgb(0x37b877), rgb(0x00301a)},
		Shot:   mark{rgb(0xffffff), rgb(0xa30f16)},
		Turn:   mark{rgb(0xffc02e), rgb(0x3b1f00)},
	}
}

// chalk is the look of a school slate. Its lines are light, and everything that lies on it has an edge that is lighter
// or darker than the stone.
func chalk() theme {
	white, black := rgb(0xf4f6f7), rgb(0x14181b)
	return theme{
		Frame:  wood{Light: rgb(0x2b3238), Dark: rgb(0x252b31), Seam: rgb(0x252b31), Seed: 5},
		Panel:  wood{Light: rgb(0x6b7780), Dark: rgb(0x65717a), Seam: rgb(0x65717a), Seed: 23},
		Bevel:  [2]color.RGBA{rgb(0x0f1214), rgb(0x87939c)},
		Line:   rgb(0xf0f3f4),
		Gleam:  rgb(0x525d65),
		Letter: rgb(0xe6ebee),
		Brand:  rgb(0xf0f3f4),

		Bar: rgb(0x1a1f23), BarActive: rgb(0x333c43), BarEdge: rgb(0x0c0f11),
		Name: white, Rating: rgb(0xc3ccd2),

		Pieces: [2]pieceLook{
			rules.White: {Body: rgb(0xf1f4f5), Shade: 0.10, Rings: []ring{
				{0.93, 1, black}, {0.56, 0.66, rgb(0x5b6a75)},
			}, Cow: cowLook{rgb(0x5b4a41), rgb(0x3a434a), rgb(0xf1f4f5), black, lyre}},
			rules.Black: {Body: rgb(0x1d2226), Shade: 0.22, Rings: []ring{
				{0.95, 1, black}, {0.84, 0.95, rgb(0xdfe6ea)}, {0, 0.2, rgb(0xdfe6ea)},
			}, Cow: cowLook{rgb(0xdfe6ea), rgb(0xb4bec5), rgb(0x1d2226), black, wide}},
		},

		Seal:   mark{white, black},
		Last:   mark{rgb(0x7fd0ff), rgb(0x06131c)},
		Target: mark{rgb(0xffc02e), rgb(0x1c1200)},
		Owed:   mark{rgb(0xffc02e), rgb(0x1c1200)},
		Hint:   mark{rgb(0x6ff0a8), rgb(0x06131c)}, // white dots would be taken for points of its white lines
		Shot:   mark{rgb(0xc4161c), rgb(0xffffff)},
		Turn:   mark{rgb(0xffc02e), rgb(0x1c1200)},
	}
}

// printed is the look of a page of an old book: ink on paper, with a little red.
func printed() theme {
	ink, paper := rgb(0x221d18), rgb(0xf5efe1)
	return theme{
		Frame:  wood{Light: paper, Dark: paper, Seam: paper},
		Edging: doubleLine,
		Panel:  wood{Light: paper, Dark: rgb(0xf1ead9), Seam: rgb(0xf1ead9), Seed: 3},
		Bevel:  [2]color.RGBA{ink, ink},
		Line:   ink,
		Gleam:  rgb(0xe2d8c2),
		Letter: ink,
		Brand:  rgb(0x6b6256),

		Bar: rgb(0xe6dcc6), BarActive: rgb(0xfbf6ea), BarEdge: ink,
		Name: ink, Rating: rgb(0x5a5145),

		Pieces: [2]pieceLook{
			rules.White: {Body: rgb(0xfffdf7), Rings: []ring{
				{0.90, 1, ink}, {0.54, 0.62, ink},
			}, Cow: cowLook{rgb(0x6a4a34), ink, rgb(0xfffdf7), ink, lyre}},
			rules.Black: {Body: ink, Rings: []ring{
				{0.96, 1, ink}, {0.87, 0.96, paper}, {0, 0.2, paper},
			}, Cow: cowLook{paper, rgb(0xd8cdb6), ink, ink, wide}},
		},

		Seal:   mark{paper, ink},
		Last:   mark{rgb(0x6fb7de), rgb(0x10222e)},
		Target: mark{rgb(0xf0b323), rgb(0x3b1f00)},
		Owed:   mark{rgb(0xa3231b), ink},
		Hint:   mark{rgb(0x37b877), rgb(0x00301a)},
		Shot:   mark{rgb(0xffffff), rgb(0xa3151c)},
		Turn:   mark{rgb(0xa3231b), ink},
	}
}
