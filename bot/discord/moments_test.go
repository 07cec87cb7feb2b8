package discord

import (
	"slices"
	"testing"

	"kraal/rules/study"
)

// TestToldMoments: the words of a chart tell of the first and the last moment, of each swing from before to after it, and
// of no more moments than have room.
func TestToldMoments(t *testing.T) {
	for _, c := range []struct {
		turns  int
		swings []int
		want   []int // nil: not all are listed here
	}{
		{0, nil, []int{0}},
		{1, []int{1}, []int{0, 1}},
		{4, []int{2}, []int{0, 1, 2, 3, 4}},
		{26, []int{8, 26}, []int{0, 2, 4, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 25, 26}},
		{25, nil, nil}, {30, []int{21, 22, 23}, nil}, {49, []int{1, 25, 49}, nil}, {50, nil, nil}, {500, []int{499, 3, 250}, nil},
	} {
		a := study.Analysis{Chances: make([]float64, c.turns+1)}
		for _, n := range c.swings {
			a.Swings = append(a.Swings, study.Swing{Number: n})
		}
		got := toldMoments(a)
		if c.want != nil && !slices.Equal(got, c.want) {
			t.Errorf("%d turns, swings %v: got %v, want %v", c.turns, c.swings, got, c.want)
		}
		if len(got) > mostChances+1+2*len(c.swings) || got[0] != 0 || got[len(got)-1] != c.turns || !slices.IsSorted(got) {
			t.Errorf("%d turns, swings %v: got %v", c.turns, c.swings, got)
		}
		for _, n := range c.swings {
			if !slices.Contains(got, n-1) || !slices.Contains(got, n) {
				t.Errorf("%d turns: the swing of turn %d is not in %v", c.turns, n, got)
			}
		}
	}
	if got := toldMoments(study.Analysis{}); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}
