package render

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// fullCard has all that can stand on a card, with names of every kind.
func fullCard() Card {
	names := []string{
		"Naledi", "Thabo", "Ngozi Adébáyò-Okonkwo the Elder", "Дмитрий", "_x_ *y* ||z||", "\u202eevil",
		strings.Repeat("😀", 32), "李小龍", "Inês", "\u200b",
	}
	records := []string{
		"124–3–40", "80–12–33", "1204–310–988", "9–0–2", "31–8–30", "12–1–9", "7–2–8", "5–0–4", "2–0–1", "0–0–1",
	}
	card := Card{
		Title: "Morabaraba", Note: "in this server · page 1 of 4", Record: "W–D–L", Below: "Provisional",
		Own: &CardRow{Place: "12025", Name: "Zanele", Rating: "1433", Trend: -7, Record: "14–2–21"},
	}
	ratings := []string{"1912", "1876", "1876", "1790", "1744", "1702", "1688", "1611?", "1580?", "1344?"}
	for i, name := range names {
		row := CardRow{Name: name, Rating: ratings[i], Trend: []int{12, -8, 0, 103, -141}[i%5], Record: records[i]}
		if row.Provisional = i >= 7; !row.Provisional {
			row.Place = []string{"1", "2", "2", "4", "5", "6", "7"}[i]
		}
		card.Rows = append(card.Rows, row)
	}
	return card
}

// TestCards holds cards to the pictures that are kept of them.
func TestCards(t *testing.T) {
	own := fullCard()
	own.Own, own.Rows[3].Own, own.Rows = nil, true, own.Rows[:5]
	for name, c := range map[string]struct {
		theme Theme
		card  Card
	}{
		"card": {Wood, fullCard()}, "card-paper": {Paper, fullCard()}, "card-own": {Contrast, own},
		"card-empty": {Slate, Card{Title: "Koti", Note: "across all servers"}},
	} {
		r, err := New(Options{Theme: c.theme})
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := r.Card(&got, c.card); err != nil {
			t.Fatal(err)
		}
		if got.Len() > 100<<10 {
			t.Errorf("%s: a card of %d bytes", name, got.Len())
		}
		kept(t, name, got.Bytes())
	}
}

// TestCardOfProvisionalsAlone: the line that parts the provisional from the ranked stands where there are ranked ones. Right
// under the head it would double the head's own.
func TestCardOfProvisionalsAlone(t *testing.T) {
	r, err := New(Options{Theme: Slate})
	if err != nil {
		t.Fatal(err)
	}
	const middle = 400 // between the names and the ratings, where nothing but lines is drawn
	ruled := func(rows ...CardRow) bool {
		im := r.drawCard(Card{Title: "Koti", Below: "Provisional", Rows: rows})
		at := cardHead + cardRow*float64(len(rows)-1) + 3
		return im.RGBAAt(int(middle*r.scale), int(at*r.scale)) == r.theme.Rating
	}
	ranked, provisional := CardRow{Place: "1", Name: "a"}, CardRow{Name: "b", Provisional: true}
	if ruled(provisional) {
		t.Error("there is a line where nobody is ranked")
	}
	if !ruled(ranked, provisional) {
		t.Error("no line parts the provisional from the ranked")
	}
}

// kept compares a picture with the one of that name in testdata, or renews that.
func kept(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		write(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, filepath.Join("testdata", name), decode(t, got), decode(t, want))
}

// TestCardContrast: every text of a card can be read, those that are greyed too, and they differ from the others.
func TestCardContrast(t *testing.T) {
	for _, name := range Themes() {
		look, _ := themed(name)
		for _, ground := range []struct {
			of     string
			colour color.RGBA
		}{{"a row", look.Bar}, {"the reader's row", look.BarActive}} {
			grey := blend(look.Rating, ground.colour, greyed)
			for of, ink := range map[string]color.RGBA{"name": look.Name, "greyed": grey, "note": look.Rating} {
				if c := contrast(ink, ground.colour); c < 4.5 {
					t.Errorf("%s: %s of %s has a contrast of %.2f", name, of, ground.of, c)
				}
			}
			if c := contrast(look.Name, grey); c < 1.2 {
				t.Errorf("%s: greyed differs from the others by %.2f alone", name, c)
			}
		}
		if c := contrast(look.Turn.Fill, look.BarActive); c < 3 {
			t.Errorf("%s: the strip of the reader's row has a contrast of %.2f", name, c)
		}
	}
}

