package endgame

import "kraal/rules"

// limits are the turns after which a variant draws; 0 is never.
type limits struct {
	noShot, three uint16
}

func limitsOf(v rules.Variant) limits {
	turns := func(n int) uint16 { return uint16(min(max(n, 0), 1<<16-1)) }
	return limits{turns(v.NoShot), turns(v.ThreeAgainstThree)}
}

// within is the turns without a shot that a subspace allows from the start of a count, at most what a table can say.
func (l limits) within(s subspace) int {
	turns := Longest
	if l.noShot > 0 {
		turns = min(turns, int(l.noShot))
	}
	if l.three > 0 && s == (subspace{fewest, fewest}) {
		turns = min(turns, int(l.three))
	}
	return turns
}

// tightest is the least of the limits, and Longest where there is none.
func (l limits) tightest() int { return l.within(subspace{fewest, fewest}) }

// matter tells whether a table of turns to the next shot is kept where wins take up to so many turns: when one takes more
// than half of a limit. Else only a count that is far gone already can spoil a win, and that is then not claimed.
func (l limits) matter(turns int) bool { return l != limits{} && 2*turns > l.tightest() }

// room is how many turns are left to a position before a count draws.
func (l limits) room(p *rules.Position) int {
	room := Longest
	if l.noShot > 0 {
		room = min(room, int(l.noShot)-int(p.Counts.NoShot))
	}
	if l.three > 0 && p.Pieces[0].Len() == fewest && p.Pieces[1].Len() == fewest {
		room = min(room, int(l.three)-int(p.Counts.ThreeAgainstThree))
	}
	return room
}
