// Package storage is what is kept of matches, ratings and members, and the promises of keeping it. Records hold facts;
// a Store keeps them; the indexes by which they are found follow from the records alone.
//
// The promises are written on the methods of Store and Reader, once, and storagetest checks each of them. They ask
// nothing that only one process could keep: several processes may share what lies behind a Store.
package storage

import (
	"context"
	"time"
)

// Version counts the changes of one record: 1 when it is first put, one more with every put after that. 0 means that
// there is no such record. A record that is deleted and put again begins at 1 again.
type Version uint64

// Stored is a record as it is kept.
type Stored struct {
	Record  Record // a Match, a Rating or another of the records: the value, not a pointer. It is the caller's own
	Version Version
}

// Expect is a condition: the record has this version. Version 0: there is no such record.
type Expect struct {
	Key     Key
	Version Version
}

// Changes is what one Commit is to do. A key may be expected once, and put or deleted once.
type Changes struct {
	Expect []Expect
	Put    []Record // values, not pointers
	Delete []Key
}

// Versions holds the version of every record that was put.
type Versions map[Key]Version

// Store keeps records. All methods may be called by many goroutines at once.
type Store interface {
	// View shows one moment of the store to read: every change is seen whole or not at all, and nothing that is
	// committed meanwhile. Everything whose Commit had returned, in this process, before View was called is seen.
	//
	// View returns what read returns. Let read be short, with nothing slow in it, no drawing and no network, for an
	// open moment holds on to old pages; and let it call neither View nor Commit, which may wait for it for ever. The
	// Reader is of no use once read has returned.
	//
	// Errors of View itself: ctx's, when it has ended; ErrClosed; an error that is ErrBroken.
	View(ctx context.Context, read func(Reader) error) error

	// Commit makes all the changes, or none. When it returns without error they are durable: they survive the end of the
	// process and of the machine. The indexes follow the records within the same change.
	//
	// Expectations are compared with what is kept at the moment of the change. If one does not hold, nothing is changed
	// and the error is a *ConflictError that names the key: read again, decide again. Somebody else's Commit is never
	// failed by it. What is put or deleted without being expected is put or deleted whatever was there: the last to
	// come wins. To delete what is not there is no error.
	//
	// Commits that name the same record are made one after the other, and each expectation is held by at most one of
	// them that also changes the record.
	//
	// Refused before anything is tried: ErrInvalid (a key twice, an empty id, no known record), ErrTooLarge. Errors with
	// which nothing was changed: those two, ErrConflict and ErrClosed. After any other error, ctx's among them, it is
	// unknown whether the changes were made, or will be yet: read again to see, and expect what was read. Match.Handled
	// is there to tell, so that a repeated request finds its own work.
	Commit(ctx context.Context, c Changes) (Versions, error)

	// Close waits for what is under way and lets go of everything. Later calls fail with ErrClosed, but for Close, which
	// then does nothing.
	Close() error
}

// Reader reads one moment of a store. It is for the goroutine that View called, and only until that call returns: after
// that its methods fail with ErrClosed.
type Reader interface {
	// Get reads one record. Errors: ErrNotFound, with which Stored is zero; *RecordError when it is there but cannot be
	// read, because it is damaged or of a newer format.
	Get(k Key) (Stored, error)

	// Range lists at most limit entries of an index, in its order, beginning after the cursor: "" begins at the start,
	// and the Cursor of the last hit goes on from there. A cursor stays good when the entry it came from has gone, and in
	// another View. Fewer than limit hits: the index ends there. Errors: ErrInvalid for a limit below 1; ErrDamaged.
	//
	// Every hit's record is there to be read by Get in the same View.
	Range(index Index, from Cursor, limit int) ([]Hit, error)

	// Counts tells how many entries of a ranked index (Board, Below, Busiest) stand for each whole number of points, as Whole makes
	// it: the highest first, and none that stands for nobody. It is of the same moment as Range, and its work grows with
	// the numbers of points that occur, not with the entries. Errors: ErrInvalid for any other index; ErrDamaged.
	Counts(index Index) (Counts, error)
}

// Cursor is a place in an index. It means something only to the index that it came from.
type Cursor string

// Hit is one entry of an index.
type Hit struct {
	Key    Key       // the record that it leads to
	Cursor Cursor    // the place behind this entry
	At     time.Time // of Due, Lapsing and SeasonsDue alone: when something is due, in UTC
}

// Bounds on what is kept. They are far beyond what a match of people needs, and within what every database takes.
const (
	MaxID      = 512     // bytes of a record's id
	MaxEntry   = 2 << 10 // bytes of an index entry: names of servers, channels and members count here
	MaxRecord  = 1 << 20 // bytes of an encoded record: some 19,000 actions
	MaxChanges = 2000    // records that one Changes may put, delete or expect
	MaxCommit  = 8 << 20 // bytes of all encoded records that one Changes puts
)
