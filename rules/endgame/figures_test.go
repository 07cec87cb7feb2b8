package endgame

import (
	"flag"
	"maps"
	"runtime"
	"testing"
)

// upto is up to how many pieces the tables of Nine Men's Morris are counted. Nine takes a minute of CPU time.
var upto = flag.Int("endgame.upto", 7, "up to how many pieces the tables are counted")

// figure is what is known of a subspace of Nine Men's Morris.
type figure struct {
	subspace                              subspace
	wins, losses, longestWin, longestLoss int
}

// figures were counted by another program; those of 3-3, 4-3 and 3-4 agree with the tables of Malom in every distance too.
func figures() []figure {
	return []figure{
		{subspace{3, 3}, 140_621, 28_736, 25, 26},
		{subspace{4, 3}, 75_397, 3_095, 1, 32},
		{subspace{3, 4}, 102_281, 0, 33, 0},
		{subspace{4, 4}, 159, 29, 9, 8},
		{subspace{5, 3}, 580_660, 0, 3, 0},
		{subspace{3, 5}, 6_301, 9_677, 31, 2},
		{subspace{5, 4}, 9_889, 8, 29, 4},
		{subspace{4, 5}, 51, 1_510, 5, 28},
		{subspace{6, 3}, 2_752_371, 0, 7, 0},
		{subspace{3, 6}, 0, 192_000, 0, 6},
	}
}

// histograms is how many positions are decided in how many turns.
func histograms() map[subspace]map[int]int {
	return map[subspace]map[int]int{
		{3, 3}: {
			1: 66_472, 3: 33_775, 5: 16_651, 7: 6_619, 9: 4_770, 11: 2_561, 13: 3_808, 15: 2_506, 17: 1_185, 19: 776,
			21: 1_125, 23: 346, 25: 27,
			2: 3_125, 4: 4_700, 6: 3_998, 8: 2_496, 10: 2_099, 12: 2_160, 14: 2_261, 16: 2_387, 18: 2_116, 20: 2_122,
			22: 1_079, 24: 123, 26: 70,
		},
		{4, 3}: {1: 75_397, 20: 89, 22: 13, 24: 3, 26: 2_437, 28: 439, 30: 81, 32: 33},
		{3, 4}: {
			9: 1_395, 11: 1_699, 13: 2_527, 17: 2_562, 19: 10_303, 21: 5_298, 23: 7_290, 25: 38_855, 27: 28_200,
			29: 3_143, 31: 705, 33: 304,
		},
	}
}

// TestFigures wants what is known of Nine Men's Morris, to the position.
func TestFigures(t *testing.T) {
	all := solveAll(t, variant(t, "nine"), *upto, runtime.NumCPU(), limits{})
	looked := 0
	for _, want := range figures() {
		k, there := all[want.subspace]
		if !there {
			continue
		}
		looked++
		wins, losses, win, loss := totals(k.count())
		if got := (figure{want.subspace, wins, losses, win, loss}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if looked < 3 {
		t.Errorf("only %d subspaces were looked at", looked)
	}
	for sub, want := range histograms() {
		got := map[int]int{}
		for code, n := range all[sub].count() {
			if code > 0 && n > 0 {
				got[code-1] = n
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%v: turns %v, want %v", sub, got, want)
		}
	}
}

// TestThreads wants the same tables from one thread as from several.
func TestThreads(t *testing.T) {
	one, several := solveAll(t, variant(t, "koti"), 6, 1, limits{20, 9}), solveAll(t, variant(t, "koti"), 6, 5, limits{20, 9})
	for sub, k := range one {
		if string(k.codes) != string(several[sub].codes) || string(k.shots) != string(several[sub].shots) {
			t.Errorf("%v: threads make a difference", sub)
		}
	}
}
