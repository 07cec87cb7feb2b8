package endgame

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"kraal/rules"
)

// What is left to a position whose result is not known yet, in a byte: the quiet turns not yet refuted, whether there are
// turns with shots beside them, or that it is not lost whatever comes.
const (
	quietLeft byte = 0x3f
	shotsLost byte = 0x40
	safe      byte = 0x80
)

// shardCount is into how many parts the slots of a half are cut, each under a lock of its own.
const shardCount = 64

// half is one of two subspaces that are solved together.
type half struct {
	space
	codes     []byte // by slot: 0 unknown or drawn, else a number of turns plus 1
	left      []byte // by slot
	signs     []byte // by slot: codes of turns to the end, where codes are turns to the next shot
	shard     int    // slots in each part
	locks     [shardCount]sync.Mutex
	positions atomic.Int64
	beyond    [shardCount][]uint32 // by part: slots solved in more turns than a code can say
	partner   *half
	number    int // 0 or 1
}

// isWin tells whether a code, not 0, of turns to the end is the side to move's win: an end is always the loss of who is to
// move then.
func isWin(code byte) bool { return code&1 == 0 }

// solver solves a pair of subspaces. What it finds does not depend on the number of its threads.
type solver struct {
	*job
	halves []*half      // one where both sides have as many pieces
	limit  int          // less than so many turns are carried back by their codes
	toShot bool         // turns are counted to the next shot, not to the end
	last   atomic.Int64 // the largest code so far
}

// solve runs to the end, or to that of ctx, whose error it returns.
func (s *solver) solve(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	for turns := 0; turns < int(s.last.Load()) && turns < s.limit; turns++ {
		s.report("backwards", turns, int(s.last.Load()))
		if err := s.carry(ctx, turns); err != nil {
			return err
		}
	}
	for turns := s.limit; ; turns++ {
		beyond := s.gather()
		if len(beyond) == 0 {
			return nil
		}
		s.report("backwards", turns, turns+1)
		if err := s.carryBeyond(ctx, beyond, turns); err != nil {
			return err
		}
	}
}

// reached is a solved position whose number of turns does not fit a code.
type reached struct {
	half *half
	slot uint32
}

// gather takes what was solved beyond the codes.
func (s *solver) gather() (all []reached) {
	for _, h := range s.halves {
		for shard := range h.beyond {
			for _, slot := range h.beyond[shard] {
				all = append(all, reached{h, slot})
			}
			h.beyond[shard] = h.beyond[shard][:0]
		}
	}
	return all
}

// carryBeyond carries results one turn back that the codes cannot tell from others.
func (s *solver) carryBeyond(ctx context.Context, beyond []reached, turns int) error {
	return s.each(ctx, (len(beyond)+batchSize-1)/batchSize, func(w *carrier, unit int) {
		w.turns = turns
		for _, r := range beyond[unit*batchSize : min((unit+1)*batchSize, len(beyond))] {
			w.carryBack(r.half, r.slot)
		}
	})
}

// fit is a code that fits a byte and says the same of who wins: more turns than it can say are as many as it can.
func (s *solver) fit(code int) byte {
	if code <= s.longest+1 {
		return byte(code)
	}
	return byte(s.longest + code&1)
}

// each runs work for every unit below n, in as many goroutines as there are threads.
func (s *solver) each(ctx context.Context, n int, work func(w *carrier, unit int)) error {
	var next atomic.Int64
	var done sync.WaitGroup
	for range s.threads {
		done.Go(func() {
			w := &carrier{solver: s}
			for unit := int(next.Add(1)) - 1; unit < n && ctx.Err() == nil; unit = int(next.Add(1)) - 1 {
				work(w, unit)
			}
			w.flush()
		})
	}
	done.Wait()
	return ctx.Err()
}

