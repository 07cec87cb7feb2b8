package boltstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	bolterrors "go.etcd.io/bbolt/errors"

	"kraal/storage"
)

const (
	another  = "choose another storage.path"
	anew     = "restore a backup, or move the file away to begin with an empty store"
	makeRoom = "make room, then start again"
)

// causes tells, for what can be met while opening, what it means to a person and what to do. The first that fits counts.
var causes = []struct {
	met     []error
	why, do string
}{
	{[]error{bolterrors.ErrTimeout}, "another process has it locked", "stop that one, or give each a file of its own"},
	{[]error{fs.ErrNotExist}, "there is no such file", "see that the path is right"},
	{[]error{errReplaced}, "another file has just taken its place", "start again"},
	{[]error{errFolder}, "it is a folder, not a file", "name a file in it, such as kraal.db"},
	{[]error{errNoFile}, "it is not an ordinary file", another},
	{[]error{errEmpty}, "the file is empty", anew},
	{[]error{errForeign}, "it is a file of another program", another},
	{[]error{errNewSchema}, "it was written by a newer version of Kraal", "update Kraal, or restore a backup that this version made"},
	{[]error{errCutShort}, "the file is cut short", anew},
	{[]error{storage.ErrDamaged}, "the file is damaged", anew},
	{[]error{syscall.EROFS}, "it is on a read-only file system", "mount that writable, or " + another},
	{[]error{syscall.ENOSPC, syscall.EDQUOT}, "the disk is full", makeRoom},
	{[]error{syscall.ENOTDIR}, "a part of its path is a file, not a folder", another},
	{[]error{syscall.ENOMEM}, "there is not enough memory to map it", "raise the limit on address space (ulimit -v)"},
}

// explain says in one line why the store at path cannot be opened.
func explain(path string, err error) *storage.UnusableError {
	e := &storage.UnusableError{Path: path, Err: err}
	if whole, err := filepath.Abs(path); err == nil {
		e.Path = whole
	}
	if errors.Is(err, fs.ErrPermission) {
		e.Why = fmt.Sprintf("user %d may not read and write %s", os.Getuid(), forbidden(e.Path, err))
		e.Do = fmt.Sprintf("give it to that user (chown %d), or %s", os.Getuid(), another)
		return e
	}
	for _, cause := range causes {
		for _, met := range cause.met {
			if errors.Is(err, met) {
				e.Why, e.Do = cause.why, cause.do
				return e
			}
		}
	}
	var system syscall.Errno
	if !errors.As(err, &system) { // it is bbolt that could not make sense of it
		e.Why, e.Do = "it is not a store, or is damaged", anew
		return e
	}
	e.Why, e.Do = err.Error(), "see that it is a file on a local disk, or "+another
	return e
}

// forbidden tells which file or folder it is that may not be written.
func forbidden(path string, err error) string {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return path
	}
	switch whole, err := filepath.Abs(at.Path); {
	case err != nil:
		return at.Path
	case whole == path:
		return "it"
	case filepath.Dir(whole) == filepath.Dir(path):
		return "the folder " + filepath.Dir(path)
	default:
		return "the folder " + filepath.Dir(whole)
	}
}
