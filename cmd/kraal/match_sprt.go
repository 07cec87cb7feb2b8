package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// sprt is a sequential test (Wald 1945) of whether the first player's strength is elo0 or elo1, stopped as soon as one of
// them is unlikely: when the logarithm of how much likelier elo1 makes the scores than elo0 leaves the bounds. A pair has
// one of five scores, and their true shares are not known: for each of the two the likeliest shares with that mean are
// taken (a generalised test; Van den Bergh, "A practical introduction to the GSPRT").
type sprt struct{ elo0, elo1 float64 }

// verdict is what a test has come to.
type verdict string

const (
	undecided verdict = "undecided"
	accepted0 verdict = "no stronger than the lower"
	accepted1 verdict = "as strong as the higher"
)

const (
	sprtError = 0.05 // the chance of either wrong verdict

	// sprtUnseen is taken for the number of pairs with a score that has not been seen. With nothing there, a result could
	// not have any mean that lies beyond what was seen.
	sprtUnseen = 1e-3
)

// sprtBound is how far the logarithm must be from 0.
func sprtBound() float64 { return math.Log((1 - sprtError) / sprtError) }

// readSPRT reads two numbers; there is no test if text is empty.
func readSPRT(text string) (*sprt, error) {
	if text == "" {
		return nil, nil
	}
	low, high, _ := strings.Cut(text, ",")
	elo0, err0 := strconv.ParseFloat(strings.TrimSpace(low), 64)
	elo1, err1 := strconv.ParseFloat(strings.TrimSpace(high), 64)
	const most = 2000
	if err0 != nil || err1 != nil || !(-most <= elo0 && elo0 < elo1 && elo1 <= most) {
		return nil, errors.New("--sprt: expected two numbers, as in 0,20: the lower strength in Elo, and the higher")
	}
	return &sprt{elo0, elo1}, nil
}

// ratio is the logarithm of the likelihoods' ratio. Pairs are the mean scores: 0, 1/4, 1/2, 3/4 or 1.
func (t *sprt) ratio(pairs []float64) float64 {
	var counts [5]float64
	for _, score := range pairs {
		counts[int(math.Round(4*score))]++
	}
	for i := range counts {
		if counts[i] == 0 {
			counts[i] = sprtUnseen
		}
	}
	s0, s1 := expected(t.elo0), expected(t.elo1)
	x0, x1 := tilt(counts, s0), tilt(counts, s1)
	sum := 0.0
	for i, n := range counts {
		score := float64(i) / 4
		sum += n * (math.Log1p(x0*(score-s0)) - math.Log1p(x1*(score-s1)))
	}
	return sum
}

// tilt finds x such that shares in proportion to count/(1+x(score-mean)), the likeliest with that mean, have it: the root
// of a function that falls between the two poles.
func tilt(counts [5]float64, mean float64) float64 {
	low, high := -1/(1-mean), 1/mean
	for range 200 {
		x := (low + high) / 2
		sum := 0.0
		for i, n := range counts {
			d := float64(i)/4 - mean
			sum += n * d / (1 + x*d)
		}
		if sum > 0 {
			low = x
		} else {
			high = x
		}
	}
	return (low + high) / 2
}

// verdict is what the pairs so far allow to say. A nil test decides nothing.
func (t *sprt) verdict(pairs []float64) verdict {
	if t == nil {
		return undecided
	}
	switch ratio := t.ratio(pairs); {
	case ratio >= sprtBound():
		return accepted1
	case ratio <= -sprtBound():
		return accepted0
	}
	return undecided
}

// describe is how the test stands, to be put after something; nothing for a nil test.
func (t *sprt) describe(pairs []float64) string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf(", LLR %.2f (%.2f to %.2f) for Elo %g against %g",
		t.ratio(pairs), -sprtBound(), sprtBound(), t.elo0, t.elo1)
}

// expected is the score that a difference in rating stands for.
func expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }
