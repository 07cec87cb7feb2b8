package match

import "kraal/storage"

// Leave is done for somebody of whom nothing is to be kept any more. A challenge by them or to them comes to nothing, and
// a game ends as if they had resigned: leaving is no way around a defeat.
type Leave struct{}

func (Leave) apply(l *life) error {
	switch {
	case l.State == storage.Challenged && l.act.By.ID == l.Challenger.ID:
		return l.withdraw(storage.Cancelled)
	case l.State == storage.Challenged && l.act.By.ID == l.Opponent.ID:
		return l.withdraw(storage.Declined)
	case l.State == storage.Playing && l.unplayable():
		l.abort(storage.Voided)
		l.noNotice()
		return nil
	case l.State == storage.Playing && Alone(l.Match) && l.Seats[0].ID == l.act.By.ID:
		l.abort(storage.CalledOff)
		l.Quitter = l.act.By.ID
		return nil
	}
	return Resign{}.apply(l)
}

// unplayable tells whether the record cannot be replayed, so that nobody could end the game by a rule.
func (l *life) unplayable() bool {
	_, err := Look(l.Match)
	return err != nil
}

// LosesByLeaving tells whether whoever leaves now loses the game: it is one of two who have both made a turn.
func LosesByLeaving(m storage.Match) bool {
	t, err := Look(m)
	return err == nil && m.State == storage.Playing && !Alone(m) && t.BothMoved()
}
