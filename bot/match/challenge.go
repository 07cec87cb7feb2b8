package match

import (
	"time"

	"kraal/rules"
	"kraal/storage"
)

// Terms are what a challenger proposes.
type Terms struct {
	ID                   string
	Request              string // the id of the request that brought it
	Server, Channel      string
	Above                string // the channel that Channel, a thread, hangs below
	Variant              rules.Variant
	Colour               string // the challenger's: "white", "black" or "random"
	Clock                string
	Rated                bool
	Challenger, Opponent storage.Person // an Opponent without an id: anyone may accept
	Level                int            // of the engine, where the opponent is the bot itself; 0: the opponent is a person
	Expires              time.Time
}

// New is a challenge under these terms. Rules that have no ladder are not rated, whatever the terms say. Somebody who
// challenges themselves holds both seats of a game that begins at once, has no clock and never counts. One against the
// engine begins at once too, and does not count either.
func New(t Terms, c Circumstances) storage.Match {
	l := &life{Circumstances: c, Match: storage.Match{
		ID: t.ID, State: storage.Challenged, Server: t.Server, Channel: t.Channel, Above: t.Above, Variant: t.Variant, Clock: t.Clock,
		Rated: t.Rated && HasLadder(t.Variant), Challenger: t.Challenger, Opponent: t.Opponent, Colour: t.Colour,
		Created: c.Now, Expires: t.Expires, Revision: 1,
	}}
	if t.Request != "" {
		l.Handled = []string{t.Request}
	}
	switch {
	case t.Level > 0:
		l.Rated = false
		l.start(storage.Seat{Person: t.Opponent, Level: t.Level})
	case t.Challenger.ID == t.Opponent.ID:
		l.Rated, l.Clock = false, "" // nobody to be measured against, and nobody to race
		l.start(storage.Seat{Person: t.Challenger})
	}
	return l.Match
}

// Accept takes up a challenge: the game begins.
type Accept struct{}

func (Accept) apply(l *life) error {
	if err := l.waiting(); err != nil {
		return err
	}
	switch by := l.act.By.ID; {
	case by == "":
		return ErrStranger // nobody cannot be seated, not even where anyone may accept
	case by == l.Challenger.ID:
		return ErrOwnChallenge
	case l.Opponent.ID != "" && by != l.Opponent.ID:
		return ErrNotChallenged
	}
	l.start(storage.Seat{Person: l.act.By})
	return nil
}

// Decline refuses a challenge. Only the person challenged can; an open challenge cannot be declined.
type Decline struct{}

func (Decline) apply(l *life) error {
	if err := l.waiting(); err != nil {
		return err
	}
	if l.Opponent.ID == "" || l.act.By.ID != l.Opponent.ID {
		return ErrNotChallenged
	}
	return l.withdraw(storage.Declined)
}

// Cancel takes a challenge back. Only the challenger can.
type Cancel struct{}

func (Cancel) apply(l *life) error {
	if err := l.waiting(); err != nil {
		return err
	}
	if l.act.By.ID != l.Challenger.ID {
		return ErrNotChallenger
	}
	return l.withdraw(storage.Cancelled)
}

// Expire ends a challenge that nobody took up in time.
type Expire struct{}

func (Expire) apply(l *life) error {
	if l.State != storage.Challenged {
		return ErrNotWaiting
	}
	if l.Now.Before(l.Expires) {
		return ErrNotExpired
	}
	return l.withdraw(storage.Expired)
}

// waiting refuses when the challenge was answered, or has run out although nobody noticed yet.
func (l *life) waiting() error {
	if l.State != storage.Challenged || !l.Now.Before(l.Expires) {
		return ErrNotWaiting
	}
	return l.fresh()
}

func (l *life) withdraw(how storage.Ending) error {
	l.State, l.Ending, l.Ended = storage.Withdrawn, how, l.Now
	return nil
}

// start seats the two and begins the game.
func (l *life) start(opponent storage.Seat) {
	side := l.Coin
	switch l.Colour {
	case rules.White.String():
		side = rules.White
	case rules.Black.String():
		side = rules.Black
	}
	l.Opponent = opponent.Person
	l.seat(side, l.Challenger, 0)
	l.seat(side.Opponent(), opponent.Person, opponent.Level)
	l.State, l.Started = storage.Playing, l.Now
	l.noticeIn(l.NoticeAfter)
	l.schedule()
	l.awaitEngine()
}

func (l *life) seat(side rules.Side, p storage.Person, level int) {
	s := storage.Seat{Person: p, Acted: l.Created, Level: level} // whoever accepts is noted as being there now
	if l.Strength != nil && level == 0 {
		s.Points, s.Deviation = l.Strength(p.ID)
	}
	l.Seats[side] = s
}
