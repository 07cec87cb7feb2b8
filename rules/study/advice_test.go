package study

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/rules"
	"kraal/rules/engine"
)

// gameAt is a game that begins at a position.
func gameAt(t *testing.T, key, line string) *rules.Game {
	t.Helper()
	v, p := position(t, key, line)
	return rules.NewGameAt(v, p)
}

func TestHintsHaveReasons(t *testing.T) {
	tests := []struct {
		name, key, line string
		turn            string // how it begins
		want            []Why
	}{
		{"a mill", "nine", "w.w/.../.../....../.../.../b.b w 7,7 0 0,0 -,-", "d7x", []Why{WhyCloses}},
		{"a block", "nine", ".w./.w./.../....../.../.b./b.. b 6,6 0 0,0 -,-", "d5", []Why{WhyBlocks}},
		{"a win", "nine", "..b/.w./.../www.ww/.../bwb/... w 0,0 0 0,0 -,-", "b4-b6", []Why{WhyWins}},
		{"a shot", "nine", "www/.../.../....../.../b../b.. w 6,7 1 0,0 -,-", "x", nil},
		{"the only one", "koti", "wbw/b.b/.../b....b/.../b.b/wbw w 0,0 0 0,0 -,-", "pass", []Why{WhyOnly}},
	}
	for _, test := range tests {
		a, err := NewAdviser(1, nil).advise(context.Background(), gameAt(t, test.key, test.line), engine.Limits{Nodes: 30_000})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if !strings.HasPrefix(a.Turn.String(), test.turn) {
			t.Errorf("%s: got %s, want %s...", test.name, a.Turn, test.turn)
		}
		for _, why := range test.want {
			if !slices.Contains(a.Reasons, why) {
				t.Errorf("%s: %s has the reasons %v, want %s among them", test.name, a.Turn, a.Reasons, why)
			}
		}
		if len(a.Reasons) == 0 {
			t.Errorf("%s: no reason for %s", test.name, a.Turn)
		}
	}
}

// TestHintsAreWholeTurns: a hint closes with its shots, and leads to the position that it names.
func TestHintsAreWholeTurns(t *testing.T) {
	for i, z := range set(t).All() {
		if i%40 != 0 {
			continue
		}
		g := rules.NewGameAt(z.Variant, z.Position)
		a, err := NewAdviser(1, nil).advise(context.Background(), g, engine.Limits{Nodes: 5000})
		if err != nil {
			t.Fatal(err)
		}
		for _, played := range a.Turn {
			if err := g.Play(played); err != nil {
				t.Fatalf("%s: %v", z.Position, err)
			}
		}
		if g.Position() != a.After || !g.Status().Over && g.Position().Turn == z.Position.Turn {
			t.Errorf("%s: %s leads to %s, said to lead to %s", z.Position, a.Turn, g.Position(), a.After)
		}
	}
}

