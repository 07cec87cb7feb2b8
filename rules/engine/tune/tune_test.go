package tune_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"kraal/rules"
	"kraal/rules/engine"
	"kraal/rules/engine/tune"
)

// games is a few quick ones.
func games(t *testing.T, key string) tune.Games {
	t.Helper()
	v, known := rules.Lookup(key)
	if !known {
		t.Fatalf("no variant %s", key)
	}
	return tune.Games{Variant: v, Count: 4, Nodes: 40, Opening: 6, Chance: 0.1, Seed: 5}
}

func play(t *testing.T, g tune.Games) []tune.Sample {
	t.Helper()
	samples, err := g.Play(t.Context(), func(int) {})
	if err != nil || len(samples) == 0 {
		t.Fatalf("%d samples, error %v", len(samples), err)
	}
	return samples
}

// TestGames wants the same games from the same seed, others from another, and results that fit together.
func TestGames(t *testing.T) {
	for _, v := range rules.Variants() {
		g := games(t, v.Key)
		first := play(t, g)
		if again := play(t, g); !reflect.DeepEqual(first, again) {
			t.Errorf("%s: the same seed gave %d positions, then %d others", v.Key, len(first), len(again))
		}
		g.Seed++
		if other := play(t, g); reflect.DeepEqual(first, other) {
			t.Errorf("%s: another seed gave the same positions", v.Key)
		}
		for _, s := range first {
			if s.Result != 0 && s.Result != 0.5 && s.Result != 1 || math.Abs(s.Score) > 20_000 {
				t.Errorf("%s: a sample with result %g, score %g", v.Key, s.Result, s.Score)
			}
		}
	}
}

// TestGamesInterrupted wants the positions of the games that were finished.
func TestGamesInterrupted(t *testing.T) {
	g := games(t, "nine")
	g.Count = 2
	want := play(t, g)
	g.Count = 1000
	ctx, cancel := context.WithCancel(t.Context())
	samples, err := g.Play(ctx, func(played int) {
		if played == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || !reflect.DeepEqual(samples, want) {
		t.Errorf("%d samples, error %v; want %d and that it was cancelled", len(samples), err, len(want))
	}
}

// made is many positions by chance, the results of which come from known weights.
func made(known engine.Weights, count int) (samples []tune.Sample) {
	chance := rand.New(rand.NewPCG(8, 8))
	weights := known.Numbers()
	for range count {
		s := tune.Sample{Counts: make([]int16, len(weights))}
		sum := 0.0
		for i, n := range weights {
			if chance.IntN(4) > 0 {
				continue
			}
			s.Counts[i] = int16(engine.Whole/2) * int16(chance.IntN(5)-2)
			sum += float64(*n) * float64(s.Counts[i]) / engine.Whole
		}
		s.Score = sum + 30*chance.NormFloat64()
		if chance.Float64() < 1/(1+math.Exp(-sum/100)) {
			s.Result = 1
		}
		samples = append(samples, s)
	}
	return samples
}

// TestFitRecovers wants weights found again from the results that they made, wherever the search for them begins.
func TestFitRecovers(t *testing.T) {
	var known, start engine.Weights
	for i, n := range known.Numbers() {
		*n = 10*(i%11) - 40
	}
	known.Moving.Piece, known.Thinned.Piece = 100, 100
	for _, n := range start.Numbers() {
		*n = 50
	}
	for _, blend := range []float64{0, 0.5} {
		fitted, err := tune.Fit{Start: start, Blend: blend}.Run(made(known, 30_000))
		if err != nil || fitted.After >= fitted.Before {
			t.Fatalf("%f bits off before, %f after, error %v", fitted.Before, fitted.After, err)
		}
		want := known.Numbers()
		for i, n := range fitted.Weights.Numbers() {
			if d := *n - *want[i]; d < -12 || d > 12 {
				t.Errorf("blend %g: weight %d is %d, want about %d", blend, i, *n, *want[i])
			}
		}
	}
}

// TestFitNothing wants an error where nothing can be learnt, and weights that never counted kept.
func TestFitNothing(t *testing.T) {
	if _, err := (tune.Fit{}).Run(nil); !errors.Is(err, tune.ErrTooFew) {
		t.Errorf("no samples: %v", err)
	}
	v, _ := rules.Lookup("tournament") // nobody flies there
	start := engine.WeightsFor(v)
	fitted, err := tune.Fit{Start: start}.Run(play(t, games(t, "tournament")))
	if err != nil {
		t.Fatal(err)
	}
	// They may only be scaled, all alike.
	scale := float64(fitted.Weights.Flying.Piece) / float64(start.Flying.Piece)
	if got, want := float64(fitted.Weights.Flying.Shot), scale*float64(start.Flying.Shot); math.Abs(got-want) > 2 {
		t.Errorf("a weight that never counted went from %d to %g, want %g", start.Flying.Shot, got, want)
	}
}

// TestRefine wants the weights to go to where they win, where matches are decided by how near the players' mobility is to
// a best one, and none to change that may not.
func TestRefine(t *testing.T) {
	v, _ := rules.Lookup("nine")
	start := engine.WeightsFor(v)
	start.Moving.Mobility = 20
	var only engine.Weights
	only.Moving.Mobility, only.Moving.Mill, only.Moving.Piece = 1, 1, 1
	far := func(w engine.Weights) float64 { return math.Abs(float64(w.Moving.Mobility - 35)) }
	told := 0
	r := tune.Refine{Start: start, Steps: 300, Seed: 2, Only: &only}
	r.Play = func(_ context.Context, first, second engine.Weights, _ int) (float64, error) {
		return 1 / (1 + math.Exp((far(first)-far(second))/4)), nil
	}
	w, err := r.Run(t.Context(), func(int, engine.Weights) { told++ })
	if err != nil || told != r.Steps || far(w) > 4 {
		t.Errorf("went to %d in %d steps, error %v", w.Moving.Mobility, told, err)
	}
	w.Moving.Mobility, w.Moving.Mill = start.Moving.Mobility, start.Moving.Mill
	if w != start {
		t.Errorf("other weights changed: %+v", w)
	}
}

// TestRefineStops wants an error of the match back, with the weights come to before it.
func TestRefineStops(t *testing.T) {
	v, _ := rules.Lookup("koti")
	lost := errors.New("lost the board")
	var before engine.Weights
	r := tune.Refine{Start: engine.WeightsFor(v), Steps: 10}
	r.Play = func(_ context.Context, _, _ engine.Weights, opening int) (float64, error) {
		if opening == 3 {
			return 0, lost
		}
		return 1, nil
	}
	w, err := r.Run(t.Context(), func(_ int, w engine.Weights) { before = w })
	if !errors.Is(err, lost) || w != before || w == r.Start {
		t.Errorf("%+v, error %v, want %+v", w, err, before)
	}
}