// begin looks at every position once.
func (s *solver) begin(ctx context.Context) error {
	type part struct {
		half *half
		from int // orbit
	}
	var parts []part
	for _, h := range s.halves {
		for from := 0; from < len(h.sets.orbits); from += orbitsAtOnce {
			parts = append(parts, part{h, from})
		}
	}
	var finished atomic.Int64
	return s.each(ctx, len(parts), func(w *carrier, unit int) {
		p := parts[unit]
		for o := p.from; o < min(p.from+orbitsAtOnce, len(p.half.sets.orbits)); o++ {
			w.beginOrbit(p.half, o)
		}
		s.report("forwards", int(finished.Add(1)), len(parts))
	})
}

// orbitsAtOnce is how much of the first look is done between two looks at the context.
const orbitsAtOnce = 8

// carry carries the results at so many turns one turn back.
func (s *solver) carry(ctx context.Context, turns int) error {
	return s.each(ctx, shardCount*len(s.halves), func(w *carrier, unit int) {
		w.carryShard(s.halves[unit/shardCount], unit%shardCount, turns)
	})
}

// raise notes that a code exists.
func (s *solver) raise(code int) {
	for {
		last := s.last.Load()
		if int64(code) <= last || s.last.CompareAndSwap(last, int64(code)) {
			return
		}
	}
}

// carrier is what one goroutine works with.
type carrier struct {
	*solver
	outlook outlook
	stands  []stand
	hits    []uint32
	slots   []weighted
	batches [2][shardCount][]weighted // by half and part
	turns   int
}

// weighted is a slot and how many of the quiet turns there have been refuted; 0 where one has been found to win.
type weighted struct {
	slot   uint32
	weight int
}

// batchSize is how many changes to one part are gathered before its lock is taken.
const batchSize = 512

// beginOrbit looks at the positions with one set of own pieces.
func (w *carrier) beginOrbit(h *half, number int) {
	o := &h.sets.orbits[number]
	set := rules.Points(1)<<h.other - 1
	for slot := uint32(number) * h.width; slot < uint32(number+1)*h.width; slot++ {
		at := stand{o.least, h.ix.widened(set, ^o.least)}
		set = following(set)
		if h.kept(at, o) == 0 {
			h.left[slot] = safe
			continue
		}
		h.positions.Add(1)
		w.game.look(at, &w.outlook)
		code, left := w.judge(&w.outlook)
		h.codes[slot], h.left[slot] = w.fit(code), left
		w.raise(int(h.codes[slot]))
	}
}

// judge is what is known of a position from its turns with shots alone.
func (w *carrier) judge(o *outlook) (code int, left byte) {
	switch {
	case o.blocked:
		return 1, safe
	case o.drawn:
		return 0, safe
	case o.ends:
		return 2, safe
	}
	soonest, latest, lost := 0, 0, true
	for _, at := range o.shots {
		value, turns := w.after(at)
		lost = lost && value == Win
		latest = max(latest, turns)
		if value == Loss && (soonest == 0 || turns+1 < soonest) {
			soonest = turns + 1
		}
	}
	switch {
	case soonest > 0:
		return soonest + 1, safe
	case !lost:
		return 0, safe
	case o.quiet == 0:
		return latest + 2, safe
	case len(o.shots) > 0:
		return 0, byte(o.quiet) | shotsLost
	}
	return 0, byte(o.quiet)
}

// after is the result of a position with fewer pieces, for the opponent. A shot starts the count anew, so where turns are
// counted to the next one it is 0.
func (w *carrier) after(at stand) (Value, int) {
	k := w.below(subspace{at.own.Len(), at.other.Len()})
	slot, _ := k.slot(at)
	if w.toShot {
		return k.limited(slot), 0
	}
	return valueOf(k.codes[slot]), max(int(k.codes[slot])-1, 0)
}

// carryShard carries the results of one part at so many turns one turn back.
func (w *carrier) carryShard(h *half, shard, turns int) {
	w.turns = turns
	from, to := shard*h.shard, min((shard+1)*h.shard, len(h.codes))
	for from < to {
		w.hits = w.hits[:0]
		h.locks[shard].Lock()
		for from < to && len(w.hits) < batchSize {
			next := bytes.IndexByte(h.codes[from:to], byte(turns+1))
			if next < 0 {
				from = to
				break
			}
			w.hits = append(w.hits, uint32(from+next))
			from += next + 1
		}
		h.locks[shard].Unlock()
		for _, slot := range w.hits {
			w.carryBack(h, slot)
		}
	}
}

