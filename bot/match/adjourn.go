package match

import (
	"slices"

	"kraal/storage"
)

// Adjourn proposes days off in a slow game, or agrees to them: the clock stands until either player goes on.
type Adjourn struct{}

func (Adjourn) apply(l *life) error {
	t, side, err := l.player()
	if err != nil {
		return err
	}
	if err := l.fresh(); err != nil {
		return err
	}
	if err := l.withPerson(); err != nil {
		return err
	}
	switch c, _ := ControlOf(l.Clock); {
	case !c.Slow():
		return ErrNoAdjourning
	case Adjourned(l.Match):
		return ErrAdjourned
	}
	agreed, err := l.offer(storage.OfferAdjourn, side)
	if agreed {
		l.Offers = slices.DeleteFunc(l.Offers, func(o storage.Offer) bool { return o.Kind == storage.OfferAdjourn })
		l.Pauses = append(l.Pauses, storage.Pause{Why: storage.PauseAdjourned, From: l.Now})
		l.noNotice()
		l.scheduleAt(t.Game)
	}
	return err
}

// Resume lets the clock of an adjourned game run on. Either player may, at any time; making a turn does it too.
type Resume struct{}

func (Resume) apply(l *life) error {
	t, _, err := l.player()
	if err != nil {
		return err
	}
	if err := l.fresh(); err != nil {
		return err
	}
	if !Adjourned(l.Match) {
		return ErrNotAdjourned
	}
	l.resume(t)
	l.noticeIn(l.NoticeAfter)
	return nil
}

// resume ends an adjournment, if there is one.
func (l *life) resume(t Table) {
	if !Adjourned(l.Match) {
		return
	}
	for i := range l.Pauses {
		if l.Pauses[i].To.IsZero() {
			l.Pauses[i].To = l.Now
		}
	}
	l.scheduleAt(t.Game)
}

// Adjourned tells whether the players have agreed to let the clock stand.
func Adjourned(m storage.Match) bool {
	return slices.ContainsFunc(m.Pauses, lasts)
}

// lasts tells whether a pause has not ended.
func lasts(p storage.Pause) bool { return p.To.IsZero() }
