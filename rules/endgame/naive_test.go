package endgame

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"kraal/rules"
)

// everything makes the tests judge more tables than there is time for every day.
var everything = flag.Bool("endgame.everything", false, "hold tables of every kind against a naive solver; takes minutes")

// naive solves by the rules of package rules, forwards, again and again until nothing changes.
type naive struct {
	rules  *rules.Ruleset
	spaces map[subspace]*naiveSpace
	ix     *index
}

// naiveSpace is a subspace as naive sees it.
type naiveSpace struct {
	space
	chances []chances
	codes   []byte    // as a table's
	values  [][]Value // by count of turns without a shot, where those were asked for
}

// chances is what the side to move can do in a position.
type chances struct {
	over    bool // it has lost, or the game is drawn
	lost    bool
	wins    bool     // at once
	quiet   []uint32 // slots of the partner
	below   []place  // positions with fewer pieces
	invalid bool     // an empty slot
}

type place struct {
	space *naiveSpace
	slot  uint32
}

// solveNaively solves a variant, which must have no limits, up to so many pieces.
func solveNaively(t testing.TB, v rules.Variant, upto int) *naive {
	t.Helper()
	n := &naive{rules: v.Compile(), spaces: map[subspace]*naiveSpace{}, ix: newIndex()}
	for _, pair := range pairs(v, upto) {
		var halves []*naiveSpace
		for _, sub := range pairOf(pair) {
			s := &naiveSpace{space: newSpace(n.ix, sub)}
			n.spaces[sub] = s
			halves = append(halves, s)
		}
		for _, s := range halves {
			n.look(s)
		}
		n.iterate(halves)
	}
	return n
}

// look finds what every position of a subspace can do.
func (n *naive) look(s *naiveSpace) {
	s.codes, s.chances = make([]byte, s.slots()), make([]chances, s.slots())
	for slot := range s.chances {
		at, c := s.stand(uint32(slot)), &s.chances[slot]
		if back, _ := s.slot(at); back != uint32(slot) {
			c.invalid = true
			continue
		}
		p := at.position(rules.White)
		if status := n.rules.Status(&p); status.Over {
			c.over, c.lost = true, status.Result == rules.BlackWins
			continue
		}
		n.follow(s, &p, c)
	}
}

// follow goes through every action until the turn is over.
func (n *naive) follow(s *naiveSpace, p *rules.Position, c *chances) {
	for _, a := range n.rules.AppendLegal(nil, p) {
		next := *p
		n.rules.Apply(&next, a)
		status := n.rules.Status(&next)
		switch {
		case status.Over && status.Result == rules.WhiteWins && status.Reason == rules.FewerThanThree:
			c.wins = true
		case next.Turn == rules.White:
			n.follow(s, &next, c)
		default: // also when it is over: the position says so itself
			at := stand{next.Pieces[rules.Black], next.Pieces[rules.White]}
			below := n.spaces[subspace{at.own.Len(), at.other.Len()}]
			slot, _ := below.slot(at)
			if below.subspace == s.partner() {
				c.quiet = append(c.quiet, slot)
				continue
			}
			c.below = append(c.below, place{below, slot})
		}
	}
}

// iterate finds the results, turn by turn, until a whole round of turns longer than any below brings nothing new.
func (n *naive) iterate(halves []*naiveSpace) {
	last := 0
	for _, s := range n.spaces {
		last = max(last, int(slices.Max(s.codes)))
	}
	for turns, idle := 0, 0; turns <= last+2 || idle < 2; turns++ {
		idle++
		for i, s := range halves {
			partner := halves[len(halves)-1-i]
			for slot := range s.chances {
				if s.codes[slot] == 0 && s.chances[slot].decided(partner, turns) {
					s.codes[slot] = byte(turns + 1)
					idle = 0
				}
			}
		}
	}
}

// decided tells whether a position is won or lost in exactly so many turns, given all that are in fewer.
func (c *chances) decided(partner *naiveSpace, turns int) bool {
	switch {
	case c.invalid:
		return false
	case c.over:
		return c.lost && turns == 0
	case c.wins:
		return turns == 1
	}
	lost := true
	judge := func(code byte) bool { // tells whether the answer is lost in a turn less
		lost = lost && valueOf(code) == Win && int(code) <= turns
		return valueOf(code) == Loss && int(code) == turns
	}
	for _, slot := range c.quiet {
		if judge(partner.codes[slot]) {
			return true
		}
	}
	for _, at := range c.below {
		if judge(at.space.codes[at.slot]) {
			return true
		}
	}
	return lost
}

// count works the values out for every count of turns without a shot, from the limit downwards.
func (n *naive) count(v rules.Variant, upto int, l limits) {
	for _, pair := range pairs(v, upto) {
		limit := l.within(pair)
		for _, sub := range pairOf(pair) {
			n.spaces[sub].values = make([][]Value, limit+1)
		}
		for turns := limit; turns >= 0; turns-- {
			for _, sub := range pairOf(pair) {
				s := n.spaces[sub]
				s.values[turns] = make([]Value, len(s.chances))
				for slot := range s.chances {
					s.values[turns][slot] = s.chances[slot].at(n.spaces[sub.partner()], turns, limit)
				}
			}
		}
	}
}

// at is the value of a position after so many turns without a shot.
func (c *chances) at(partner *naiveSpace, turns, limit int) Value {
	switch {
	case c.over && c.lost:
		return Loss
	case c.over || c.invalid || turns >= limit:
		return Draw
	case c.wins:
		return Win
	}
	best := Loss
	for _, slot := range c.quiet {
		best = max(best, -partner.values[turns+1][slot])
	}
	for _, at := range c.below {
		best = max(best, -at.space.values[0][at.slot])
	}
	return best
}

