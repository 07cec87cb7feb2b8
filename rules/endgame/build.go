package endgame

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"kraal/rules"
)

// Step is the one or two subspaces that are built in one go, x-y and y-x. What an interrupted step has done is lost; the
// steps before it are not.
type Step struct {
	Own, Other int   // pieces; Own is not the smaller
	Built      bool  // its files are there
	Slots      int   // of both subspaces
	Bytes      int64 // of its files; twice as many where turns to the next shot have to be kept too
	Memory     int64 // while it is built, beside the files it looks at

	pair subspace
}

// Plan lists the steps to the tables of a variant up to so many pieces on the board, in their order. The error is
// ErrNoReturn.
func (t *Tables) Plan(v rules.Variant, upto int) ([]Step, error) {
	if v.NoReturn {
		return nil, ErrNoReturn
	}
	var steps []Step
	for _, pair := range pairs(v, upto) {
		s := Step{Own: pair.own, Other: pair.other, pair: pair, Built: true}
		for _, sub := range pairOf(pair) {
			space := newSpace(t.ix, sub)
			s.Slots += space.slots()
			s.Bytes += int64(space.slots()) + headerSize
			s.Built = s.Built && t.files[fileKey{columns: columnsOf(v), subspace: sub}] != nil
		}
		if l := limitsOf(v); l.matter(t.longest(columnsOf(v), pair)) {
			s.Bytes *= 2
			for _, sub := range pairOf(pair) {
				s.Built = s.Built && t.files[fileKey{columnsOf(v), sub, l}] != nil
			}
		}
		s.Memory = 3 * int64(s.Slots)
		steps = append(steps, s)
	}
	return steps, nil
}

// Estimate is about how long a step takes with so many threads that have nothing else to do, turns to the end alone. It does
// what the step does for a few of its positions, several times, and believes the quickest, which was disturbed least.
func (t *Tables) Estimate(v rules.Variant, s Step, threads int) (total time.Duration) {
	const samples, times = 1000, 5
	e := estimate{game: newGame(columnsOf(v)), ix: t.ix, chance: rand.New(rand.NewPCG(1, 1))}
	for _, sub := range pairOf(s.pair) {
		quickest := e.spend(sub, samples)
		for range times - 1 {
			quickest = min(quickest, e.spend(sub, samples))
		}
		here := newSpace(t.ix, sub)
		total += time.Duration(float64(quickest) / samples * float64(here.slots()))
	}
	return total / time.Duration(max(1, threads))
}

// estimate measures the work on single positions.
type estimate struct {
	game    game
	ix      *index
	chance  *rand.Rand
	outlook outlook
	stands  []stand
}

// spend is the time that so many positions of a subspace take.
func (e *estimate) spend(sub subspace, positions int) time.Duration {
	here, partner := newSpace(e.ix, sub), newSpace(e.ix, sub.partner())
	began := time.Now()
	for range positions {
		at := here.stand(e.chance.Uint32N(uint32(here.slots())))
		e.game.look(at, &e.outlook)
		for _, below := range e.outlook.shots {
			s := newSpace(e.ix, subspace{below.own.Len(), below.other.Len()})
			s.slot(below)
		}
		if e.stands = e.game.before(e.stands[:0], at); !e.decided() {
			continue
		}
		for _, before := range e.stands {
			partner.slot(before)
		}
	}
	return time.Since(began)
}

// decided guesses whether a position's result is carried backwards: of those from which walking goes on half or more are
// won or lost, where both sides may fly soon most are drawn.
func (e *estimate) decided() bool {
	if e.game.flies {
		return e.chance.IntN(4) == 0
	}
	return e.chance.IntN(2) == 0
}

// Progress is how far a step has come.
type Progress struct {
	Step        Step
	Phase       string // "forwards", then "backwards"
	Shots       bool   // the turns to the next shot are looked for
	Done, Total int    // of the phase
}

// BuildOptions says how to build.
type BuildOptions struct {
	Dir      string         // made if it is not there
	Threads  int            // as many as the machine has processors if 0
	Progress func(Progress) // called now and then, never twice at once; may be nil
}

// Build builds a step of a Plan, whose steps before it must have been built, and opens its files. The error is ctx's,
// ErrOrder, *RoomError, a *FileError of ErrTaken, or one of writing. Files that are there already stay as they are. Build
// is not safe for concurrent use, nor together with For.
func (t *Tables) Build(ctx context.Context, v rules.Variant, s Step, opts BuildOptions) error {
	if v.NoReturn {
		return ErrNoReturn
	}
	b := &builder{Tables: t, step: s, opts: opts, columns: columnsOf(v), limits: limitsOf(v)}
	b.job = &job{game: newGame(b.columns), ix: t.ix, longest: Longest, threads: opts.Threads, below: b.below(), report: b.report}
	if b.threads <= 0 {
		b.threads = runtime.NumCPU()
	}
	if !b.ready() {
		return ErrOrder
	}
	if err := b.canWrite(); err != nil {
		return err
	}
	found, err := b.ends(ctx)
	if err != nil || !b.limits.matter(t.longest(b.columns, s.pair)) {
		return err
	}
	return b.shots(ctx, found)
}

