package match

import (
	"time"

	"kraal/rules"
	"kraal/storage"
)

// A player is warned once when a live clock comes down to this, and in slow games when so much of the turn is left.
const (
	liveWarning  = 30 * time.Second
	slowFraction = 5
)

// Tick ends a game in which the time has run out. The bot does it, at FlagAt or later.
type Tick struct{}

func (Tick) apply(l *life) error {
	if l.State != storage.Playing {
		return ErrNotPlaying
	}
	if !l.late() {
		return ErrNotDue
	}
	t, err := Look(l.Match)
	if err != nil {
		return err
	}
	if t.Reading().Runs == FirstTurn {
		l.abort(storage.Aborted)
		return nil
	}
	l.finish(rules.Win(t.ToMove().Opponent()), rules.Timeout)
	return nil
}

// abort ends a game that never got going. It has no result.
func (l *life) abort(how storage.Ending) {
	l.noticeIn(0) // first: of a game that came to nothing nobody can tell any more that one held both seats
	l.State, l.Ending, l.Ended = storage.Withdrawn, how, l.Now
	l.Offers = nil
	l.FlagAt, l.WarnAt = time.Time{}, time.Time{}
}

// late tells whether the turn under way has lost the game, whether or not anybody has noticed.
func (l *life) late() bool { return l.Ticking() && !l.Now.Before(l.FlagAt) }

// GiveBack gives a time in which nobody could act back to the clock that runs: the bot was down, or the system's clock
// jumped. It changes nothing but the deadline, so taps stay good. Tell has the players told of it.
type GiveBack struct {
	From, To time.Time
	Tell     bool
}

func (g GiveBack) apply(l *life) error {
	if !l.Ticking() {
		return ErrNothingRuns
	}
	t, err := Look(l.Match)
	if err != nil {
		return err
	}
	c, _ := ControlOf(l.Match.Clock)
	since, _, _ := reckon(t, c).running(t, c)
	p := storage.Pause{Why: storage.PauseDowntime, From: later(g.From, since), To: g.To, Untold: g.Tell}
	if !p.From.Before(p.To) {
		return ErrNothingRuns // it began afterwards
	}
	l.addDowntime(p)
	l.unseen = true
	if g.Tell || !c.Slow() { // a minute of days is not worth an edit of every board
		l.Shown.Revision = min(l.Shown.Revision, l.Revision-1)
	}
	l.scheduleAt(t.Game)
	return nil
}

// addDowntime notes a time without the bot. One that was noted before, by a process that ended half way through giving
// it back, grows.
func (l *life) addDowntime(p storage.Pause) {
	if n := len(l.Pauses); n > 0 {
		last := &l.Pauses[n-1]
		if last.Why == p.Why && !p.From.Before(last.From) && !p.From.After(last.To) {
			last.To, last.Untold = later(last.To, p.To), last.Untold || p.Untold
			return
		}
	}
	l.Pauses = append(l.Pauses, p)
}

// adopt begins the clock of a game that was begun before clocks ran: what was played so far took no time.
func (l *life) adopt() {
	if !HasClock(l.Match) || l.Ticking() || Adjourned(l.Match) {
		return
	}
	l.Pauses = append(l.Pauses, storage.Pause{Why: storage.PauseUnclocked, From: l.Started, To: l.Now})
	l.schedule()
}

// schedule sets when the turn under way ends the game, and when somebody is to be warned of that.
func (l *life) schedule() {
	t, err := Look(l.Match)
	if err != nil {
		return // whoever acts next is told
	}
	l.scheduleAt(t.Game)
}

func (l *life) scheduleAt(g *rules.Game) {
	l.FlagAt, l.WarnAt = time.Time{}, time.Time{}
	t := Table{Match: l.Match, Game: g}
	c, _ := ControlOf(l.Clock)
	past := reckon(t, c)
	since, d, runs := past.running(t, c)
	switch {
	case runs == FirstTurn:
		d = l.FirstTurn
	case runs == Stopped && !HasClock(l.Match) && !Alone(l.Match) && l.withPerson() == nil:
		l.WarnAt = t.SilentSince().Add(l.AbandonedAfter) // then whoever waits may end it
		return
	case runs == Stopped:
		return
	}
	l.FlagAt = pauses(l.Pauses).merged().after(since, d)
	t.Match = l.Match
	l.WarnAt = t.warning(func(at time.Time) bool { return !at.Before(l.Now) })
}

// NextWarning is when somebody is to be warned next, after a moment; the zero time is never.
func (t Table) NextWarning(after time.Time) time.Time {
	return t.warning(func(at time.Time) bool { return at.After(after) })
}

// warning is the first warning of the turn under way that will do.
func (t Table) warning(will func(time.Time) bool) time.Time {
	c, _ := ControlOf(t.Match.Clock)
	past := reckon(t, c)
	if !t.Match.Ticking() {
		return time.Time{}
	}
	_, _, runs := past.running(t, c)
	for _, left := range past.warnings(t, c, runs) {
		if at := t.Match.FlagAt.Add(-left); will(at) {
			return at
		}
	}
	return time.Time{}
}

// warnings lists with how much time left somebody is to be warned, the earliest first.
func (r reckoning) warnings(t Table, c Control, runs Running) []time.Duration {
	side := t.ToMove()
	switch {
	case runs == Counted && r.protested(t.Match):
		return []time.Duration{countLasts, time.Minute, 30 * time.Second} // the first is that there is a count
	case runs == Counted:
		return []time.Duration{time.Minute, 30 * time.Second}
	case runs == OnClock && c.Slow():
		return []time.Duration{c.Turn / slowFraction}
	case runs == OnClock && r.left[side] > liveWarning && !r.low[side]:
		return []time.Duration{liveWarning}
	}
	return nil
}
