package main

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"kraal/rules"
	"kraal/rules/engine"
)

// levelsCmd measures how far the engine's levels are apart. What ends their thinking is nodes alone, and each game has
// engines and chance of its own, so that the same command gives the same table on every machine.
type levelsCmd struct {
	Variant []string `help:"What is played, several with commas between. Without it: every game of the table." placeholder:"KEY"`
	Games   int      `help:"How many games each two play: an even number, as an opening is played twice, with the colours changed." default:"100"`
	Levels  []int    `help:"Who takes part. Without it: all seven levels." placeholder:"LEVEL"`
	All     bool     `help:"Let each play all others, not its neighbours alone."`
	Against string   `help:"Who the levels play: each other, or sight, a player by chance who sees the mills it can close." enum:"levels,sight" default:"levels"`
	Nodes   uint64   `help:"How many positions the highest level looks at for an action; it has no number of its own." default:"400000"`
	Opening int      `help:"How many random actions a game begins with." default:"2"`
	Seed    uint64   `help:"Of the openings and of the chance in the levels." default:"1"`
}

// pairing is two who play each other.
type pairing struct{ strong, weak int }

// sightLevel stands for the player with sight in a pairing.
const sightLevel = 0

func (p pairing) String() string {
	if p.weak == sightLevel {
		return fmt.Sprintf("%d - sight", p.strong)
	}
	return fmt.Sprintf("%d - %d", p.strong, p.weak)
}

// Run plays all pairings of each variant and prints a table in Markdown, a row as soon as it is known.
func (c levelsCmd) Run(p *program) error {
	variants, err := variantsOf(c.Variant)
	if err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	fmt.Fprintln(p.out, "| game | levels | won-drawn-lost | score, % | Elo (95 %) |")
	fmt.Fprintln(p.out, "|---|---|---|---|---|")
	for _, v := range variants {
		for _, two := range c.pairings() {
			t, err := c.play(p, v, two)
			if err != nil {
				return err
			}
			mean, margin := t.interval()
			_, err = fmt.Fprintf(p.out, "| %s | %s | %d-%d-%d | %.1f ± %.1f | %+.0f (%+.0f to %+.0f) |\n", v.Key, two,
				t.won, t.drawn, t.lost, 100*mean, 100*margin, elo(mean), elo(mean-margin), elo(mean+margin))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// check says what is wrong with the numbers.
func (c levelsCmd) check() error {
	switch {
	case c.Games < 2 || c.Games%2 != 0:
		return errors.New("--games must be even and 2 or more")
	case c.Nodes < 1 || c.Opening < 0:
		return errors.New("--nodes must be 1 or more, --opening 0 or more")
	case len(c.Levels) == 1 && c.Against == "levels":
		return errors.New("--levels must name two or more, or play --against sight")
	}
	for i, level := range c.Levels {
		if highest := len(engine.Levels()); level < 1 || level > highest {
			return fmt.Errorf("--levels: there is no level %d, only 1 to %d", level, highest)
		}
		if i > 0 && level <= c.Levels[i-1] {
			return errors.New("--levels must rise")
		}
	}
	return nil
}

// pairings is who plays whom, the weakest first.
func (c levelsCmd) pairings() (all []pairing) {
	levels := c.Levels
	if len(levels) == 0 {
		for i := range engine.Levels() {
			levels = append(levels, i+1)
		}
	}
	for i, strong := range levels {
		switch {
		case c.Against == "sight":
			all = append(all, pairing{strong, sightLevel})
		case c.All:
			for _, weak := range levels[:i] {
				all = append(all, pairing{strong, weak})
			}
		case i > 0:
			all = append(all, pairing{strong, levels[i-1]})
		}
	}
	return all
}

// play plays all games of a pairing and tells after each tenth part of them how it stands.
func (c levelsCmd) play(p *program, v rules.Variant, two pairing) (t tally, err error) {
	openings := c.Games / 2
	for i := range openings {
		opening := randomOpening(v, c.Opening, rand.New(rand.NewPCG(c.Seed, uint64(i))))
		points := 0.0
		for _, side := range [...]rules.Side{rules.White, rules.Black} {
			seed := c.Seed<<32 + uint64(2*i) + uint64(side)
			var players [2]chooser
			players[side], players[1-side] = c.player(two.strong, 2*seed), c.player(two.weak, 2*seed+1)
			result, err := playOut(p.ctx, opening.Clone(), players)
			if err != nil {
				return t, err
			}
			points += t.count(result, side)
		}
		t.pairs = append(t.pairs, points/2)
		if tenth := max(1, openings/10); (i+1)%tenth == 0 {
			fmt.Fprintf(p.err, "%s, %s: %d of %d games, %d-%d-%d\n", v.Key, two, 2*(i+1), c.Games, t.won, t.drawn, t.lost)
		}
	}
	return t, nil
}

// player is one who plays at a level. Only the highest keeps what it has seen from one action to the next, so the others'
// tables need no room.
func (c levelsCmd) player(level int, seed uint64) chooser {
	switch level {
	case sightLevel:
		return sighted{rand.New(rand.NewPCG(seed, sightLevel))}
	case len(engine.Levels()):
		return &contender{engine.New(engine.Options{Seed: seed, Hash: 8}), engine.Limits{Level: level, Nodes: c.Nodes}}
	}
	return &contender{engine.New(engine.Options{Seed: seed, Hash: 1}), engine.Limits{Level: level}}
}

// variantsOf finds the games with these keys; none is all of the table.
func variantsOf(keys []string) (variants []rules.Variant, err error) {
	if len(keys) == 0 {
		return rules.Variants(), nil
	}
	for _, key := range keys {
		v, err := variantNamed(key)
		if err != nil {
			return nil, err
		}
		variants = append(variants, v)
	}
	return variants, nil
}
