package boltstore

import (
	"path/filepath"
	"testing"

	"kraal/storage"
	"kraal/storage/storagetest"
)

// openTemp opens a new store in a folder of its own, and closes it at the end of the test.
func openTemp(t *testing.T) storage.Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "kraal.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestStore(t *testing.T) { storagetest.Run(t, openTemp) }
