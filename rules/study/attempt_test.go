package study

import (
	"context"
	"errors"
	"slices"
	"testing"

	"kraal/rules"
)

// follow is Follow, which must not fail.
func follow(t *testing.T, z Puzzle, actions []rules.Action) Attempt {
	t.Helper()
	a, err := z.Follow(context.Background(), actions)
	if err != nil {
		t.Fatalf("%s, %v: %v", z.Position, actions, err)
	}
	return a
}

func TestSolutionsSolve(t *testing.T) {
	for i, z := range set(t).All() {
		if i%8 != 0 {
			continue
		}
		a := solution(t, z)
		if a.Standing != Solved || a.Left < 0 || !z.Accepts(a.Turns[0].Turn) {
			t.Errorf("%s, %s in %d: %v leads to %d with %d turns left", z.Position, z.Goal, z.Depth, a.Turns, a.Standing, a.Left)
		}
	}
}

// solution is Solution, which must not fail.
func solution(t *testing.T, z Puzzle) Attempt {
	t.Helper()
	a, err := z.Solution(context.Background())
	if err != nil {
		t.Fatalf("%s: %v", z.Position, err)
	}
	return a
}

// TestOtherTurnsMiss tries every turn that is not accepted: it misses, and where the game goes on it is answered.
func TestOtherTurnsMiss(t *testing.T) {
	tried := 0
	for i, z := range set(t).All() {
		if i%16 != 0 {
			continue
		}
		s := newProver(context.Background(), z.Variant)
		for _, o := range s.options(z.Position) {
			if z.Accepts(o.turn) {
				continue
			}
			tried++
			a := follow(t, z, o.turn)
			if a.Standing != Missed {
				t.Errorf("%s: %s leads to %d, want %d", z.Position, o.turn, a.Standing, Missed)
			}
			if z.Goal.byTable() {
				continue // what refutes it may be as far off as the end
			}
			if last, ok := a.Last(); !ok || last.Side == z.Position.Turn && !z.Variant.Status(o.after).Over {
				t.Errorf("%s: %s is not answered", z.Position, o.turn)
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d turns were tried", tried)
	}
}

// TestMillsThatWereLetThroughAreClosed: whoever fails to stop a mill sees it closed.
func TestMillsThatWereLetThroughAreClosed(t *testing.T) {
	v, p := position(t, "nine", ".w./.w./.../....../.../.b./b.. b 6,6 0 0,0 -,-")
	z, ok := prove(t, v, p)
	if !ok {
		t.Fatal("no puzzle")
	}
	a := follow(t, z, rules.Turn{{Kind: rules.Place, To: place(t, "g1")}})
	last, _ := a.Last()
	if len(last.Turn) != 2 || last.Turn[0].To != place(t, "d5") {
		t.Errorf("answered by %s, want the mill at d5 and a shot", last.Turn)
	}
}

func TestFollowEndsWithThePuzzle(t *testing.T) {
	z := set(t).All()[0]
	var played []rules.Action
	for _, turn := range solution(t, z).Turns {
		if turn.Side == z.Position.Turn {
			played = append(played, turn.Turn...)
		}
	}
	if _, err := z.Follow(context.Background(), append(played, played[0])); !errors.Is(err, rules.ErrGameOver) {
		t.Errorf("after the end: got %v, want %v", err, rules.ErrGameOver)
	}
}

func TestFollowRefusesWhatTheRulesDo(t *testing.T) {
	v, p := position(t, "nine", ".w./.w./.../....../.../.b./b.. b 6,6 0 0,0 -,-")
	z, _ := prove(t, v, p)
	for _, a := range []rules.Action{
		{Kind: rules.Place, To: place(t, "d7")}, {Kind: rules.Shoot, To: place(t, "d7")}, {Kind: rules.Pass},
		{Kind: rules.Place, To: 200}, {Kind: 77, From: 99, To: 99},
	} {
		var illegal *rules.IllegalError
		if _, err := z.Follow(context.Background(), []rules.Action{a}); !errors.As(err, &illegal) {
			t.Errorf("%v: got %v, want an *IllegalError", a, err)
		}
	}
}

func TestFollowAnswersTheSameWay(t *testing.T) {
	for i, z := range set(t).All() {
		if z.Depth < 2 || i%20 != 0 {
			continue
		}
		a, b := follow(t, z, z.Accepted[0]), follow(t, z, z.Accepted[0])
		if a.Position != b.Position || !slices.EqualFunc(a.Turns, b.Turns, func(a, b rules.PlayedTurn) bool {
			return slices.Equal(a.Turn, b.Turn)
		}) {
			t.Errorf("%s: answered by %v and %v", z.Position, a.Turns, b.Turns)
		}
	}
}

func place(t *testing.T, name string) rules.Point {
	t.Helper()
	p, err := rules.ParsePoint(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
