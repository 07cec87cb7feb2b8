// Package match is the life of one match, from challenge to result, as a pure function: Apply takes what someone did and
// the circumstances, and returns the match after it. It reads no clock, no disk and no random source.
package match

import (
	"slices"
	"time"

	"kraal/rules"
	"kraal/storage"
)

// remembered is how many handled requests a match keeps, so that one that arrives again is known. Discord repeats an
// event within seconds, long before so many others have been handled.
const remembered = 16

// Act is what someone does to a match.
type Act struct {
	Request  string         // the id of the request; "" if it cannot come twice
	By       storage.Person // who does it, with the name that they have now; the zero Person is the bot itself
	Revision int            // the revision which they saw; 0: whichever is newest
	Do       Deed
}

// Deed is one of the things that can be done: Accept, Decline, Cancel, Expire, Play, Resign, Draw, Takeback, Adjourn,
// Resume, Protest, Claim, Rematch, Leave; by the engine also Turn and RefuseDraw; by somebody who does not play Predict; by a
// referee End, Annul, Relocate, Standing; and
// by the bot itself Tick and GiveBack.
type Deed interface {
	apply(*life) error
}

// Circumstances are what Apply needs to know of the world.
type Circumstances struct {
	Now            time.Time
	Coin           rules.Side                                      // the challenger's side where it is left to chance
	NewID          string                                          // for a rematch
	NoticeAfter    time.Duration                                   // how long a player has to act before being told of their turn
	FirstTurn      time.Duration                                   // how long a player has for a first turn before a live clock starts
	AbandonedAfter time.Duration                                   // without a clock, how long the player to move may be silent
	Strength       func(member string) (points, deviation float64) // what a member brings to the seat; nil: nobody is rated
}

// Outcome is a match after an act, and the new match that a rematch began.
type Outcome struct {
	Match storage.Match
	New   *storage.Match
}

// life is a match while an act is applied to it.
type life struct {
	storage.Match
	Circumstances
	act    Act
	new    *storage.Match
	unseen bool // it is no new revision: taps for the board as it is stay good
}

// Apply returns what m becomes by a. It refuses with one of the errors of this package, or with a *rules.IllegalError
// that says what would have been legal; m is never changed. ErrRepeated means that this very request was carried out
// before.
func Apply(m storage.Match, a Act, c Circumstances) (Outcome, error) {
	if a.Request != "" && slices.Contains(m.Handled, a.Request) {
		return Outcome{Match: m}, ErrRepeated
	}
	l := &life{Match: clone(m), Circumstances: c, act: a}
	if err := a.Do.apply(l); err != nil {
		return Outcome{Match: m}, err
	}
	if !l.unseen {
		l.Revision++
	}
	l.remember()
	l.awaitEngine()
	return Outcome{Match: l.Match, New: l.new}, nil
}

// clone copies what an act may change in place.
func clone(m storage.Match) storage.Match {
	m.Deeds = slices.Clone(m.Deeds)
	m.Offers = slices.Clone(m.Offers)
	m.Pauses = slices.Clone(m.Pauses)
	m.Protests = slices.Clone(m.Protests)
	m.Changes = slices.Clone(m.Changes)
	m.Handled = slices.Clone(m.Handled)
	return m
}

// remember notes the request, that its maker is there and what they are called now, and that telling may be tried again.
func (l *life) remember() {
	if l.act.Request != "" {
		l.Handled = append(l.Handled, l.act.Request)
		l.Handled = l.Handled[max(0, len(l.Handled)-remembered):]
	}
	for i := range l.Seats {
		if l.act.By.ID == "" || l.Seats[i].ID != l.act.By.ID {
			continue
		}
		l.Seats[i].Acted = l.Now
		if l.act.By.Name != "" {
			l.Seats[i].Name = l.act.By.Name
		}
	}
	l.Shown.Trouble = ""
}

// fresh refuses an act that was made for an older revision.
func (l *life) fresh() error {
	if l.act.Revision != 0 && l.act.Revision != l.Revision {
		return ErrStale
	}
	return nil
}

// finish ends the game with a result. The end is told at once: nobody has a turn to make first.
func (l *life) finish(result rules.Result, reason rules.Reason) {
	l.State, l.Result, l.Reason, l.Ended = storage.Finished, result, reason, l.Now
	l.Offers = nil
	l.FlagAt, l.WarnAt = time.Time{}, time.Time{}
	l.noticeIn(0)
}

// noNotice: nobody is to be told anything.
func (l *life) noNotice() { l.NoticeAt = time.Time{} }

// noticeIn has a notice sent after d, unless there is nobody to tell: who plays both sides knows.
func (l *life) noticeIn(d time.Duration) {
	l.NoticeAt = l.Now.Add(d)
	if Alone(l.Match) {
		l.noNotice()
	}
}
