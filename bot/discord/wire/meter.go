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

// Gateway is how the connection stands.
type Gateway struct {
	Connected    bool      // there is one, and Discord hears the bot
	Acknowledged time.Time // when Discord last showed so; zero: never yet
	Lost         int       // connections that have ended, and openings that failed
}

// Gateway tells how the connection stands.
func (c *Client) Gateway() Gateway {
	c.mu.Lock()
	l, g := c.link, Gateway{Acknowledged: c.acked, Lost: c.lost}
	c.mu.Unlock()
	if l == nil {
		return g
	}
	l.mu.Lock()
	t := l.tap
	l.mu.Unlock()
	if t == nil {
		return g
	}
	if heard := t.heard(); !heard.IsZero() && t.begun() {
		g.Connected, g.Acknowledged = true, heard
	}
	return g
}

// remember notes that a connection has ended, and when it was last heard of.
func (c *Client) remember(l *link) {
	l.mu.Lock()
	t := l.tap
	l.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost++
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.acked.After(c.acked) {
		c.acked = t.acked
	}
}

// begin notes that the session has begun, or goes on: what follows the server's hello says so.
func (t *tap) begin() {
	if t.count < 2 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.started = true
}

func (t *tap) begun() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.started
}