// canWrite tells what keeps the step's files from being written, before the work is done.
func (b *builder) canWrite() error {
	if b.found() != nil {
		return Room(b.opts.Dir, 0)
	}
	for _, sub := range pairOf(b.step.pair) {
		if err := b.inTheWay(b.opts.Dir, fileKey{columns: b.columns, subspace: sub}); err != nil {
			return err
		}
	}
	return Room(b.opts.Dir, b.step.Bytes)
}

// ErrOrder is that a step was to be built before those that it leads to.
var ErrOrder = errors.New("the tables with fewer pieces have to be built first")

// builder builds one step.
type builder struct {
	*Tables
	*job
	step    Step
	opts    BuildOptions
	columns columns
	limits  limits

	reporting sync.Mutex
	toShots   bool
}

// below finds the tables with fewer pieces, each made ready once.
func (b *builder) below() func(subspace) *known {
	var ready [most + 1][most + 1]*known
	for key := range b.files {
		if key.columns == b.columns && key.limits == (limits{}) {
			ready[key.own][key.other] = b.known(key, b.limits)
		}
	}
	return func(s subspace) *known { return ready[s.own][s.other] }
}

func (b *builder) report(phase string, done, total int) {
	if b.opts.Progress == nil {
		return
	}
	b.reporting.Lock()
	defer b.reporting.Unlock()
	b.opts.Progress(Progress{Step: b.step, Phase: phase, Shots: b.toShots, Done: done, Total: total})
}

// longest is the most turns to an end in the tables of a pair and all that it leads to.
func (t *Tables) longest(c columns, pair subspace) (turns int) {
	for key, f := range t.files {
		reached := max(key.own, key.other) <= max(pair.own, pair.other) && min(key.own, key.other) <= min(pair.own, pair.other)
		if reached && key.columns == c && key.limits == (limits{}) {
			turns = max(turns, int(f.head.LongestWin), int(f.head.LongestLoss))
		}
	}
	return turns
}

// ready tells whether the tables are there that the step's shots lead to.
func (b *builder) ready() bool {
	for _, sub := range pairOf(b.step.pair) {
		for other := sub.other - 1; other >= max(fewest, sub.other-b.game.mostShots()); other-- {
			below := subspace{other, sub.own}
			k := b.job.below(below)
			if k == nil || k.shots == nil && b.limits.matter(b.Tables.longest(b.columns, below)) {
				return false
			}
		}
	}
	return true
}

// ends builds the tables of turns to the end, or finds them built.
func (b *builder) ends(ctx context.Context) ([]solution, error) {
	found := b.found()
	if found != nil {
		return found, nil
	}
	found, err := b.toEnd(ctx, b.step.pair)
	if err != nil {
		return nil, err
	}
	for i := range found {
		key := fileKey{columns: b.columns, subspace: found[i].subspace}
		if err := b.keep(key, &found[i], found[i].codes); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// found is the step's tables where they have been built; nil if one is missing.
func (b *builder) found() (found []solution) {
	for _, sub := range pairOf(b.step.pair) {
		key := fileKey{columns: b.columns, subspace: sub}
		k := b.known(key, b.limits)
		if k == nil {
			return nil
		}
		found = append(found, solution{*k, int(b.files[key].head.Positions)})
	}
	return found
}

// shots builds the tables of turns to the next shot, unless they are there.
func (b *builder) shots(ctx context.Context, found []solution) error {
	there := true
	for i := range found {
		there = there && found[i].shots != nil
	}
	if there {
		return nil
	}
	b.toShots = true
	if err := b.toShot(ctx, b.step.pair, b.limits, found); err != nil {
		return err
	}
	for i := range found {
		key := fileKey{b.columns, found[i].subspace, b.limits}
		if err := b.keep(key, &found[i], found[i].shots); err != nil {
			return err
		}
	}
	return nil
}

// keep writes a table and opens it.
func (b *builder) keep(key fileKey, found *solution, body []byte) error {
	if err := write(b.opts.Dir, key, found, body); err != nil {
		return err
	}
	return b.open(filepath.Join(b.opts.Dir, key.name()))
}
