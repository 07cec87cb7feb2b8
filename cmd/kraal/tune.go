package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"kraal/rules"
	"kraal/rules/engine"
	"kraal/rules/engine/tune"
)

// tuneCmd finds the weights of the evaluation for a game. Nothing but nodes ends the players' thinking and the chance has
// a seed, so that the same command finds the same weights on every machine of a kind.
type tuneCmd struct {
	Variant string  `help:"What is played." default:"nine"`
	Start   string  `help:"The weights to begin with, as this command writes them. Without it: those the engine plays with." type:"existingfile" placeholder:"FILE"`
	Rounds  int     `help:"How often games are played and weights fitted to them, each time with those found before." default:"3"`
	Games   int     `help:"How many games a round plays." default:"2000"`
	Nodes   uint64  `help:"How many positions a player looks at for an action." default:"1000"`
	Opening int     `help:"How many random actions a game begins with, at the most." default:"8"`
	Chance  float64 `help:"How often a later action is random too, from 0 to 1." default:"0.03"`
	Blend   float64 `help:"How much of what is expected of a position is taken from its search, not from the game's result, from 0 to 1." default:"0.5"`
	Refine  int     `help:"How many steps the weights go by matches of two games after the rounds."`
	Judge   int     `help:"How many openings, each played twice, new weights must hold their own for against those before; 0 takes them unseen." default:"200"`
	Seed    uint64  `help:"Of the games." default:"1"`
	Output  string  `short:"o" help:"Where to write to; - is standard output. A file always holds what stands." default:"-" placeholder:"FILE"`
}

// check says what is wrong with the flags.
func (c tuneCmd) check() error {
	switch {
	case c.Rounds < 0 || c.Refine < 0 || c.Judge < 0:
		return usageError{errors.New("--rounds, --refine and --judge must be 0 or more")}
	case c.Games < 1 || c.Nodes < 1 || c.Opening < 1:
		return usageError{errors.New("--games, --nodes and --opening must be 1 or more")}
	case !(c.Chance >= 0 && c.Chance <= 1 && c.Blend >= 0 && c.Blend <= 1):
		return usageError{errors.New("--chance and --blend must be from 0 to 1")}
	case c.Output != "-":
		if err := writableFile(c.Output); err != nil {
			return usageError{err}
		}
	}
	return nil
}

// Run tunes, and writes what stands after each success.
func (c tuneCmd) Run(p *program) error {
	if err := c.check(); err != nil {
		return err
	}
	v, err := variantNamed(c.Variant)
	if err != nil {
		return usageError{err}
	}
	t := tuning{tuneCmd: c, variant: v, ctx: p.ctx, say: p.err, weights: engine.WeightsFor(v)}
	if c.Start != "" {
		t.weights = engine.Weights{}
		if err := readWeights(c.Start, &t.weights); err != nil {
			return usageError{err}
		}
	}
	stopped := t.run()
	if c.Output != "-" {
		return errors.Join(t.write(), stopped)
	}
	return errors.Join(writeWeights(p.out, t.weights), stopped)
}

// tuning is a tuning under way.
type tuning struct {
	tuneCmd
	variant rules.Variant
	ctx     context.Context
	say     io.Writer
	weights engine.Weights // that stand
}

// run goes through the rounds and the steps after them.
func (t *tuning) run() error {
	for round := range t.Rounds {
		found, err := t.fit(round)
		if err == nil {
			err = t.propose(fmt.Sprintf("round %d", round+1), found)
		}
		if err != nil {
			return err
		}
	}
	if t.Refine == 0 {
		return nil
	}
	found, err := t.refine()
	if err != nil {
		return err
	}
	return t.propose("refined", found)
}

