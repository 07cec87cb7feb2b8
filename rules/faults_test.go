package rules_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kraal/rules"
)

// The tests below are named after kinds of fault that other mill programs had.

// at reads a position under a variant of the table.
func at(t testing.TB, key, line string) (rules.Variant, rules.Position) {
	t.Helper()
	v, known := rules.Lookup(key)
	if !known {
		t.Fatalf("no variant %q", key)
	}
	p, err := v.ParsePosition(line)
	if err != nil {
		t.Fatalf("%s: %s: %v", key, line, err)
	}
	return v, p
}

// play carries out actions, or turns, separated by spaces.
func play(t testing.TB, v rules.Variant, p rules.Position, line string) rules.Position {
	t.Helper()
	for _, word := range strings.Fields(line) {
		turn, err := rules.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range turn {
			if p, err = v.Play(p, a); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p
}

// refused checks that an action is refused for the reason.
func refused(t testing.TB, v rules.Variant, p rules.Position, action string, reason error) {
	t.Helper()
	a, err := rules.ParseAction(action)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Play(p, a); !errors.Is(err, reason) {
		t.Errorf("%s: %s in %s: %v, want %v", v.Key, action, p, err, reason)
	}
}

func TestO1LastPieceFromHandKeepsItsShot(t *testing.T) {
	tests := []struct {
		name, position string
		targets        int
		placing        bool // after the turn
	}{
		{"both hands empty", "w.w/.bb/b.b/bw..wb/wbw/w.b/bw. w 1,0 0 0,0 -,-", 9, false},
		{"the other has one more", "w.w/.bb/b.b/bw..wb/wbw/w.b/.w. w 1,1 0 0,0 -,-", 8, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, p := at(t, "nine", test.position)
			p = play(t, v, p, "d7")
			if p.Turn != rules.White || p.Pending != 1 || v.Targets(p).Len() != test.targets {
				t.Fatalf("after d7: %s, targets %s", p, v.Targets(p))
			}
			p = play(t, v, p, "xf6")
			if p.Turn != rules.Black || p.Pending != 0 || p.Placing() != test.placing {
				t.Errorf("after the shot: %s", p)
			}
		})
	}
}

func TestO2AllInMillsMayBeShot(t *testing.T) {
	v, p := at(t, "nine", "w.w/.wb/..b/...bb./..b/w.b/... w 3,3 0 0,0 -,-")
	if p = play(t, v, p, "d7"); v.Targets(p) != p.Pieces[rules.Black] {
		t.Errorf("targets %s, want all of %s", v.Targets(p), p.Pieces[rules.Black])
	}
}

// protectedShot is a record in which black's a7 stands in a mill and d6 in none.
const protectedShot = `[Variant "VARIANT"]
[Position "bbb/.b./.../w.w.../w../.../... w 5,5 0 0,0 -,-"]

1. b4xa7 *
`

func TestO3ProtectedShotInARecord(t *testing.T) {
	for _, v := range rules.Variants() {
		record, err := rules.ParseRecord(strings.Replace(protectedShot, "VARIANT", v.Key, 1))
		if err != nil {
			t.Fatal(err)
		}
		_, err = record.Game()
		if refusedThere := errors.Is(err, rules.ErrProtected); refusedThere != v.Protected || err != nil && !refusedThere {
			t.Errorf("%s: %v", v.Key, err)
		}
		refusal := &rules.IllegalError{}
		if errors.As(err, &refusal) && !slices.Equal(texts(refusal.Legal), []string{"xd6"}) {
			t.Errorf("%s: legal %v, want [xd6]", v.Key, refusal.Legal)
		}
	}
}

func TestO4ShotsEarnedByClosingSeveralMills(t *testing.T) {
	want := map[string]uint8{"mhele": 1, "morabaraba": 3, "koti": 3, "tournament": 3}
	for key, shots := range want {
		v, p := at(t, key, "wbb/.ww/wbb/.w.b.b/.../w../... w 6,6 0 0,0 -,-")
		if p = play(t, v, p, "b6"); p.Pending != shots {
			t.Errorf("%s: %d shots, want %d", key, p.Pending, shots)
		}
	}
	v, p := at(t, "nine", "wbb/.ww/wbb/.w.b.b/.../w../... w 3,3 0 0,0 -,-")
	if p = play(t, v, p, "b6"); p.Pending != 1 {
		t.Errorf("nine: %d shots, want 1", p.Pending)
	}
}

func TestO5ShotsThatCannotBeMadeLapse(t *testing.T) {
	v, p := at(t, "morabaraba", "w.w/.w./.w./....../.../.../b.. w 8,8 0 0,0 -,-")
	if p = play(t, v, p, "d7"); p.Pending != 2 {
		t.Fatalf("after d7: %s", p)
	}
	if p = play(t, v, p, "xa1"); p.Pending != 0 || p.Turn != rules.Black || len(v.Legal(p)) == 0 {
		t.Errorf("after the only piece was shot: %s", p)
	}
	v, p = at(t, "morabaraba", "ww./.../w.w/..w.../w../.../bbb w 0,0 2 0,0 -,-")
	p = play(t, v, p, "xa1")
	want := rules.Status{Over: true, Result: rules.WhiteWins, Reason: rules.FewerThanThree}
	if got := v.Status(p); got != want || p.Pending != 1 || p.Turn != rules.White || len(v.Legal(p)) != 0 {
		t.Errorf("after the first of two shots: %s %+v", p, got)
	}
}

func TestO6BlockedWhenPlacingEnds(t *testing.T) {
	const full = "bww/wbb/bww/wbbwbb/wbb/bww/wbw w 0,0 0 0,0 -,-"
	want := map[string]rules.Status{
		"mhele":      {Over: true, Result: rules.BlackWins, Reason: rules.BlockedPlayer},
		"morabaraba": {Over: true, Result: rules.BlackWins, Reason: rules.BlockedPlayer},
		"tournament": {Over: true, Result: rules.BlackWins, Reason: rules.BlockedPlayer},
		"koti":       {Over: true, Result: rules.Drawn, Reason: rules.Deadlock},
	}
	for key, status := range want {
		v, p := at(t, key, full)
		if got := v.Status(p); got != status || len(v.Legal(p)) != 0 {
			t.Errorf("%s: %+v %v, want %+v", key, got, v.Legal(p), status)
		}
		refused(t, v, p, "pass", rules.ErrGameOver)
		draws, err := v.Set("full_board", "draws")
		if err != nil {
			t.Fatal(err)
		}
		if got := draws.Status(p); got.Reason != rules.FullBoardDraw || got.Result != rules.Drawn {
			t.Errorf("%s with full_board=draws: %+v", key, got)
		}
	}
}

func TestO7OnlyTheSideToMoveIsBlocked(t *testing.T) {
	v, p := at(t, "nine", ".../.b./wbb/.bwwb./bwb/.b./b.. b 0,0 0 0,0 -,-")
	if got := v.Status(play(t, v, p, "b4-a4")); got.Over {
		t.Errorf("after b4-a4: %+v", got)
	}
	want := rules.Status{Over: true, Result: rules.BlackWins, Reason: rules.BlockedPlayer}
	if got := v.Status(play(t, v, p, "d6-d7")); got != want {
		t.Errorf("after d6-d7: %+v, want %+v", got, want)
	}
	const three = "wwb/bb./.../wb..../.../..b/b.. w 0,0 0 0,0 -,-"
	if v, p = at(t, "morabaraba", three); len(v.Legal(p)) != 45 {
		t.Errorf("morabaraba: %d moves, want 45", len(v.Legal(p)))
	}
	if v, p = at(t, "tournament", three); v.Status(p) != want {
		t.Errorf("tournament: %+v, want %+v", v.Status(p), want)
	}
}

func TestO8DiagonalsCountWhereTheyAreDrawn(t *testing.T) {
	for _, v := range rules.Variants() {
		_, p := at(t, v.Key, "wb./.../b../.b..w./..w/.w./..b w 0,0 0 0,0 -,-")
		if v.Diagonals {
			play(t, v, p, "a7-b6")
		} else {
			refused(t, v, p, "a7-b6", rules.ErrNotAdjacent)
		}
		if want := map[bool]int{false: 16, true: 20}[v.Diagonals]; len(v.Lines()) != want {
			t.Errorf("%s: %d lines, want %d", v.Key, len(v.Lines()), want)
		}
	}
}

func TestO9FlyingIsJudgedByOnesOwnPieces(t *testing.T) {
	v, p := at(t, "nine", "w.w/.../.../w...../.../.../bbb w 0,1 0 0,0 -,-")
	refused(t, v, p, "a7-d7", rules.ErrWrongPhase)
	refused(t, v, p, "a7-e3", rules.ErrWrongPhase)
	refused(t, v, p, "e3", rules.ErrNothingInHand)
	if legal, status := v.Legal(p), v.Status(p); len(legal) != 0 || status.Over {
		t.Errorf("an empty hand beside one that is not: legal %v, %+v", legal, status)
	}
	v, p = at(t, "nine", "w.w/.../.../w...../.../.../bbb w 0,0 0 0,0 -,-")
	play(t, v, p, "a7-e3")
	v, p = at(t, "nine", "w.w/w../.../w...../.../.../bbb w 0,0 0 0,0 -,-")
	refused(t, v, p, "a7-e3", rules.ErrNotAdjacent)
}

func TestO10RepetitionLooksAllTheWayBack(t *testing.T) {
	v, p := at(t, "nine", "w../w.b/b../.b..w./.../bw./... b 0,0 0 0,0 -,-")
	black := strings.Fields("c5 d5 e5 e4 e3 d3 c3 c4 c5")
	white := strings.Fields("a7 d7 g7 g4 g1 d1 a1 a4 a7")
	g := rules.NewGameAt(v, p)
	turns := 0
	for !g.Status().Over && turns < 100 {
		walk, step := black, turns/2%8
		if turns%2 == 1 {
			walk = white
		}
		a, err := rules.ParseAction(walk[step] + "-" + walk[step+1])
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Play(a); err != nil {
			t.Fatal(err)
		}
		if turns++; turns == 20 { // as after a restart
			if g, err = g.Record().Game(); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := rules.Status{Over: true, Result: rules.Drawn, Reason: rules.RepetitionDraw}
	if turns != 32 || g.Status() != want {
		t.Errorf("after %d turns %+v, want after 32 %+v", turns, g.Status(), want)
	}
	if err := g.Play(rules.Action{Kind: rules.Move}); !errors.Is(err, rules.ErrGameOver) {
		t.Errorf("played on after a repetition: %v", err)
	}
}

func TestO12NoDrawWhileAShotIsPending(t *testing.T) {
	v, p := at(t, "tournament", "w.w/.w./b../.b..../..b/..w/..b w 0,0 0 19,0 -,-")
	for _, a := range v.Legal(p) {
		after, err := v.Play(p, a)
		if err != nil {
			t.Fatal(err)
		}
		if a.String() == "d6-d7" {
			if v.Status(after).Over || after.Pending != 1 || after.Counts.NoShot != 19 {
				t.Errorf("the mill closed: %s %+v", after, v.Status(after))
			}
			if shot := play(t, v, after, "xb4"); shot.Counts.NoShot != 0 || v.Status(shot).Over {
				t.Errorf("the shot made: %s %+v", shot, v.Status(shot))
			}
			continue
		}
		want := rules.Status{Over: true, Result: rules.Drawn, Reason: rules.NoShotDraw}
		if got := v.Status(after); got != want {
			t.Errorf("after %s: %+v, want %+v", a, got, want)
		}
	}
}
