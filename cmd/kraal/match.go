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
	"slices"
	"strconv"
	"strings"
	"time"

	"kraal/rules"
	"kraal/rules/engine"
)

type devCmd struct {
	Match        matchCmd        `cmd:"" help:"Let the engine play against itself or another program, and count."`
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
// depth=8, movetime=100 (milliseconds), hash=16 (MiB), threads=1, weights=FILE (engine.Weights as JSON); or a program:
// ugi=PATH or uci=PATH, then nodes, depth, movetime, arg=WORD, option.NAME=VALUE, env.NAME=VALUE. A program's word with a
// comma in it stands between quotation marks, as in CSV.
type matchCmd struct {
	First    string        `arg:"" help:"How the one plays: level, nodes, depth, movetime, hash, threads, weights, as in level=5 or nodes=20000,weights=FILE. Or a program: ugi=PATH or uci=PATH, with nodes, depth, movetime, arg, option.NAME, env.NAME, as in ugi=./old,nodes=20000,arg=ugi,option.Hash=16."`
	Second   string        `arg:"" help:"How the other plays."`
	Variant  string        `help:"What is played." default:"nine"`
	Rules    string        `help:"House rules: columns and values, as in \"flies=false no_shot=30\"."`
	Pairs    int           `help:"How many openings at most; each is played twice, with the colours changed. 0: all of --openings, or 50." default:"0"`
	Opening  int           `help:"How many random actions a game begins with." default:"4"`
	Openings string        `help:"Openings from a file instead: a line of actions each, # begins a comment." placeholder:"FILE"`
	SPRT     string        `name:"sprt" help:"Stop as soon as it is known whether the first player is nearer ELO0 or ELO1, with an error of 5 of 100 either way." placeholder:"ELO0,ELO1"`
	Games    string        `help:"Write the games to a file, one record after the other." placeholder:"FILE"`
	Faults   int           `help:"How many games in all may be lost by an illegal action, silence or a crash of a program. One more ends the match." default:"0"`
	Patience time.Duration `help:"For how long a program may be silent." default:"1m"`
	Seed     uint64        `help:"Of the openings and of the chance in the levels." default:"1"`
}

// usualPairs is how many random openings are played where nobody chose.
const usualPairs = 50

// mostPairs is how many openings are made by chance at the most; they are all made before the first game.
const mostPairs = 100_000

// Run plays the match and prints what came of it for the first player.
func (m matchCmd) Run(p *program) error {
	s, err := m.series(p)
	if err != nil {
		return usageError{err}
	}
	if m.Games != "" {
		f, err := os.Create(m.Games)
		if err != nil {
			return err
		}
		defer f.Close()
		s.games = f
	}
	return s.play(p.ctx)
}

// series is the match, or what is wrong with the command line.
func (m matchCmd) series(p *program) (s series, err error) {
	v, err := m.variant()
	switch {
	case err != nil:
		return s, err
	case m.Pairs < 0 || m.Opening < 0 || m.Faults < 0 || m.Patience <= 0:
		return s, errors.New("--pairs, --opening and --faults must be 0 or more, --patience more than 0")
	case m.Pairs > mostPairs:
		return s, fmt.Errorf("--pairs must be %d or fewer", mostPairs)
	case m.Games != "":
		if err := writableFile(m.Games); err != nil {
			return s, err
		}
	}
	s = series{out: p.out, progress: p.err, faultsLeft: m.Faults}
	if s.test, err = readSPRT(m.SPRT); err != nil {
		return s, err
	}
	if s.openings, err = m.openings(v); err != nil {
		return s, err
	}
	for i, spec := range [...]string{m.First, m.Second} {
		if s.rivals[i], err = m.rival(p, v, spec); err != nil {
			return s, err
		}
	}
	return s, nil
}

// rival is who plays as spec says.
func (m matchCmd) rival(p *program, v rules.Variant, spec string) (rival, error) {
	if !isProgram(spec) {
		return readContender(spec, m.Seed)
	}
	program, err := readProgram(spec)
	if err != nil {
		return nil, err
	}
	if _, err := program.dialect.rules(v); err != nil {
		return nil, err
	}
	program.environ = append(slices.Clone(p.environ), program.environ...)
	return &programRival{programSpec: program, variant: v, patience: m.Patience}, nil
}

// openings are the beginnings of the pairs of games.
func (m matchCmd) openings(v rules.Variant) ([]*rules.Game, error) {
	if m.Openings != "" {
		all, err := readOpenings(m.Openings, v)
		if m.Pairs > 0 && m.Pairs < len(all) {
			all = all[:m.Pairs]
		}
		return all, err
	}
	pairs := m.Pairs
	if pairs == 0 {
		pairs = usualPairs
	}
	all := make([]*rules.Game, pairs)
	for i := range all {
		all[i] = randomOpening(v, m.Opening, rand.New(rand.NewPCG(m.Seed, uint64(i))))
	}
	return all, nil
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

// ownRival is a contender in a match: a new engine for each game, so that it remembers no more than a program that was told
// of a new game.
type ownRival struct {
	contender
	opts  engine.Options
	spent account
}

func (r *ownRival) begin(context.Context) error {
	r.engine = engine.New(r.opts)
	return nil
}

func (r *ownRival) choose(ctx context.Context, g *rules.Game) (rules.Action, error) {
	began := cpuTime()
	a, err := r.contender.choose(ctx, g)
	r.spent.time += cpuTime() - began
	r.spent.actions++
	return a, err
}

func (r *ownRival) end() {}

func (r *ownRival) account() account { return r.spent }

func readContender(spec string, seed uint64) (*ownRival, error) {
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
	return &ownRival{contender: c, opts: opts}, nil
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
// tried, with an action fewer than ended it.
func randomOpening(v rules.Variant, actions int, r *rand.Rand) *rules.Game {
	for {
		g := rules.NewGame(v)
		for g.Len() < actions && !g.Status().Over {
			legal := g.Legal()
			_ = g.Play(legal[r.IntN(len(legal))]) // legal by construction
		}
		if !g.Status().Over {
			return g
		}
		actions = g.Len() - 1
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
