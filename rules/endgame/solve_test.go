package endgame

import (
	"context"
	"strings"
	"testing"

	"kraal/rules"
)

// solved is subspaces solved in memory.
type solved map[subspace]*known

func variant(t testing.TB, text string) rules.Variant {
	t.Helper()
	key, changes, _ := strings.Cut(text, " ")
	v, known := rules.Lookup(key)
	if !known {
		t.Fatalf("no variant %s", key)
	}
	v, err := v.With(changes)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// solveAll solves everything up to so many pieces, and the turns to the next shot where the limits are not none.
func solveAll(t testing.TB, v rules.Variant, upto, threads int, l limits) solved {
	t.Helper()
	return (&job{longest: Longest, threads: threads}).solveAll(t, v, upto, l)
}

func (j *job) solveAll(t testing.TB, v rules.Variant, upto int, l limits) solved {
	t.Helper()
	all := solved{}
	j.game, j.ix = newGame(columnsOf(v)), newIndex()
	j.below, j.report = func(sub subspace) *known { return all[sub] }, func(string, int, int) {}
	for _, pair := range pairs(v, upto) {
		found, err := j.toEnd(context.Background(), pair)
		if err == nil && l != (limits{}) {
			err = j.toShot(context.Background(), pair, l, found)
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range found {
			all[found[i].subspace] = &found[i].known
		}
	}
	return all
}

// count is what a table holds: positions by code, those drawn under 0.
func (k *known) count() (by [256]int) {
	for _, code := range k.codes {
		by[code]++
	}
	return by
}

// totals sums a count up.
func totals(by [256]int) (wins, losses, longestWin, longestLoss int) {
	for code := 1; code < 256; code++ {
		switch n := by[code]; {
		case n == 0:
		case isWin(byte(code)):
			wins, longestWin = wins+n, code-1
		default:
			losses, longestLoss = losses+n, code-1
		}
	}
	return wins, losses, longestWin, longestLoss
}

// TestLongWins wants wins that take more turns than a code can say to be wins all the same, and as long as can be said.
func TestLongWins(t *testing.T) {
	v := variant(t, "tournament")
	all, short := solveAll(t, v, 7, 2, limits{}), (&job{longest: 6, threads: 2}).solveAll(t, v, 7, limits{})
	long := 0
	for sub, k := range all {
		for slot, want := range k.codes {
			got := short[sub].codes[slot]
			if want > 7 {
				long++
				want = 6 + want&1
			}
			if got != want {
				t.Fatalf("%v: %v has code %d, want %d", sub, k.stand(uint32(slot)), got, want)
			}
		}
	}
	if long < 10_000 {
		t.Errorf("only %d positions are longer", long)
	}
}
