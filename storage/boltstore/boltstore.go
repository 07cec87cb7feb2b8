// Package boltstore keeps the promises of storage in one file, with bbolt. The file is for one process at a time, on a
// local disk.
package boltstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"kraal/storage"
)

// Options of Open. The zero value is for use.
type Options struct {
	Timeout time.Duration // how long to wait for another process that has the file; 0: three seconds
	Log     *slog.Logger  // what goes wrong beneath; nil: nowhere
}

// Store is a storage.Store in one file.
type Store struct {
	db    *bolt.DB
	log   *slog.Logger
	queue chan *request // to the committer, without a buffer: what is taken from it is answered
	stop  chan struct{} // closed to end the committer
	ended chan struct{} // closed when it has ended

	packer packer

	broken  atomic.Pointer[storage.BrokenError]
	closing sync.Once
	closed  error // of Close
}

// What the file holds: a bucket for each kind of record, from id to value; one with the entries of
// all indexes, which carry everything in the key; one with the counts of the ranked ones; one that says which schema
// this is, and how far it has been brought forward.
var (
	indexBucket = []byte("index")
	metaBucket  = []byte("meta")
	schemaKey   = []byte("schema")
)

// Schema is the version of what the file holds and how. It grows when that changes: 2 added the buckets of
// servers and of lives, 3 those of seasons, tallies and farewells, the counts, and further entries of ratings and matches.
const Schema = 3

func newStore(db *bolt.DB, log *slog.Logger) *Store {
	s := &Store{
		db:    db,
		log:   log,
		queue: make(chan *request),
		stop:  make(chan struct{}),
		ended: make(chan struct{}),
	}
	go s.commitAll()
	return s
}

// View is storage.Store's.
func (s *Store) View(ctx context.Context, read func(storage.Reader) error) error {
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
	defer tx.Rollback()
	r := &reader{tx: tx, packer: &s.packer}
	defer func() { r.tx = nil }()
	return read(r)
}

// Commit is storage.Store's. It encodes and packs in the caller's goroutine; the committer then has little left to do.
func (s *Store) Commit(ctx context.Context, c storage.Changes) (storage.Versions, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows, err := storage.Prepare(c)
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		if row.Settled {
			rows[i].Data = s.packer.pack(row.Data)
		}
	}
	r := &request{expect: c.Expect, rows: rows, remove: c.Delete, answer: make(chan answer, 1)}
	select {
	case s.queue <- r:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.stop:
		return nil, storage.ErrClosed
	}
	select {
	case a := <-r.answer:
		return a.versions, a.err
	case <-ctx.Done():
		return nil, fmt.Errorf("storage: the outcome of a commit is not known: %w", ctx.Err())
	}
}

// Close is storage.Store's.
func (s *Store) Close() error {
	s.closing.Do(func() {
		close(s.stop)
		<-s.ended
		if broken := s.broken.Load(); broken != nil && errors.Is(broken, storage.ErrDamaged) {
			return // bbolt panicked in a commit: its locks may be held for ever
		}
		s.closed = s.db.Close()
	})
	return s.closed
}

// breakDown ends all use of the file. After a failed fdatasync the kernel may take for written what is not, so that only
// opening the file again shows what it holds.
func (s *Store) breakDown(err error) error {
	broken := &storage.BrokenError{Err: err}
	s.broken.Store(broken)
	s.log.Error("the store is broken: nothing more is read or written", "error", err)
	return broken
}

// closedOr is what bbolt's refusal to begin means.
func closedOr(err error) error {
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return storage.ErrClosed
	}
	return fmt.Errorf("storage: %w", err)
}

// guard runs f, and makes an error of a panic: bbolt panics when pages make no sense, and the runtime when the disk or
// a file cut short cannot deliver one.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", storage.ErrDamaged, p)
		}
	}()
	return f()
}
