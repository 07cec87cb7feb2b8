package render

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"pgregory.net/rapid"

	"kraal/rules"
)

// TestNamesAreDrawable (O46): each name is drawn, with a stated substitute for what the font lacks.
func TestNamesAreDrawable(t *testing.T) {
	f := renderer(t).letters.font
	const none = substitute
	for _, c := range []struct{ name, in, want string }{
		{"Setswana", "Ramaphošwane", "Ramaphošwane"},
		{"š in two characters", "Ramapho\u0073\u030cwane", "Ramaphošwane"},
		{"Greek", "Ωμέγα", "Ωμέγα"},
		{"Cyrillic", "Жанна", "Жанна"},
		{"Vietnamese accents the font lacks", "Việt", "Viet"},
		{"letters of mathematics", "𝓐𝓵𝓮𝔁", "Alex"},
		{"wide letters", "Ｋｒａａｌ", "Kraal"},
		{"Arabic", "محمد", none},
		{"CJK", "你好 Ann", none + " Ann"},
		{"words of another script", "你好 世界", none + " " + none},
		{"emoji", "🐂Thabo", none + "Thabo"},
		{"emoji with a skin tone", "👍🏽", none},
		{"emoji with joiners", "👨‍👩‍👧", none},
		{"variation selector", "♥\ufe0f", "♥"},
		{"stacked accents", "z\u0335\u0321\u0353\u0300\u0301", "z"},
		{"controls", "a\x00\x1b[31mb\r\nc\td", "a[31mb c d"},
		{"an accent behind a control", "A\x00\u0300", "À"},
		{"direction", "\u202eabc\u202c \u2067d\u2069\u200f\u061c", "abc d"},
		{"zero width", "a\u200bb\u200c\u200d\ufeffc\u2060", "abc"},
		{"zero width only", "\u200b\u200d\ufeff", none},
		{"blank letters only", "\u3164\uffa0\u2800", none},
		{"spaces only", " \u00a0\u3000 ", none},
		{"empty", "", none},
		{"tags", "a\U000e0041\U000e007f", "a"},
		{"private use", "\ue000\U000f0000", none},
		{"broken UTF-8", "a\xff\xfeb", "a" + none + "b"},
		{"markdown", "_x_ *y* ||z||", "_x_ *y* ||z||"},
	} {
		if got := drawable(f, c.in); got != c.want {
			t.Errorf("%s: %+q is drawn as %+q, want %+q", c.name, c.in, got, c.want)
		}
	}
}

func TestDrawableLaws(t *testing.T) {
	f := renderer(t).letters.font
	face := renderer(t).letters.face(nameSize)
	var buf sfnt.Buffer
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "name")
		s := drawable(f, in)
		if strings.TrimSpace(s) == "" {
			t.Fatalf("%+q is drawn as nothing", in)
		}
		for _, r := range s {
			if i, err := f.GlyphIndex(&buf, r); err != nil || i == 0 || unicode.Is(unicode.C, r) {
				t.Fatalf("%+q is drawn with %U, which the font lacks", in, r)
			}
		}
		room := fixed.I(rapid.IntRange(40, 500).Draw(t, "room"))
		if got := cut(face, s, room); font.MeasureString(face, got) > room || got == "" {
			t.Fatalf("%+q is cut to %+q, %v wide, want at most %v", s, got, font.MeasureString(face, got), room)
		}
		if clean(clean(in)) != clean(in) {
			t.Fatalf("%+q is not clean the second time: %+q", in, clean(in))
		}
	})
}

// Whatever players are called, a name is seen, and nothing but the name changes
// in the picture: it runs into nothing.
func TestNamesKeepToTheirPlace(t *testing.T) {
	r := renderer(t)
	for _, s := range []Scene{
		moment(t, "morabaraba", morabarabaGame, 0), moment(t, "morabaraba", morabarabaGame, 20), moment(t, "nine", nineGame, 57),
	} {
		s.Seats = [2]Seat{{".", ".", ""}, {".", ".", ""}}
		plain := r.draw(s)
		for _, name := range []string{
			"\u200b\u200d", strings.Repeat("🐂", 32), "محمد", "你好", strings.Repeat("W", 300), strings.Repeat("Éj", 40),
			"z" + strings.Repeat("\u0353\u0300", 50), "```@everyone", "<@&1>", strings.Repeat("x", 1<<20),
		} {
			s.Seats = [2]Seat{{name, name, ""}, {name, name, ""}}
			got := r.draw(s)
			ink := [2]int{}
			for i := 0; i < len(got.Pix); i += 4 {
				if got.Pix[i] == plain.Pix[i] && got.Pix[i+1] == plain.Pix[i+1] {
					continue
				}
				x, y := float64(i/4%unitsWide), float64(i/4/unitsWide)
				side, box := nameBox(&r.layouts[1], s, y)
				if x < box.X || x > box.X+box.W || y < box.Y || y > box.Y+box.H {
					t.Fatalf("name %.20q draws at %v,%v, outside %+v", name, x, y, box)
				}
				ink[side]++
			}
			if ink[0] < 30 || ink[1] < 30 {
				t.Errorf("name %.20q leaves no more than %v pixels of ink", name, ink)
			}
		}
	}
}

// nameBox is where the name and the rating at the height y may be.
func nameBox(l *layout, s Scene, y float64) (rules.Side, rect) {
	side := rules.White
	if y < unitsWide/2 {
		side = rules.Black
	}
	b := l.Bars[side]
	small := b.Right - figures - 2*smallRadius
	right := b.Right
	switch n := s.Position.Hand[side]; {
	case y <= b.MiddleY+2 && n > 0:
		right = small - smallStep*float64(n-1)
	case y > b.MiddleY+2 && side == rules.White:
		right = small - 26 - 100 // the id, eight characters of more than 12.5
	case y > b.MiddleY+2 && s.lost(side) > 0:
		right = small
	}
	return side, rect{b.Text - 3, b.Box.Y + 2, right - b.Text, b.Box.H - 4}
}

// Without bars the id is in the middle of the board, clear of the pieces beside it.
func TestIDStaysBetweenThePieces(t *testing.T) {
	r := renderer(t)
	plain := r.draw(Scene{})
	for _, id := range []string{"k7m2x", "WWWWWWWW", strings.Repeat("m", 64)} {
		got := r.draw(Scene{ID: id})
		ink := 0
		for i := 0; i < len(got.Pix); i += 4 {
			if got.Pix[i] == plain.Pix[i] {
				continue
			}
			ink++
			if x := float64(i / 4 % unitsWide); x < 400-gridStep+markOuter || x > 400+gridStep-markOuter {
				t.Fatalf("id %q is drawn at x %v, under a piece", id, x)
			}
		}
		if ink < 100 {
			t.Errorf("id %q leaves %d pixels of ink", id, ink)
		}
	}
}
