package match

import (
	"slices"
	"time"

	"kraal/rules"
	"kraal/storage"
)

// Running is what it is that runs out in a game, if anything does.
type Running string

// What can run out.
const (
	Stopped   Running = ""      // nothing: the game has no clock, is adjourned, or is over
	FirstTurn Running = "first" // the time for a first turn, before a live clock starts
	OnClock   Running = "clock" // the clock of the player to move
	Counted   Running = "count" // the arbiter's two minutes
)

// Reading is what a game's clock shows.
type Reading struct {
	Control Control
	Runs    Running
	Left    [2]time.Duration // by side, when the turn under way began, or was adjourned; never below zero
	Began   time.Time        // when that turn began
	Until   time.Time        // when what runs is over; zero where nothing does
}

// Reading works out the clock from the record: from when which turns were made, and what counts against nobody.
func (t Table) Reading() Reading {
	c, _ := ControlOf(t.Match.Clock)
	past := reckon(t, c)
	r := Reading{Control: c, Left: past.left, Began: past.began}
	if i := slices.IndexFunc(t.Match.Pauses, lasts); i >= 0 {
		thought := pauses(t.Match.Pauses).merged().running(r.Began, t.Match.Pauses[i].From)
		r.Left[t.ToMove()] = max(0, r.Left[t.ToMove()]-thought)
	}
	if t.Match.Ticking() {
		_, _, r.Runs = past.running(t, c)
		r.Until = t.Match.FlagAt
	}
	return r
}

// reckoning is where the clocks stood when the turn under way began.
type reckoning struct {
	began time.Time
	from  int              // at which action
	left  [2]time.Duration // by side
	low   [2]bool          // a live clock has been down to the warning before
	both  bool             // each side has completed a turn
}

// reckon replays the times of the deeds.
func reckon(t Table, c Control) reckoning {
	r := reckoning{began: t.Match.Started, left: [2]time.Duration{c.Bank + c.Turn, c.Bank + c.Turn}}
	still := pauses(t.Match.Pauses).merged()
	var moved [2]bool
	for _, turn := range t.Game.Turns() {
		if !turn.Complete || r.from+len(turn.Turn) > len(t.Match.Deeds) {
			break
		}
		end := t.Match.Deeds[r.from+len(turn.Turn)-1].At
		if r.both && c.Live() && !isPass(turn.Turn) { // a pass takes no time, and earns none
			r.spend(turn.Side, still.running(r.began, end), c)
		}
		moved[turn.Side] = true
		r.both = moved[rules.White] && moved[rules.Black]
		r.from, r.began = r.from+len(turn.Turn), end
	}
	return r
}

// spend takes a turn's time from a live clock, and adds what completing it earns.
func (r *reckoning) spend(side rules.Side, d time.Duration, c Control) {
	left := max(0, r.left[side]-d)
	r.low[side] = r.low[side] || left <= liveWarning
	r.left[side] = left + c.Increment
}

// running tells what runs in a game in play, since when, and how long it lasts. The length of FirstTurn is not for a
// record to know.
func (r reckoning) running(t Table, c Control) (since time.Time, d time.Duration, runs Running) {
	side := t.ToMove()
	switch {
	case Adjourned(t.Match):
		return r.began, 0, Stopped
	case c.Live() && !r.both:
		return r.began, 0, FirstTurn
	case c.Live() || c.Slow():
		return r.began, r.left[side], OnClock
	}
	if since, counted := r.count(t.Match); counted {
		return since, countLasts, Counted
	}
	return r.began, 0, Stopped
}

// HasClock tells whether the players agreed on a clock.
func HasClock(m storage.Match) bool {
	c, _ := ControlOf(m.Clock)
	return c.Live() || c.Slow()
}
