// Package engine chooses an action: a player for every variant and house rule, made from package rules alone.
//
// It is a principal variation search by iterative deepening. What a variant is, it learns from the rules; what a
// position is worth when nothing is forced, from Weights.
package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kraal/rules"
	"kraal/rules/endgame"
)

// Options is how an engine is made.
type Options struct {
	Hash    int     // MiB of the table of positions; 16 if 0
	Threads int     // goroutines that search; 1 if 0. With one, equal searches give equal results
	Seed    uint64  // of the chance by which the weaker levels choose
	Weights Weights // of the evaluation; those that suit the variant if zero

	// Tables are endgame tables, or nil. They must stay open as long as the engine is used.
	Tables *endgame.Tables
}

// The bounds of Options. What lies outside is brought inside.
const (
	MaxHash    = 4096
	MaxThreads = 64

	usualHash = 16
)

// Limits is when a search ends: at whichever comes first, or with its context. Zero is no limit.
type Limits struct {
	Depth int           // actions
	Nodes uint64        // positions looked at
	Time  time.Duration // since Think was called
	Level int           // 1 to 7 as in Levels; 0 is the highest, full strength
}

// Info is what a search knows after it has looked one action deeper.
type Info struct {
	Depth int
	Score Score
	Nodes uint64         // so far, by the thread that reports
	PV    []rules.Action // the best continuation; the receiver's to keep
}

// Result is what a search has come to.
type Result struct {
	Action rules.Action
	Score  Score
	Depth  int            // searched to the end
	Nodes  uint64         // by all threads
	PV     []rules.Action // begins with Action
}

// What Think says when there is nothing to choose.
var (
	ErrGameOver = errors.New("the game is over")
	ErrNoAction = errors.New("no action is legal, though the game is not over")
)

// Engine thinks about one position at a time; it is not safe for concurrent use. What it has seen helps it with the next
// position, of any variant. Make one with New.
type Engine struct {
	opts  Options
	table *table
	small *table // of the levels; nil until one is asked for

	reader   *endgame.Reader // of the variant that was thought about last; nil where there are no tables
	readerOf rules.Variant
}

// New makes an engine.
func New(opts Options) *Engine {
	if opts.Hash <= 0 {
		opts.Hash = usualHash
	}
	opts.Hash = min(opts.Hash, MaxHash)
	opts.Threads = max(1, min(opts.Threads, MaxThreads))
	return &Engine{opts: opts, table: newTable(opts.Hash)}
}

// Think chooses an action for the side to move. It calls info, unless nil, after each depth, from the goroutine of the
// caller. It has an answer however early ctx ends; the error is ErrGameOver or ErrNoAction.
func (e *Engine) Think(ctx context.Context, g *rules.Game, l Limits, info func(Info)) (Result, error) {
	legal := g.Legal()
	switch {
	case g.Status().Over:
		return Result{}, ErrGameOver
	case len(legal) == 0:
		return Result{}, ErrNoAction
	}
	if l.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Time)
		defer cancel()
	}
	e.table.age++
	if info == nil {
		info = func(Info) {}
	}
	level, weaker := levelOf(l)
	var r root
	if level.Tables {
		r = e.consult(g)
	}
	switch {
	case len(r.line) > 0:
		return r.result(info), nil
	case weaker:
		return e.thinkAs(ctx, g, level, l, r, info), nil
	}
	return e.deepen(ctx, g, l, r, info), nil
}

// Evaluate is what the evaluation says of the game's position without searching, for the side to move. The error is
// ErrGameOver.
func (e *Engine) Evaluate(g *rules.Game) (Score, error) {
	if g.Status().Over {
		return 0, ErrGameOver
	}
	p := g.Position()
	score, _ := newJudge(g.Variant(), e.opts.Weights).evaluate(&p)
	return score, nil
}

