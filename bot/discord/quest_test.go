package discord

import (
	"slices"
	"testing"

	"kraal/rules"
	"kraal/rules/study"
)

// longest is a quest whose controls are as long as they get: a puzzle of the most turns, each a move with two shots, but
// the last, in which a piece is chosen.
func longest() quest {
	a7, d7 := rules.Point(0), rules.Point(1)
	q := quest{kind: puzzleDaily, number: 99_999, game: "01234567", from: "a7", words: true}
	for range study.MaxDepth - 1 {
		q.played = append(q.played,
			rules.Action{Kind: rules.Move, From: a7, To: d7}, rules.Action{Kind: rules.Shoot, To: a7}, rules.Action{Kind: rules.Shoot, To: d7})
	}
	return q
}

func TestQuestsFitTheirControls(t *testing.T) {
	for verb := range studyTaps() {
		if id := longest().control(verb).String(); len(id) > 100 {
			t.Errorf("%s has %d characters, Discord takes 100", id, len(id))
		}
	}
}

func TestQuestsReadAsWritten(t *testing.T) {
	short := quest{kind: puzzleMore, number: 3, puzzle: study.Puzzle{ID: "abcdefg"}}
	for _, q := range []quest{longest(), short} {
		c, ok := readControl(q.control(verbPuzzle).String())
		if !ok {
			t.Fatalf("%v is no control", q)
		}
		got, ok := readQuest(c)
		if !ok || got.kind != q.kind || got.number != q.number || got.from != q.from || got.words != q.words ||
			!slices.Equal(got.played, q.played) {
			t.Errorf("got %+v, want %+v", got, q)
		}
	}
}

// FuzzReadQuest: whatever stands in a control, what is read from it is bounded and writes what reads the same.
func FuzzReadQuest(f *testing.F) {
	f.Add(longest().control(verbPuzzle).Arg)
	for _, arg := range []string{"", "...", "more...", "more.w..a1,xb4", "daily..a7.pass", "mine....", "more...,"} {
		f.Add(arg)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		q, ok := readQuest(control{Arg: arg})
		if !ok {
			return
		}
		if len(q.played) > maxSolverActions {
			t.Fatalf("%d actions are read", len(q.played))
		}
		again, ok := readQuest(q.control(verbPuzzle))
		if !ok || again.kind != q.kind || again.from != q.from || !slices.Equal(again.played, q.played) {
			t.Errorf("%q reads %+v, then %+v", arg, q, again)
		}
	})
}
