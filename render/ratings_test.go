package render

import (
	"bytes"
	"image"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var someDay = time.Date(2026, 3, 7, 18, 30, 0, 0, time.UTC)

// climb is a rating that rises, with setbacks, over so many games a day and a half apart.
func climb(games int) (rated []Rated) {
	points := 1500.0
	for i := range games {
		points += []float64{31.2, -12, 9.5, 14, -22.1, 6}[i%6] * 30 / float64(30+i)
		rated = append(rated, Rated{someDay.Add(time.Duration(i) * 36 * time.Hour), points})
	}
	return rated
}

// TestRatings holds charts of ratings to the pictures that are kept of them.
func TestRatings(t *testing.T) {
	for name, c := range map[string]struct {
		theme Theme
		chart Ratings
	}{
		"ratings":       {Wood, Ratings{"Naledi · Morabaraba", climb(25)}},
		"ratings-paper": {Paper, Ratings{"Ngozi Adébáyò-Okonkwo the Elder and the Wiser · Nine Men's Morris", climb(200)}},
		"ratings-day":   {Contrast, Ratings{"\u202eevil · Koti", []Rated{{someDay, 1500}, {someDay.Add(time.Hour), 1512}}}},
	} {
		r, err := New(Options{Theme: c.theme})
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := r.Ratings(&got, c.chart); err != nil {
			t.Fatal(err)
		}
		if got.Len() > 60<<10 {
			t.Errorf("%s: a chart of %d bytes", name, got.Len())
		}
		kept(t, name, got.Bytes())
	}
}

// TestRatingsContrast: figures and curve stand out in every theme; the curve by its edge, where not by its colour.
func TestRatingsContrast(t *testing.T) {
	for _, name := range Themes() {
		look, _ := themed(name)
		curve := max(contrast(look.Last.Fill, look.BarActive), contrast(look.Last.Edge, look.BarActive))
		if curve < 3 {
			t.Errorf("%s: the curve has a contrast of %.2f", name, curve)
		}
		if c := contrast(look.Name, look.Bar); c < 4.5 {
			t.Errorf("%s: the figures have a contrast of %.2f", name, c)
		}
	}
}

// TestRatingsRiseAndFall: more points are higher, later games further right, whatever order they are given in.
func TestRatingsRiseAndFall(t *testing.T) {
	p := newPlot([]Rated{{someDay.Add(48 * time.Hour), 1530}, {someDay, 1500}, {someDay.Add(24 * time.Hour), 1490}})
	curve := p.curve()
	if len(curve) != 3 || !(curve[0].X < curve[1].X && curve[1].X < curve[2].X) {
		t.Fatalf("the curve is %v", curve)
	}
	if !(curve[2].Y < curve[0].Y && curve[0].Y < curve[1].Y) {
		t.Errorf("1500, 1490 and 1530 points are at the heights %v", curve)
	}
	if even := curve[1].X - curve[0].X - (curve[2].X - curve[1].X); math.Abs(even) > 1e-6 {
		t.Errorf("a day is not as long as another: %v", curve)
	}
}

// TestDatesOfTheAxis: dates are those of days between the games; games of one day have that.
func TestDatesOfTheAxis(t *testing.T) {
	for _, c := range []struct {
		after []time.Duration
		want  []string
	}{
		{nil, []string{"2026-03-07"}},
		{[]time.Duration{0}, []string{"2026-03-07"}},
		{[]time.Duration{time.Minute}, []string{"2026-03-07"}},
		{[]time.Duration{6 * time.Hour}, []string{"2026-03-08"}},
		{[]time.Duration{72 * time.Hour}, []string{"2026-03-08", "2026-03-09", "2026-03-10"}},
		{[]time.Duration{100 * 24 * time.Hour}, []string{"2026-03-08", "2026-04-27"}},
	} {
		rated := []Rated{{someDay, 1500}}
		for _, after := range c.after {
			rated = append(rated, Rated{someDay.Add(after), 1510})
		}
		var got []string
		for _, d := range newPlot(rated).dates() {
			got = append(got, d.said)
		}
		if len(got) != len(c.want) {
			t.Errorf("after %v: %q, want %q", c.after, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("after %v: %q, want %q", c.after, got, c.want)
			}
		}
	}
}

// TestRatingsLaws: whatever is given, the curve stays inside the axes, and there are few dates.
func TestRatingsLaws(t *testing.T) {
	r := halved(t)
	number := rapid.OneOf(rapid.Float64Range(0, 3000), rapid.Float64(), rapid.SampledFrom([]float64{
		math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 1500,
	}))
	moment := rapid.Custom(func(t *rapid.T) time.Time {
		about := rapid.OneOf(
			rapid.Just(int64(1_700_000_000)), rapid.Int64(), rapid.Int64Range(-60_000_000_000, 250_000_000_000),
		)
		return time.Unix(about.Draw(t, "about")+rapid.Int64Range(0, 3000).Draw(t, "and"), 0)
	})
	rapid.Check(t, func(t *rapid.T) {
		chart := Ratings{Title: rapid.String().Draw(t, "title")}
		for range rapid.IntRange(0, 60).Draw(t, "games") {
			chart.Rating = append(chart.Rating, Rated{moment.Draw(t, "at"), number.Draw(t, "points")})
		}
		p := newPlot(chart.Rating)
		for _, at := range p.curve() {
			if !(at.X > ratingsLeft && at.X < ratingsRight && at.Y > ratingsTop && at.Y < ratingsLow) {
				t.Fatalf("the curve is at %v", at)
			}
		}
		if dates := len(p.dates()); dates > 5 || dates == 0 && len(p.rated) > 0 {
			t.Fatalf("%d dates", dates)
		}
		if im := r.drawRatings(chart); im.Rect != image.Rect(0, 0, halfSize, int(ratingsHigh*r.scale)) {
			t.Fatalf("it is %v", im.Rect)
		}
	})
}
