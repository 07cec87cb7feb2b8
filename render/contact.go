package render

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"strings"

	"kraal/rules"
)

// The contact sheet: boards beside one another, in rows.
const (
	contactSize    = 380
	contactColumns = 3
	contactGap     = 14
)

// ContactSheet draws a moment of a game in every theme, and the last of them with stones, as one PNG of few colours.
func ContactSheet(w io.Writer) error {
	s, err := contactScene()
	if err != nil {
		return err
	}
	var looks []Options
	for _, theme := range Themes() {
		looks = append(looks, Options{Size: contactSize, Theme: theme})
	}
	looks = append(looks, Options{Size: contactSize, Pieces: Stones})
	var boards []*image.RGBA
	for _, o := range looks {
		r, err := New(o)
		if err != nil {
			return err
		}
		boards = append(boards, r.draw(s))
	}
	size := boards[0].Bounds().Size().Add(image.Pt(contactGap, contactGap))
	rows := (len(boards) + contactColumns - 1) / contactColumns
	sheet := image.NewRGBA(image.Rect(0, 0, contactColumns*size.X+contactGap, rows*size.Y+contactGap))
	draw.Draw(sheet, sheet.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	for i, b := range boards {
		at := image.Pt(i%contactColumns*size.X+contactGap, i/contactColumns*size.Y+contactGap)
		draw.Draw(sheet, b.Rect.Add(at), b, image.Point{}, draw.Src)
	}
	e := png.Encoder{CompressionLevel: png.BestCompression}
	return e.Encode(w, newPalette([]*image.RGBA{sheet}, mostColours).reduce(sheet))
}

// contactScene is a moment with a mill just closed, and what may be shot.
func contactScene() (Scene, error) {
	const game = "d1 a1 d3 b4 g7 d6 e4 d5 f2 f4 c4 b6 g1 g4 e3 xd6 b2 xc4 a4 c3"
	v, _ := rules.Lookup("morabaraba")
	g := rules.NewGame(v)
	for text := range strings.FieldsSeq(game) {
		a, err := rules.ParseAction(text)
		if err == nil {
			err = g.Play(a)
		}
		if err != nil {
			return Scene{}, err
		}
	}
	turns := g.Turns()
	last := turns[len(turns)-1]
	return Scene{
		Variant: v, Position: g.Position(), Last: last.Turn, LastBy: last.Side,
		Seats: [2]Seat{{Name: "Naledi", Rating: "1623"}, {Name: "Thabo", Rating: "1580"}},
	}, nil
}
