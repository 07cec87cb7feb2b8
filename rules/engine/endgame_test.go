package engine_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"kraal/rules"
	"kraal/rules/endgame"
	"kraal/rules/engine"
)

// tablesOf builds endgame tables for as long as the test runs.
func tablesOf(t *testing.T, v rules.Variant, upto int) *endgame.Tables {
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
	steps, err := tables.Plan(v, upto)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if err := tables.Build(context.Background(), v, s, endgame.BuildOptions{Dir: dir}); err != nil {
			t.Fatal(err)
		}
	}
	return tables
}

// scattered is a position of the moving phase with so many pieces of white, which is to move, and of black.
func scattered(r *rand.Rand, white, black int) (p rules.Position) {
	for i, at := range r.Perm(rules.PointCount)[:white+black] {
		side := rules.White
		if i >= white {
			side = rules.Black
		}
		p.Pieces[side] = p.Pieces[side].With(rules.Point(at))
	}
	return p
}

func with(t *testing.T, v rules.Variant, changes string) rules.Variant {
	t.Helper()
	v, err := v.With(changes)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// play lets the two sides take turns until the game is over, at most so many turns, and returns how many it took.
func play(t *testing.T, g *rules.Game, most int, players [2]func(*rules.Game) rules.Action) (turns int) {
	t.Helper()
	for ; !g.Status().Over && turns < most; turns++ {
		for side := g.Position().Turn; !g.Status().Over && g.Position().Turn == side; {
			if err := g.Play(players[side](g)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return turns
}

// TestWinsAreWon wants every win and loss of the tables to end in as many turns as they say, against the best defence, and
// no later against any; and what is drawn not to be lost.
func TestWinsAreWon(t *testing.T) {
	tests := []struct{ variant, changes string }{
		{"nine", ""}, {"koti", ""}, {"tournament", "no_shot=8 three_against_three=5"}, {"nine", "no_shot=12"},
	}
	for _, test := range tests {
		v, _ := rules.Lookup(test.variant)
		v = with(t, v, test.changes)
		tables := tablesOf(t, v, 7)
		e := engine.New(engine.Options{Hash: 1, Tables: tables})
		r := rand.New(rand.NewPCG(7, 7))
		perfect := func(g *rules.Game) rules.Action {
			result, err := e.Think(context.Background(), g, engine.Limits{Nodes: 300}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return result.Action
		}
		chance := func(g *rules.Game) rules.Action { return random(r, g) }
		met := map[endgame.Value]int{}
		for i := range 150 {
			p := scattered(r, 3+i/3%2, 3+i/6%2*(1-i/3%2))
			f, ok := tables.For(v).Probe(&p)
			if !ok {
				t.Fatalf("%s %s: not known", test.variant, p)
			}
			met[f.Value]++
			against := [...][2]func(*rules.Game) rules.Action{{perfect, perfect}, {perfect, chance}, {chance, perfect}}[i%3]
			checkEnd(t, v, p, f, i%3, against)
		}
		if met[endgame.Win] < 20 || met[endgame.Loss] == 0 && met[endgame.Draw] == 0 {
			t.Errorf("%s %s: the positions are no test: %v", test.variant, test.changes, met)
		}
	}
}

// checkEnd plays a position out: both sides perfect (0), white alone (1), or black alone (2).
func checkEnd(
	t *testing.T, v rules.Variant, p rules.Position, f endgame.Finding, who int, players [2]func(*rules.Game) rules.Action,
) {
	t.Helper()
	g := rules.NewGameAt(v, p)
	turns := play(t, g, 60, players)
	winner, decided := g.Status().Result.Winner()
	var wrong bool
	switch {
	case who == 1 && f.Value == endgame.Win, who == 2 && f.Value == endgame.Loss:
		wrong = !decided || (winner == rules.White) != (f.Value == endgame.Win) || turns > f.Turns && v.NoShot == 100
	case who == 1 && f.Value == endgame.Draw:
		wrong = decided && winner == rules.Black
	case who == 2 && f.Value == endgame.Draw:
		wrong = decided && winner == rules.White
	case who == 0 && f.Value == endgame.Draw:
		wrong = decided
	case who == 0:
		wrong = !decided || (winner == rules.White) != (f.Value == endgame.Win) || turns != f.Turns && v.NoShot == 100
	}
	if wrong {
		t.Errorf("%s %s %s: %+v ended after %d turns: %+v", v.Key, v.Changes(), p, f, turns, g.Status())
	}
}

// TestTablesBelow wants the search to look into tables that begin only below the position: wins that it cannot see itself.
func TestTablesBelow(t *testing.T) {
	v, _ := rules.Lookup("nine")
	all, few := tablesOf(t, v, 7), tablesOf(t, v, 6)
	r := rand.New(rand.NewPCG(9, 9))
	found := map[bool]int{}
	for looked := 0; looked < 12; {
		p := scattered(r, 3, 4)
		if f, ok := all.For(v).Probe(&p); !ok || f.Value != endgame.Win || f.Turns < 19 {
			continue
		}
		looked++
		for _, tabled := range []bool{false, true} {
			opts := engine.Options{Hash: 1}
			if tabled {
				opts.Tables = few
			}
			if _, wins := think(t, opts, rules.NewGameAt(v, p), engine.Limits{Nodes: 20_000}).Score.Win(); wins {
				found[tabled]++
			}
		}
	}
	if found[true] <= found[false] {
		t.Errorf("of 12 wins %d were seen with tables, %d without", found[true], found[false])
	}
}

// TestTablesAndLevels wants the weaker levels to play as if there were no tables, and the two strongest to know.
func TestTablesAndLevels(t *testing.T) {
	v, _ := rules.Lookup("nine")
	tables := tablesOf(t, v, 6)
	r := rand.New(rand.NewPCG(11, 11))
	for range 20 {
		p := scattered(r, 3, 3)
		want, ok := tables.For(v).Probe(&p)
		if !ok {
			t.Fatalf("%s: not known", p)
		}
		for level := 1; level <= 7; level++ {
			l := engine.Limits{Level: level, Nodes: 4000}
			with := think(t, engine.Options{Hash: 1, Tables: tables}, rules.NewGameAt(v, p), l)
			if level <= 5 {
				without := think(t, engine.Options{Hash: 1}, rules.NewGameAt(v, p), l)
				if with.Action != without.Action || with.Nodes != without.Nodes {
					t.Errorf("level %d: %s with tables is %s, without %s", level, p, with.Action, without.Action)
				}
				continue
			}
			_, wins := with.Score.Win()
			_, loses := with.Score.Loss()
			if wins != (want.Value == endgame.Win) || loses != (want.Value == endgame.Loss) {
				t.Errorf("level %d: %s is %s, the tables say %+v", level, p, with.Score, want)
			}
			playable(t, rules.NewGameAt(v, p), with.PV)
		}
	}
}
