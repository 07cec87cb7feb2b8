package endgame

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// RoomError is that a disk has no room for tables.
type RoomError struct {
	Dir        string
	Need, Free int64 // bytes
}

// Error says how much there is and how much it takes.
func (e *RoomError) Error() string {
	return fmt.Sprintf("%s: the tables take %d MiB, the disk has room for %d MiB", e.Dir, mebibytes(e.Need), e.Free>>20)
}

// mebibytes is rounded up: what is needed is not said to be less.
func mebibytes(n int64) int64 { return (n + 1<<20 - 1) >> 20 }

// Room tells whether so many bytes can be written in a directory, which need not be there yet. The error is *RoomError, or
// why nothing can be written. Where the system does not tell how much room there is, there is enough.
func Room(dir string, need int64) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, "*.part") // the rights of a directory do not tell: who owns everything may write all
	if err != nil {
		return err
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return err
	}
	if left, known := free(dir); known && left < need {
		return &RoomError{dir, need, left}
	}
	return nil
}

// ErrTaken is that a file has the name of a table that is to be written, and is another.
var ErrTaken = errors.New("it is in the way: it holds another table than its name says")

// inTheWay looks for a file that a table would replace without being of the same rules and pieces.
func (t *Tables) inTheWay(dir string, key fileKey) error {
	path := filepath.Join(dir, key.name())
	if _, err := os.Stat(path); err != nil || t.files[key] != nil {
		return nil
	}
	return &FileError{Path: path, Reason: ErrTaken}
}
