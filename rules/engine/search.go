package engine

import (
	"context"
	"sync/atomic"
	"time"

	"kraal/rules"
)

const (
	// maxPly is how many actions deep a line can be searched.
	maxPly = 128

	// maxActions is the most legal actions there can be.
	maxActions = 72

	// pollEvery is how many nodes pass between two looks at the clock: well under a millisecond.
	pollEvery = 1024
)

// worker searches in one goroutine. It allocates nothing once made.
type worker struct {
	rules      *rules.Ruleset
	judge      *judge
	symmetries *symmetries
	table      *table
	salt       uint64
	limits     limits
	repeat     int // the occurrence of a position that draws; 0 is never
	root       root
	tabled     int // the most pieces on the board that a table knows; 0 without tables
	history    history
	reductions *reductions
	frames     [maxPly + 1]frame

	path   []uint64 // the positions at the start of turns: those of the game, then those searched
	played int      // how many of them are the game's

	nodes    uint64
	maxNodes uint64
	pollAt   uint64
	deadline time.Time // zero if there is none
	ctx      context.Context
	halt     *atomic.Bool // set when the search of all workers is over
	stopped  bool
	patient  bool // nothing stops the search: its depth is small

	improved bool           // this iteration has found an action at the root
	best     Score          // of it
	line     []rules.Action // it, and what follows
}

// frame is what a worker keeps for each ply.
type frame struct {
	key     uint64 // where the table keeps the position
	way     uint8  // the symmetry by which it is turned there
	next    rules.Position
	legal   []rules.Action // in store
	store   [maxActions]rules.Action
	worth   [maxActions]int32
	killers [2]rules.Action
	line    [maxPly]rules.Action // the best continuation from here
	length  int
}

// poll looks whether to stop.
func (w *worker) poll() {
	w.pollAt = min(w.nodes+pollEvery, w.maxNodes)
	if w.patient {
		return
	}
	w.stopped = w.nodes >= w.maxNodes || w.halt.Load() || w.ctx.Err() != nil ||
		!w.deadline.IsZero() && !time.Now().Before(w.deadline)
}

// search is the value of a position for the side to move, or a bound where it lies outside alpha and beta. Depth is in
// actions; shots cost none, so that no line ends between a mill and its shot.
func (w *worker) search(p *rules.Position, alpha, beta Score, depth, ply int) Score {
	if w.stopped {
		return drawn
	}
	if w.nodes++; w.nodes >= w.pollAt {
		w.poll()
	}
	f := &w.frames[ply]
	f.length = 0
	if p.Pending == 0 && ply > 0 && w.repeats(p) {
		return drawn
	}
	if w.tabled > 0 && ply > 0 && p.Pending == 0 && p.Occupied().Len() <= w.tabled {
		if score, known := w.lookUp(p, ply); known {
			return score
		}
	}
	if depth <= 0 && p.Pending == 0 || ply >= maxPly-1 {
		return w.leaf(p, ply)
	}
	alpha, beta = max(alpha, Score(ply)-won), min(beta, won-Score(ply)-1)
	if alpha >= beta {
		return alpha
	}
	placed := placementKey(p)
	f.key, f.way = w.locate(p, placed)
	known := w.table.load(f.key)
	if known.bound != 0 && ply > 0 && beta-alpha == 1 && int(known.depth) >= depth {
		score := known.score.loaded(ply)
		if known.bound == exact || known.bound == atLeast && score >= beta || known.bound == atMost && score <= alpha {
			return score
		}
	}
	f.legal = w.legal(f.store[:0], p, ply)
	if len(f.legal) == 0 {
		return w.ending(p, ply)
	}
	w.rate(f, p, turn(&w.symmetries.back[f.way], known.action), known.bound != 0)
	walked := len(w.path)
	if p.Pending == 0 {
		w.path = append(w.path, placed)
	}
	score := w.expand(p, window{alpha, beta}, depth, ply)
	w.path = w.path[:walked]
	return score
}

// window is the scores that matter: at most alpha is not good enough, beta or more will not be let happen.
type window struct{ alpha, beta Score }