// naiveCase is tables to hold against naive.
type naiveCase struct {
	variant string
	upto    int
	limits  limits
}

func naiveCases(all bool) []naiveCase {
	if !all {
		return []naiveCase{
			{"nine", 6, limits{noShot: 5}},
			{"koti", 6, limits{noShot: 30, three: 5}},
			{"nine flies=false", 6, limits{noShot: 12}},
			{"koti flies=false", 6, limits{noShot: 8}},
			{"tournament", 7, limits{noShot: 6, three: 4}},
			{"tournament protected=false full_board=draws", 6, limits{three: 20}},
			{"nine shots=each blocked=passes flies=false", 6, limits{noShot: 20}},
		}
	}
	var cases []naiveCase
	for _, lines := range []string{"diagonals=true", "diagonals=false"} {
		for _, flies := range []string{"flies=true", "flies=false"} {
			for _, shots := range []string{"shots=one", "shots=each"} {
				for _, protected := range []string{"protected=true", "protected=false"} {
					for _, blocked := range []string{"blocked=loses", "blocked=passes"} {
						text := "nine " + lines + " " + flies + " " + shots + " " + protected + " " + blocked
						cases = append(cases, naiveCase{text, 7, limits{noShot: 14, three: 11}})
					}
				}
			}
		}
	}
	return cases
}

// TestNaively wants the tables of every kind of rules to say what a naive solver does: values, turns, and what becomes of
// them under every count of turns.
func TestNaively(t *testing.T) {
	for _, test := range naiveCases(*everything) {
		t.Run(test.variant, func(t *testing.T) {
			v := variant(t, test.variant+" no_shot=0 three_against_three=0")
			all, n := solveAll(t, v, test.upto, 2, test.limits), solveNaively(t, v, test.upto)
			for sub, s := range n.spaces {
				for slot, want := range s.codes {
					if got := all[sub].codes[slot]; got != want {
						t.Fatalf("%v: %s is %s in %d turns, want %s in %d", sub, s.stand(uint32(slot)).position(rules.White),
							valueOf(got), int(got)-1, valueOf(want), int(want)-1)
					}
				}
			}
			n.count(v, test.upto, test.limits)
			r := &Reader{limits: test.limits}
			for _, k := range all {
				r.add(k)
			}
			compareCounts(t, r, n)
		})
	}
}

// compareCounts wants a reader to find every value under every count of turns.
func compareCounts(t *testing.T, r *Reader, n *naive) {
	t.Helper()
	for sub, s := range n.spaces {
		for slot := range s.chances {
			p := s.stand(uint32(slot)).position(rules.Black)
			for turns := 0; turns < len(s.values)-1 && !s.chances[slot].invalid; turns++ {
				p.Counts.NoShot = uint16(turns)
				if sub == (subspace{3, 3}) {
					p.Counts.ThreeAgainstThree = uint16(turns)
				}
				if got, ok := r.Probe(&p); !ok || got.Value != s.values[turns][slot] {
					t.Fatalf("%s: %+v %t, want %s", p, got, ok, s.values[turns][slot])
				}
			}
		}
	}
}

// TestConsistent takes positions anywhere and wants what the tables say of each to follow from what they say of all that can
// be played there.
func TestConsistent(t *testing.T) {
	v := variant(t, "koti no_shot=0")
	all := solveAll(t, v, *upto, 2, limits{})
	n := &naive{rules: v.Compile(), spaces: map[subspace]*naiveSpace{}}
	var subspaces []subspace
	for sub, k := range all {
		n.spaces[sub] = &naiveSpace{space: k.space, codes: k.codes}
		subspaces = append(subspaces, sub)
	}
	slices.SortFunc(subspaces, func(a, b subspace) int { return 100*(a.own-b.own) + a.other - b.other })
	r := rand.New(rand.NewPCG(20, 20))
	for range 20_000 {
		sub := subspaces[r.IntN(len(subspaces))]
		at := randomStand(r, sub)
		s := n.spaces[sub]
		p := at.position(rules.White)
		var c chances
		if status := n.rules.Status(&p); status.Over {
			c.over, c.lost = true, status.Result == rules.BlackWins
		} else {
			n.follow(s, &p, &c)
		}
		slot, _ := s.slot(at)
		if got, want := s.codes[slot], c.code(n.spaces[sub.partner()]); got != want {
			t.Fatalf("%s is %s in %d turns, what follows says %s in %d", p, valueOf(got), int(got)-1, valueOf(want), int(want)-1)
		}
	}
}

// code is what follows from the codes of everything that can be played.
func (c *chances) code(partner *naiveSpace) byte {
	switch {
	case c.over && c.lost:
		return 1
	case c.over:
		return 0
	case c.wins:
		return 2
	}
	soonest, latest := 0, 0
	draw := false
	judge := func(code byte) {
		switch {
		case code == 0:
			draw = true
		case isWin(code):
			latest = max(latest, int(code))
		case soonest == 0 || int(code) < soonest:
			soonest = int(code)
		}
	}
	for _, slot := range c.quiet {
		judge(partner.codes[slot])
	}
	for _, at := range c.below {
		judge(at.space.codes[at.slot])
	}
	switch {
	case soonest > 0:
		return byte(soonest + 1)
	case draw:
		return 0
	}
	return byte(latest + 1)
}
