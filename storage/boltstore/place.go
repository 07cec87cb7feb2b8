package boltstore

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	bolterrors "go.etcd.io/bbolt/errors"
)

// Restored is what came of putting a store in the place of another.
type Restored struct {
	Report Report // of what stands at path now
	Kept   string // the name that what stood there has now; "" if nothing did
}

// Restore puts the store that fill writes in the place of the one at path, unless that is in use, and keeps what stood
// there under a name with the date. What comes is checked first: until it stands in its place nothing has changed, and at
// no moment is there no store. Every error is a *storage.UnusableError, fill's or ctx's.
func Restore(ctx context.Context, path string, now time.Time, fill func(io.Writer) error) (Restored, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return Restored{}, explain(path, err)
	}
	unlock, err := hold(path)
	if err != nil {
		return Restored{}, err
	}
	defer unlock()
	temp, err := writeBeside(path, fill)
	if temp != "" {
		defer func() { _ = os.Remove(temp) }()
	}
	if err != nil {
		return Restored{}, err
	}
	return putInPlace(ctx, path, temp, now, unlock)
}

// putInPlace checks what is to stand at path, and then lets it.
func putInPlace(ctx context.Context, path, temp string, now time.Time, unlock func()) (r Restored, err error) {
	if r.Report, err = Check(ctx, temp, nil); err != nil {
		return r, err
	}
	if runtime.GOOS == "windows" {
		unlock() // it renames no file that is open
	}
	r.Kept, err = exchange(path, temp, now)
	return r, err
}

// hold locks the file at path, if there is one that can be locked: what is damaged is in nobody's use, and replaced.
func hold(path string) (unlock func(), err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil
	}
	switch _, err := ensure(path); {
	case errors.Is(err, errFolder), errors.Is(err, errNoFile):
		return nil, explain(path, err)
	case err != nil:
		return func() {}, nil
	}
	db, _, err := openFile(path, boltOptions(time.Second))
	switch {
	case err == nil:
		return func() { _ = guard(db.Close) }, nil
	case errors.Is(err, errForeign), Locked(err):
		return nil, explain(path, err)
	}
	return func() {}, nil
}

// exchange puts temp in the place of path, which gets a name with the date.
func exchange(path, temp string, now time.Time) (kept string, err error) {
	if _, err := os.Lstat(path); err == nil {
		kept = path + ".before-" + now.UTC().Format(stamp)
		if err := os.Link(path, kept); err != nil { // no links here: for a moment there is no store
			err = os.Rename(path, kept)
			if err != nil {
				return "", explain(path, err)
			}
		}
	}
	return kept, takeName(temp, path)
}

// Locked tells whether an error of this package says that another process uses the file.
func Locked(err error) bool { return errors.Is(err, bolterrors.ErrTimeout) }
