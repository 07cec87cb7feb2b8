package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kraal/storage"
)

const (
	// crownPrefix begins the name under which a server's champions are told: one teller, so that one season follows the
	// other.
	crownPrefix = "crown "
	crownTime   = time.Minute // for giving and taking all of a season's roles once
)

// tellUncrowned gives the role to champions who, by a crash, a failure or a refusal, do not have it yet.
func (a *App) tellUncrowned(ctx context.Context) {
	var hits []storage.Hit
	err := a.Store.View(context.WithoutCancel(ctx), func(r storage.Reader) (err error) {
		hits, err = r.Range(storage.Uncrowned(), "", maxUntold)
		return err
	})
	if err != nil {
		a.Log.Error("champions are left without their role", "error", err)
	}
	for _, h := range hits {
		server, _, _ := strings.Cut(h.Key.ID, "/")
		a.tell(crownPrefix+server, nil)
	}
}

// attemptCrown gives the champions of a server's last season the role that it has for them, and takes it from those
// before. It does no harm to do so twice. A *Trouble is kept for whoever manages the server; it is tried again when they choose
// anew, and now and then.
func (a *App) attemptCrown(ctx context.Context, id string) error {
	season, version, err := a.lastSeason(ctx, id)
	if err != nil || !season.Uncrowned {
		return err
	}
	server, _, err := a.server(ctx, id)
	if err != nil {
		return err
	}
	season.Role = server.Season.Role // it may be another by now, or none
	if err := a.crown(ctx, season); err != nil {
		var trouble *Trouble
		if !errors.As(err, &trouble) {
			return err
		}
		a.Log.Warn("champions are not given their role", "server", season.Server, "season", season.Number,
			"role", season.Role, "why", trouble.Why, "error", trouble.Err)
		return a.noteCrowning(ctx, season, trouble.Why, storage.Changes{})
	}
	season.Uncrowned = false
	return a.noteCrowning(ctx, season, "", storage.Changes{
		Expect: []storage.Expect{{Key: season.Key(), Version: version}}, Put: []storage.Record{season},
	})
}

func (a *App) crown(ctx context.Context, season storage.Season) error {
	if season.Role == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, crownTime)
	defer cancel()
	return guard(func() error { return a.screen.Crown(ctx, season) })
}

// noteCrowning keeps what came of it, with what is to be kept together with that.
func (a *App) noteCrowning(ctx context.Context, season storage.Season, why string, with storage.Changes) error {
	ctx = context.WithoutCancel(ctx) // it has been done: the end of the process does not make that undone
	err := a.changeServer(ctx, season.Server, func(s *storage.Server, changes *storage.Changes) error {
		if s.Season.Trouble == why && len(with.Put) == 0 || s.Season.Role != season.Role {
			return errUnchanged // or chosen anew meanwhile, and tried again for that
		}
		s.Season.Trouble = why
		changes.Expect, changes.Put = append(changes.Expect, with.Expect...), append(changes.Put, with.Put...)
		return nil
	})
	if err != nil {
		return fmt.Errorf("season %s: %w", season.Key().ID, err)
	}
	return nil
}

// lastSeason is the last of a server's seasons that is over; version 0: there is none.
func (a *App) lastSeason(ctx context.Context, server string) (season storage.Season, version storage.Version, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		hits, err := r.Range(storage.SeasonsOf(server), "", 1)
		if err != nil || len(hits) == 0 {
			return err
		}
		stored, err := r.Get(hits[0].Key)
		if err == nil {
			season, version = stored.Record.(storage.Season), stored.Version
		}
		return err
	})
	return season, version, err
}
