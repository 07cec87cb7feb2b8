package rating_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kraal/bot/rating"
)

// TestPaper works through the example that ends Glickman's paper: one player, three games in one period.
func TestPaper(t *testing.T) {
	s := rating.System{
		Start:        rating.Rating{Points: 1500, Deviation: 350, Volatility: 0.06},
		MinDeviation: 0, MaxDeviation: 350, MaxVolatility: 1, Tau: 0.5, PeriodsPerDay: 1,
	}
	got := s.Update(rating.Rating{Points: 1500, Deviation: 200, Volatility: 0.06}, []rating.Result{
		{Opponent: rating.Rating{Points: 1400, Deviation: 30}, Score: 1},
		{Opponent: rating.Rating{Points: 1550, Deviation: 100}, Score: 0},
		{Opponent: rating.Rating{Points: 1700, Deviation: 300}, Score: 0},
	}, 1)
	near(t, "points", got.Points, 1464.06, 0.01)
	near(t, "deviation", got.Deviation, 151.52, 0.01)
	near(t, "volatility", got.Volatility, 0.05999, 0.00001)
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s: got %.5f, want %.5f", what, got, want)
	}
}

func TestNewcomersMoveTogether(t *testing.T) {
	s := rating.Standard()
	white, black := s.Game(s.Start, s.Start, 1, [2]time.Duration{})
	near(t, "sum", white.Points+black.Points, 3000, 1e-9)
	if white.Points <= 1500 || white.Deviation >= s.Start.Deviation {
		t.Errorf("a win left the winner at %+v", white)
	}
	if !s.IsProvisional(white) {
		t.Error("one game made a rating trustworthy")
	}
}

func TestDrawPullsTogether(t *testing.T) {
	s := rating.Standard()
	strong, weak := rating.Rating{Points: 1900, Deviation: 60, Volatility: 0.06}, rating.Rating{Points: 1300, Deviation: 60, Volatility: 0.06}
	a, b := s.Game(strong, weak, 0.5, [2]time.Duration{})
	if a.Points >= strong.Points || b.Points <= weak.Points {
		t.Errorf("a draw moved 1900 to %.1f and 1300 to %.1f", a.Points, b.Points)
	}
}

func TestIdlenessOnlyGrowsTheDeviation(t *testing.T) {
	s := rating.Standard()
	r := rating.Rating{Points: 1700, Deviation: 60, Volatility: 0.06}
	after := s.Grown(r, 365*24*time.Hour)
	if after.Points != r.Points || after.Volatility != r.Volatility || after.Deviation <= r.Deviation {
		t.Errorf("after a year: %+v", after)
	}
	near(t, "deviation after the clock was set back", s.Grown(r, -time.Hour).Deviation, r.Deviation, 1e-9)
}

// TestLaws plays random games: nothing may become senseless, and a game seen from both chairs must agree.
func TestLaws(t *testing.T) {
	s := rating.Standard()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(who string) rating.Rating {
			return rating.Rating{
				Points:     rapid.Float64Range(400, 3000).Draw(t, who+" points"),
				Deviation:  rapid.Float64Range(45, 500).Draw(t, who+" deviation"),
				Volatility: rapid.Float64Range(0.01, 0.1).Draw(t, who+" volatility"),
			}
		}
		a, b := draw("a"), draw("b")
		idle := [2]time.Duration{
			time.Duration(rapid.Int64Range(0, int64(1000*24*time.Hour)).Draw(t, "idle a")),
			time.Duration(rapid.Int64Range(0, int64(1000*24*time.Hour)).Draw(t, "idle b")),
		}
		score := rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "score")
		newA, newB := s.Game(a, b, score, idle)
		otherB, otherA := s.Game(b, a, 1-score, [2]time.Duration{idle[1], idle[0]})
		if newA != otherA || newB != otherB {
			t.Fatalf("colours matter: %+v %+v, %+v %+v", newA, otherA, newB, otherB)
		}
		for _, r := range []rating.Rating{newA, newB} {
			if math.IsNaN(r.Points) || math.IsInf(r.Points, 0) || r.Deviation < s.MinDeviation || r.Deviation > s.MaxDeviation ||
				!(r.Volatility > 0 && r.Volatility <= s.MaxVolatility) {
				t.Fatalf("senseless rating %+v", r)
			}
		}
		if score == 1 && (newA.Points < a.Points || newB.Points > b.Points) {
			t.Fatalf("a win took points: %v to %v, %v to %v", a.Points, newA.Points, b.Points, newB.Points)
		}
	})
}

// TestLapse: at the moment that Lapse tells the rating has just become too uncertain, and a little before it is not.
func TestLapse(t *testing.T) {
	s := rating.Standard()
	at := time.Date(2026, time.May, 4, 12, 0, 0, 500, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		r := rating.Rating{
			Points:     rapid.Float64Range(400, 3000).Draw(t, "points"),
			Deviation:  rapid.Float64Range(45, 120).Draw(t, "deviation"),
			Volatility: rapid.Float64Range(0.001, 0.1).Draw(t, "volatility"),
		}
		lapses := s.Lapse(r, at)
		if s.IsProvisional(r) {
			if !lapses.IsZero() {
				t.Fatalf("%+v is provisional, and lapses at %v", r, lapses)
			}
			return
		}
		century := lapses.Sub(at) > 36524*24*time.Hour
		if !century && !s.IsProvisional(s.Grown(r, lapses.Sub(at))) {
			t.Fatalf("%+v lapses at %v, and is sure enough then", r, lapses)
		}
		if s.IsProvisional(s.Grown(r, lapses.Sub(at)-3*time.Second)) {
			t.Fatalf("%+v lapses at %v, and is too uncertain before", r, lapses)
		}
	})
}

// TestGamesLacking: so many draws with a peer make a rating sure enough, and one less does not.
func TestGamesLacking(t *testing.T) {
	s := rating.Standard()
	if n := s.GamesLacking(rating.Rating{Points: 1500, Deviation: 60, Volatility: 0.06}); n != 0 {
		t.Errorf("a ranked one lacks %d games", n)
	}
	newcomer := s.GamesLacking(s.Start)
	if newcomer < 5 || newcomer > 30 {
		t.Errorf("a newcomer lacks %d games", newcomer)
	}
	r, peer := s.Start, rating.Rating{Points: 1500, Deviation: s.Provisional, Volatility: 0.09}
	for n := newcomer; n > 0; n-- {
		if !s.IsProvisional(r) {
			t.Errorf("%d games before it was said the rating is ranked", n)
		}
		r, _ = s.Game(r, peer, 0.5, [2]time.Duration{})
	}
	if s.IsProvisional(r) {
		t.Errorf("after %d games the deviation is %v", newcomer, r.Deviation)
	}
}

// TestReset: half way back to the start, and no surer than the least.
func TestReset(t *testing.T) {
	s := rating.Standard()
	for _, c := range []struct{ points, deviation, wantPoints, wantDeviation float64 }{
		{1900, 60, 1700, 150}, {1100, 200, 1300, 200}, {1500, 500, 1500, 500},
	} {
		got := s.Reset(rating.Rating{Points: c.points, Deviation: c.deviation, Volatility: 0.06})
		if want := (rating.Rating{Points: c.wantPoints, Deviation: c.wantDeviation, Volatility: 0.06}); got != want {
			t.Errorf("%v ±%v begins with %+v, want %+v", c.points, c.deviation, got, want)
		}
	}
}
