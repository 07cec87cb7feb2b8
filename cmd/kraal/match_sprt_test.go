package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// pairsOf is so many pairs of each score, 0 to 1 in quarters.
func pairsOf(counts ...int) (pairs []float64) {
	for i, n := range counts {
		for range n {
			pairs = append(pairs, float64(i)/4)
		}
	}
	return pairs
}

// TestSPRTRatio compares with values from an independent solution (Newton's method for the likeliest shares, in another
// parametrisation).
func TestSPRTRatio(t *testing.T) {
	for _, test := range []struct {
		pairs      []float64
		elo0, elo1 float64
		want       float64
		verdict    verdict
	}{
		{pairsOf(3, 20, 50, 40, 7), 0, 20, 2.90513, undecided},
		{pairsOf(10, 40, 100, 40, 10), 0, 10, -0.41302, undecided},
		{pairsOf(0, 5, 20, 30, 12), 0, 100, 15.66528, accepted1},
		{pairsOf(200, 1500, 4000, 1700, 250), 0, 5, 8.37079, accepted1},
		{pairsOf(12, 30, 20, 5, 0), -100, 0, -15.66528, accepted0}, // the third, seen from the other side
		{nil, 0, 20, 0, undecided},
	} {
		s := &sprt{test.elo0, test.elo1}
		if got := s.ratio(test.pairs); math.Abs(got-test.want) > 1e-4 {
			t.Errorf("%d pairs, %g to %g: %f, want %f", len(test.pairs), test.elo0, test.elo1, got, test.want)
		}
		if got := s.verdict(test.pairs); got != test.verdict {
			t.Errorf("%d pairs, %g to %g: %s, want %s", len(test.pairs), test.elo0, test.elo1, got, test.verdict)
		}
	}
}

// TestSPRTTwoScores: where only two scores occur, nothing is left to guess, and the ratio is that of a coin's two chances.
func TestSPRTTwoScores(t *testing.T) {
	s := &sprt{-30, 60}
	s0, s1 := expected(s.elo0), expected(s.elo1)
	for _, n := range [][2]int{{10, 30}, {60, 60}, {90, 20}} {
		want := float64(n[0])*math.Log((1-s1)/(1-s0)) + float64(n[1])*math.Log(s1/s0)
		if got := s.ratio(pairsOf(n[0], 0, 0, 0, n[1])); math.Abs(got-want) > 0.02 {
			t.Errorf("%v: %f, want %f", n, got, want)
		}
	}
}

// TestSPRTErrors lets many matches be played by chance between players who are as far apart as either end says. Not many
// more than 5 of 100 may end with the wrong verdict.
func TestSPRTErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	s := &sprt{0, 120}
	for wrong, elo := range map[verdict]float64{accepted1: s.elo0, accepted0: s.elo1} {
		const matches = 300
		failed := 0
		for range matches {
			var pairs []float64
			for s.verdict(pairs) == undecided {
				pairs = append(pairs, (drawnGame(r, expected(elo))+drawnGame(r, expected(elo)))/2)
			}
			if s.verdict(pairs) == wrong {
				failed++
			}
		}
		if failed == 0 || failed > matches*9/100 {
			t.Errorf("at Elo %g: %d of %d are %q", elo, failed, matches, wrong)
		}
	}
}

// drawnGame is the score of a game that a third of all draw.
func drawnGame(r *rand.Rand, mean float64) float64 {
	switch x := r.Float64(); {
	case x < 1.0/3:
		return 0.5
	case x < 1.0/3+mean-1.0/6:
		return 1
	}
	return 0
}

func TestReadSPRT(t *testing.T) {
	if s, err := readSPRT("-5, 2.5"); err != nil || *s != (sprt{-5, 2.5}) {
		t.Errorf("%v, %v", s, err)
	}
	if s, err := readSPRT(""); err != nil || s.verdict(pairsOf(9, 9)) != undecided || s.describe(nil) != "" {
		t.Errorf("%v, %v", s, err)
	}
	for _, text := range []string{"5", "5,5", "5,1", "a,b", "0,NaN", "0,9999", "1,2,3"} {
		if _, err := readSPRT(text); err == nil || !strings.Contains(err.Error(), "expected two numbers") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