// deepen runs the workers: the first is the caller's and is the one believed, the others fill the table for it.
func (e *Engine) deepen(ctx context.Context, g *rules.Game, l Limits, at root, info func(Info)) Result {
	var halt atomic.Bool
	workers := make([]*worker, e.opts.Threads)
	for i := range workers {
		workers[i] = e.newWorker(ctx, g, at, &halt)
		if l.Nodes > 0 {
			workers[i].maxNodes = max(1, l.Nodes/uint64(len(workers)))
		}
	}
	var done sync.WaitGroup
	for i, w := range workers[1:] {
		done.Go(func() { w.deepen(g.Position(), Limits{}, 1+i%2, func(Info) {}) })
	}
	r := workers[0].deepen(g.Position(), l, 1, info)
	halt.Store(true)
	done.Wait()
	for _, w := range workers[1:] {
		r.Nodes += w.nodes
	}
	return r
}

func (e *Engine) newWorker(ctx context.Context, g *rules.Game, at root, halt *atomic.Bool) *worker {
	v := g.Variant()
	w := &worker{
		rules: v.Compile(), judge: newJudge(v, e.opts.Weights), symmetries: newSymmetries(), reductions: newReductions(),
		table: e.table, salt: saltOf(v),
		limits: limits{uint16(v.NoShot), uint16(v.ThreeAgainstThree), nearLimit}, repeat: v.Repetition,
		path: past(g), line: make([]rules.Action, 0, maxPly), maxNodes: 1<<64 - 1, ctx: ctx, halt: halt,
	}
	w.played = len(w.path)
	w.consult(at)
	w.deadline, _ = ctx.Deadline()
	return w
}

// past is the keys of the positions at the start of the game's turns, without the present one, which the search adds.
func past(g *rules.Game) []uint64 {
	r, p := g.Variant().Compile(), g.Start()
	actions := g.Actions()
	path := make([]uint64, 0, len(actions)+maxPly+1)
	for _, a := range actions {
		if p.Pending == 0 {
			path = append(path, placementKey(&p))
		}
		r.Apply(&p, a)
	}
	return path
}

// deepen searches deeper and deeper until a limit, and returns what the deepest search said: of one that was cut short,
// what it had already found to be better.
func (w *worker) deepen(p rules.Position, l Limits, depth int, info func(Info)) (r Result) {
	last := maxPly - 1
	if l.Depth > 0 {
		last = min(l.Depth, last)
	}
	for w.patient = true; depth <= last; depth++ {
		w.improved = false
		w.aspire(&p, r.Score, depth)
		if w.improved {
			r.Action, r.Score, r.PV = w.line[0], w.best, slices.Clone(w.line)
		}
		r.Nodes = w.nodes
		if w.stopped {
			break
		}
		r.Depth, w.patient = depth, false
		w.pollAt = 0
		info(Info{Depth: depth, Score: r.Score, Nodes: r.Nodes, PV: slices.Clone(r.PV)})
		if settled(r.Score, depth) || len(w.frames[0].legal) == 1 && depth >= 4 && l.Depth == 0 {
			break
		}
	}
	return r
}

// settled tells whether a forced end lies within the depth: searching on finds none sooner.
func settled(s Score, depth int) bool {
	end, forced := s.Win()
	if !forced {
		end, forced = s.Loss()
	}
	return forced && end <= depth
}

// aspire searches the root in a small window around what is expected, and in a larger one if that was wrong.
func (w *worker) aspire(p *rules.Position, expected Score, depth int) {
	margin := Score(30)
	in := window{-beyond, beyond}
	if depth >= 5 {
		in = window{expected - margin, expected + margin}
	}
	for {
		score := w.search(p, in.alpha, in.beta, depth, 0)
		switch {
		case w.stopped:
			return
		case score <= in.alpha && in.alpha > -beyond:
			in.alpha = lower(score, &margin)
		case score >= in.beta && in.beta < beyond:
			in.beta = -lower(-score, &margin)
		default:
			return
		}
	}
}

// lower is the next lower bound after one that a score fell through; a second failure opens the window.
func lower(score Score, margin *Score) Score {
	if *margin *= 4; *margin > 200 {
		return -beyond
	}
	return score - *margin
}
