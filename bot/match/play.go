package match

import (
	"kraal/rules"
	"kraal/storage"
)

// Play makes one action on the board.
type Play struct{ Action rules.Action }

func (p Play) apply(l *life) error {
	t, _, err := l.toAct()
	if err != nil {
		return err
	}
	return l.playOn(t, p.Action)
}

// playOn makes actions of the side to move, and what follows from them by itself.
func (l *life) playOn(t Table, actions ...rules.Action) error {
	before := t.ToMove()
	l.resume(t)
	for _, a := range actions {
		if t.ToMove() != before {
			return ErrNotYourTurn
		}
		if err := l.make(t, a); err != nil {
			return err
		}
	}
	l.declineOffers(before)
	if !t.Game.Status().Over && t.ToMove() != before {
		if err := l.passes(t); err != nil {
			return err
		}
	}
	l.afterPlay(t, before)
	return nil
}

// toAct gives the board and the side of whoever acts, or why they may not.
func (l *life) toAct() (Table, rules.Side, error) {
	t, side, err := l.player()
	switch {
	case err != nil:
		return t, side, err
	case l.fresh() != nil:
		return t, side, ErrStale
	case side != t.ToMove():
		return t, side, ErrNotYourTurn
	}
	return t, side, nil
}

// player gives the board and the side of whoever acts in a game in play.
func (l *life) player() (Table, rules.Side, error) {
	if !seated(l.Match) {
		return Table{}, rules.White, ErrNotPlaying
	}
	t, err := Look(l.Match)
	if err != nil {
		return t, rules.White, err
	}
	side, ok := t.SideOf(l.act.By.ID)
	switch {
	case !ok:
		return t, side, ErrStranger
	case l.State != storage.Playing:
		return t, side, ErrNotPlaying
	case l.late():
		return t, side, ErrTimeUp // although the bot has not noticed yet
	}
	l.adopt()
	return t, side, nil
}

// make plays an action and writes it down.
func (l *life) make(t Table, a rules.Action) error {
	if err := t.Game.Play(a); err != nil {
		return err
	}
	l.Deeds = append(l.Deeds, storage.Deed{Action: a.String(), At: l.Now})
	return nil
}

// passes makes the pass of a side that can do nothing else: nobody is asked to confirm what they cannot choose.
func (l *life) passes(t Table) error {
	for !t.Game.Status().Over {
		legal := t.Game.Legal()
		if len(legal) != 1 || legal[0].Kind != rules.Pass {
			return nil
		}
		if err := l.make(t, legal[0]); err != nil {
			return err
		}
	}
	return nil
}

// afterPlay ends a game that the board has decided, and else sees to it that the next player is told of their turn.
func (l *life) afterPlay(t Table, before rules.Side) {
	switch status := t.Game.Status(); {
	case status.Over:
		l.finish(status.Result, status.Reason)
	case t.ToMove() != before || t.Passed():
		l.noticeIn(l.NoticeAfter)
		l.scheduleAt(t.Game)
	default: // the same player goes on, and is evidently there
		l.noNotice()
	}
}

// Resign gives the game up. Before both have made a turn that is no defeat: the game is called off, and counts for nobody.
type Resign struct{}

func (Resign) apply(l *life) error {
	t, side, err := l.player()
	if err != nil {
		return err
	}
	if err := l.fresh(); err != nil {
		return err
	}
	if !t.BothMoved() {
		l.abort(storage.CalledOff)
		l.Quitter = l.act.By.ID
		return nil
	}
	l.finish(rules.Win(side.Opponent()), rules.Resignation)
	return nil
}

// CalledOffBy is the side that called a game off.
func CalledOffBy(m storage.Match) rules.Side {
	if m.Seats[rules.Black].ID == m.Quitter {
		return rules.Black
	}
	return rules.White
}
