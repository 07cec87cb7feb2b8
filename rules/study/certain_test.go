package study

import (
	"math/rand/v2"
	"testing"
	"time"

	"kraal/rules"
	"kraal/rules/endgame"
	"kraal/rules/engine"
)

// threes is a position of three against three with white to move.
func threes(chance *rand.Rand) (p rules.Position) {
	for i, at := range chance.Perm(rules.PointCount)[:6] {
		side := rules.Side(i % 2)
		p.Pieces[side] = p.Pieces[side].With(rules.Point(at))
	}
	p.Turn = rules.White
	return p
}

// TestAdviceIsCertain: where tables tell, advice says what they do, and the turn keeps it.
func TestAdviceIsCertain(t *testing.T) {
	tables := tablesOf(t, 6, "nine")
	v, _ := rules.Lookup("nine")
	r, adviser, chance := tables.For(v), NewAdviser(1, tables), rand.New(rand.NewPCG(4, 4))
	met := map[endgame.Value]int{}
	for range 300 {
		p := threes(chance)
		f, _ := r.Probe(&p)
		met[f.Value]++
		a, err := adviser.advise(t.Context(), rules.NewGameAt(v, p), engine.Limits{Nodes: 500})
		if err != nil {
			t.Fatal(err)
		}
		if want := (Certain{true, f.Value, (f.Turns + 1) / 2}); a.Certain != want || a.Chance() != want.chance() {
			t.Errorf("%s is %+v with chances %v, want %+v", p, a.Certain, a.Chance(), want)
		}
		if after, ok := (judge{v.Compile(), r, p.Turn}).after(&a.After); !ok || after.value != f.Value {
			t.Errorf("%s is a %s, after %s a %s", p, f.Value, a.Turn, after.value)
		}
	}
	if met[endgame.Win] == 0 || met[endgame.Loss] == 0 {
		t.Errorf("the positions are no test: %v", met)
	}
	a, err := NewAdviser(1, nil).advise(t.Context(), rules.NewGame(v), engine.Limits{Nodes: 500})
	if err != nil || a.Certain.Known {
		t.Errorf("without tables: %+v, %v", a.Certain, err)
	}
}

// TestAnalysisNamesSlips plays turns that give away what the tables know, and wants it said.
func TestAnalysisNamesSlips(t *testing.T) {
	tables := tablesOf(t, 6, "nine")
	v, _ := rules.Lookup("nine")
	r, chance := tables.For(v), rand.New(rand.NewPCG(5, 5))
	wanted := map[Slip]bool{SlipWinDrawn: true, SlipWinLost: true, SlipDrawLost: true}
	for tried := 0; len(wanted) > 0 && tried < 20_000; tried++ {
		p := threes(chance)
		before := certain(r, p)
		s := newProver(t.Context(), v)
		for _, o := range s.options(p) {
			if s.rules.Status(&o.after).Over || !wanted[slip(before, certain(r, o.after).turned())] {
				continue
			}
			want := slip(before, certain(r, o.after).turned())
			delete(wanted, want)
			checkSlip(t, tables, rules.NewGameAt(v, p), o.turn, want)
			break
		}
	}
	if len(wanted) > 0 {
		t.Errorf("not met: %v", wanted)
	}
}

// checkSlip analyses a game of one turn.
func checkSlip(t *testing.T, tables *endgame.Tables, g *rules.Game, played rules.Turn, want Slip) {
	t.Helper()
	for _, a := range played {
		if err := g.Play(a); err != nil {
			t.Fatal(err)
		}
	}
	a, err := NewAdviser(1, tables).Analyse(t.Context(), Inquiry{Game: g, Result: rules.BlackWins, Time: time.Minute, Nodes: 500})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Swings) != 1 || a.Swings[0].Slip != want {
		t.Errorf("%s, %s: got %+v, want %s", g.Start(), played, a.Swings, want)
	}
}
