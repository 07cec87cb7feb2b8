package engine_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"kraal/rules"
	"kraal/rules/engine"
)

// TestLawEvaluationIsLinear wants, in positions reached by play under any rules and with any weights, the evaluation to be
// the sum of what a gauge counts times the weights.
func TestLawEvaluationIsLinear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SampledFrom(rules.Variants()).Draw(t, "variant")
		changes := rapid.SampledFrom([]string{"", "pieces=3", "pieces=5 diagonals=true", "flies=false", "flies=true pieces=12"})
		v, err := v.With(changes.Draw(t, "changes"))
		if err != nil {
			t.Fatal(err)
		}
		var w engine.Weights
		for _, n := range w.Numbers() {
			*n = rapid.IntRange(-150, 150).Draw(t, "weight")
		}
		if w == (engine.Weights{}) { // that stands for the variant's own
			w = engine.WeightsFor(v)
		}
		e := engine.New(engine.Options{Hash: 1, Weights: w})
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		g := rules.NewGame(v)
		for range rapid.IntRange(0, 90).Draw(t, "actions") {
			next, legal := g.Clone(), g.Legal()
			if err := next.Play(legal[chance.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
			if next.Status().Over { // nothing is evaluated there
				break
			}
			g = next
		}
		got, err := e.Evaluate(g)
		if err != nil {
			t.Fatal(err)
		}
		p := g.Position()
		often := engine.NewGauge(v).Count(&p)
		sum, counts := 0, often.Numbers()
		for i, n := range w.Numbers() {
			sum += *n * *counts[i]
		}
		if want := engine.Score(sum / engine.Whole); got != want {
			t.Errorf("%s %s: evaluated %s, counted %s", v.Key, p, got, want)
		}
	})
}

// TestWeightsOfEveryGame wants a file of weights for each game, with no name in it that means nothing, and a piece worth
// something in every phase.
func TestWeightsOfEveryGame(t *testing.T) {
	for _, v := range rules.Variants() {
		f, err := os.Open(filepath.Join("weights", v.Key+".json"))
		if err != nil {
			t.Error(err)
			continue
		}
		defer f.Close()
		in := json.NewDecoder(f)
		in.DisallowUnknownFields()
		var w engine.Weights
		if err := in.Decode(&w); err != nil || engine.WeightsFor(v) != w {
			t.Errorf("%s: the file says %+v, the engine plays with %+v, error %v", v.Key, w, engine.WeightsFor(v), err)
		}
		for _, phase := range []engine.Terms{w.Opening, w.Placing, w.Moving, w.Thinned, w.Flying} {
			if phase.Piece <= 0 {
				t.Errorf("%s: a piece is worth nothing in %+v", v.Key, phase)
			}
		}
	}
}

// TestWeightsOfHouseRules wants a house rule to have the weights of its game, unless it is played on the other board.
func TestWeightsOfHouseRules(t *testing.T) {
	for _, test := range []struct{ game, changes, want string }{
		{"koti", "pieces=11 flies=false", "koti"},
		{"tournament", "no_shot=50", "tournament"},
		{"thinhama", "diagonals=true", "mhele"},
		{"koti", "diagonals=false", "nine"},
	} {
		v, _ := rules.Lookup(test.game)
		want, _ := rules.Lookup(test.want)
		v, err := v.With(test.changes)
		if err != nil {
			t.Fatal(err)
		}
		if v.Key = "house"; engine.WeightsFor(v) != engine.WeightsFor(want) {
			t.Errorf("%s %s is not played with the weights of %s", test.game, test.changes, test.want)
		}
	}
	if made := (rules.Variant{Pieces: 9}); engine.WeightsFor(made) == (engine.Weights{}) {
		t.Error("a game that is in no table has no weights")
	}
}
