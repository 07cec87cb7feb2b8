package bot

import (
	"context"
	"errors"

	"kraal/bot/match"
	"kraal/storage"
)

// errShut: the thread that a match is played in can no longer be written in.
var errShut = errors.New("the game's thread is shut")

// beginning notes, of games that begin by what was decided, whether they are to have threads of their own. It refuses one
// that would wait for an engine which is not there.
func (a *App) beginning(ctx context.Context, before storage.Match, out *match.Outcome) error {
	if out.New != nil {
		if err := a.hasPlayer(*out.New); err != nil {
			return err
		}
		if err := a.wantThread(ctx, out.New); err != nil {
			return err
		}
	}
	if before.State == out.Match.State {
		return nil
	}
	return a.wantThread(ctx, &out.Match)
}

// wantThread notes that a game in play is to have a thread of its own, where its server wants that.
func (a *App) wantThread(ctx context.Context, m *storage.Match) error {
	if m.State != storage.Playing || m.Server == "" || m.Above != "" { // a thread can have none
		return nil
	}
	server, err := a.Settings(ctx, m.Server)
	m.Shown.ToThread = err == nil && server.Threads
	return err
}

// leaveThread has a match go on in the channel that its thread hangs below.
func (a *App) leaveThread(ctx context.Context, id string) error {
	err := a.note(ctx, id, func(m *storage.Match) {
		if m.Place() == m.Channel && m.Above != "" {
			m.Channel, m.Above = m.Above, ""
		}
		m.Shown.Thread, m.Shown.ToThread, m.Shown.Trouble = "", false, ""
		m.Shown.Revision = min(m.Shown.Revision, m.Revision-1)
	})
	if err == nil {
		a.tell(id, nil)
		a.poke()
	}
	return err
}

// inThread is the match whose own thread a channel is; ok is false for any other channel.
func (a *App) inThread(ctx context.Context, who Asker) (m storage.Match, ok bool, err error) {
	here, err := a.matches(ctx, storage.OfChannel(who.Channel), maxGames)
	for _, m := range here {
		if m.Shown.Thread == who.Channel && m.State == storage.Playing && m.Server == who.Server {
			return m, true, nil
		}
	}
	return m, false, err
}
