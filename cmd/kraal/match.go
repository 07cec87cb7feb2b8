package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"kraal/rules"
	"kraal/rules/engine"
)

type devCmd struct {
	Match        matchCmd        `cmd:"" help:"Let the engine play against itself and count."`
	Load         loadCmd         `cmd:"" help:"Let a crowd play in the sandbox and measure the bot."`
	Soak         soakCmd         `cmd:"" help:"Let a crowd play for long and see whether the bot grows."`
	Fuzz         fuzzCmd         `cmd:"" help:"Send the bot what no app would, and see that it bears it."`
	Levels       levelsCmd       `cmd:"" help:"Let the levels play each other, and measure how far apart they are."`
	Play         playCmd         `cmd:"" help:"Let a level play itself for long, with the rules as referee."`
	Tune         tuneCmd         `cmd:"" help:"Find the weights of the evaluation in games of the engine against itself."`
	Contactsheet contactSheetCmd `cmd:"" help:"Draw all themes beside one another: docs/themes.png."`
	Measured     measuredCmd     `cmd:"" hidden:""`
}

// matchCmd is a match between two ways to play, each written as words with commas between: level=5, nodes=20000,
// depth=8, movetime=100 (milliseconds), hash=16 (MiB), threads=1, weights=FILE (engine.Weights as JSON).
type matchCmd struct {
	First   string `arg:"" help:"How the one plays: level, nodes, depth, movetime, hash, threads, weights, as in level=5 or nodes=20000,weights=FILE."`
	Second  string `arg:"" help:"How the other plays."`
	Variant string `help:"What is played." default:"nine"`
	Rules   string `help:"House rules: columns and values, as in \"flies=false no_shot=30\"."`
	Pairs   int    `help:"How many openings; each is played twice, with the colours changed." default:"50"`
	Opening int    `help:"How many random actions a game begins with." default:"4"`
	Seed    uint64 `help:"Of the openings and of the chance in the levels." default:"1"`
}

// Run plays the match and prints what came of it for the first player.
func (m matchCmd) Run(p *program) error {
	v, err := m.variant()
	if err != nil {
		return err
	}
	first, err := readContender(m.First, m.Seed)
	if err != nil {
		return err
	}
	second, err := readContender(m.Second, m.Seed)
	if err != nil {
		return err
	}
	if m.Pairs < 1 || m.Opening < 0 {
		return errors.New("--pairs must be 1 or more, --opening 0 or more")
	}
	var t tally
	for pair := range m.Pairs {
		g := randomOpening(v, m.Opening, rand.New(rand.NewPCG(m.Seed, uint64(pair))))
		var points [2]float64
		for i, white := range [...]*contender{first, second} {
			players := [2]chooser{rules.White: white, rules.Black: second}
			if white == second {
				players[rules.Black] = first
			}
			result, err := playOut(p.ctx, g.Clone(), players)
			if err != nil {
				return err
			}
			points[i] = t.count(result, rules.Side(i))
		}
		t.pairs = append(t.pairs, (points[0]+points[1])/2)
	}
	return t.print(p.out)
}

// variant is what is played: a row of the table, with house rules.
func (m matchCmd) variant() (rules.Variant, error) {
	v, err := variantNamed(m.Variant)
	if err != nil {
		return v, err
	}
	for _, word := range strings.Fields(m.Rules) {
		name, value, _ := strings.Cut(word, "=")
		if v, err = v.Set(name, value); err != nil {
			return v, err
		}
	}
	return v, nil
}

// chooser picks an action in a game that is not over.
type chooser interface {
	choose(ctx context.Context, g *rules.Game) (rules.Action, error)
}

// contender is an engine and how it plays.
type contender struct {
	engine *engine.Engine
	limits engine.Limits
}

func (c *contender) choose(ctx context.Context, g *rules.Game) (rules.Action, error) {
	r, err := c.engine.Think(ctx, g, c.limits, nil)
	if err == nil {
		err = ctx.Err() // what was thought in haste does not count
	}
	return r.Action, err
}

