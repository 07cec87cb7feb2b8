package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"kraal/rules"
)

func TestPairings(t *testing.T) {
	tests := []struct {
		c    levelsCmd
		want string
	}{
		{levelsCmd{}, "[2 - 1 3 - 2 4 - 3 5 - 4 6 - 5 7 - 6]"},
		{levelsCmd{Levels: []int{2, 5, 7}}, "[5 - 2 7 - 5]"},
		{levelsCmd{Levels: []int{1, 2, 3}, All: true}, "[2 - 1 3 - 1 3 - 2]"},
		{levelsCmd{Levels: []int{1, 3}, Against: "sight"}, "[1 - sight 3 - sight]"},
	}
	for _, test := range tests {
		if got := fmt.Sprint(test.c.pairings()); got != test.want {
			t.Errorf("%+v: %s, want %s", test.c, got, test.want)
		}
	}
	if got := len(levelsCmd{All: true}.pairings()); got != 21 {
		t.Errorf("%d pairings of seven levels", got)
	}
}

// TestLevelsTable wants a row for each pairing that counts every game, and the same again from the same seed.
func TestLevelsTable(t *testing.T) {
	var said [2]strings.Builder
	for i := range said {
		p := program{ctx: t.Context(), out: &said[i], err: io.Discard}
		c := levelsCmd{Variant: []string{"koti", "nine"}, Games: 4, Levels: []int{1, 2, 7}, Nodes: 300, Opening: 2, Seed: 3}
		c.Against = "levels"
		if err := c.Run(&p); err != nil {
			t.Fatal(err)
		}
	}
	rows := strings.Split(strings.TrimSpace(said[0].String()), "\n")
	if said[0].String() != said[1].String() || len(rows) != 6 {
		t.Fatalf("%s\nthen\n%s", said[0].String(), said[1].String())
	}
	for i, want := range []string{"| koti | 2 - 1 |", "| koti | 7 - 2 |", "| nine | 2 - 1 |", "| nine | 7 - 2 |"} {
		var won, drawn, lost int
		rest, found := strings.CutPrefix(rows[i+2], want)
		if _, err := fmt.Sscanf(rest, "%d-%d-%d", &won, &drawn, &lost); !found || err != nil || won+drawn+lost != 4 {
			t.Errorf("row %q: error %v", rows[i+2], err)
		}
	}
}

// TestSighted wants a mill closed where one can be, and rather a game won at once: here by a block.
func TestSighted(t *testing.T) {
	tests := []struct{ position, want string }{
		{"ww./.../.../....../.../b.b/.b. w 5,5 0 0,0 -,-", "g7"},
		{"bbb/wbw/..w/w....w/.../w../... w 0,0 0 0,0 -,-", "e5-d5"},
	}
	v, _ := rules.Lookup("nine")
	for _, test := range tests {
		p, err := v.ParsePosition(test.position)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			a, err := sighted{rand.New(rand.NewPCG(seed, 0))}.choose(t.Context(), rules.NewGameAt(v, p))
			if err != nil || a.String() != test.want {
				t.Errorf("%s: %s, error %v, want %s", test.position, a, err, test.want)
			}
		}
	}
}

// TestLevelsApart holds what docs/levels.md says, widely: a level wins most games against the one below, not all, and the
// lowest about half of those against a player who sees its own next action alone.
func TestLevelsApart(t *testing.T) {
	tests := []struct {
		variant     string
		two         pairing
		least, most float64
	}{
		{"nine", pairing{1, sightLevel}, 0.35, 0.65},
		{"morabaraba", pairing{1, sightLevel}, 0.35, 0.65},
		{"nine", pairing{2, 1}, 0.6, 0.95},
		{"nine", pairing{3, 2}, 0.6, 0.97},
		{"morabaraba", pairing{2, 1}, 0.6, 0.95},
		{"morabaraba", pairing{3, 2}, 0.6, 0.97},
	}
	for _, test := range tests {
		t.Run(test.variant+" "+test.two.String(), func(t *testing.T) {
			t.Parallel()
			v, _ := rules.Lookup(test.variant)
			c := levelsCmd{Games: 40, Opening: 2, Seed: 1}
			all, err := c.play(&program{ctx: t.Context(), err: io.Discard}, v, test.two)
			if err != nil {
				t.Fatal(err)
			}
			if mean, _ := all.interval(); mean < test.least || mean > test.most || len(all.pairs) != 20 {
				t.Errorf("a score of %.2f in %d pairs, want %.2f to %.2f", mean, len(all.pairs), test.least, test.most)
			}
		})
	}
}
