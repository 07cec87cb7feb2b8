package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kraal/storage"
)

// Server reads what is kept of a server; one of which nothing is kept is its id alone.
func (a *App) Server(ctx context.Context, id string) (storage.Server, error) {
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
	for range attempts {
		server, version, err := a.server(ctx, id)
		if err != nil || server.Greeted.Equal(at) {
			return err
		}
		server.Greeted = at
		err = a.commit(ctx, storage.Changes{
			Expect: []storage.Expect{{Key: server.Key(), Version: version}},
			Put:    []storage.Record{server},
		})
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("server %s: %w", id, storage.ErrConflict)
}
