package boltstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// Backup writes a copy of the file as it is at one moment, while everything goes on: all whose Commit had returned before
// is in it. begin is told how many bytes it will be, and gives what they are written to. Let that be quick: until it has
// everything, pages that are given up are not used again, and the file grows. A copy is good for nothing before Check has
// looked at it.
func (s *Store) Backup(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if broken := s.broken.Load(); broken != nil {
		return broken
	}
	tx, err := s.db.Begin(false)
	if err != nil {
		return closedOr(err)
	}
	defer func() { _ = tx.Rollback() }()
	w, err := begin(tx.Size())
	if err != nil {
		return err
	}
	return guard(func() error {
		_, err := tx.WriteTo(heeding{ctx, w})
		return err
	})
}

// heeding is a writer that stops when ctx ends.
type heeding struct {
	ctx context.Context
	w   io.Writer
}

func (h heeding) Write(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	return h.w.Write(p)
}

// Deliver makes a file at path of what fill writes, which has to be a store: it is written under another name, synced,
// opened and checked, and only then gets its own. What stood at path is gone then. Errors are those of fill, of ctx, or a
// *storage.UnusableError that names path.
func Deliver(ctx context.Context, path string, fill func(io.Writer) error) (Report, error) {
	temp, err := writeBeside(path, fill)
	if temp != "" {
		defer func() { _ = os.Remove(temp) }() // it has another name by then, or is of no use
	}
	if err != nil {
		return Report{}, err
	}
	report, err := Check(ctx, temp, nil)
	if err != nil {
		return report, named(path, err)
	}
	return report, takeName(temp, path)
}

// takeName gives what is finished the name of what it replaces, durably.
func takeName(temp, path string) error {
	err := os.Rename(temp, path)
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	if err != nil {
		return explain(path, err)
	}
	return nil
}

// writeBeside makes a file beside path, synced, of what fill writes. It has the name that is given, also after an error.
func writeBeside(path string, fill func(io.Writer) error) (temp string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return "", explain(path, err)
	}
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); isDisk(err) {
		err = explain(path, err)
	}
	return f.Name(), err
}

// isDisk tells whether an error is one of writing a file, and does not say so to a person yet.
func isDisk(err error) bool {
	var at *os.PathError
	var said *storage.UnusableError
	return errors.As(err, &at) && !errors.As(err, &said)
}

// named lets an error speak of the file that it will be, not of the one that it is for now.
func named(path string, err error) error {
	var unusable *storage.UnusableError
	if !errors.As(err, &unusable) {
		return err
	}
	said := *unusable
	said.Path = path
	return &said
}

// stamp is how a moment stands in a file's name.
const stamp = "20060102-150405"

// keepBefore copies the file of an older schema aside before it is brought forward: an older program cannot read it
// afterwards, and the way back is that copy.
func keepBefore(path string, db *bolt.DB, now time.Time) (kept string, err error) {
	was := 0
	err = db.View(func(tx *bolt.Tx) (err error) {
		if was, err = schemaOf(tx); err != nil || was >= Schema {
			return err
		}
		kept = fmt.Sprintf("%s.schema%d-%s", path, was, now.UTC().Format(stamp))
		_, err = Deliver(context.Background(), kept, func(w io.Writer) error {
			_, err := tx.WriteTo(w)
			return err
		})
		return err
	})
	if err != nil {
		return "", err
	}
	return kept, nil
}

// Copy is Backup of a store that no process has open: it writes the file at path as it is, whatever schema it is of. Every
// error is a *storage.UnusableError, w's or ctx's.
func Copy(ctx context.Context, path string, w io.Writer) error {
	db, err := openToRead(path)
	if err != nil {
		return explain(path, err)
	}
	defer func() { _ = guard(db.Close) }()
	return guard(func() error {
		return db.View(func(tx *bolt.Tx) error {
			_, err := tx.WriteTo(heeding{ctx, w})
			return err
		})
	})
}

// expectFile is ensure where none is to be made.
func expectFile(path string) error {
	if _, err := os.Stat(path); err != nil {
		return err
	}
	_, err := ensure(path)
	return err
}

// openToRead opens a file that is there, to look at it alone. Another process may look at the same time.
func openToRead(path string) (*bolt.DB, error) {
	if err := expectFile(path); err != nil {
		return nil, err
	}
	o := boltOptions(time.Second)
	o.ReadOnly, o.InitialMmapSize = true, 0
	db, _, err := openFile(path, o)
	return db, err
}
