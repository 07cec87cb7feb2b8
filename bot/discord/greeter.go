package discord

import (
	"context"
	"strconv"
	"sync"
	"time"

	"kraal/bot/discord/wire"
)

const (
	greetChannels = 5 // in which a greeting is tried where Discord refuses it
	greetTries    = 5 // of one request while Discord is in trouble
	greetWait     = 5 * time.Second
)

// greeter posts the bot's first message in servers that have not had it: one server after the other, so that a bot that
// is in thousands when it learns to greet takes its time over it.
//
// A greeting is kept after it is posted. A crash between the two makes a second one at most, and Discord takes that for
// the first if it comes within minutes, by its nonce; the other way round a crash would leave a server without any.
type greeter struct {
	*Bot
	tried map[string]time.Time // servers tried in this process: when the bot had joined them

	mu      sync.Mutex
	waiting []string // servers of which something is to be heard, the longest waiting first
	heard   map[string]news
	more    chan struct{}
}

// news are what was heard of a server since it was last looked at; who left may have come again.
type news struct {
	left    bool
	arrived *wire.Server
}

func newGreeter(b *Bot) *greeter {
	return &greeter{Bot: b, tried: map[string]time.Time{}, heard: map[string]news{}, more: make(chan struct{}, 1)}
}

func (g *greeter) arrived(s wire.Server) { g.hear(s.ID, func(n *news) { n.arrived = &s }) }

func (g *greeter) left(server string) { g.hear(server, func(n *news) { *n = news{left: true} }) }

func (g *greeter) hear(server string, change func(*news)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n, waits := g.heard[server]
	if !waits {
		g.waiting = append(g.waiting, server)
	}
	change(&n)
	g.heard[server] = n
	select {
	case g.more <- struct{}{}:
	default:
	}
}

// next takes the news of the server that has waited longest.
func (g *greeter) next() (server string, n news, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 {
		return "", news{}, false
	}
	server, g.waiting = g.waiting[0], g.waiting[1:]
	n = g.heard[server]
	delete(g.heard, server)
	return server, n, true
}

// run greets until ctx ends.
func (g *greeter) run(ctx context.Context) {
	for ctx.Err() == nil {
		server, n, ok := g.next()
		if !ok {
			select {
			case <-g.more:
			case <-ctx.Done():
			}
			continue
		}
		if err := g.look(ctx, server, n); err != nil && ctx.Err() == nil {
			g.log.Warn("greeting failed", "server", server, "error", err)
		}
	}
}

// look acts on news of a server.
func (g *greeter) look(ctx context.Context, server string, n news) error {
	if n.left {
		delete(g.tried, server)
		if err := g.app.SetGreeted(ctx, server, time.Time{}); err != nil {
			g.log.Warn("leaving not kept", "server", server, "error", err)
		}
	}
	if n.arrived == nil {
		return nil
	}
	return g.greet(ctx, *n.arrived)
}

// greet posts the greeting unless the server has had it since the bot joined. The event of leaving is lost on a bot that
// is not running then; that it joined again shows by the time.
func (g *greeter) greet(ctx context.Context, s wire.Server) error {
	if joined, tried := g.tried[s.ID]; tried && joined.Equal(s.Joined) {
		return nil
	}
	kept, err := g.app.Settings(ctx, s.ID)
	if err != nil || !kept.Greeted.IsZero() && !s.Joined.After(kept.Greeted) {
		return err
	}
	channel, err := g.post(ctx, s)
	if err != nil {
		return err // of trouble at Discord's: the next session begins with the same event
	}
	g.tried[s.ID] = s.Joined
	if channel == "" {
		g.log.Info("no channel to greet in", "server", s.ID)
		return nil
	}
	g.log.Info("server greeted", "server", s.ID, "channel", channel)
	at := g.app.Clock.Now().UTC()
	if s.Joined.After(at) {
		at = s.Joined // this clock is behind Discord's: else every start would find that it joined later
	}
	return g.app.SetGreeted(ctx, s.ID, at)
}

// post posts the greeting in the first channel that takes it; "" if none does.
func (g *greeter) post(ctx context.Context, s wire.Server) (channel string, err error) {
	say := g.words.In()
	message := wire.Message{
		Content: say.Say("WelcomeServer", nil), Components: waysIn(say), Nonce: greetingNonce(s), Suppress: true,
	}
	for _, channel := range s.Writable[:min(len(s.Writable), greetChannels)] {
		err := g.postPatiently(ctx, channel, message)
		if err == nil {
			return channel, nil
		}
		if ctx.Err() != nil || wire.IsTemporary(err) {
			return "", err // it may have arrived: another channel would have it twice
		}
		g.log.Info("a channel takes no greeting", "server", s.ID, "channel", channel, "error", err)
	}
	return "", nil
}

// postPatiently posts, again and again while Discord is in trouble.
func (g *greeter) postPatiently(ctx context.Context, channel string, m wire.Message) (err error) {
	wait := greetWait
	for try := range greetTries {
		if try > 0 {
			select {
			case <-g.app.Clock.After(wait):
			case <-ctx.Done():
				return ctx.Err()
			}
			wait *= 2
		}
		if _, err = g.wire.Post(ctx, channel, m); err == nil || !wire.IsTemporary(err) {
			return err
		}
	}
	return err
}

// greetingNonce is the same for one stay in a server. At most 25 characters.
func greetingNonce(s wire.Server) string {
	id, _ := strconv.ParseUint(s.ID, 10, 64)
	return "g-" + strconv.FormatUint(id, 36) + "-" + strconv.FormatInt(max(s.Joined.UnixMilli(), 0), 36)
}