// TestCardsTakeAnything: texts far too long are cut, none leaves its column, and the same picture comes each time.
func TestCardsTakeAnything(t *testing.T) {
	r := renderer(t)
	long := strings.Repeat("W", 100_000)
	row := CardRow{Place: long, Name: long, Rating: long, Trend: math.MinInt, Record: long, Provisional: true}
	card := Card{Title: long, Note: long, Record: long, Below: long, Rows: []CardRow{row}, Own: &row}
	var first, again bytes.Buffer
	if err := errors.Join(r.Card(&first, card), r.Card(&again, card)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Error("drawn twice it differs")
	}
	card.Own = nil // its row has another ground
	im := r.drawCard(card)
	for y := cardHead; y < float64(im.Rect.Max.Y); y++ {
		for _, x := range []float64{12, cardRating + 4, cardRight - cardRecord - 4, unitsWide - 12} { // between the columns
			if got := pixel(r, im, spot{x, y}); contrast(got, r.theme.Bar) > 2 && !line(card, y) {
				t.Fatalf("ink at %v, %v", x, y)
			}
		}
	}
}

// TestTrendByForm: the arrow of points won is broad at its foot, that of points lost at its top.
func TestTrendByForm(t *testing.T) {
	r := renderer(t)
	y := cardHead + cardRow/2
	for _, c := range []struct {
		trend         int
		upper, middle bool // whether there is ink at the arrow's upper corner, and in its middle
	}{{5, false, true}, {-5, true, true}, {0, false, false}, {math.MinInt, true, true}} {
		im := r.drawCard(Card{Rows: []CardRow{{Trend: c.trend}}})
		inked := func(at spot) bool { return contrast(pixel(r, im, at), r.theme.Bar) > 3 }
		if got := inked(spot{cardTrend + 9, y - 8}); got != c.upper {
			t.Errorf("trend %d: ink at the upper corner: %v", c.trend, got)
		}
		if got := inked(spot{cardTrend, y}); got != c.middle {
			t.Errorf("trend %d: ink in the middle: %v", c.trend, got)
		}
	}
}

// TestOwnRowStandsOut: the reader's row has another ground, on the page and below it.
func TestOwnRowStandsOut(t *testing.T) {
	r := renderer(t)
	ground := func(card Card, below float64) bool {
		at := spot{unitsWide - 6, cardHead + below}
		return pixel(r, r.drawCard(card), at) == r.theme.BarActive
	}
	rows := []CardRow{{Name: "a"}, {Name: "b", Own: true}}
	if ground(Card{Rows: rows}, cardRow/2) || !ground(Card{Rows: rows}, 3*cardRow/2) {
		t.Error("of two rows the reader's, the second, does not stand out")
	}
	if !ground(Card{Rows: rows[:1], Own: &CardRow{Name: "c"}}, cardRow+cardApart+cardRow/2) {
		t.Error("the reader's row below the page does not stand out")
	}
}

// TestCardLaws: whatever is written on a card, it has the height of its rows, and nothing comes near its edges.
func TestCardLaws(t *testing.T) {
	r := halved(t)
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"", strings.Repeat("W", 40), "\xff\xfe", "\u202e\u202e", strings.Repeat("e\u0301", 40), "𝓐𝓑", "\u3164",
		}))
		row := rapid.Custom(func(t *rapid.T) CardRow {
			return CardRow{
				Place: said.Draw(t, "place"), Name: said.Draw(t, "name"), Rating: said.Draw(t, "rating"),
				Trend: rapid.Int().Draw(t, "trend"), Record: said.Draw(t, "record"), Provisional: rapid.Bool().Draw(t, "provisional"),
			}
		})
		card := Card{
			Title: said.Draw(t, "title"), Note: said.Draw(t, "note"), Record: said.Draw(t, "head"), Below: said.Draw(t, "below"),
			Rows: rapid.SliceOfN(row, 0, MaxCardRows+1).Draw(t, "rows"),
		}
		im := r.drawCard(card)
		high := cardHead + cardFoot + cardRow*float64(min(len(card.Rows), MaxCardRows))
		for _, row := range card.Rows[:min(len(card.Rows), MaxCardRows)] {
			if row.Provisional {
				high += cardBelow
				break
			}
		}
		if im.Rect != image.Rect(0, 0, halfSize, int(high*r.scale)) {
			t.Fatalf("it is %v, want a height of %v", im.Rect, high)
		}
		for y := cardHead; y < high; y++ {
			for _, x := range []float64{12, unitsWide - 12} {
				if got := pixel(r, im, spot{x, y}); contrast(got, r.theme.Bar) > 2 {
					t.Fatalf("ink at %v, %v", x, y)
				}
			}
		}
	})
}

// line tells whether what parts rows is at that height.
func line(card Card, y float64) bool {
	lines, _ := card.lines()
	for _, l := range lines {
		if y >= l.top && (y < l.top+2 || l.kind == belowLine && y < l.top+cardBelow) {
			return true
		}
	}
	return false
}

// halfSize is that of pictures of which many are drawn.
const halfSize = unitsWide / 2

func halved(t *testing.T) *Renderer {
	t.Helper()
	r, err := New(Options{Size: halfSize})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
