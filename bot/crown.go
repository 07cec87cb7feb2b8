package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"kraal/storage"
)

const (
	// crownPrefix begins the name under which a server's champions are told: one teller, so that one season follows the
	// other.
	crownPrefix = "crown "
	crownTime   = time.Minute // for giving and taking as many of a season's roles as Discord lets, before that is kept
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
// before. It does no harm to do so twice. How far it has come is kept, so that Discord's limits and restarts only make it
// take longer. A *Trouble is kept for whoever manages the server; it is tried again when they choose anew, and now and
// then.
func (a *App) attemptCrown(ctx context.Context, id string) error {
	season, version, err := a.lastSeason(ctx, id)
	if err != nil || !season.Uncrowned {
		return err
	}
	server, _, err := a.server(ctx, id)
	if err != nil {
		return err
	}
	if role := server.Season.Role; role != season.Role { // it may be another by now, or none
		season.Role, season.Crowned = role, 0
	}
	season, version, err = a.crownAll(ctx, season, version)
	if err != nil {
		var trouble *Trouble
		if !errors.As(err, &trouble) {
			return err
		}
		level := slog.LevelWarn
		if server.Season.Trouble == trouble.Why { // which is known already
			level = slog.LevelDebug
		}
		a.Log.Log(ctx, level, "champions are not given their role", "server", season.Server, "season", season.Number,
			"role", season.Role, "why", trouble.Why, "error", trouble.Err)
		refused, news, err := a.noteCrowning(ctx, season, trouble.Why, storage.Changes{})
		if err == nil && news {
			a.tellRefused(ctx, refused)
		}
		return err
	}
	season.Uncrowned, season.Crowned = false, 0
	_, _, err = a.noteCrowning(ctx, season, "", storage.Changes{
		Expect: []storage.Expect{{Key: season.Key(), Version: version}}, Put: []storage.Record{season},
	})
	return err
}

// tellRefused tells, where the server has its announcements, that the role cannot be given; until something changes
// /settings says so too.
func (a *App) tellRefused(ctx context.Context, server storage.Server) {
	if server.Announce == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	if err := guard(func() error { return a.screen.Uncrowned(ctx, server) }); err != nil {
		a.Log.Warn("nobody is told that champions are not given their role", "server", server.ID, "error", err)
	}
}

// crownAll crowns as long as it gets on, each time for as long as an attempt may take, and keeps how far it has come.
func (a *App) crownAll(
	ctx context.Context, season storage.Season, version storage.Version,
) (storage.Season, storage.Version, error) {
	for {
		done, err := a.crown(ctx, season)
		if done <= season.Crowned || err == nil {
			return season, version, err
		}
		season.Crowned = done
		kept, keepErr := a.Store.Commit(context.WithoutCancel(ctx), storage.Changes{
			Expect: []storage.Expect{{Key: season.Key(), Version: version}}, Put: []storage.Record{season},
		})
		if keepErr != nil {
			return season, version, errors.Join(keepErr, err)
		}
		version = kept[season.Key()]
		if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return season, version, err
		}
	}
}

func (a *App) crown(ctx context.Context, season storage.Season) (done int, err error) {
	if season.Role == "" {
		return 0, nil
	}
	ctx, cancel := context.WithTimeout(ctx, crownTime)
	defer cancel()
	err = guard(func() error {
		done, err = a.screen.Crown(ctx, season)
		return err
	})
	return done, err
}

// noteCrowning keeps what came of it, with what is to be kept together with that. It gives the server as it is kept then;
// news: it has changed by that.
func (a *App) noteCrowning(
	ctx context.Context, season storage.Season, why string, with storage.Changes,
) (server storage.Server, news bool, err error) {
	ctx = context.WithoutCancel(ctx) // it has been done: the end of the process does not make that undone
	err = a.changeServer(ctx, season.Server, func(s *storage.Server, changes *storage.Changes) error {
		news = false
		if s.Season.Trouble == why && len(with.Put) == 0 || s.Season.Role != season.Role {
			return errUnchanged // or chosen anew meanwhile, and tried again for that
		}
		news, s.Season.Trouble = s.Season.Trouble != why, why
		server = *s
		changes.Expect, changes.Put = append(changes.Expect, with.Expect...), append(changes.Put, with.Put...)
		return nil
	})
	if err != nil {
		return server, false, fmt.Errorf("season %s: %w", season.Key().ID, err)
	}
	return server, news, nil
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
