package rules_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kraal/rules"
)

// playAll plays actions separated by spaces.
func playAll(t testing.TB, g *rules.Game, line string) {
	t.Helper()
	for _, name := range strings.Fields(line) {
		a, err := rules.ParseAction(name)
		if err == nil {
			err = g.Play(a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestGameTurns(t *testing.T) {
	v, _ := rules.Lookup("nine")
	g := rules.NewGame(v)
	playAll(t, g, "d6 f4 d7 b6 d5")
	got := g.Turns()
	if len(got) != 5 || got[0].Side != rules.Black || got[3].Side != rules.White || !got[3].Complete || got[4].Complete {
		t.Errorf("with a shot pending: %+v", got)
	}
	playAll(t, g, "xb6")
	if got = g.Turns(); len(got) != 5 || got[4].Turn.String() != "d5xb6" || !got[4].Complete {
		t.Errorf("with the shot made: %+v", got)
	}
	got[0].Turn[0] = rules.Action{}
	if g.Turns()[0].Turn.String() != "d6" {
		t.Error("a caller can change the turns played")
	}
}

func TestGameIsUnchangedByWhatIsRefused(t *testing.T) {
	v, _ := rules.Lookup("koti")
	g := rules.NewGame(v)
	playAll(t, g, "d6 f4")
	before := g.Position()
	err := g.Play(rules.Action{Kind: rules.Place, To: 4})
	var illegal *rules.IllegalError
	if !errors.As(err, &illegal) || illegal.Error() != "d6: point is taken" || len(illegal.Legal) != 22 {
		t.Errorf("%v", err)
	}
	if g.Position() != before || g.Len() != 2 {
		t.Errorf("now %s after %d actions", g.Position(), g.Len())
	}
}

func TestGameCloneIsIndependent(t *testing.T) {
	v, p := at(t, "nine", "w../w.b/b../.b..w./.../bw./... b 0,0 0 0,0 -,-")
	g := rules.NewGameAt(v, p)
	playAll(t, g, "c5-d5 a7-d7 d5-c5 d7-a7")
	c := g.Clone()
	playAll(t, c, "c5-d5 a7-d7 d5-c5 d7-a7")
	if c.Status().Reason != rules.RepetitionDraw || c.Occurrences() != 3 {
		t.Errorf("clone: %+v after %d occurrences", c.Status(), c.Occurrences())
	}
	if g.Status().Over || g.Occurrences() != 2 || g.Len() != 4 || g.Start() != p || g.Variant() != v {
		t.Errorf("original: %+v, %d occurrences, %d actions", g.Status(), g.Occurrences(), g.Len())
	}
	playAll(t, g, "c5-c4 a7-d7")
	if !slices.Equal(texts(c.Actions())[4:], strings.Fields("c5-d5 a7-d7 d5-c5 d7-a7")) {
		t.Errorf("clone's actions: %v", c.Actions())
	}
}

func TestRepetitionComparesForbiddenMoves(t *testing.T) {
	// The pieces are as at the start after each round, but the first time nothing was forbidden.
	v, p := at(t, "mhele", "w../w.b/b../.b..w./.../bw./... b 0,0 0 0,0 -,-")
	g := rules.NewGameAt(v, p)
	round := "c5-d5 a7-d7 d5-e5 d7-g7 e5-e4 g7-g4 e4-e3 g4-g1 e3-d3 g1-d1 d3-c3 d1-a1 c3-c4 a1-a4 c4-c5 a4-a7 "
	playAll(t, g, round+round)
	if g.Status().Over || g.Occurrences() != 2 {
		t.Errorf("after two rounds: %+v, %d occurrences", g.Status(), g.Occurrences())
	}
	if playAll(t, g, "c5-d5"); g.Status().Over {
		t.Errorf("white's forbidden move was another the first time: %+v", g.Status())
	}
	playAll(t, g, "a7-d7")
	if got := g.Status().Reason; got != rules.RepetitionDraw {
		t.Errorf("after the first position that stood three times: %q", got)
	}
}

func TestCountsStopAtTheirLargest(t *testing.T) {
	v, p := at(t, "koti", "w../w.b/b../.b..w./.../bw./... b 0,0 0 65535,0 -,-")
	v, err := v.Set("no_shot", "0")
	if err != nil {
		t.Fatal(err)
	}
	if p = play(t, v, p, "c5-d5"); p.Counts.NoShot != 65535 {
		t.Errorf("the count went on to %d", p.Counts.NoShot)
	}
}

func TestMills(t *testing.T) {
	v, p := at(t, "morabaraba", "www/wb./w../....../.b./wb./..b w 5,8 0 0,0 -,-")
	want := []string{"a7 d7 g7", "a7 b6 c5"}
	var got []string
	for _, line := range v.Mills(p, rules.White) {
		var points rules.Points
		for _, at := range line {
			points = points.With(at)
		}
		got = append(got, points.String())
	}
	if !slices.Equal(got, want) || len(v.Mills(p, rules.Black)) != 0 {
		t.Errorf("white %v, want %v; black %v", got, want, v.Mills(p, rules.Black))
	}
}

func TestResultNamesItsWinner(t *testing.T) {
	for _, side := range []rules.Side{rules.White, rules.Black} {
		if winner, won := rules.Win(side).Winner(); winner != side || !won {
			t.Errorf("%s: %s, %t", side, winner, won)
		}
	}
	for _, r := range []rules.Result{rules.Drawn, rules.Undecided, ""} {
		if _, won := r.Winner(); won {
			t.Errorf("%q has a winner", r)
		}
	}
}

func TestPlayingAllocatesNothing(t *testing.T) {
	v, p := at(t, "morabaraba", "w.w/.w./b../.b..../..b/..w/..b w 0,0 0 19,0 -,-")
	legal := make([]rules.Action, 0, 72)
	allocated := testing.AllocsPerRun(100, func() {
		legal = v.AppendLegal(legal[:0], p)
		for _, a := range legal {
			if _, err := v.Play(p, a); err != nil {
				t.Error(err)
			}
		}
	})
	if allocated != 0 {
		t.Errorf("%v allocations", allocated)
	}
}
