package engine

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"kraal/rules"
)

// Level is how far a player sees and how carefully it chooses.
type Level struct {
	Nodes uint64 // positions looked at for an action; 0 is as many as the search's own limits allow

	// Overlook is the chance that the opponent's answer is not thought of, whole, as it happens to people.
	Overlook float64

	// Miss is the chance that closing a mill is taken for an action like any other. Else nothing that is worse comes
	// into question.
	Miss float64

	// Spread is by how many pieces an action may fall behind the best and still be chosen now and then. The chance of
	// an action falls as exp(-(loss/Spread)^2), after Regan and Haworth, "Intrinsic Chess Ratings" (AAAI 2011).
	Spread float64

	// Tables is that endgame tables are looked into, where there are any.
	Tables bool
}

// Levels are the seven levels, the weakest first. docs/levels.md tells how far they are apart: measure again after a
// change. The slice is the caller's.
func Levels() []Level {
	return []Level{
		{Nodes: 50, Overlook: 0.68, Miss: 0.41, Spread: 1.35},
		{Nodes: 350, Overlook: 0.43, Miss: 0.12, Spread: 0.69},
		{Nodes: 1000, Overlook: 0.30, Spread: 0.51},
		{Nodes: 3000, Overlook: 0.18, Spread: 0.37},
		{Nodes: 7500, Overlook: 0.10, Spread: 0.26},
		{Nodes: 22_000, Overlook: 0.03, Spread: 0.16, Tables: true},
		{Tables: true},
	}
}

// levelHash is the MiB of the table that a level searches with: one of its own, cleared before, so that a level knows no
// more than it has looked at, and plays the same whatever was searched before.
const levelHash = 2

// levelOf is the level that the limits ask for, and whether it is weaker than full strength.
func levelOf(l Limits) (level Level, weaker bool) {
	levels := Levels()
	if l.Level <= 0 || l.Level >= len(levels) {
		return levels[len(levels)-1], false
	}
	return levels[l.Level-1], true
}

// candidate is an action at the root and what was found behind it.
type candidate struct {
	action rules.Action
	score  Score
	line   []rules.Action
}

// thinkAs chooses as a level does.
func (e *Engine) thinkAs(ctx context.Context, g *rules.Game, level Level, l Limits, at root, info func(Info)) Result {
	if e.small == nil {
		e.small = newTable(levelHash)
	}
	clear(e.small.buckets)
	w := e.newWorker(ctx, g, at, new(atomic.Bool))
	w.table = e.small
	w.maxNodes = level.Nodes
	if l.Nodes > 0 {
		w.maxNodes = min(l.Nodes, level.Nodes)
	}
	p := g.Position()
	chance := rand.New(rand.NewPCG(e.opts.Seed, (placementKey(&p)+uint64(g.Len()))*scatter))
	if chance.Float64() < level.Overlook {
		l.Depth = 1
	}
	candidates, depth := w.compare(p, l, Score(300*level.Spread)+1, info)
	if chance.Float64() >= level.Miss {
		candidates = w.minded(p, candidates)
	}
	c := level.choose(chance, candidates)
	return Result{Action: c.action, Score: c.score, Depth: depth, Nodes: w.nodes, PV: c.line}
}

// compare searches the root's actions deeper and deeper, each for itself, and returns them, best first, with the depth
// that was finished. What falls behind the best by width or more is known only to do so.
func (w *worker) compare(p rules.Position, l Limits, width Score, info func(Info)) (found []candidate, depth int) {
	for _, a := range w.legal(nil, &p, 0) {
		found = append(found, candidate{action: a})
	}
	// The order in which equals come must be the position's own, whatever order the rules list them in.
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Compare(a.action.String(), b.action.String()) })
	last := maxPly - 1
	if l.Depth > 0 {
		last = min(l.Depth, last)
	}
	if p.Pending == 0 {
		w.path = append(w.path, placementKey(&p))
	}
	for w.patient = true; depth < last; w.patient, w.pollAt = false, 0 {
		deeper := slices.Clone(found)
		w.scoreAll(&p, deeper, depth+1, width)
		if w.stopped {
			break
		}
		slices.SortStableFunc(deeper, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
		found, depth = deeper, depth+1
		best := found[0]
		info(Info{Depth: depth, Score: best.score, Nodes: w.nodes, PV: slices.Clone(best.line)})
		if settled(best.score, depth) {
			break
		}
	}
	return found, depth
}

// scoreAll searches each candidate to a depth.
func (w *worker) scoreAll(p *rules.Position, candidates []candidate, depth int, width Score) {
	f := &w.frames[0]
	best := -beyond
	for i := range candidates {
		c := &candidates[i]
		f.next = *p
		w.rules.Apply(&f.next, c.action)
		below := depth - 1
		if c.action.Kind == rules.Shoot {
			below = depth
		}
		c.score = w.child(f, p.Turn, window{max(-beyond, best-width), beyond}, below, 0)
		best = max(best, c.score)
		next := &w.frames[1]
		c.line = append([]rules.Action{c.action}, next.line[:next.length]...)
	}
}

// minded is the candidates without those that are worse than a mill that could be closed.
func (w *worker) minded(p rules.Position, candidates []candidate) []candidate {
	for i, c := range candidates {
		next := p
		w.rules.Apply(&next, c.action)
		if c.action.Kind == rules.Shoot || next.Pending == 0 {
			continue
		}
		for i+1 < len(candidates) && candidates[i+1].score == c.score {
			i++
		}
		return candidates[:i+1]
	}
	return candidates
}

// choose takes one of the candidates, which are in order.
func (level Level) choose(chance *rand.Rand, candidates []candidate) candidate {
	weights, sum := make([]float64, len(candidates)), 0.0
	for i, c := range candidates {
		loss := float64(pieces(candidates[0].score)-pieces(c.score)) / 100
		weights[i] = math.Exp(-math.Pow(loss/level.Spread, 2))
		sum += weights[i]
	}
	at := chance.Float64() * sum
	for i, c := range candidates {
		if at -= weights[i]; at < 0 {
			return c
		}
	}
	return candidates[0]
}

// pieces is a score with forced ends counted as some pieces, so that a level that errs does not care which win it takes.
func pieces(s Score) Score { return max(-800, min(800, s)) }
