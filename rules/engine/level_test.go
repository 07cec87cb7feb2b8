package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"kraal/rules"
	"kraal/rules/engine"
)

// duel plays games between two sets of limits, in pairs from random openings with colours changed, and returns the score
// of the first, 1 for a win and a half for a draw.
func duel(t *testing.T, v rules.Variant, games int, first, second engine.Limits) (score float64) {
	t.Helper()
	e := engine.New(engine.Options{Hash: 4, Seed: 11})
	for i := range games {
		r := rand.New(rand.NewPCG(uint64(i/2), 5))
		g := rules.NewGame(v)
		for range 4 {
			if err := g.Play(random(r, g)); err != nil {
				t.Fatal(err)
			}
		}
		mine := rules.Side(i & 1)
		for !g.Status().Over {
			l := second
			if g.Position().Turn == mine {
				l = first
			}
			result, err := e.Think(context.Background(), g, l, nil)
			if err == nil {
				err = g.Play(result.Action)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		switch winner, decided := g.Status().Result.Winner(); {
		case !decided:
			score += 0.5
		case winner == mine:
			score++
		}
	}
	return score
}

// TestLevels wants each level to beat the second below it. All is seeded, and limited by nodes alone, so a result that
// holds once holds always.
func TestLevels(t *testing.T) {
	tests := []struct {
		variant      string
		strong, weak int
		games        int
	}{
		{"nine", 3, 1, 12}, {"nine", 4, 2, 12}, {"nine", 5, 3, 4},
		{"morabaraba", 3, 1, 12}, {"morabaraba", 4, 2, 12}, {"koti", 5, 3, 4},
		{"tournament", 6, 4, 4}, {"tournament", 7, 5, 4},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s %d against %d", test.variant, test.strong, test.weak), func(t *testing.T) {
			v, _ := rules.Lookup(test.variant)
			strong := engine.Limits{Level: test.strong, Nodes: 50_000}
			if score := duel(t, v, test.games, strong, engine.Limits{Level: test.weak}); score < 0.65*float64(test.games) {
				t.Errorf("%g of %d", score, test.games)
			}
		})
	}
}

// TestHighestAgainstChance wants every game won, in every variant and with either colour.
func TestHighestAgainstChance(t *testing.T) {
	e := engine.New(engine.Options{Hash: 4})
	for i := range 4 * len(rules.Variants()) {
		v := rules.Variants()[i/4]
		r, g := rand.New(rand.NewPCG(uint64(i), 9)), rules.NewGame(v)
		mine := rules.Side(i & 1)
		for !g.Status().Over {
			a := random(r, g)
			if g.Position().Turn == mine {
				result, err := e.Think(context.Background(), g, engine.Limits{Level: 7, Nodes: 4000}, nil)
				if err != nil {
					t.Fatal(err)
				}
				a = result.Action
			}
			if err := g.Play(a); err != nil {
				t.Fatal(err)
			}
		}
		if g.Status().Result != rules.Win(mine) {
			t.Errorf("%s, game %d, as %s: %+v", v.Key, i, mine, g.Status())
		}
	}
}

// TestMillsMissed counts the mills that the two lowest levels could close and do not: some, and the second fewer. The
// higher ones leave a mill open only for something better, which minded's test shows.
func TestMillsMissed(t *testing.T) {
	e := engine.New(engine.Options{Hash: 1, Seed: 5})
	v, _ := rules.Lookup("thinhama")
	missed, chances := [3]float64{}, [3]float64{}
	for i := range 60 {
		r, g := rand.New(rand.NewPCG(uint64(i), 21)), rules.NewGame(v)
		for g.Len() < 24 && !g.Status().Over {
			if g.Position().Pending == 0 && closes(t, g, g.Legal()...) {
				for level := 1; level <= 2; level++ {
					result, err := e.Think(context.Background(), g, engine.Limits{Level: level}, nil)
					if err != nil {
						t.Fatal(err)
					}
					chances[level]++
					if !closes(t, g, result.Action) {
						missed[level]++
					}
				}
			}
			if err := g.Play(random(r, g)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if first, second := missed[1]/chances[1], missed[2]/chances[2]; first < 0.05 || first > 0.4 || second >= first {
		t.Errorf("levels 1 and 2 miss %.2f and %.2f of %g mills", first, second, chances[1])
	}
}

// closes tells whether one of the actions makes a mill.
func closes(t *testing.T, g *rules.Game, actions ...rules.Action) bool {
	t.Helper()
	for _, a := range actions {
		next, err := g.Variant().Play(g.Position(), a)
		if err != nil {
			t.Fatal(err)
		}
		if next.Pending > 0 {
			return true
		}
	}
	return false
}
