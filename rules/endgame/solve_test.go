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
	all := solved{}
	j := &job{
		game: newGame(columnsOf(v)), ix: newIndex(), threads: threads,
		below: func(sub subspace) *known { return all[sub] }, report: func(string, int, int) {},
	}
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
