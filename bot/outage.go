package bot

import (
	"context"
	"errors"
	"sync"
	"time"

	"kraal/storage"
)

// shortOutage is a loss of connection that nobody is given time for: a session that is taken up again takes seconds, and
// Discord delivers then what people did meanwhile.
const shortOutage = jumpCounts

// outages are the times in which people could not reach the bot although it ran: a connection to Discord was broken.
// Discord keeps a place for several connections, each for some servers.
type outages struct {
	mu sync.Mutex
	of map[int]outage // by connection
}

type outage struct {
	from, to time.Time // to is zero while it lasts
	serves   func(server string) bool
}

// ErrCut: the time for an act is over, but it has run while people of that server could not reach the bot, and so will be
// given back. Whoever asks has come by another way: from direct messages or another server.
var ErrCut = errors.New("the connection with the game's server is broken")

// Cut says that over a connection, which serves some servers, nobody can reach the bot until Mend is called for it, and
// that this has been so for a while. No clock of theirs runs out meanwhile.
func (a *App) Cut(connection int, silent time.Duration, serves func(server string) bool) {
	a.outages.mu.Lock()
	defer a.outages.mu.Unlock()
	from := a.Clock.Now().Add(-silent)
	if old, again := a.outages.of[connection]; again && old.from.Before(from) {
		from = old.from // what was mended in between has not been given back yet
	}
	if a.outages.of == nil {
		a.outages.of = map[int]outage{}
	}
	a.outages.of[connection] = outage{from: from, serves: serves}
}

// Mend says that a connection stands again. The time without it is given back before anything else is done.
func (a *App) Mend(connection int) {
	a.outages.mu.Lock()
	if o, ok := a.outages.of[connection]; ok && o.to.IsZero() {
		o.to = a.Clock.Now()
		a.outages.of[connection] = o
	}
	a.outages.mu.Unlock()
	a.poke()
}

// unreachable tells whether people of a server cannot act, or have not been given back the time in which they could not.
func (o *outages) unreachable(server string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, one := range o.of {
		if one.serves(server) {
			return true
		}
	}
	return false
}

// any tells whether some connection is broken.
func (o *outages) any() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.of) > 0
}

// mended lists the outages that are over.
func (o *outages) mended() map[int]outage {
	o.mu.Lock()
	defer o.mu.Unlock()
	over := map[int]outage{}
	for connection, one := range o.of {
		if !one.to.IsZero() {
			over[connection] = one
		}
	}
	return over
}

// forget drops an outage that has been given back, unless the connection has been lost again meanwhile.
func (o *outages) forget(connection int, given outage) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.of[connection]
	switch {
	case now.to.Equal(given.to):
		delete(o.of, connection)
	case now.from.Before(given.to):
		now.from = given.to
		o.of[connection] = now
	}
}

// giveBackOutages gives the time of each outage that is over back to the games of its servers. The lock of watch is held.
func (a *App) giveBackOutages(ctx context.Context) error {
	for connection, o := range a.outages.mended() {
		if o.to.Sub(o.from) >= shortOutage {
			if err := a.giveBack(context.WithoutCancel(ctx), o.from.UTC(), o.to.Round(0).UTC(), o.serves); err != nil {
				return err
			}
		}
		a.outages.forget(connection, o)
	}
	return nil
}

// everywhere is every server.
func everywhere(string) bool { return true }

// played tells whether a match is played in one of those servers.
func (a *App) played(ctx context.Context, id string, in func(server string) bool) (bool, error) {
	stored, err := a.load(ctx, id)
	if err != nil {
		return false, err
	}
	return in(stored.Record.(storage.Match).Server), nil
}