func readContender(spec string, seed uint64) (*contender, error) {
	var c contender
	opts := engine.Options{Seed: seed}
	for _, word := range strings.Split(spec, ",") {
		name, value, _ := strings.Cut(word, "=")
		if name == "weights" {
			if err := readWeights(value, &opts.Weights); err != nil {
				return nil, err
			}
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q: expected a name, =, and a number, 1 or more", word)
		}
		switch name {
		case "level":
			c.limits.Level = n
		case "nodes":
			c.limits.Nodes = uint64(n)
		case "depth":
			c.limits.Depth = n
		case "movetime":
			c.limits.Time = time.Duration(n) * time.Millisecond
		case "hash":
			opts.Hash = n
		case "threads":
			opts.Threads = n
		default:
			return nil, fmt.Errorf("%q: expected level, nodes, depth, movetime, hash, threads or weights", name)
		}
	}
	if !c.ends() {
		return nil, fmt.Errorf("%q: nothing ends its thinking; give nodes, depth, movetime or a level below the highest", spec)
	}
	c.engine = engine.New(opts)
	return &c, nil
}

// ends tells whether the contender comes to an answer by itself.
func (c *contender) ends() bool {
	l := c.limits
	return l.Nodes > 0 || l.Depth > 0 || l.Time > 0 || l.Level > 0 && l.Level < len(engine.Levels())
}

func readWeights(path string, w *engine.Weights) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := json.NewDecoder(f)
	in.DisallowUnknownFields()
	if err := in.Decode(w); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// randomOpening begins a game with so many actions by chance. One that ends the game already is not an opening: another is
// tried.
func randomOpening(v rules.Variant, actions int, r *rand.Rand) *rules.Game {
	for {
		g := rules.NewGame(v)
		for range actions {
			if legal := g.Legal(); len(legal) > 0 {
				_ = g.Play(legal[r.IntN(len(legal))]) // legal by construction
			}
		}
		if !g.Status().Over {
			return g
		}
		actions--
	}
}

// playOut plays a game to its end. Players are indexed by side.
func playOut(ctx context.Context, g *rules.Game, players [2]chooser) (rules.Result, error) {
	for !g.Status().Over {
		a, err := players[g.Position().Turn].choose(ctx, g)
		if err == nil {
			err = g.Play(a)
		}
		if err != nil {
			return rules.Undecided, err
		}
	}
	return g.Status().Result, nil
}

// tally is what a match has come to, for the first player.
type tally struct {
	won, drawn, lost int
	pairs            []float64 // the mean score of each pair of games
}

// count adds a game in which the first player had the given side, and returns its score.
func (t *tally) count(result rules.Result, side rules.Side) float64 {
	winner, decided := result.Winner()
	switch {
	case !decided:
		t.drawn++
		return 0.5
	case winner == side:
		t.won++
		return 1
	}
	t.lost++
	return 0
}

// print writes won, drawn and lost, the score and its interval of 95 %. Pairs, not games, are what chance is taken over:
// two games from one opening are alike.
func (t *tally) print(out io.Writer) error {
	mean, margin := t.interval()
	_, err := fmt.Fprintf(out, "%d-%d-%d (won-drawn-lost) %.1f %% ± %.1f, Elo %+.0f (%+.0f to %+.0f)\n",
		t.won, t.drawn, t.lost, 100*mean, 100*margin, elo(mean), elo(mean-margin), elo(mean+margin))
	return err
}

// interval is the mean score of the pairs and its margin of 95 %.
func (t *tally) interval() (mean, margin float64) {
	n := float64(len(t.pairs))
	for _, score := range t.pairs {
		mean += score
	}
	mean /= n
	var squares float64
	for _, score := range t.pairs {
		squares += (score - mean) * (score - mean)
	}
	if squares == 0 {
		return mean, min(1, 3/n) // all alike say no more than that another is rare: the rule of three
	}
	return mean, 1.96 * math.Sqrt(squares/max(1, n-1)/n)
}

// elo is the difference in rating that a score stands for; a score of all or nothing is infinite.
func elo(score float64) float64 {
	return 400 * math.Log10(max(0, score)/max(0, 1-score))
}