// fit plays the games of a round and fits weights to them.
func (t *tuning) fit(round int) (engine.Weights, error) {
	games := tune.Games{
		Variant: t.variant, Weights: t.weights, Count: t.Games, Nodes: t.Nodes, Opening: t.Opening, Chance: t.Chance,
		Seed: t.Seed<<16 + uint64(round),
	}
	samples, err := games.Play(t.ctx, func(played int) {
		if tenth := max(1, t.Games/10); played%tenth == 0 {
			fmt.Fprintf(t.say, "%s, round %d: %d of %d games\n", t.variant.Key, round+1, played, t.Games)
		}
	})
	if err != nil {
		return engine.Weights{}, err
	}
	fitted, err := tune.Fit{Start: t.weights, Blend: t.Blend}.Run(samples)
	if err != nil {
		return engine.Weights{}, err
	}
	fmt.Fprintf(t.say, "%s, round %d: %d positions, %.4f bits off before, %.4f after\n", t.variant.Key, round+1, len(samples),
		fitted.Before, fitted.After)
	return fitted.Weights, nil
}

// refine goes by matches.
func (t *tuning) refine() (engine.Weights, error) {
	r := tune.Refine{Start: t.weights, Steps: t.Refine, Seed: t.Seed, Play: t.pair}
	return r.Run(t.ctx, func(step int, w engine.Weights) {
		if tenth := max(1, t.Refine/10); step%tenth == 0 {
			fmt.Fprintf(t.say, "%s, refined: %d of %d steps\n", t.variant.Key, step, t.Refine)
		}
	})
}

// propose lets weights stand if they hold their own in a match, and writes them.
func (t *tuning) propose(name string, w engine.Weights) error {
	var m tally
	for opening := range t.Judge {
		// Openings that the refining has not seen.
		if _, err := t.count(&m, w, t.weights, -1-opening); err != nil {
			return err
		}
	}
	if t.Judge > 0 {
		fmt.Fprintf(t.say, "%s, %s, against the weights before: ", t.variant.Key, name)
		if err := m.print(t.say); err != nil {
			return err
		}
		if mean, _ := m.interval(); mean < 0.5 {
			return nil
		}
	}
	t.weights = w
	return t.write()
}

// pair is the score of the first of two who play an opening from both sides.
func (t *tuning) pair(_ context.Context, first, second engine.Weights, opening int) (float64, error) {
	var m tally
	return t.count(&m, first, second, opening)
}

// count plays an opening from both sides and counts the games for the first.
func (t *tuning) count(m *tally, first, second engine.Weights, opening int) (float64, error) {
	start := randomOpening(t.variant, 1+opening&3, rand.New(rand.NewPCG(t.Seed, uint64(opening))))
	points := 0.0
	for _, side := range [...]rules.Side{rules.White, rules.Black} {
		var players [2]chooser
		players[side], players[1-side] = t.player(first), t.player(second)
		result, err := playOut(t.ctx, start.Clone(), players)
		if err != nil {
			return 0, err
		}
		points += m.count(result, side)
	}
	m.pairs = append(m.pairs, points/2)
	return points / 2, nil
}

func (t *tuning) player(w engine.Weights) *contender {
	return &contender{engine.New(engine.Options{Weights: w, Hash: 1}), engine.Limits{Nodes: t.Nodes}}
}

// write writes what stands to the output, if that is a file: it appears whole or not at all.
func (t *tuning) write() error {
	if t.Output == "-" {
		return nil
	}
	return writeWhole(t.Output, func(to io.Writer) error { return writeWeights(to, t.weights) })
}

// writeWeights writes weights as JSON, a phase a line.
func writeWeights(to io.Writer, w engine.Weights) error {
	phases := []struct {
		name  string
		terms engine.Terms
	}{
		{"Opening", w.Opening}, {"Placing", w.Placing}, {"Moving", w.Moving}, {"Thinned", w.Thinned}, {"Flying", w.Flying},
	}
	before := "{\n"
	for _, phase := range phases {
		terms, err := json.Marshal(phase.terms)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(to, "%s  %q: %s", before, phase.name, terms); err != nil {
			return err
		}
		before = ",\n"
	}
	_, err := fmt.Fprintln(to, "\n}")
	return err
}
