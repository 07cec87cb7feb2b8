package study

import (
	"context"
	"errors"
	"strings"
	"testing"

	"kraal/rules"
	"kraal/rules/endgame"
)

// tablesOf builds the tables of some games for as long as the test runs.
func tablesOf(t *testing.T, upto int, keys ...string) *endgame.Tables {
	t.Helper()
	dir := t.TempDir()
	tables, err := endgame.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, key := range keys {
		v, ok := rules.Lookup(key)
		if !ok {
			t.Fatalf("no variant %q", key)
		}
		steps, err := tables.Plan(v, upto)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			if err := tables.Build(t.Context(), v, s, endgame.BuildOptions{Dir: dir}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return tables
}

// TestEmbeddedPuzzlesAgreeWithTables asks tables of three against three and four against three, which tell of some puzzles
// of every game that can have tables. `kraal puzzles --check --tables` asks larger ones.
func TestEmbeddedPuzzlesAgreeWithTables(t *testing.T) {
	tables := tablesOf(t, 7, "nine", "morabaraba", "koti", "tournament")
	told := map[Goal]int{}
	for _, z := range set(t).All() {
		known, err := z.VerifyByTables(tables.For(z.Variant))
		if err != nil {
			t.Errorf("%s: %v", z.ID, err)
		}
		if known {
			told[z.Goal]++
		}
	}
	for _, g := range []Goal{Win, Keep, Hold} {
		if told[g] < 2 {
			t.Errorf("the tables tell of %d puzzles whose goal is %s", told[g], g)
		}
	}
}

// TestVerifyByTablesRefusesWhatIsNotSo spoils puzzles that the tables know.
func TestVerifyByTablesRefusesWhatIsNotSo(t *testing.T) {
	tables := tablesOf(t, 6, "nine")
	v, _ := rules.Lookup("nine")
	r := tables.For(v)
	made, err := Generate(t.Context(), Order{Variant: v, Count: 4, Seed: 3, Tables: tables}, nil)
	if err != nil {
		t.Fatal(err)
	}
	lost := made[0]
	_, lost.Position = position(t, "nine", ".../.b./wb./..w.../b../.../w.. w 0,0 0 0,0 -,-")
	lost.Goal, lost.Depth = Save, 1
	lost.Accepted = []rules.Turn{turn(t, "f4-f6"), turn(t, "g4-f6")}
	spoilt := map[string]Puzzle{"a game that is lost whatever is played": lost}
	for _, z := range made {
		if known, err := z.VerifyByTables(r); !known || err != nil {
			t.Errorf("%s: known %t, %v", z.Position, known, err)
		}
		farther, fewer := z, z
		farther.Depth++
		fewer.Accepted = nil
		spoilt[string(z.Goal)+" farther off "+z.ID], spoilt[string(z.Goal)+" without a solution "+z.ID] = farther, fewer
	}
	for name, z := range spoilt {
		if known, err := z.VerifyByTables(r); !known || !errors.Is(err, errPuzzle) {
			t.Errorf("%s: known %t, %v; want %v", name, known, err, errPuzzle)
		}
	}
	for _, z := range set(t).All() {
		if z.Position.Placing() || z.Variant.Key == "mhele" {
			if known, err := z.VerifyByTables(r); known || err != nil {
				t.Errorf("%s: known %t, %v", z.Position, known, err)
			}
		}
	}
}

func turn(t *testing.T, text string) rules.Turn {
	t.Helper()
	read, err := rules.ParseTurn(text)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// TestTabledPuzzlesAskForOneTurn finds puzzles that a search cannot prove, and tries every turn in them.
func TestTabledPuzzlesAskForOneTurn(t *testing.T) {
	tables := tablesOf(t, 6, "tournament")
	v, _ := rules.Lookup("tournament")
	made, err := Generate(t.Context(), Order{Variant: v, Count: 16, Seed: 1, Tables: tables}, nil)
	if err != nil && !errors.Is(err, ErrFew) {
		t.Fatal(err)
	}
	seen := map[Goal]int{}
	for _, z := range made {
		seen[z.Goal]++
		if !z.Goal.byTable() {
			continue
		}
		if err := z.Verify(t.Context()); !errors.Is(err, ErrNeedsTables) {
			t.Errorf("%s: got %v, want %v", z.Position, err, ErrNeedsTables)
		}
		if a := solution(t, z); a.Standing != Solved || len(a.Turns) != 1 {
			t.Errorf("%s: %v leads to %d", z.Position, a.Turns, a.Standing)
		}
		for _, o := range newProver(t.Context(), v).options(z.Position) {
			want := Missed
			if z.Accepts(o.turn) {
				want = Solved
			}
			if a := follow(t, z, o.turn); a.Standing != want || len(a.Turns) != 1 {
				t.Errorf("%s: %s leads to %d, %v; want %d", z.Position, o.turn, a.Standing, a.Turns, want)
			}
		}
	}
	if seen[Keep] == 0 || seen[Hold] == 0 {
		t.Errorf("found %v, want some of %s and %s", seen, Keep, Hold)
	}
}

// TestGenerateFromTablesEnds wants the same puzzles of the same seed, and an end where there is nothing to be had.
func TestGenerateFromTablesEnds(t *testing.T) {
	tables := tablesOf(t, 6, "nine")
	v, _ := rules.Lookup("nine")
	var texts [2]strings.Builder
	for i := range texts {
		made, err := Generate(t.Context(), Order{Variant: v, Count: 3, Seed: 9, Tables: tables}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := WritePuzzles(&texts[i], made); err != nil {
			t.Fatal(err)
		}
	}
	if texts[0].String() != texts[1].String() {
		t.Errorf("the same seed makes\n%sand\n%s", &texts[0], &texts[1])
	}
	other, _ := rules.Lookup("koti")
	if _, err := Generate(t.Context(), Order{Variant: other, Count: 1, Tables: tables}, nil); !errors.Is(err, ErrNoTables) {
		t.Errorf("without tables: got %v, want %v", err, ErrNoTables)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Generate(over, Order{Variant: v, Count: 1, Tables: tables}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v, want %v", err, context.Canceled)
	}
}
