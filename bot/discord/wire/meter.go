package wire

import "time"

// Sent is one request that went to Discord, for whoever counts them.
type Sent struct {
	Method string
	Status int           // of HTTP; 0: there was no answer
	Took   time.Duration // until the answer had been read
}

// Handled is one interaction that has been dealt with, for whoever counts them.
type Handled struct {
	Kind    Kind
	Name    string // of the command; "" for a tap or a form
	Outcome Outcome
	First   time.Duration // from its arrival until Discord had taken the first response; 0: there was none
	Took    time.Duration // from its arrival until the handler was done
}

// Outcome is what came of an interaction.
type Outcome string

// The outcomes.
const (
	Answered Outcome = "answered"
	Refused  Outcome = "refused"  // the person was told why not
	Failed   Outcome = "failed"   // a fault, for which the person got an apology
	Panicked Outcome = "panicked" // likewise
	Crowded  Outcome = "crowded"  // too many at once: it was not begun
	Unheard  Outcome = "unheard"  // Discord took no response in time
)

// Count says what came of the interaction, where that is not that it was answered. It is for the handler's goroutine.
func (a *Answer) Count(as Outcome) { a.outcome = as }

// tellHandled is called when all is over.
func (c *Client) tellHandled(a *Answer, begun, handled bool) {
	if c.cfg.Handled == nil {
		return
	}
	<-a.turn
	h := Handled{Kind: a.in.Kind, Name: a.in.Name, Outcome: a.outcome, First: a.first, Took: time.Since(a.began)}
	a.turn <- struct{}{}
	switch {
	case !begun:
		h.Outcome = Crowded
	case !handled:
		h.Outcome = Panicked
	case h.First == 0:
		h.Outcome = Unheard
	}
	c.cfg.Handled(h)
}

// Gateway is how the connection stands, that of all shards together.
type Gateway struct {
	Connected    bool      // each shard has one, and Discord hears the bot
	Acknowledged time.Time // when Discord last showed so, on the shard where that is longest ago; zero: on none yet
	Lost         int       // connections that have ended, and openings that failed
}

// Gateway tells how the connection stands.
func (c *Client) Gateway() Gateway {
	c.mu.Lock()
	shards := c.shards
	c.mu.Unlock()
	g := Gateway{Connected: len(shards) > 0}
	for _, s := range shards {
		h := s.health()
		g.Lost += h.Reconnects
		g.Connected = g.Connected && h.State == Connected && !h.Heard.IsZero()
		// One that has yet to begin is no deaf one: with many shards it may be minutes before it is the last one's turn.
		if last := s.lastHeard(h); !last.IsZero() && (g.Acknowledged.IsZero() || last.Before(g.Acknowledged)) {
			g.Acknowledged = last
		}
	}
	return g
}

// lastHeard is when the gateway last showed that it hears the bot, on this connection or one before.
func (s *shard) lastHeard(now Health) time.Time {
	if !now.Heard.IsZero() {
		return now.Heard
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.acked
}
