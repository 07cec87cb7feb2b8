package boltstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Compact writes the store at path anew without the room that was given up, and tells how large it was and is. The file
// never shrinks by itself. It has to be in nobody's use.
func Compact(ctx context.Context, path string) (before, after int64, err error) {
	if err := expectFile(path); err != nil {
		return 0, 0, explain(path, err)
	}
	db, file, err := openFile(path, boltOptions(time.Second))
	if err != nil {
		return 0, 0, explain(path, err)
	}
	closed := false
	shut := func() {
		if !closed {
			closed = true
			_ = guard(db.Close)
		}
	}
	defer shut()
	info, err := file.Stat()
	if err != nil {
		return 0, 0, explain(path, err)
	}
	temp := path + ".compact"
	defer func() { _ = os.Remove(temp) }()
	if err := compactTo(db, temp); err != nil {
		return info.Size(), 0, explain(path, err)
	}
	report, err := Check(ctx, temp, nil)
	if err != nil {
		return info.Size(), 0, named(path, err)
	}
	if runtime.GOOS == "windows" {
		shut()
	}
	return info.Size(), report.Size, takeName(temp, path)
}

// compactEach is how many bytes are written in one transaction.
const compactEach = 8 << 20

// compactTo copies what counts. What a run that was broken off left there is replaced.
func compactTo(from *bolt.DB, temp string) error {
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return guard(func() error {
		to, err := bolt.Open(temp, 0o600, &bolt.Options{Timeout: time.Second, NoSync: true, FreelistType: bolt.FreelistArrayType})
		if err != nil {
			return err
		}
		to.AllocSize = growth
		err = bolt.Compact(to, from, compactEach)
		if err == nil {
			err = to.Sync()
		}
		return errors.Join(err, to.Close())
	})
}