func TestHintRefusesAndEnds(t *testing.T) {
	over := gameAt(t, "nine", "ww./.../.../w...../.../.../bb. b 0,0 0 0,0 -,-")
	if _, err := NewAdviser(1, nil).Hint(context.Background(), over, time.Second); !errors.Is(err, engine.ErrGameOver) {
		t.Errorf("a game that is over: got %v, want %v", err, engine.ErrGameOver)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v, _ := rules.Lookup("nine")
	if _, err := NewAdviser(1, nil).Hint(ctx, rules.NewGame(v), time.Second); !errors.Is(err, context.Canceled) {
		t.Errorf("an end: got %v, want %v", err, context.Canceled)
	}
}

func TestChances(t *testing.T) {
	last := -1.0
	for _, s := range []engine.Score{-2000, -100, 0, 100, 2000} {
		c := Chance(s)
		if c <= last || c < 0 || c > 1 {
			t.Errorf("score %d promises %f after %f", s, c, last)
		}
		last = c
	}
	if c := Chance(0); c != 0.5 {
		t.Errorf("even is %f", c)
	}
}

// played is a game from its turns.
func played(t *testing.T, g *rules.Game, turns string) *rules.Game {
	t.Helper()
	for text := range strings.FieldsSeq(turns) {
		turn, err := rules.ParseTurn(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range turn {
			if err := g.Play(a); err != nil {
				t.Fatal(err)
			}
		}
	}
	return g
}

// TestAnalysisFindsTheBlunder: with three pieces each, black can win by stopping a mill and lets it through.
func TestAnalysisFindsTheBlunder(t *testing.T) {
	g := played(t, gameAt(t, "morabaraba", "w../..w/.../b...w./..b/.../b.. b 0,0 0 0,0 -,-"), "a1-b2 a7-f2xb2")
	var told []int
	a, err := NewAdviser(4, nil).Analyse(context.Background(), Inquiry{g, rules.WhiteWins, time.Minute, 30_000, func(done, all int) {
		told = append(told, done)
		if all != 3 {
			t.Errorf("of %d moments, want 3", all)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if a.Partial || !slices.Equal(a.Chances, []float64{0, 1, 1}) || !slices.Equal(told, []int{2, 3}) {
		t.Errorf("partial: %t, chances %v, told of %v", a.Partial, a.Chances, told)
	}
	if len(a.Swings) != 1 {
		t.Fatalf("%d swings, want 1", len(a.Swings))
	}
	worst := a.Swings[0]
	if worst.Number != 1 || worst.Side != rules.Black || worst.Before != 1 || worst.After != 0 {
		t.Errorf("turn %d by %v, from %f to %f; want turn 1 by black, from 1 to 0", worst.Number, worst.Side, worst.Before, worst.After)
	}
	if to := worst.Better.Turn[0].To; to != place(t, "f2") {
		t.Errorf("better is %s, want a piece on f2", worst.Better.Turn)
	}
	for _, why := range []Why{WhyWins, WhyBlocks} {
		if !slices.Contains(worst.Better.Reasons, why) {
			t.Errorf("%s has the reasons %v, want %s among them", worst.Better.Turn, worst.Better.Reasons, why)
		}
	}
}

// TestAnalysisNamesFewSwings: each of them is one, the worst come first, and what was better is no turn that was played.
func TestAnalysisNamesFewSwings(t *testing.T) {
	v, _ := rules.Lookup("nine")
	g := rules.NewGame(v)
	player := engine.New(engine.Options{Hash: 1, Seed: 4})
	for !g.Status().Over && g.Len() < 60 {
		r, err := player.Think(context.Background(), g, engine.Limits{Level: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Play(r.Action); err != nil {
			t.Fatal(err)
		}
	}
	a, err := NewAdviser(4, nil).Analyse(context.Background(), Inquiry{Game: g, Time: time.Minute, Nodes: 3000})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Swings) != maxSwings || len(a.Chances) != len(g.Turns())+1 {
		t.Fatalf("%d swings and %d chances in %d turns", len(a.Swings), len(a.Chances), len(g.Turns()))
	}
	last := 1.0
	for _, s := range a.Swings {
		lost := s.Before - s.After
		if lost < leastSwing || lost > last || slices.Equal(s.Played, s.Better.Turn) {
			t.Errorf("turn %d: %s lost %f after one that lost %f; better %s", s.Number, s.Played, lost, last, s.Better.Turn)
		}
		last = lost
	}
}

// TestAnalysisInNoTime gives what there is: the end, and no swings.
func TestAnalysisInNoTime(t *testing.T) {
	v, _ := rules.Lookup("nine")
	g := played(t, rules.NewGame(v), "d6 f4 d2 b4")
	a, err := NewAdviser(1, nil).Analyse(context.Background(), Inquiry{Game: g, Result: rules.Drawn, Nodes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if !a.Partial || len(a.Chances) != 5 || a.Chances[0] != 0.5 || len(a.Swings) != 0 {
		t.Errorf("got %+v", a)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewAdviser(1, nil).Analyse(ctx, Inquiry{Game: g, Result: rules.WhiteWins, Time: time.Minute, Nodes: 1000}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
