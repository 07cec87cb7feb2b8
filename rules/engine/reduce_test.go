package engine

import (
	"testing"

	"kraal/rules"
)

// TestReductions wants reductions to grow with depth and lateness, to leave a search of no less than nothing, and to
// spare what matters.
func TestReductions(t *testing.T) {
	r := newReductions()
	for depth := 1; depth < len(r); depth++ {
		for i := 1; i < maxActions; i++ {
			here := r[depth][i]
			if here < r[depth][i-1] || here < r[depth-1][i] || int(here) > depth-1 {
				t.Fatalf("depth %d, action %d: %d, after %d for the action before and %d for less depth",
					depth, i, here, r[depth][i-1], r[depth-1][i])
			}
		}
	}
	tests := []struct {
		name            string
		kind            rules.ActionKind
		worth           int32
		depth, at, want int
	}{
		{"the first", rules.Place, 0, 20, 0, 0},
		{"the second, near", rules.Place, 0, 2, 1, 0},
		{"late and deep", rules.Move, 0, 12, 20, 4},
		{"a shot", rules.Shoot, 0, 12, 20, 0},
		{"a killer", rules.Move, killing, 12, 20, 0},
		{"a mill", rules.Place, closing, 12, 20, 0},
		{"below the depth", rules.Move, 0, -1, 20, 0},
	}
	for _, test := range tests {
		f := new(frame)
		f.legal = f.store[:maxActions]
		f.legal[test.at].Kind, f.worth[test.at] = test.kind, test.worth
		if got := r.of(f, test.depth, test.at); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}
