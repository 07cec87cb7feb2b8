package engine

import (
	"math"

	"kraal/rules"
)

// reductions is by how many actions a late quiet action is looked at less deep at first: by depth, then by its place in
// the order.
type reductions [maxPly][maxActions]int8

// newReductions makes them grow with the logarithms of both: what comes late in a good order is seldom needed, and the
// deeper the search, the more is saved by it.
func newReductions() *reductions {
	var logs [max(maxPly, maxActions+1)]float64 // taken once: a quick level's whole thinking takes no longer than all of these
	for n := 2; n < len(logs); n++ {
		logs[n] = math.Log(float64(n))
	}
	r := new(reductions)
	for depth := 2; depth < len(r); depth++ {
		for i := 1; i < len(r[depth]); i++ {
			less := 0.7 + logs[depth]*logs[i+1]/2.2
			r[depth][i] = int8(min(int(less), depth-1))
		}
	}
	return r
}

// of is the reduction of the frame's action i. What closes a mill, keeps one from closing or refuted a neighbour of the
// position is never late, and a shot decides more than any other action.
func (r *reductions) of(f *frame, depth, i int) int {
	if depth < 0 || f.worth[i] >= killing || f.legal[i].Kind == rules.Shoot {
		return 0
	}
	return int(r[depth][i])
}
