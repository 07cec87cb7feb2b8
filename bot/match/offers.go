package match

import (
	"slices"

	"kraal/rules"
	"kraal/storage"
)

// Draw offers a draw, or agrees to the one offered.
type Draw struct{}

func (Draw) apply(l *life) error {
	_, side, err := l.player()
	if err != nil {
		return err
	}
	if err := l.fresh(); err != nil {
		return err
	}
	agreed, err := l.offer(storage.OfferDraw, side)
	if agreed {
		accepted := l.Offers
		l.finish(rules.Drawn, rules.Agreement)
		l.Offers = onlyDraw(accepted) // it tells who is to hear that it was accepted
	}
	return err
}

// Takeback asks to take one's last turn back, whole, or grants it to the other.
type Takeback struct{}

func (Takeback) apply(l *life) error {
	t, side, err := l.player()
	if err != nil {
		return err
	}
	if err := l.fresh(); err != nil {
		return err
	}
	asker := side
	if l.offered(storage.OfferTakeback, side.Opponent()) {
		asker = side.Opponent()
	} else if Alone(l.Match) {
		asker = lastMover(t)
	}
	start, ok := lastTurnOf(t, asker)
	if !ok {
		return ErrNoTurn
	}
	agreed, err := l.offer(storage.OfferTakeback, side)
	if agreed {
		l.takeBack(start)
	}
	return err
}

// takeBack undoes the deeds from one on. The clocks are what they were when that turn began: the time since counts
// against nobody.
func (l *life) takeBack(start int) {
	began := l.Started
	if start > 0 {
		began = l.Deeds[start-1].At
	}
	l.Deeds = l.Deeds[:start]
	l.Pauses = append(l.Pauses, storage.Pause{Why: storage.PauseTakeback, From: began, To: l.Now})
	l.Offers, l.DrawRefused = nil, 0
	l.forgetProtests(start)
	l.noticeIn(l.NoticeAfter)
	l.schedule()
}

// lastMover is the side that made the last turn.
func lastMover(t Table) rules.Side {
	last, _ := t.LastTurn()
	return last.Side
}

// lastTurnOf tells at which action the side's last turn began. A pass is nobody's choice, so it cannot be taken back
// alone: the turn before it goes too.
func lastTurnOf(t Table, side rules.Side) (start int, ok bool) {
	at := 0
	for _, turn := range t.Game.Turns() {
		if turn.Side == side && !isPass(turn.Turn) {
			start, ok = at, true
		}
		at += len(turn.Turn)
	}
	return start, ok
}

// Rematch proposes another game with colours swapped, or agrees to it: then the new match begins at once.
type Rematch struct{}

func (Rematch) apply(l *life) error {
	if !seated(l.Match) {
		return ErrNotFinished
	}
	t, err := Look(l.Match)
	if err != nil {
		return err
	}
	side, ok := t.SideOf(l.act.By.ID)
	switch {
	case !ok:
		return ErrStranger
	case l.State != storage.Finished:
		return ErrNotFinished
	case l.Next != "":
		return ErrRematched
	case l.SomebodyLeft():
		return ErrLeft
	}
	agreed, err := l.offer(storage.OfferRematch, side)
	if agreed {
		l.rematch()
	}
	return err
}

// rematch begins the next match and points this one at it.
func (l *life) rematch() {
	first := rules.Black // begins the next match, as white
	if l.Seats[rules.Black].Level > 0 {
		first = rules.White
	}
	next := &life{Circumstances: l.Circumstances, Match: storage.Match{
		ID: l.NewID, Server: l.Server, Channel: l.Channel, Above: l.Above, Variant: l.Variant, Position: l.Position, Clock: l.Clock,
		Rated: l.Rated, Challenger: l.Seats[first].Person, Colour: first.Opponent().String(),
		Created: l.Now, Last: l.ID, Revision: 1,
	}}
	next.start(l.Seats[first.Opponent()])
	if t, err := Look(l.Match); err == nil {
		score := Series(t)
		next.Series = [2]int{score[rules.Black], score[rules.White]} // they change sides
	}
	for side, seat := range l.Seats {
		if seat.ID != l.act.By.ID { // they agreed a while ago; whoever begins the match is here now
			next.Seats[1-side].Acted = seat.Acted
		}
	}
	l.Next, l.Offers, l.new = l.NewID, nil, &next.Match
}

// offer notes a side's proposal. It tells whether both now want it; who holds both seats agrees with themselves.
func (l *life) offer(kind storage.OfferKind, by rules.Side) (agreed bool, err error) {
	switch {
	case l.offered(kind, by.Opponent()) || Alone(l.Match) || l.agreesAtOnce(kind, by):
		return true, nil
	case kind == storage.OfferDraw && DrawRefused(l.Match) && l.Seats[by.Opponent()].Level > 0:
		return false, ErrDrawRefused
	case l.offered(kind, by):
		return false, ErrOffered
	}
	l.Offers = append(l.Offers, storage.Offer{Kind: kind, By: by, Deed: len(l.Deeds), At: l.Now})
	return false, nil
}

func (l *life) offered(kind storage.OfferKind, by rules.Side) bool { return Offered(l.Match, kind, by) }

// onlyDraw is the draw offer among others.
func onlyDraw(offers []storage.Offer) []storage.Offer {
	return slices.DeleteFunc(offers, func(o storage.Offer) bool { return o.Kind != storage.OfferDraw })
}

// Offerer tells which side made the offer of that kind, if there is one.
func Offerer(m storage.Match, kind storage.OfferKind) (rules.Side, bool) {
	for _, o := range m.Offers {
		if o.Kind == kind {
			return o.By, true
		}
	}
	return rules.White, false
}

// Offered tells whether a side's offer of that kind waits for an answer.
func Offered(m storage.Match, kind storage.OfferKind, by rules.Side) bool {
	return slices.ContainsFunc(m.Offers, func(o storage.Offer) bool { return o.Kind == kind && o.By == by })
}

// declineOffers: by playing on, a player declines what the other has offered. A takeback asked for a board that is no
// more lapses too; a draw offered along with one's own move stands.
func (l *life) declineOffers(mover rules.Side) {
	l.Offers = slices.DeleteFunc(l.Offers, func(o storage.Offer) bool {
		return o.By != mover || o.Kind == storage.OfferTakeback
	})
}
