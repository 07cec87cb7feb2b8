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
		{"a mill", "nine", "w.w/.../.../....../.../b../.b. w 7,7 0 0,0 -,-", "d7x", []Why{WhyCloses}},
		{"a block", "nine", ".w./.w./.../....../.../.b./b.. b 6,6 0 0,0 -,-", "d5", []Why{WhyBlocks}},
		{"a win", "nine", "..b/.w./.../www.ww/.../bwb/... w 0,0 0 0,0 -,-", "b4-b6", []Why{WhyWins}},
		{"a shot", "nine", "www/.../.../....../.../b../b.. w 6,7 1 0,0 -,-", "x", nil},
		{"the only one", "koti", "wbw/b.b/.../b....b/.../b.b/wbw w 0,0 0 0,0 -,-", "pass", []Why{WhyOnly}},
	}
	for _, test := range tests {
		a, err := NewAdviser(1).advise(context.Background(), gameAt(t, test.key, test.line), engine.Limits{Nodes: 30_000})
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
		a, err := NewAdviser(1).advise(context.Background(), g, engine.Limits{Nodes: 5000})
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
	if _, err := NewAdviser(1).Hint(context.Background(), over, time.Second); !errors.Is(err, engine.ErrGameOver) {
		t.Errorf("a game that is over: got %v, want %v", err, engine.ErrGameOver)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v, _ := rules.Lookup("nine")
	if _, err := NewAdviser(1).Hint(ctx, rules.NewGame(v), time.Second); !errors.Is(err, context.Canceled) {
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
func played(t *testing.T, key, turns string) *rules.Game {
	t.Helper()
	v, _ := rules.Lookup(key)
	g := rules.NewGame(v)
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

// TestAnalysisFindsTheBlunder: a mill that was let through is the turn where the game swung, and stopping it was better.
func TestAnalysisFindsTheBlunder(t *testing.T) {
	g := played(t, "nine", "d6 f4 d2 b4 f6 f2 b6xb4 g4 e4 d5 d7 a7")
	var told []int
	a, err := NewAdviser(4).Analyse(context.Background(), g, rules.BlackWins, time.Minute, func(done, all int) {
		told = append(told, done)
		if all != 13 {
			t.Errorf("of %d moments, want 13", all)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if a.Partial || len(a.Chances) != 13 || len(told) != 13 || told[12] != 13 {
		t.Errorf("partial: %t, %d chances, told of %v", a.Partial, len(a.Chances), told)
	}
	if len(a.Swings) == 0 || len(a.Swings) > maxSwings {
		t.Fatalf("%d swings", len(a.Swings))
	}
	worst := a.Swings[0]
	if worst.Number != 6 || worst.Side != rules.White || worst.Better.Turn.String() != "b6" {
		t.Errorf("turn %d by %v, better %s; want turn 6 by white, better b6", worst.Number, worst.Side, worst.Better.Turn)
	}
	if !slices.Contains(worst.Better.Reasons, WhyBlocks) {
		t.Errorf("b6 has the reasons %v", worst.Better.Reasons)
	}
	for _, s := range a.Swings {
		if s.Before-s.After < leastSwing {
			t.Errorf("turn %d: %f to %f is no swing", s.Number, s.Before, s.After)
		}
	}
}

// TestAnalysisInNoTime gives what there is: the end, and no swings.
func TestAnalysisInNoTime(t *testing.T) {
	g := played(t, "nine", "d6 f4 d2 b4")
	a, err := NewAdviser(1).Analyse(context.Background(), g, rules.Drawn, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !a.Partial || len(a.Chances) != 5 || a.Chances[0] != 0.5 || len(a.Swings) != 0 {
		t.Errorf("got %+v", a)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewAdviser(1).Analyse(ctx, g, rules.WhiteWins, time.Minute, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
