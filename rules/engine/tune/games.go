// Package tune finds the weights of the engine's evaluation in games that it plays against itself.
//
// The evaluation is linear in its weights, so what a game came to can be traced back to them: Games plays and keeps the
// positions, Fit finds the weights that would have foretold the results best. What foretells well need not play well,
// so Refine lets neighbouring weights play each other, and a match has the last word on both.
package tune

import (
	"context"
	"math/rand/v2"

	"kraal/rules"
	"kraal/rules/engine"
)

// Games is how games are played for their positions. Equal values play equal games.
type Games struct {
	Variant rules.Variant
	Weights engine.Weights // of both players
	Count   int
	Nodes   uint64  // positions looked at for an action
	Opening int     // random actions that a game begins with: from 1 to so many
	Chance  float64 // how often a later action is random too
	Seed    uint64
}

// Sample is a position of a game, as the side to move sees it.
type Sample struct {
	Counts []int16 // how often each weight counts, in parts of engine.Whole, in the order of Weights.Numbers
	Score  float64 // what a search thought of it, in hundredths of a piece
	Result float64 // what the game came to: 1 won, 1/2 drawn, 0 lost
}

// hash is the MiB of the players' table: the searches are short.
const hash = 4

// Play plays the games and returns their positions, with those played so far if ctx ends. It tells after each game how
// many have been played.
func (g Games) Play(ctx context.Context, tell func(played int)) (samples []Sample, err error) {
	e := engine.New(engine.Options{Hash: hash, Weights: g.Weights})
	gauge := engine.NewGauge(g.Variant)
	for i := range g.Count {
		found, err := g.play(ctx, e, gauge, rand.New(rand.NewPCG(g.Seed, uint64(i))))
		if err != nil {
			return samples, err
		}
		samples = append(samples, found...)
		tell(i + 1)
	}
	return samples, nil
}

// play plays one game.
func (g Games) play(ctx context.Context, e *engine.Engine, gauge engine.Gauge, chance *rand.Rand) ([]Sample, error) {
	var samples []Sample
	var sides []rules.Side
	game := rules.NewGame(g.Variant)
	early := 1 + chance.IntN(max(1, g.Opening))
	for !game.Status().Over {
		legal := game.Legal()
		action := legal[chance.IntN(len(legal))]
		if random := chance.Float64() < g.Chance; game.Len() >= early && !random {
			r, err := e.Think(ctx, game, engine.Limits{Nodes: g.Nodes}, nil)
			if err == nil {
				err = ctx.Err() // what was thought in haste does not count
			}
			if err != nil {
				return nil, err
			}
			action = r.Action
			if p := game.Position(); p.Pending == 0 && !forced(r.Score) {
				samples = append(samples, Sample{Counts: counts(gauge, &p), Score: float64(r.Score)})
				sides = append(sides, p.Turn)
			}
		}
		if err := game.Play(action); err != nil {
			return nil, err
		}
	}
	for i, side := range sides {
		samples[i].Result = points(game.Status().Result, side)
	}
	return samples, nil
}

// forced tells whether a search saw the end of the game: then it is not the evaluation that is asked.
func forced(s engine.Score) bool {
	_, win := s.Win()
	_, loss := s.Loss()
	return win || loss
}

func counts(gauge engine.Gauge, p *rules.Position) []int16 {
	often := gauge.Count(p)
	numbers := often.Numbers()
	all := make([]int16, len(numbers))
	for i, n := range numbers {
		all[i] = int16(*n) // at most Whole times the steps there are
	}
	return all
}

// points is a result as its worth for a side.
func points(r rules.Result, side rules.Side) float64 {
	winner, decided := r.Winner()
	switch {
	case !decided:
		return 0.5
	case winner == side:
		return 1
	}
	return 0
}