// expand tries the actions of a frame and remembers what came of it.
func (w *worker) expand(p *rules.Position, in window, depth, ply int) Score {
	f := &w.frames[ply]
	best, alpha := -beyond, in.alpha
	var chosen rules.Action
	for i := range f.legal {
		a := f.pick(i)
		f.next = *p
		w.rules.Apply(&f.next, a)
		score := w.try(p.Turn, window{alpha, in.beta}, depth, ply, i)
		if w.stopped {
			return best
		}
		if score <= best {
			continue
		}
		best, chosen = score, a
		if score <= alpha {
			continue
		}
		alpha = score
		w.follow(f, a, score, ply)
		if score >= in.beta {
			w.refuted(f, p.Turn, a, depth)
			break
		}
	}
	chosen = turn(&w.symmetries.to[f.way], chosen)
	e := entry{score: best.stored(ply), action: chosen, depth: int8(max(depth, 0)), bound: exact}
	switch {
	case best >= in.beta:
		e.bound = atLeast
	case best <= in.alpha:
		e.bound = atMost
	}
	w.table.store(f.key, e)
	return best
}

// try searches the frame's next position, the result of its action i: the first with the whole window, the others only as
// far as to show that they are no better, and quiet late ones less deep at first.
func (w *worker) try(mover rules.Side, in window, depth, ply, i int) Score {
	f := &w.frames[ply]
	below := depth - 1
	if f.legal[i].Kind == rules.Shoot {
		below = depth
	}
	if i == 0 {
		return w.child(f, mover, in, below, ply)
	}
	null := window{in.alpha, in.alpha + 1}
	if r := w.reductions.of(f, depth, i); r > 0 {
		if score := w.child(f, mover, null, below-r, ply); score <= in.alpha {
			return score
		}
	}
	score := w.child(f, mover, null, below, ply)
	if score > in.alpha && score < in.beta {
		return w.child(f, mover, in, below, ply)
	}
	return score
}

// child is the value of the frame's next position for mover, who may still be to move: a shot is part of the turn.
func (w *worker) child(f *frame, mover rules.Side, in window, depth, ply int) Score {
	if f.next.Turn == mover {
		return w.search(&f.next, in.alpha, in.beta, depth, ply+1)
	}
	return -w.search(&f.next, -in.beta, -in.alpha, depth, ply+1)
}

// follow makes a and the line below it the best continuation.
func (w *worker) follow(f *frame, a rules.Action, score Score, ply int) {
	below := &w.frames[ply+1]
	f.line[0] = a
	f.length = 1 + copy(f.line[1:], below.line[:below.length])
	if ply == 0 {
		w.improved, w.best = true, score
		w.line = append(w.line[:0], f.line[:f.length]...)
	}
}

// refuted remembers an action that was too good for the opponent to allow.
func (w *worker) refuted(f *frame, side rules.Side, a rules.Action, depth int) {
	w.history.reward(side, a, max(depth, 0))
	if a.Kind != rules.Shoot && f.killers[0] != a {
		f.killers[0], f.killers[1] = a, f.killers[0]
	}
}

// leaf evaluates a position without searching on, once it is certain that the game is not over.
func (w *worker) leaf(p *rules.Position, ply int) Score {
	if p.Placing() {
		score, _ := w.judge.evaluate(p)
		return score
	}
	thin := p.Pieces[rules.White].Len() < 3 || p.Pieces[rules.Black].Len() < 3
	if thin || w.limits.reached(p.Counts) {
		return w.ending(p, ply)
	}
	score, steps := w.judge.evaluate(p)
	// Of the moves that lines allow one at most is forbidden. With two or more the side can move.
	if steps <= 1 && w.rules.Status(p).Over {
		return w.ending(p, ply)
	}
	return score
}

// reached tells whether a count has come to its limit.
func (l limits) reached(c rules.Counts) bool {
	return l.noShot > 0 && c.NoShot >= l.noShot || l.three > 0 && c.ThreeAgainstThree >= l.three
}

// ending is the score of a position without a legal action. A position that is not over and yet has none was made up.
func (w *worker) ending(p *rules.Position, ply int) Score {
	winner, decided := w.rules.Status(p).Result.Winner()
	switch {
	case !decided:
		return drawn
	case winner == p.Turn&1:
		return won - Score(ply)
	}
	return Score(ply) - won
}

// repeats tells whether a position counts as drawn because it has stood before. Once more within the search is enough,
// since what was possible then is possible now; of the game's own past the variant's number is asked for.
func (w *worker) repeats(p *rules.Position) bool {
	quiet := min(int(p.Counts.NoShot), len(w.path))
	if quiet < 2 {
		return false
	}
	key, found := placementKey(p), 1
	for back := 2; back <= quiet; back += 2 {
		at := len(w.path) - back
		if w.path[at] != key {
			continue
		}
		if found++; at >= w.played || w.repeat > 0 && found >= w.repeat {
			return true
		}
	}
	return false
}
