package rules

import "math"

// Ruleset is a variant made ready for speed: what search and counting use. It takes positions by reference, allocates
// nothing, and Apply does not ask whether an action is legal. Make one with Variant.Compile; it may be shared between
// goroutines.
type Ruleset struct {
	geo           *geometry
	shots         ShotRule
	noShot, three uint16 // turns; 0 is never
	flies         bool
	protected     bool
	noReturn      bool
	passes        bool
	fullDraws     bool
}

// Compile makes the variant's Ruleset.
func (v Variant) Compile() *Ruleset {
	r := v.ruleset()
	return &r
}

func (v *Variant) ruleset() Ruleset {
	return Ruleset{
		geo:       v.geometry(),
		shots:     v.Shots,
		noShot:    clampCount(v.NoShot),
		three:     clampCount(v.ThreeAgainstThree),
		flies:     v.Flies,
		protected: v.Protected,
		noReturn:  v.NoReturn,
		passes:    v.Blocked == Passes,
		fullDraws: v.FullBoard == Draws,
	}
}

// AppendLegal appends the legal actions to dst, in no order that is promised; none when the game is over. It allocates
// only where dst has no room: 24 places, or 72 moves, are the most there can be.
func (r *Ruleset) AppendLegal(dst []Action, p *Position) []Action {
	switch {
	case p.Pending > 0:
		for rest := r.Targets(p); rest != 0; rest &= rest - 1 {
			dst = append(dst, Action{Kind: Shoot, To: rest.first()})
		}
		return dst
	case p.Placing():
		for rest := r.placeable(p); rest != 0; rest &= rest - 1 {
			dst = append(dst, Action{Kind: Place, To: rest.first()})
		}
		return dst
	case r.finished(p):
		return dst
	}
	before := len(dst)
	empty := p.Empty()
	flying := r.flying(p, p.Turn)
	for own := p.Pieces[p.Turn&1] & allPoints; own != 0; own &= own - 1 {
		from := own.first()
		for rest := r.reachable(p, from, empty, flying); rest != 0; rest &= rest - 1 {
			dst = append(dst, Action{Kind: Move, From: from, To: rest.first()})
		}
	}
	if len(dst) == before && r.mayPass(p) {
		dst = append(dst, Action{Kind: Pass})
	}
	return dst
}

// Targets is what the side to move may shoot now; empty when no shot is pending or the game is over.
func (r *Ruleset) Targets(p *Position) Points {
	if p.Pending == 0 || !p.Placing() && isThin(p) {
		return 0
	}
	targets := p.Pieces[p.Turn&1^1] & allPoints
	if !r.protected {
		return targets
	}
	if open := targets &^ r.geo.mills(targets); open != 0 {
		return open
	}
	return targets
}

// placeable is where the side to move may place a piece, in the placing phase with no shot pending.
func (r *Ruleset) placeable(p *Position) Points {
	if p.Hand[p.Turn&1] == 0 {
		return 0
	}
	return p.Empty()
}

// finished tells whether a position of the moving phase with no shot pending is over for another reason than a blocked
// player.
func (r *Ruleset) finished(p *Position) bool {
	return isThin(p) ||
		r.noShot > 0 && p.Counts.NoShot >= r.noShot ||
		r.three > 0 && p.Counts.ThreeAgainstThree >= r.three ||
		r.fullDraws && p.Empty() == 0
}

// isThin tells whether a side has fewer than three pieces on the board.
func isThin(p *Position) bool {
	return p.Pieces[White].Len() < 3 || p.Pieces[Black].Len() < 3
}

// flying tells whether a side of the moving phase may move to any empty point: with three pieces, no fewer.
func (r *Ruleset) flying(p *Position, side Side) bool {
	return r.flies && p.Pieces[side&1].Len() == 3
}

// reachable is where the piece on from may go, given the empty points and whether its side flies.
func (r *Ruleset) reachable(p *Position, from Point, empty Points, flying bool) Points {
	to := empty
	if !flying {
		to &= r.geo.near[from&31]
	}
	side := White
	if p.Pieces[Black].Has(from) {
		side = Black
	}
	if step := p.Forbidden[side]; step.Set && step.From == from {
		to = to.Without(step.To)
	}
	return to
}

// canMove tells whether a side has a move in the moving phase, were it its turn.
func (r *Ruleset) canMove(p *Position, side Side) bool {
	own, empty := p.Pieces[side&1]&allPoints, p.Empty()
	flying := r.flying(p, side)
	if !p.Forbidden[side&1].Set {
		return empty != 0 && (flying || r.geo.neighboursOf(own)&empty != 0)
	}
	for ; own != 0; own &= own - 1 {
		if r.reachable(p, own.first(), empty, flying) != 0 {
			return true
		}
	}
	return false
}

// mayPass tells whether a side to move that has no move may pass, in a position of the moving phase that is not
// finished: if the other could not move either, the game would be over.
func (r *Ruleset) mayPass(p *Position) bool {
	return r.passes && r.canMove(p, p.Turn.Opponent())
}

// Apply carries out an action, which must be legal in p.
func (r *Ruleset) Apply(p *Position, a Action) {
	switch a.Kind {
	case Place:
		r.place(p, a.To)
	case Move:
		r.move(p, a.From, a.To)
	case Shoot:
		r.shoot(p, a.To)
	case Pass:
		p.Forbidden[p.Turn&1] = Step{}
		p.endQuiet()
	}
}

func (r *Ruleset) place(p *Position, to Point) {
	side := p.Turn & 1
	own := p.Pieces[side] | 1<<to
	p.Pieces[side] = own
	p.Hand[side]--
	if closed := r.geo.closed(own, to); closed > 0 && p.Pieces[side^1] != 0 {
		p.Pending = r.shots.For(closed)
		return
	}
	p.Turn = side ^ 1
}

func (r *Ruleset) move(p *Position, from, to Point) {
	side := p.Turn & 1
	own := p.Pieces[side]&^(1<<from) | 1<<to
	p.Pieces[side] = own
	if r.noReturn {
		p.Forbidden[side] = Step{From: to, To: from, Set: true}
	}
	if closed := r.geo.closed(own, to); closed > 0 {
		p.Pending = r.shots.For(closed)
		return
	}
	p.endQuiet()
}

// shoot takes the piece on to out of the game. Shots that are left lapse when there is nothing to shoot; they stay, and
// so does the turn, when the shot has won the game.
func (r *Ruleset) shoot(p *Position, to Point) {
	other := p.Turn&1 ^ 1
	left := p.Pieces[other].Without(to)
	p.Pieces[other] = left
	if p.Forbidden[other].From == to {
		p.Forbidden[other] = Step{}
	}
	p.Counts = Counts{}
	p.Pending--
	if left == 0 {
		p.Pending = 0
	}
	if p.Pending == 0 {
		p.Turn = other
	}
}

// endQuiet completes a turn of the moving phase in which nothing was shot.
func (p *Position) endQuiet() {
	if p.Counts.NoShot < math.MaxUint16 {
		p.Counts.NoShot++
	}
	if p.Pieces[White].Len() != 3 || p.Pieces[Black].Len() != 3 {
		p.Counts.ThreeAgainstThree = 0
	} else if p.Counts.ThreeAgainstThree < math.MaxUint16 {
		p.Counts.ThreeAgainstThree++
	}
	p.Turn = p.Turn&1 ^ 1
}
