package rules

import "slices"

// Legal lists the legal actions, sorted by text. It is empty when the game is over.
func (v Variant) Legal(p Position) []Action {
	legal := v.AppendLegal(nil, p)
	slices.SortFunc(legal, Action.compare)
	return legal
}

// AppendLegal appends the legal actions to dst, in no order that is promised, and allocates only where dst has no room.
func (v Variant) AppendLegal(dst []Action, p Position) []Action {
	r := v.ruleset()
	return r.AppendLegal(dst, &p)
}

// Play is the position after an action, or the reason why the rules do not allow it: an *IllegalError, which wraps one
// of the sentinels. Repetition is not looked at; a Game does that.
func (v Variant) Play(p Position, a Action) (Position, error) {
	r := v.ruleset()
	if reason := r.refusal(&p, a); reason != nil {
		return p, &IllegalError{Action: a, Reason: reason, Legal: v.Legal(p)}
	}
	next := p
	r.Apply(&next, a)
	return next, nil
}

// refusal is the rule that forbids an action, or nil.
func (r *Ruleset) refusal(p *Position, a Action) error {
	switch {
	case a.Kind > Pass:
		return ErrNotAnAction
	case a.From >= PointCount || a.To >= PointCount:
		return ErrNotAPoint
	case r.Status(p).Over:
		return ErrGameOver
	case a.Kind == Shoot && p.Pending == 0:
		return ErrNoShotPending
	case a.Kind != Shoot && p.Pending > 0:
		return ErrShotRequired
	}
	switch a.Kind {
	case Place:
		return r.refusePlace(p, a.To)
	case Move:
		return r.refuseMove(p, a.From, a.To)
	case Shoot:
		return r.refuseShot(p, a.To)
	}
	if p.Placing() || r.canMove(p, p.Turn) || !r.passes {
		return ErrPassNotAllowed
	}
	return nil
}

func (r *Ruleset) refusePlace(p *Position, to Point) error {
	switch {
	case !p.Placing():
		return ErrWrongPhase
	case p.Hand[p.Turn&1] == 0:
		return ErrNothingInHand
	case p.Occupied().Has(to):
		return ErrOccupied
	}
	return nil
}

func (r *Ruleset) refuseMove(p *Position, from, to Point) error {
	owner, taken := p.At(from)
	switch step := p.Forbidden[p.Turn&1]; {
	case p.Placing():
		return ErrWrongPhase
	case !taken:
		return ErrEmptyOrigin
	case owner != p.Turn&1:
		return ErrNotYourPiece
	case p.Occupied().Has(to):
		return ErrOccupied
	case !r.flying(p, owner) && !r.geo.near[from&31].Has(to):
		return ErrNotAdjacent
	case step == Step{From: from, To: to, Set: true}:
		return ErrNoReturn
	}
	return nil
}

func (r *Ruleset) refuseShot(p *Position, to Point) error {
	owner, taken := p.At(to)
	switch {
	case !taken:
		return ErrEmptyTarget
	case owner == p.Turn&1:
		return ErrOwnPiece
	case !r.Targets(p).Has(to):
		return ErrProtected
	}
	return nil
}

// Targets is what the side to move may shoot now; empty when no shot is pending.
func (v Variant) Targets(p Position) Points {
	r := v.ruleset()
	return r.Targets(&p)
}

// Mills lists the lines on which s has a mill, in the order of Lines.
func (v Variant) Mills(p Position, s Side) []Line {
	var standing []Line
	own := p.Pieces[s&1]
	for _, line := range v.geometry().lines {
		if mask := line.mask(); own&mask == mask {
			standing = append(standing, line)
		}
	}
	return standing
}

// Mobile is the pieces of the side to move that have a legal move. It is empty outside the moving phase, while a shot is
// pending and when the game is over.
func (v Variant) Mobile(p Position) Points {
	r := v.ruleset()
	var mobile Points
	for from := range p.Pieces[p.Turn&1].All() {
		if r.Destinations(&p, from) != 0 {
			mobile |= 1 << from
		}
	}
	return mobile
}

// Destinations is where the piece on from may go now; empty when it is not the mover's or may not move.
func (v Variant) Destinations(p Position, from Point) Points {
	r := v.ruleset()
	return r.Destinations(&p, from)
}

// Destinations is Variant.Destinations.
func (r *Ruleset) Destinations(p *Position, from Point) Points {
	if p.Placing() || p.Pending > 0 || from >= PointCount || !p.Pieces[p.Turn&1].Has(from) || r.finished(p) {
		return 0
	}
	return r.reachable(p, from, p.Empty(), r.flying(p, p.Turn))
}
