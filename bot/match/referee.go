package match

import (
	"kraal/rules"
	"kraal/storage"
)

// End ends a game by a referee's decision: with a result, or, where Result is rules.Undecided, as one that never was. A
// challenge that waits can only come to nothing.
type End struct{ Result rules.Result }

func (e End) apply(l *life) error {
	switch {
	case !l.Live():
		return ErrNotPlaying
	case l.State == storage.Challenged && e.Result != rules.Undecided:
		return ErrNotPlaying
	case l.State == storage.Challenged:
		return l.withdraw(storage.Voided)
	case l.late():
		return ErrTimeUp
	case e.Result == rules.Undecided:
		l.abort(storage.Voided)
	default:
		l.finish(e.Result, rules.Adjudication)
	}
	return nil
}

// Annul takes a finished game out of all that is counted. What it did to ratings is for Annulment to take back.
type Annul struct{}

func (Annul) apply(l *life) error {
	switch {
	case l.State != storage.Finished:
		return ErrNotFinished
	case !l.Annulled.IsZero():
		return ErrAnnulled
	}
	l.Annulled = l.Now
	return nil
}

// Relocate moves a match to another channel: its board is shown there from now on.
type Relocate struct{ Channel string }

func (r Relocate) apply(l *life) error {
	if !l.Live() {
		return ErrNotPlaying
	}
	l.Channel = r.Channel
	return nil
}

// Annulment takes back what an annulled match changed, by exactly what it had changed, from the ratings that there are
// now: later games stand. It returns the ratings to keep, and those to forget, of members who have no other game there.
// A deviation stays as it is, for what later games made of it cannot be told apart.
func Annulment(m storage.Match, had map[storage.Key]storage.Rating) (keep []storage.Rating, forget []storage.Key) {
	for _, c := range m.Changes {
		key := storage.RatingKey(c.Pool, m.Variant.Key, c.Member)
		r, ok := had[key]
		if !ok {
			continue // they have had themselves deleted
		}
		r = without(r, m, c)
		if r.Games() == 0 {
			forget = append(forget, key)
			continue
		}
		keep = append(keep, r)
	}
	return keep, forget
}

// without is a rating as it is without one game of its.
func without(r storage.Rating, m storage.Match, c storage.Change) storage.Rating {
	r.Points -= c.After - c.Before
	if r.Monday != 0 && m.Ended.Before(WeekOf(r.At)) {
		r.Monday -= c.After - c.Before
	}
	switch winner, won := m.Result.Winner(); {
	case !won:
		r.Draws = max(0, r.Draws-1)
	case m.Seats[winner].ID == c.Member:
		r.Wins = max(0, r.Wins-1)
	default:
		r.Losses = max(0, r.Losses-1)
	}
	if m.Seats[rules.White].ID == c.Member {
		r.White = max(0, r.White-1)
	} else {
		r.Black = max(0, r.Black-1)
	}
	if r.Best.Match == m.ID {
		r.Best = storage.Win{} // the one before it is not known; the next counts anew
	}
	return r
}
