package bot

import (
	"time"

	"kraal/bot/match"
	"kraal/rules"
)

// pauseOf is how long to wait before the engine's turn is made: more where much is at stake, less where a clock runs.
func (a *App) pauseOf(t match.Table) time.Duration {
	now := a.Clock.Now()
	since := t.Match.Started
	if n := len(t.Match.Deeds); n > 0 {
		since = t.Match.Deeds[n-1].At
	}
	pause := a.Engine.Pause
	if a.Engine.Weigh > 0 && critical(t.Game) {
		pause += a.Engine.Weigh
	}
	if r := t.Reading(); !r.Until.IsZero() {
		pause = min(pause, r.Until.Sub(now)/pauseShare)
	}
	return min(pause, max(0, pause-now.Sub(since)))
}

// critical tells whether much is at stake: there is a choice, and one of the sides could close a mill with one action, were
// it to move.
func critical(g *rules.Game) bool {
	p := g.Position()
	return len(g.Legal()) > 1 && (closable(g.Variant(), p, p.Turn) || closable(g.Variant(), p, p.Turn.Opponent()))
}

func closable(v rules.Variant, p rules.Position, side rules.Side) bool {
	p.Turn, p.Pending = side, 0
	for _, a := range v.Legal(p) {
		if next, err := v.Play(p, a); err == nil && next.Pending > 0 && next.Turn == side {
			return true
		}
	}
	return false
}
