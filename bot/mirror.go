package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kraal/bot/match"
	"kraal/storage"
)

// maxMirrors is in how many channels one game is followed at most: each costs an edit a turn.
const maxMirrors = 5

// Why a game is not followed somewhere.
var (
	ErrShownHere = errors.New("the board itself is in that channel")
	ErrMirrors   = errors.New("the game is followed in enough channels")
)

// Watched is what came of asking for a game to be followed in a channel.
type Watched struct {
	On   bool            // it is followed there now; false: no more
	Told <-chan struct{} // closed when showing it has been tried
}

// Watch has a game in play followed in a channel, or no more where it already is. It refuses with match.ErrNotPlaying,
// ErrShownHere or ErrMirrors.
func (a *App) Watch(ctx context.Context, m storage.Match, channel string) (Watched, error) {
	defer a.locks.lock("watches of " + m.ID)()
	key := storage.MirrorKey(m.ID, channel)
	for range attempts {
		w, version, err := a.watched(ctx, key)
		if err != nil {
			return Watched{}, err
		}
		w.Server, w.Channel, w.Game, w.Over = m.Server, channel, m.ID, version > 0 && !w.Over
		if !w.Over {
			if err := a.mayFollow(ctx, m, channel); err != nil {
				return Watched{}, err
			}
		}
		err = a.commit(ctx, storage.Changes{
			Expect: []storage.Expect{{Key: key, Version: version}}, Put: []storage.Record{w},
		})
		if err == nil {
			return Watched{On: !w.Over, Told: a.tell(watchPrefix+key.ID, nil)}, nil
		}
		if !errors.Is(err, storage.ErrConflict) {
			return Watched{}, err
		}
	}
	return Watched{}, fmt.Errorf("watch %s: %w", key.ID, storage.ErrConflict)
}

// mayFollow refuses a further mirror of a game.
func (a *App) mayFollow(ctx context.Context, m storage.Match, channel string) error {
	if m.State != storage.Playing || m.Server == "" {
		return match.ErrNotPlaying
	}
	if channel == m.Shown.Channel || channel == m.Place() {
		return ErrShownHere
	}
	return a.Store.View(ctx, func(r storage.Reader) error {
		watches, err := readAll[storage.Watch](a, r, storage.WatchesOf(m.ID), maxMirrors+2) // a tv is one of them
		n := 0
		for _, w := range watches {
			if !w.TV && w.Channel != channel {
				n++
			}
		}
		if err == nil && n >= maxMirrors {
			err = ErrMirrors
		}
		return err
	})
}

// watchPrefix begins the name under which a watch is told: it has a teller of its own, so that its edits follow one
// another, the newest state only, and trouble in its channel holds up nobody else.
const watchPrefix = "watch "

// watched reads what is kept of a watch; version 0: there is none.
func (a *App) watched(ctx context.Context, key storage.Key) (w storage.Watch, version storage.Version, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		stored, err := r.Get(key)
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err == nil {
			w, version = stored.Record.(storage.Watch), stored.Version
		}
		return err
	})
	return w, version, err
}

// tellWatches has everyone who follows a match told of it.
func (a *App) tellWatches(ctx context.Context, id string) {
	var hits []storage.Hit
	err := a.Store.View(ctx, func(r storage.Reader) (err error) {
		hits, err = r.Range(storage.WatchesOf(id), "", maxGames)
		return err
	})
	if err != nil && ctx.Err() == nil {
		a.Log.Error("those who follow a game are not told", "game", id, "error", err)
	}
	for _, h := range hits {
		a.tell(watchPrefix+h.Key.ID, nil)
	}
}

// tellAllWatches tells what a crash or a failure left behind. What is up to date costs no request.
func (a *App) tellAllWatches(ctx context.Context) error {
	return a.Store.View(ctx, func(r storage.Reader) error {
		hits, err := r.Range(storage.All(storage.KindWatch), "", maxUntold)
		for _, h := range hits {
			a.tell(watchPrefix+h.Key.ID, nil)
		}
		return err
	})
}

// attemptWatch brings one watch's message up to date, if it is not.
func (a *App) attemptWatch(ctx context.Context, id string) error {
	if server, ok := strings.CutPrefix(id, storage.TVKey("").ID); ok {
		return a.attemptTV(ctx, server)
	}
	w, version, err := a.watched(ctx, storage.Key{Kind: storage.KindWatch, ID: id})
	if err != nil || version == 0 {
		return err
	}
	stored, err := a.load(ctx, w.Game)
	if err != nil && !errors.Is(err, ErrUnknownGame) {
		return err
	}
	m, _ := stored.Record.(storage.Match)
	w.Over = w.Over || err != nil
	shown, trouble, err := a.mirror(ctx, m, w)
	if err != nil {
		return err
	}
	return a.noteWatch(ctx, w.Key(), func(now *storage.Watch) (keep bool) {
		now.Message, now.Posted, now.Shows = shown.Message, shown.Posted, shown.Shows
		if w.Over {
			return !now.Over && m.Live() // somebody may have asked again meanwhile
		}
		return trouble == nil && m.Live()
	})
}

// mirror shows m in a watch's message, unless that shows it already. A *Trouble ends a mirror, and is logged once.
func (a *App) mirror(ctx context.Context, m storage.Match, w storage.Watch) (storage.Watch, *Trouble, error) {
	now := shows(m)
	if !w.Over && w.Message != "" && w.Shows == now {
		return w, nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	shown := w
	err := guard(func() (err error) {
		shown, err = a.screen.Mirror(ctx, m, w)
		return err
	})
	var trouble *Trouble
	if errors.As(err, &trouble) {
		a.Log.Warn("a game is no longer followed", "game", m.ID, "server", m.Server, "channel", w.Channel, "tv", w.TV,
			"why", trouble.Why, "error", trouble.Err)
		return w, trouble, nil
	}
	shown.Shows = now
	return shown, nil, err
}

// shows names everything about a match that its board shows and that can change.
func shows(m storage.Match) string {
	return fmt.Sprintf("%s %d %d %v %s", m.ID, m.Revision, m.FlagAt.Unix(), m.Foretold, m.Shown.Message)
}

// noteWatch keeps what came of showing a watch, or forgets it, on top of whatever was asked for meanwhile.
func (a *App) noteWatch(ctx context.Context, key storage.Key, change func(*storage.Watch) (keep bool)) error {
	for range attempts {
		w, version, err := a.watched(ctx, key)
		if err != nil || version == 0 {
			return err
		}
		was := w
		keep := change(&w)
		if keep && w == was {
			return nil
		}
		c := storage.Changes{Expect: []storage.Expect{{Key: key, Version: version}}}
		if keep {
			c.Put = []storage.Record{w}
		} else {
			c.Delete = []storage.Key{key}
		}
		if err = a.commit(ctx, c); !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("watch %s: %w", key.ID, storage.ErrConflict)
}
