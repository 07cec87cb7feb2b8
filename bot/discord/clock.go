package discord

import (
	"kraal/bot/match"
)

// clockLine says what runs, and until when; nothing where nothing does. Readers see the deadline count down by
// themselves, so no edit is needed for that.
func clockLine(t match.Table, say phrases) string {
	m, r := t.Match, t.Reading()
	mover := t.ToMove()
	a := args{
		"Name": nameOf(m.Seats[mover].Person, say), "Other": nameOf(m.Seats[mover.Opponent()].Person, say),
		"Until": relative(r.Until), "Left": span(r.Left[mover.Opponent()]),
	}
	switch {
	case r.Runs == match.FirstTurn:
		return say.Say("BoardFirstTurn", a)
	case r.Runs == match.OnClock && r.Control.Live():
		return say.Say("BoardClockLive", a)
	case r.Runs == match.OnClock:
		return say.Say("BoardClockSlow", a)
	}
	return ""
}
