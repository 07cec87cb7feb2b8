package bot

import (
	"context"
	"errors"
	"fmt"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// Tune brings a server's tv into line with what the server wants now: its channel, or none. The channel returned is
// closed when that has been tried.
func (a *App) Tune(server string) <-chan struct{} {
	return a.tell(watchPrefix+storage.TVKey(server).ID, nil)
}

// tellBegun looks at what a server's tv shows when a game has begun there: it may be the best.
func (a *App) tellBegun(ctx context.Context, m storage.Match) {
	if m.Server == "" || m.State != storage.Playing {
		return
	}
	server, err := a.Settings(context.WithoutCancel(ctx), m.Server)
	if err != nil {
		a.Log.Error("the tv is not told of a game", "game", m.ID, "server", m.Server, "error", err)
		return
	}
	if server.TV != "" {
		a.Tune(server.ID)
	}
}

// attemptTV has a server's tv show the best game in play. The board of a game that ended there stays, as it ended, and
// the next game gets a message of its own; with no game in play the last one stays.
func (a *App) attemptTV(ctx context.Context, id string) error {
	server, err := a.Settings(ctx, id)
	if err != nil {
		return err
	}
	w, version, err := a.watched(ctx, storage.TVKey(id))
	if err != nil {
		return err
	}
	if version > 0 && w.Channel != server.TV {
		if err := a.switchOff(ctx, w); err != nil {
			return err
		}
		w, version = storage.Watch{}, 0
	}
	if server.TV == "" {
		return nil
	}
	if version == 0 {
		w = storage.Watch{Server: id, Channel: server.TV, TV: true}
		err := a.commit(ctx, storage.Changes{Expect: []storage.Expect{{Key: w.Key()}}, Put: []storage.Record{w}})
		if err != nil {
			return fmt.Errorf("tv of %s: %w", id, err)
		}
	}
	return a.broadcast(ctx, w)
}

// switchOff takes a tv's message away and forgets the tv.
func (a *App) switchOff(ctx context.Context, w storage.Watch) error {
	over := w
	over.Over = true
	if _, _, err := a.mirror(ctx, storage.Match{}, over); err != nil {
		return err
	}
	return a.noteWatch(ctx, w.Key(), func(*storage.Watch) bool { return false })
}

// broadcast shows how the tv's game goes, and turns to the best one in play.
func (a *App) broadcast(ctx context.Context, w storage.Watch) error {
	ended := false
	if w.Game != "" {
		stored, err := a.load(ctx, w.Game)
		if err != nil && !errors.Is(err, ErrUnknownGame) {
			return err
		}
		m, _ := stored.Record.(storage.Match)
		if ended = !m.Live(); ended && err == nil && w.Trouble == "" {
			if w, err = a.onAir(ctx, m, w); err != nil {
				return err
			}
		}
	}
	best, ok, err := a.bestInPlay(ctx, w.Server)
	if err != nil || !ok {
		return err
	}
	if best.ID != w.Game {
		w.Game, w.Trouble = best.ID, ""
		if ended {
			w.Message = ""
		}
	}
	if w.Trouble != "" {
		return nil
	}
	_, err = a.onAir(ctx, best, w)
	return err
}

// onAir shows a match on a tv and keeps what is shown. Where the channel is gone the server has no tv any more; where it
// may not be written to, that is tried again when another game is the best.
func (a *App) onAir(ctx context.Context, m storage.Match, w storage.Watch) (storage.Watch, error) {
	shown, trouble, err := a.mirror(ctx, m, w)
	if err != nil {
		return w, err
	}
	if trouble != nil {
		shown.Trouble = trouble.Why
		if trouble.Why == "gone" {
			err = a.forgetTV(ctx, w)
		}
	}
	return shown, errors.Join(err, a.noteWatch(ctx, w.Key(), func(now *storage.Watch) bool {
		*now = shown
		return trouble == nil || trouble.Why != "gone"
	}))
}

// forgetTV takes a channel that is gone out of the server's wishes.
func (a *App) forgetTV(ctx context.Context, w storage.Watch) error {
	for range attempts {
		server, version, err := a.server(ctx, w.Server)
		if err != nil || server.TV != w.Channel {
			return err
		}
		server.TV = ""
		err = a.commit(ctx, storage.Changes{
			Expect: []storage.Expect{{Key: server.Key(), Version: version}}, Put: []storage.Record{server},
		})
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("server %s: %w", w.Server, storage.ErrConflict)
}

// bestInPlay is the game in play in a server whose players are the strongest together; of equals, the last to start. A
// game that somebody plays with themselves, or with the engine, is practice, and not shown.
func (a *App) bestInPlay(ctx context.Context, server string) (best storage.Match, ok bool, err error) {
	playing, err := a.matches(ctx, storage.OfServer(server), maxLive)
	strength := func(m storage.Match) float64 { return m.Seats[rules.White].Points + m.Seats[rules.Black].Points }
	for _, m := range playing { // the last to start comes first
		if _, engine := match.EngineSide(m); engine || match.Alone(m) {
			continue
		}
		if !ok || strength(m) > strength(best) {
			best, ok = m, true
		}
	}
	return best, ok, err
}
