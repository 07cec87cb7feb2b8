package boltstore

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// Open opens the store at path, and makes it, with the folders that are missing, if there is nothing. The file is
// locked for this process. Every error is a *storage.UnusableError, after Options.Timeout and little more at the latest.
func Open(path string, o Options) (*Store, error) {
	began := time.Now()
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	made, err := ensure(path)
	if err != nil {
		return nil, explain(path, err)
	}
	db, _, err := openFile(path, boltOptions(cmp.Or(o.Timeout, 3*time.Second)))
	if err != nil {
		return nil, explain(path, err)
	}
	db.AllocSize = growth
	kept, err := keepBefore(path, db, began)
	if err != nil {
		guard(db.Close)
		return nil, explain(path, err)
	}
	was, unread, err := bringForward(db)
	if err != nil {
		guard(db.Close)
		return nil, explain(path, err)
	}
	if was < Schema {
		log.Info("store brought forward", "path", path, "from_schema", was, "to_schema", Schema, "copy", kept, "unread", unread)
	}
	log.Info("store opened", "path", path, "made", made, "took", time.Since(began))
	return newStore(db, log), nil
}

// growth is by how many bytes the file grows at a time. bbolt's own 16 MiB would make the smallest store as large.
const growth = 1 << 20

// boltOptions are for a process that runs for long and has to be back soon. A freelist that is not synced would make it
// read the whole file at the start; one kept as a map is slower for small commits. The map of the file is large from the
// beginning, where that costs nothing, so that it need not grow, which waits for every reader.
func boltOptions(timeout time.Duration) *bolt.Options {
	o := &bolt.Options{Timeout: timeout, FreelistType: bolt.FreelistArrayType}
	if strconv.IntSize == 64 && runtime.GOOS != "windows" {
		large := int64(4 << 30) // no constant, for it would not compile where an int is smaller
		o.InitialMmapSize = int(large)
	}
	return o
}

// What can be wrong with a file that is there.
var (
	errFolder    = errors.New("it is a folder")
	errNoFile    = errors.New("it is no ordinary file")
	errEmpty     = errors.New("it is empty")
	errCutShort  = errors.New("it is cut short")
	errForeign   = errors.New("it is a bbolt file of another program")
	errNewSchema = errors.New("it was written by a newer version")
	errReplaced  = errors.New("another file has taken its place")
)

// ensure sees to it that there is a file, and tells whether it made it.
func ensure(path string) (made bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = create(path)
		if errors.Is(err, fs.ErrExist) {
			return false, nil // another process was faster
		}
		return err == nil, err
	case err != nil:
		return false, err
	case info.IsDir():
		return false, errFolder
	case !info.Mode().IsRegular():
		return false, errNoFile
	case info.Size() == 0:
		return false, errEmpty
	}
	return false, nil
}

// create makes a new file under another name, finished and synced, before it takes its own: losing power while bbolt
// writes its first pages leaves a file that it cannot open. Error fs.ErrExist: the name is taken.
func create(path string) error {
	folder, name := filepath.Split(path)
	folder = filepath.Clean(folder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(folder, name+".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if err := temp.Close(); err != nil {
		return err
	}
	if err := initialise(temp.Name()); err != nil {
		return err
	}
	if err := moveNew(temp.Name(), path); err != nil {
		return err
	}
	return syncFolder(folder)
}

func initialise(path string) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bolt.Tx) error {
		names := [][]byte{indexBucket, metaBucket, countsBucket}
		for _, kind := range storage.Kinds() {
			names = append(names, []byte(kind))
		}
		for _, name := range names {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return tx.Bucket(metaBucket).Put(schemaKey, []byte(strconv.Itoa(Schema)))
	})
	return errors.Join(err, db.Close())
}

// moveNew gives a file its name unless there is one of that name: two processes that start at once must not each have
// a file. Renaming would replace; only a link says no. Where there are no links, a look beforehand has to do.
func moveNew(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return os.Rename(from, to)
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

// openFile opens a file that is there, and looks whether it can be ours and whole.
func openFile(path string, o *bolt.Options) (db *bolt.DB, file *os.File, err error) {
	o.OpenFile = func(path string, flag int, mode os.FileMode) (_ *os.File, err error) {
		file, err = os.OpenFile(path, flag&^os.O_CREATE, mode)
		return file, err
	}
	err = guard(func() error {
		if db, err = bolt.Open(path, 0o600, o); err != nil {
			return err
		}
		return db.View(func(tx *bolt.Tx) error { return inspectFile(tx, file) })
	})
	if err == nil {
		return db, file, nil
	}
	if db != nil {
		guard(db.Close)
	} else if file != nil {
		file.Close() // bbolt panicked, and left it open
	}
	return nil, nil, err
}

func inspectFile(tx *bolt.Tx, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	// Whoever held the lock until now may have put another file in its place: what is kept in this one would be lost.
	if named, err := os.Stat(file.Name()); err != nil || !os.SameFile(info, named) {
		return errors.Join(errReplaced, err)
	}
	if info.Size() < tx.Size() {
		return fmt.Errorf("%w: %d bytes of %d", errCutShort, info.Size(), tx.Size())
	}
	meta := tx.Bucket(metaBucket)
	if meta == nil || meta.Get(schemaKey) == nil {
		return errForeign
	}
	schema, err := schemaOf(tx)
	switch {
	case err != nil || tx.Bucket(indexBucket) == nil:
		return storage.ErrDamaged
	case schema > Schema:
		return fmt.Errorf("%w: schema %d, known up to %d", errNewSchema, schema, Schema)
	case tx.Bucket(countsBucket) == nil && schema >= 3:
		return storage.ErrDamaged
	}
	for _, kind := range storage.Kinds() {
		if tx.Bucket([]byte(kind)) == nil && schema >= since(kind) {
			return storage.ErrDamaged
		}
	}
	return nil
}
