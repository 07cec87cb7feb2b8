package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"kraal/rules"
	"kraal/rules/engine"
)

// playCmd lets a level play itself for long, with the rules as referee.
type playCmd struct {
	Variant []string `help:"What is played, several with commas between. Without it: every game of the table." placeholder:"KEY"`
	Games   int      `help:"How many games of each variant." default:"500"`
	Level   int      `help:"Who plays: a level below the highest." default:"2"`
	Seed    uint64   `help:"Of the openings and of the chance in the level." default:"1"`
}

// soak is what the games of a variant have come to.
type soak struct {
	ends    map[rules.Reason]int
	actions int // of all games
	longest int // in actions
}

// Run plays the games and prints a row in Markdown for each variant. It ends with an error at the first game that breaks a
// rule, does not end, or reads differently from its record, and when what is kept in memory grows.
func (c playCmd) Run(p *program) error {
	if highest := len(engine.Levels()); c.Games < 1 || c.Level < 1 || c.Level >= highest {
		return fmt.Errorf("--games must be 1 or more, --level 1 to %d", highest-1)
	}
	variants, err := variantsOf(c.Variant)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.out, "| game | games | actions a game | longest | heap, KiB | ends |")
	fmt.Fprintln(p.out, "|---|---|---|---|---|---|")
	for _, v := range variants {
		if err := c.play(p, v); err != nil {
			return fmt.Errorf("%s: %w", v.Key, err)
		}
	}
	return nil
}

// soakOpening is how many random actions a game begins with: so many that few games are alike.
const soakOpening = 4

// heapGrowth is by how much more than after the first game the heap may hold after the last: chance in the runtime's own
// books, not one byte a game.
const heapGrowth = 256 << 10

// play plays a variant's games and prints its row.
func (c playCmd) play(p *program, v rules.Variant) error {
	all := soak{ends: map[rules.Reason]int{}}
	var first uint64
	// One engine plays all games, as the bot's does, and shows what it keeps. Its chance comes from the position, so the
	// games differ by their openings alone.
	level := &contender{engine.New(engine.Options{Hash: 1, Seed: c.Seed}), engine.Limits{Level: c.Level}}
	for i := range c.Games {
		opening := randomOpening(v, soakOpening, rand.New(rand.NewPCG(c.Seed, uint64(i))))
		if err := all.play(p.ctx, opening, level); err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
		if i == 0 {
			first = heapInUse()
		}
		if tenth := max(1, c.Games/10); (i+1)%tenth == 0 {
			fmt.Fprintf(p.err, "%s: %d of %d games\n", v.Key, i+1, c.Games)
		}
	}
	last := heapInUse()
	runtime.KeepAlive(level) // else the engine would be gone before it is weighed
	_, err := fmt.Fprintf(p.out, "| %s | %d | %d | %d | %d, then %d | %s |\n", v.Key, c.Games, all.actions/c.Games, all.longest,
		first>>10, last>>10, all.reasons())
	if err == nil && last > first+heapGrowth {
		return fmt.Errorf("the heap grew from %d to %d bytes", first, last)
	}
	return err
}

// play plays a game to its end and counts it.
func (s *soak) play(ctx context.Context, g *rules.Game, level chooser) error {
	limit := longestGame(g.Variant())
	for !g.Status().Over {
		a, err := level.choose(ctx, g)
		if err != nil {
			return err
		}
		if err := g.Play(a); err != nil {
			return err
		}
		if g.Len() > limit {
			return fmt.Errorf("%w: it has gone on for %d actions", errEndless, g.Len())
		}
	}
	again, err := g.Record().Game()
	switch {
	case err != nil:
		return fmt.Errorf("its record: %w", err)
	case again.Status() != g.Status() || again.Position() != g.Position():
		return errors.New("its record does not lead to its end")
	}
	s.ends[g.Status().Reason]++
	s.actions += g.Len()
	s.longest = max(s.longest, g.Len())
	return nil
}

// errEndless says that the rules should have ended a game long before.
var errEndless = errors.New("the game is endless")

// longestGame is the most actions that a game can have under the rules that draw it: between two shots at most NoShot
// turns, and a shot for every piece.
func longestGame(v rules.Variant) int {
	pieces := 2 * v.Pieces
	return pieces + pieces*(v.NoShot+2)
}

// reasons lists how the games ended, the commonest first.
func (s *soak) reasons() string {
	var reasons []rules.Reason
	for r := range s.ends {
		reasons = append(reasons, r)
	}
	slices.SortFunc(reasons, func(a, b rules.Reason) int {
		return cmp.Or(s.ends[b]-s.ends[a], strings.Compare(string(a), string(b)))
	})
	var words []string
	for _, r := range reasons {
		words = append(words, fmt.Sprintf("%s %d", r, s.ends[r]))
	}
	return strings.Join(words, ", ")
}

// heapInUse is the bytes that are still reachable.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC() // the second clears what pools had kept from the first
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
