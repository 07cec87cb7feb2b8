package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// The file in which a world is kept: buckets of bbolt's.
const (
	worldBucket   = "world"    // formKey, allKey and countersKey
	messageBucket = "messages" // by id, without the bytes of attachments
	fileBucket    = "files"    // attachments' bytes, by id
	formKey       = "form"     // formName and a number
	allKey        = "all"      // keptWorld
	countersKey   = "counters" // keptCounters
	formName      = "kraal sandbox "
	keptFormat    = 1
)

// What can be wrong with the file of a world.
var (
	errDamagedWorld = errors.New("it is damaged")
	errForeignWorld = errors.New("it is no sandbox's world")
	errNewerWorld   = errors.New("it was written by a newer version")
)

// KeepError says why the file in which a world is kept cannot be used.
type KeepError struct {
	Path string // the file, whole
	Why  string // what is wrong
	Do   string // what would help
	Err  error  // what was met; it is not part of the text
}

func (e *KeepError) Error() string {
	return fmt.Sprintf("the sandbox's world %s cannot be used: %s; %s", e.Path, e.Why, e.Do)
}

// Unwrap gives what was met.
func (e *KeepError) Unwrap() error { return e.Err }

// explainKeep tells what was met to people.
func explainKeep(path string, err error) *KeepError {
	e := &KeepError{Path: path, Why: err.Error(), Do: "see that it is a file on a local disk that can be written", Err: err}
	if whole, err := filepath.Abs(path); err == nil {
		e.Path = whole
	}
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		e.Why, e.Do = "another kraal uses it", "stop that one, or give each a file of its own"
	case errors.Is(err, errDamagedWorld):
		e.Why, e.Do = "it is damaged", "begin anew with --reset, or move it away"
	case errors.Is(err, errForeignWorld), errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch),
		errors.Is(err, bolterrors.ErrChecksum):
		e.Why, e.Do = "it is no world of a sandbox, or so damaged that it cannot be told", "move it away, or name another file"
	case errors.Is(err, errNewerWorld):
		e.Why, e.Do = "it was written by a newer version", "use that one, or begin anew with --reset"
	}
	return e
}

// openKeep opens the file of a world, and makes it where there is none. A fresh one takes the place of what was there.
func openKeep(path string, fresh bool) (*bolt.DB, error) {
	if fresh {
		if err := removeWorld(path); err != nil {
			return nil, explainKeep(path, err)
		}
	}
	db, err := openWorld(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeWorld(path); err == nil {
			db, err = openWorld(path)
		}
	}
	if err != nil {
		return nil, explainKeep(path, err)
	}
	return db, nil
}

// removeWorld removes a world, damaged or not. What is in use, or cannot be told to be one, stays.
func removeWorld(path string) error {
	db, err := openWorld(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		if err := db.Close(); err != nil {
			return err
		}
	case !errors.Is(err, errNewerWorld) && !errors.Is(err, errDamagedWorld):
		return err
	}
	return os.Remove(path)
}

// openWorld opens a file that is there, if it is a world's. The error is fs.ErrNotExist where there is none.
func openWorld(path string) (*bolt.DB, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() == 0: // bbolt would make a world of an empty file
		return nil, errForeignWorld
	}
	var db *bolt.DB
	var file *os.File
	options := &bolt.Options{Timeout: time.Second, OpenFile: func(path string, flag int, mode os.FileMode) (_ *os.File, err error) {
		file, err = os.OpenFile(path, flag&^os.O_CREATE, mode)
		return file, err
	}}
	err = guarded(func() error {
		var err error
		if db, err = bolt.Open(path, 0o600, options); err != nil {
			return err
		}
		db.AllocSize = 1 << 20 // bbolt's own 16 MiB would make the smallest world as large
		return db.View(func(tx *bolt.Tx) error { return inspect(tx, file) })
	})
	switch {
	case err == nil:
		return db, nil
	case db != nil:
		_ = guarded(db.Close)
	case file != nil:
		_ = file.Close() // bbolt panicked, and left it open and mapped: the map holds the lock while the process lives
	}
	return nil, err
}

// inspect looks whether a file is a world of a form that is known, and as long as it says.
func inspect(tx *bolt.Tx, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < tx.Size() {
		return fmt.Errorf("%w: %d bytes of %d", errDamagedWorld, info.Size(), tx.Size())
	}
	world := tx.Bucket([]byte(worldBucket))
	if world == nil {
		return errForeignWorld
	}
	number, ours := strings.CutPrefix(string(world.Get([]byte(formKey))), formName)
	switch n, err := strconv.Atoi(number); {
	case !ours || err != nil:
		return errForeignWorld
	case n > keptFormat:
		return errNewerWorld
	case tx.Bucket([]byte(messageBucket)) == nil || tx.Bucket([]byte(fileBucket)) == nil:
		return errDamagedWorld
	}
	return nil
}

// makeWorld makes an empty file under another name before it takes its own: who is killed while bbolt writes its first
// pages would leave a file that nobody can open.
func makeWorld(path string) error {
	folder, name := filepath.Split(filepath.Clean(path))
	folder = filepath.Clean(folder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(folder, name+".new-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	if err := temp.Close(); err != nil {
		return err
	}
	if err := layOut(temp.Name()); err != nil {
		return err
	}
	// Only a link says no where another process was faster; where there are no links, a name has to do.
	if err := os.Link(temp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		if err := os.Rename(temp.Name(), path); err != nil {
			return err
		}
	}
	return syncFolder(folder)
}

func layOut(path string) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bolt.Tx) error {
		for _, name := range []string{worldBucket, messageBucket, fileBucket} {
			if _, err := tx.CreateBucket([]byte(name)); err != nil {
				return err
			}
		}
		return tx.Bucket([]byte(worldBucket)).Put([]byte(formKey), []byte(formName+strconv.Itoa(keptFormat)))
	})
	return errors.Join(err, db.Close())
}

// syncFolder makes the names in a folder durable. Windows cannot, and need not.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// guarded makes an error of a panic: bbolt panics when pages make no sense, and the runtime when a file that was cut short
// cannot deliver one.
func guarded(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errDamagedWorld, p)
		}
	}()
	return f()
}
