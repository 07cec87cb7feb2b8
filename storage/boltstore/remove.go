package boltstore

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"kraal/storage"
)

// Remove removes the store at path, and tells whether there was one. A damaged store goes too; what another process uses,
// or what cannot be told to be a store, stays. Every error is a *storage.UnusableError.
func Remove(path string) (removed bool, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if _, err = ensure(path); err != nil {
		return false, explain(path, err)
	}
	db, _, err := openFile(path, boltOptions(time.Second))
	if err == nil {
		err = db.Close()
	}
	if err != nil && !errors.Is(err, errCutShort) && !errors.Is(err, errNewSchema) && !errors.Is(err, storage.ErrDamaged) {
		return false, explain(path, err)
	}
	if err := os.Remove(path); err != nil {
		return false, explain(path, err)
	}
	return true, nil
}
