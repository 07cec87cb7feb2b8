package boltstore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// TestOpenReplaced: whoever waited for the lock of a file that was compacted or restored meanwhile must not go on with what
// has no name any more.
func TestOpenReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kraal.db")
	if err := create(path); err != nil {
		t.Fatal(err)
	}
	db, file, err := openFile(path, boltOptions(0))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	look := func() error { return db.View(func(tx *bolt.Tx) error { return inspectFile(tx, file) }) }
	if err := look(); err != nil {
		t.Errorf("as it was opened: %v", err)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	if err := errors.Join(create(other), os.Rename(other, path)); err != nil {
		t.Fatal(err)
	}
	if err := look(); !errors.Is(err, errReplaced) {
		t.Errorf("another file stands in its place: got error %v", err)
	}
	expectUnusable(t, explain(path, errReplaced), path, "another file", "start again")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := look(); !errors.Is(err, errReplaced) {
		t.Errorf("no file stands in its place: got error %v", err)
	}
}
