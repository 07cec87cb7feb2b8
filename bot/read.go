package bot

import (
	"context"
	"errors"

	"kraal/storage"
)

// ErrUnknownGame: no match has that id.
var ErrUnknownGame = errors.New("no such game")

// load reads one match.
func (a *App) load(ctx context.Context, id string) (stored storage.Stored, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		stored, err = r.Get(storage.MatchKey(id))
		return err
	})
	if errors.Is(err, storage.ErrNotFound) {
		err = ErrUnknownGame
	}
	return stored, err
}

// matches reads the matches of an index, in its order, at most limit of them.
func (a *App) matches(ctx context.Context, ix storage.Index, limit int) (found []storage.Match, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		found, err = readAll[storage.Match](a, r, ix, limit)
		return err
	})
	return found, err
}

// readAll reads the records that an index leads to, at most limit of them. One that cannot be read is left out: it must
// not take the others with it.
func readAll[T storage.Record](a *App, r storage.Reader, ix storage.Index, limit int) (found []T, err error) {
	hits, err := r.Range(ix, "", limit)
	if err != nil {
		return nil, err
	}
	return readHits[T](a, r, hits)
}

// readHits is readAll where it is known already what an index leads to.
func readHits[T storage.Record](a *App, r storage.Reader, hits []storage.Hit) (found []T, err error) {
	for _, h := range hits {
		stored, err := r.Get(h.Key)
		var unreadable *storage.RecordError
		if errors.As(err, &unreadable) {
			a.Log.Error("a record is left out", "error", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, stored.Record.(T))
	}
	return found, nil
}
