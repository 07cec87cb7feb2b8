package endgame

import (
	"context"

	"kraal/rules"
)

// pairs lists the subspaces up to so many pieces in the order in which they can be solved: each leads only to those
// before it. The first of a pair has no fewer own pieces than the other's.
func pairs(v rules.Variant, upto int) (order []subspace) {
	for pieces := 2 * fewest; pieces <= min(upto, 2*v.Pieces); pieces++ {
		for other := fewest; 2*other <= pieces; other++ {
			if own := pieces - other; own <= min(v.Pieces, most) {
				order = append(order, subspace{own, other})
			}
		}
	}
	return order
}

// pairOf is the one or two subspaces that are solved together.
func pairOf(s subspace) []subspace {
	if s.own == s.other {
		return []subspace{s}
	}
	return []subspace{s, s.partner()}
}

// solution is a solved subspace.
type solution struct {
	known
	positions int
}

// job is how pairs are solved.
type job struct {
	game    game
	ix      *index
	longest int // the turns that a code can say; even
	threads int
	below   func(subspace) *known
	report  func(phase string, done, total int)
}

// toEnd solves a pair for the turns to the end.
func (j *job) toEnd(ctx context.Context, pair subspace) ([]solution, error) {
	s := j.solver(pair)
	if err := s.solve(ctx); err != nil {
		return nil, err
	}
	var found []solution
	for _, h := range s.halves {
		found = append(found, solution{known{space: h.space, codes: h.codes}, int(h.positions.Load())})
	}
	return found, nil
}

// toShot adds the turns to the next shot under the limits.
func (j *job) toShot(ctx context.Context, pair subspace, l limits, found []solution) error {
	s := j.solver(pair)
	s.toShot, s.limit = true, min(l.within(pair), j.longest)
	for i, h := range s.halves {
		h.signs = found[i].codes
	}
	if err := s.solve(ctx); err != nil {
		return err
	}
	for i, h := range s.halves {
		found[i].shots = h.codes
	}
	return nil
}

func (j *job) solver(pair subspace) *solver {
	s := &solver{job: j, limit: j.longest + 1}
	for _, sub := range pairOf(pair) {
		h := &half{space: newSpace(j.ix, sub)}
		h.codes, h.left = make([]byte, h.slots()), make([]byte, h.slots())
		h.shard = h.slots()/shardCount + 1
		s.halves = append(s.halves, h)
	}
	for i, h := range s.halves {
		h.partner, h.number = s.halves[len(s.halves)-1-i], i
	}
	return s
}
