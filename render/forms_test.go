package render

import (
	"image/color"
	"math"
	"testing"

	"kraal/rules"
)

// drawing is where a piece differs by 3:1 from its ground, as somebody with that sight sees it.
func (a art) drawing(r *Renderer, ground color.RGBA, m [3][3]float64) (drawn []bool) {
	radius := pieceRadius * r.scale
	for y := range a.image.Rect.Dy() {
		for x := range a.image.Rect.Dx() {
			if math.Hypot(float64(x-a.middle.X), float64(y-a.middle.Y)) <= radius-2 {
				drawn = append(drawn, contrast(seen(a.image.RGBAAt(x, y), m), ground) >= 3)
			}
		}
	}
	return drawn
}

// TestSidesDifferByForm: in every theme, as cows and as stones, for every sight: the two sides' grounds differ by 3:1, and what
// is drawn on them has another form, which would tell them apart if the grounds could not.
func TestSidesDifferByForm(t *testing.T) {
	const least = 0.08 // of a piece's places: a ring against a dot
	for _, theme := range Themes() {
		r, err := New(Options{Theme: theme})
		if err != nil {
			t.Fatal(err)
		}
		for _, cows := range []bool{false, true} {
			for sight, m := range sights() {
				white, black := seen(r.theme.Pieces[rules.White].Body, m), seen(r.theme.Pieces[rules.Black].Body, m)
				if got := contrast(white, black); got < 3 {
					t.Errorf("%s, %s: the sides have a contrast of %.2f, want at least 3", theme, sight, got)
				}
				drawnWhite := r.art(sprite{boardPiece, rules.White, cows}).drawing(r, white, m)
				drawnBlack := r.art(sprite{boardPiece, rules.Black, cows}).drawing(r, black, m)
				differ := 0
				for i := range drawnWhite {
					if drawnWhite[i] != drawnBlack[i] {
						differ++
					}
				}
				share := float64(differ) / float64(len(drawnWhite))
				t.Logf("%s, cows %v, %s: %.3f", theme, cows, sight, share)
				if share < least {
					t.Errorf("%s, cows %v, %s: the sides' forms differ at %.1f %% of the places, want at least %.0f",
						theme, cows, sight, 100*share, 100*least)
				}
			}
		}
	}
}
