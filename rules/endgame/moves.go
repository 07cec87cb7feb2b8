package endgame

import "kraal/rules"

// game is the moving phase under some columns, turn by turn: a move and its shots are one step.
type game struct {
	columns
	*board
}

func newGame(c columns) game { return game{c, newBoard(c.diagonals)} }

func (g *game) flying(own rules.Points) bool { return g.flies && own.Len() == fewest }

// canMove tells whether a side has a move.
func (g *game) canMove(own, empty rules.Points) bool {
	return empty != 0 && (g.flying(own) || g.neighbours(own)&empty != 0)
}

// earned is the number of shots for so many mills closed at once.
func (g *game) earned(closed uint8) uint8 {
	if g.each {
		return closed
	}
	return min(closed, 1)
}

// mostShots is the most shots that a turn can earn: a corner with a diagonal lies on three lines.
func (g *game) mostShots() int {
	switch {
	case !g.each:
		return 1
	case !g.diagonals:
		return 2
	}
	return 3
}

// outlook is what the side to move can do.
type outlook struct {
	quiet   int     // moves that earn no shot, or a pass
	shots   []stand // what the opponent faces after each turn with shots
	ends    bool    // a shot wins at once
	blocked bool    // the game is over and lost
	drawn   bool    // the game is over and drawn
}

// look finds what the side to move can do; o's slice is used again.
func (g *game) look(at stand, o *outlook) {
	*o = outlook{shots: o.shots[:0]}
	empty := allPoints &^ (at.own | at.other)
	switch {
	case g.fullDraws && empty == 0:
		o.drawn = true
		return
	case g.canMove(at.own, empty):
	case !g.passes:
		o.blocked = true
		return
	case g.canMove(at.other, empty):
		o.quiet = 1
		return
	default:
		o.drawn = true
		return
	}
	flying := g.flying(at.own)
	for own := at.own; own != 0; own &= own - 1 {
		from := first(own)
		rest, to := at.own.Without(from), empty
		if !flying {
			to &= g.near[from&31]
		}
		for ; to != 0; to &= to - 1 {
			p := first(to)
			if closed := g.closed(rest, p); closed > 0 {
				g.shoot(stand{rest | 1<<p, at.other}, g.earned(closed), o)
				continue
			}
			o.quiet++
		}
	}
}

// shoot makes every choice of so many shots.
func (g *game) shoot(at stand, shots uint8, o *outlook) {
	switch {
	case at.other.Len() < fewest:
		o.ends = true
		return
	case shots == 0:
		o.shots = append(o.shots, stand{at.other, at.own})
		return
	}
	targets := at.other
	if g.protected {
		if open := targets &^ g.mills(targets); open != 0 {
			targets = open
		}
	}
	for ; targets != 0; targets &= targets - 1 {
		g.shoot(stand{at.own, at.other &^ (targets & -targets)}, shots-1, o)
	}
}

// before appends the positions from which a quiet turn leads to at, each as often as it has such turns.
func (g *game) before(dst []stand, at stand) []stand {
	empty := allPoints &^ (at.own | at.other)
	flying := g.flying(at.other)
	for other := at.other; other != 0; other &= other - 1 {
		to := first(other)
		rest, from := at.other.Without(to), empty
		if g.closed(rest, to) > 0 {
			continue
		}
		if !flying {
			from &= g.near[to&31]
		}
		for ; from != 0; from &= from - 1 {
			dst = append(dst, stand{rest | from&-from, at.own})
		}
	}
	if g.passes && !g.canMove(at.other, empty) && g.canMove(at.own, empty) {
		dst = append(dst, stand{at.other, at.own})
	}
	return dst
}