// carryBack tells the positions before a solved one. Symmetric ones are one: of q's turns that lead to p, counted in q, as
// many are refuted as p has origins in q times the symmetries that keep q by those that keep p.
func (w *carrier) carryBack(h *half, slot uint32) {
	at := h.stand(slot)
	kept := h.kept(at, &h.sets.orbits[slot/h.width])
	w.stands = w.game.before(w.stands[:0], at)
	won := isWin(w.signOf(h, slot))
	w.slots = w.slots[:0]
	for _, b := range w.stands {
		before, weight := h.partner.slot(b)
		if !won {
			weight = 0
		}
		w.slots = append(w.slots, weighted{before, weight})
	}
	if kept > 1 {
		w.merge(kept)
	}
	for _, change := range w.slots {
		w.send(h.partner, change)
	}
}

// signOf is the code that tells whether a solved position is won. Of turns to the end it is the one just gone through;
// to read it again would need the lock.
func (w *carrier) signOf(h *half, slot uint32) byte {
	if w.toShot {
		return h.signs[slot]
	}
	return byte(w.turns + 1)
}

// merge adds up the changes to each slot and divides them by the symmetries that keep the position they come from.
func (w *carrier) merge(kept int) {
	slices.SortFunc(w.slots, func(a, b weighted) int { return int(int64(a.slot) - int64(b.slot)) })
	merged := w.slots[:0]
	for _, change := range w.slots {
		if n := len(merged); n > 0 && merged[n-1].slot == change.slot {
			merged[n-1].weight += change.weight
			continue
		}
		merged = append(merged, change)
	}
	for i := range merged {
		merged[i].weight /= kept
	}
	w.slots = merged
}

// send gathers changes.
func (w *carrier) send(h *half, change weighted) {
	shard := int(change.slot) / h.shard
	batch := &w.batches[h.number][shard]
	*batch = append(*batch, change)
	if len(*batch) >= batchSize {
		w.apply(h, shard)
	}
}

// flush applies what has been gathered.
func (w *carrier) flush() {
	for _, h := range w.halves {
		for shard := range shardCount {
			w.apply(h, shard)
		}
	}
}

// apply makes the gathered changes to one part. Their order does not matter.
func (w *carrier) apply(h *half, shard int) {
	batch := &w.batches[h.number][shard]
	if len(*batch) == 0 {
		return
	}
	h.locks[shard].Lock()
	defer h.locks[shard].Unlock()
	next := w.turns + 2
	for _, change := range *batch {
		code, left := &h.codes[change.slot], &h.left[change.slot]
		switch {
		case change.weight == 0:
			if *code == 0 || int(*code) > next {
				w.settle(h, change.slot, next, next)
			}
			continue
		case *left&safe != 0:
			continue
		}
		if *left -= byte(change.weight); *left&quietLeft == 0 {
			w.settle(h, change.slot, w.lossCode(h, change.slot, next, *left&shotsLost != 0), next)
			*left = safe
		}
	}
	*batch = (*batch)[:0]
}

// settle gives a position its code. Where next, the one that is due, does not fit any more, no search for codes will find it.
func (w *carrier) settle(h *half, slot uint32, code, next int) {
	h.codes[slot] = w.fit(code)
	w.raise(int(h.codes[slot]))
	if next > w.longest+1 {
		shard := int(slot) / h.shard
		h.beyond[shard] = append(h.beyond[shard], slot)
	}
}

// lossCode is the code of a position without a turn that saves it. Its turns with shots may last longer than the quiet
// ones.
func (w *carrier) lossCode(h *half, slot uint32, quiet int, shots bool) int {
	if !shots || w.toShot {
		return quiet
	}
	w.game.look(h.stand(slot), &w.outlook)
	latest := quiet
	for _, at := range w.outlook.shots {
		_, turns := w.after(at)
		latest = max(latest, turns+2)
	}
	return latest
}
