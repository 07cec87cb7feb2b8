package tune

import (
	"context"
	"math"
	"math/rand/v2"

	"kraal/rules/engine"
)

// Refine walks from weights to better ones by matches: SPSA (Spall 1992), as it is used for chess programs. In each step
// all weights are pushed a little up or down by chance, those pushed play those pushed the other way, and all go some way
// towards the winner.
type Refine struct {
	Start engine.Weights
	Steps int
	Seed  uint64

	// Only, unless nil, is the weights that may change: those that are not zero in it.
	Only *engine.Weights

	// Play lets two play from the opening of that number, each from both sides, and returns the mean score of the first.
	Play func(ctx context.Context, first, second engine.Weights, opening int) (float64, error)
}

const (
	// push is by which part of itself a weight is pushed at first, leastPush by how many hundredths at least.
	push      = 0.2
	leastPush = 3

	// stride is how many pushes a step goes at first, when all games of a pair were won.
	stride = 0.15
)

// Run makes the steps. When ctx ends it returns the weights come to so far, with the error.
func (r Refine) Run(ctx context.Context, tell func(step int, w engine.Weights)) (engine.Weights, error) {
	at := logits(r.Start, 1)
	movable := r.movable()
	for step := range r.Steps {
		chance := rand.New(rand.NewPCG(r.Seed, uint64(step)))
		// Both fall as Spall advises, pushes as the tenth root, strides as the root of the third degree and a half or so.
		late := float64(step) / float64(max(1, r.Steps))
		wide, far := math.Pow(1+9*late, -0.101), stride*math.Pow(1+9*late, -0.602)
		pushes := make([]float64, len(at))
		for i, w := range at {
			if movable[i] {
				pushes[i] = wide * max(leastPush, push*math.Abs(w))
			}
			if chance.IntN(2) == 0 {
				pushes[i] = -pushes[i]
			}
		}
		score, err := r.Play(ctx, pushed(at, pushes, 1), pushed(at, pushes, -1), step)
		if err != nil {
			return pushed(at, pushes, 0), err
		}
		for i := range at {
			at[i] += far * 2 * (score - 0.5) * pushes[i]
		}
		tell(step+1, pushed(at, pushes, 0))
	}
	return pushed(at, make([]float64, len(at)), 0), nil
}

// movable tells which weights may change. What a piece is worth on a full board and on a thinned one never does: it is the
// unit of the others.
func (r Refine) movable() []bool {
	only := engine.Weights{}
	if r.Only != nil {
		only = *r.Only
	}
	var all []bool
	for _, n := range only.Numbers() {
		unit := n == &only.Moving.Piece || n == &only.Thinned.Piece
		all = append(all, !unit && (r.Only == nil || *n != 0))
	}
	return all
}

// pushed is weights gone so many pushes.
func pushed(at, pushes []float64, many float64) (w engine.Weights) {
	for i, n := range w.Numbers() {
		*n = int(math.Round(at[i] + many*pushes[i]))
	}
	return w
}
