package storage

import (
	"errors"
	"fmt"
)

// What a store can answer. Compare with errors.Is.
var (
	// ErrNotFound: there is no such record.
	ErrNotFound = errors.New("storage: no such record")

	// ErrConflict: a record is not of the version that was expected. It comes as a *ConflictError.
	ErrConflict = errors.New("storage: changed by somebody else")

	// ErrClosed: the store was closed, or the Reader's View has returned.
	ErrClosed = errors.New("storage: closed")

	// ErrInvalid: changes or a question that make no sense, whatever is kept.
	ErrInvalid = errors.New("storage: not a valid request")

	// ErrTooLarge: a record, an id or a set of changes is over its bound.
	ErrTooLarge = errors.New("storage: too large")

	// ErrBroken: what lies beneath failed, and what it holds is no longer certain. Nothing more is read or written: let
	// the process end, and open the store again. It comes as a *BrokenError.
	ErrBroken = errors.New("storage: broken")

	// ErrNewer: written by a newer version of this program. It comes inside a *RecordError.
	ErrNewer = errors.New("written by a newer version of this program")

	// ErrDamaged: what is kept cannot be understood. It comes inside a *RecordError.
	ErrDamaged = errors.New("damaged")
)

// ConflictError says which expectation did not hold. It is ErrConflict.
type ConflictError struct {
	Key  Key
	Want Version // as expected
	Have Version // as it is; 0: there is none
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%v: %v has version %d, expected was %d", ErrConflict, e.Key, e.Have, e.Want)
}

// Is tells that this is ErrConflict.
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }

// RecordError says which record cannot be read. Err is ErrNewer or ErrDamaged, with the details.
type RecordError struct {
	Key Key
	Err error
}

func (e *RecordError) Error() string { return fmt.Sprintf("storage: record %v: %v", e.Key, e.Err) }

// Unwrap gives the reason.
func (e *RecordError) Unwrap() error { return e.Err }

// BrokenError says what failed beneath the store. It is ErrBroken.
type BrokenError struct {
	Err error
}

func (e *BrokenError) Error() string { return fmt.Sprintf("%v: %v", ErrBroken, e.Err) }

// Is tells that this is ErrBroken.
func (e *BrokenError) Is(target error) bool { return target == ErrBroken }

// Unwrap gives what failed.
func (e *BrokenError) Unwrap() error { return e.Err }

// UnusableError says why a store cannot be opened, in one line that a person can act on.
type UnusableError struct {
	Path string // the file
	Why  string // what is wrong with it
	Do   string // what would help
	Err  error  // what was met, where there is more to know; it is not part of the text
}

func (e *UnusableError) Error() string {
	return fmt.Sprintf("the store %s cannot be used: %s; %s", e.Path, e.Why, e.Do)
}

// Unwrap gives what was met.
func (e *UnusableError) Unwrap() error { return e.Err }
