package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kraal/storage"
)

// Settings reads what is kept of a server: what those who manage it have chosen. One of which nothing is kept is its id
// alone.
func (a *App) Settings(ctx context.Context, id string) (storage.Server, error) {
	server, _, err := a.server(ctx, id)
	return server, err
}

func (a *App) server(ctx context.Context, id string) (server storage.Server, version storage.Version, err error) {
	server.ID = id
	err = a.Store.View(ctx, func(r storage.Reader) error {
		stored, err := r.Get(storage.ServerKey(id))
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err == nil {
			server, version = stored.Record.(storage.Server), stored.Version
		}
		return err
	})
	return server, version, err
}

// SetGreeted keeps when a server was greeted, and leaves whatever else is kept of it as it is. The zero time means that
// it is to be greeted when the bot next comes there.
func (a *App) SetGreeted(ctx context.Context, id string, at time.Time) error {
	return a.SetSettings(ctx, id, func(s *storage.Server) error {
		if s.Greeted.Equal(at) {
			return errUnchanged
		}
		s.Greeted = at
		return nil
	})
}

// errUnchanged: there is nothing to keep.
var errUnchanged = errors.New("nothing changes")

// SetSettings keeps a change of what a server has chosen. An error of change refuses it and is returned; change may be
// called again, with newer settings, where somebody else was faster, and what it is given is its own.
func (a *App) SetSettings(ctx context.Context, id string, change func(*storage.Server) error) error {
	return a.changeServer(ctx, id, func(s *storage.Server, _ *storage.Changes) error { return change(s) })
}

// changeServer is SetSettings where something else is to be kept together with the server.
func (a *App) changeServer(ctx context.Context, id string, change func(*storage.Server, *storage.Changes) error) error {
	for range attempts {
		server, version, err := a.server(ctx, id)
		if err != nil {
			return err
		}
		herald := server.Herald
		server = server.Clone()
		changes := storage.Changes{Expect: []storage.Expect{{Key: storage.ServerKey(id), Version: version}}}
		if err := change(&server, &changes); err != nil {
			if errors.Is(err, errUnchanged) {
				return nil
			}
			return err
		}
		changes.Put = append(changes.Put, server)
		if server.Herald != herald {
			staying(&changes, server.Herald)
		}
		if err = a.commit(ctx, changes); !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("server %s: %w", id, storage.ErrConflict)
}
