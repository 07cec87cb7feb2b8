package tune

import (
	"errors"
	"math"

	"kraal/rules/engine"
)

// Fit is how weights are fitted to samples.
type Fit struct {
	// Start is where the weights come from. What the samples say little about stays as it is there.
	Start engine.Weights

	// Blend is the part of a sample's expectation that is taken from its search and not from the game's result: from 0 to
	// 1. A search errs always in the same way, a result by chance.
	Blend float64
}

// Fitted is what came of it.
type Fitted struct {
	Weights       engine.Weights
	Before, After float64 // how far expectations are off: the mean cross entropy, in bits
}

// ErrTooFew says that the samples tell nothing about what a piece is worth.
var ErrTooFew = errors.New("too few positions to learn what a piece is worth")

const (
	// firmness is how strongly weights are held where they start, as if by so many samples.
	firmness = 25

	// settledStep is the step below which the weights are found; a piece is about one.
	settledStep = 1e-5
)

// Run fits the weights by logistic regression: the expectation of a position is the logistic function of its evaluation.
// Only the ratio of weights can be told from results, as strong players make more of a piece than weak ones: the scale is
// set so that a piece counts a hundred when half of what can be shot is off the board.
func (f Fit) Run(samples []Sample) (Fitted, error) {
	scale := slope(samples)
	if scale <= 0 || math.IsNaN(scale) {
		return Fitted{}, ErrTooFew
	}
	rows := make([]row, len(samples))
	for i, s := range samples {
		rows[i] = rowOf(s, (1-f.Blend)*s.Result+f.Blend*logistic(scale*s.Score))
	}
	start := logits(f.Start, scale)
	before := entropy(rows, start)
	found := descend(rows, start)
	w, err := hundredths(found)
	if err != nil {
		return Fitted{}, err
	}
	return Fitted{Weights: w, Before: before, After: entropy(rows, found)}, nil
}

// row is a sample with the weights that do not count in it left out.
type row struct {
	at   []int
	much []float64
	want float64
}

func rowOf(s Sample, want float64) row {
	r := row{want: want}
	for i, n := range s.Counts {
		if n != 0 {
			r.at, r.much = append(r.at, i), append(r.much, float64(n)/engine.Whole)
		}
	}
	return r
}

// expect is what the weights say of a row.
func (r *row) expect(weights []float64) float64 {
	sum := 0.0
	for i, at := range r.at {
		sum += weights[at] * r.much[i]
	}
	return logistic(sum)
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// slope is by what to multiply the searches' scores for the logistic function of them to foretell the results best.
func slope(samples []Sample) float64 {
	k := 0.0
	for range 50 {
		gradient, curve := 0.0, 1e-9
		for _, s := range samples {
			p := logistic(k * s.Score)
			gradient += (s.Result - p) * s.Score
			curve += p * (1 - p) * s.Score * s.Score
		}
		step := gradient / curve
		k += step
		if math.Abs(step) < 1e-9 {
			break
		}
	}
	return k
}

// descend goes from start to where the rows are foretold best, by Newton's method. A step that would overshoot is halved.
func descend(rows []row, start []float64) []float64 {
	weights := append([]float64(nil), start...)
	loss := penalised(rows, weights, start)
	for range 30 {
		step := newton(rows, weights, start)
		next, size := make([]float64, len(weights)), 1.0
		better := loss
		for ; size > 1e-3; size /= 2 {
			for i := range next {
				next[i] = weights[i] + size*step[i]
			}
			if better = penalised(rows, next, start); better <= loss {
				break
			}
		}
		if better > loss {
			break
		}
		largest := 0.0
		for i := range next {
			largest = max(largest, math.Abs(next[i]-weights[i]))
		}
		weights, loss = next, better
		if largest < settledStep {
			break
		}
	}
	return weights
}

// newton is the step to where the loss would be least if it were the parabola that it looks like from here.
func newton(rows []row, weights, start []float64) []float64 {
	n := len(weights)
	gradient, curve := make([]float64, n), make([][]float64, n)
	for i := range curve {
		curve[i] = make([]float64, n)
		curve[i][i] = firmness
		gradient[i] = firmness * (start[i] - weights[i])
	}
	for k := range rows {
		r := &rows[k]
		p := r.expect(weights)
		for i, at := range r.at {
			gradient[at] += (r.want - p) * r.much[i]
			bend := p * (1 - p) * r.much[i]
			for j, other := range r.at[:i+1] {
				curve[at][other] += bend * r.much[j]
			}
		}
	}
	return solve(curve, gradient)
}

// solve solves curve * x = right by Cholesky's method. The lower half of curve, which is positive definite, is used up.
func solve(curve [][]float64, right []float64) []float64 {
	x := append([]float64(nil), right...)
	for i := range curve {
		for j := range i + 1 {
			for k := range j {
				curve[i][j] -= curve[i][k] * curve[j][k]
			}
			if i == j {
				curve[i][i] = math.Sqrt(curve[i][i])
			} else {
				curve[i][j] /= curve[j][j]
			}
		}
		for k := range i {
			x[i] -= curve[i][k] * x[k]
		}
		x[i] /= curve[i][i]
	}
	for i := len(x) - 1; i >= 0; i-- {
		for k := i + 1; k < len(x); k++ {
			x[i] -= curve[k][i] * x[k]
		}
		x[i] /= curve[i][i]
	}
	return x
}

// penalised is the loss that descend makes small: cross entropy in all, and how far the weights are from where they began.
func penalised(rows []row, weights, start []float64) float64 {
	loss := entropy(rows, weights) * float64(len(rows)) * math.Ln2
	for i := range weights {
		d := weights[i] - start[i]
		loss += firmness / 2.0 * d * d
	}
	return loss
}

// entropy is the mean cross entropy of what the weights expect, in bits.
func entropy(rows []row, weights []float64) float64 {
	sum := 0.0
	for i := range rows {
		p := rows[i].expect(weights)
		p = max(1e-12, min(1-1e-12, p))
		sum -= rows[i].want*math.Log2(p) + (1-rows[i].want)*math.Log2(1-p)
	}
	return sum / float64(max(1, len(rows)))
}

// logits is weights by the scale on which the logistic function is taken.
func logits(w engine.Weights, scale float64) []float64 {
	var all []float64
	for _, n := range w.Numbers() {
		all = append(all, scale*float64(*n))
	}
	return all
}

// hundredths is logits as weights in hundredths of a piece.
func hundredths(all []float64) (w engine.Weights, err error) {
	var piece float64
	for i, n := range w.Numbers() {
		if n == &w.Moving.Piece || n == &w.Thinned.Piece {
			piece += all[i] / 2
		}
	}
	if !(piece > 0) {
		return w, ErrTooFew
	}
	for i, n := range w.Numbers() {
		*n = int(max(-most, min(most, math.Round(100*all[i]/piece))))
	}
	return w, nil
}

// most is the largest weight: ten pieces. What would be larger was hardly ever seen.
const most = 1000
