package boltstore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRemove: a store goes, damaged or not; what is in use or no store stays.
func TestRemove(t *testing.T) {
	whole := stored(t)
	short := whole[:3*os.Getpagesize()]
	for name, data := range map[string][]byte{"whole": whole, "cut short": short} {
		path := write(t, "kraal.db", data)
		if removed, err := Remove(path); !removed || err != nil {
			t.Errorf("%s: %t, %v", name, removed, err)
		}
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s: it is still there: %v", name, err)
		}
	}
	if removed, err := Remove(filepath.Join(t.TempDir(), "kraal.db")); removed || err != nil {
		t.Errorf("nothing there: %t, %v", removed, err)
	}
	used := filepath.Join(t.TempDir(), "kraal.db")
	s, err := Open(used, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for path, want := range map[string]string{
		used: "another process has it locked", t.TempDir(): "it is a folder", write(t, "kraal.db", nil): "the file is empty",
		write(t, "letter", []byte(strings.Repeat("Dear reader. ", 1000))): "it is not a store",
	} {
		removed, err := Remove(path)
		expectUnusable(t, err, path, want)
		if _, gone := os.Stat(path); removed || gone != nil {
			t.Errorf("%s: %t, %v", path, removed, gone)
		}
	}
}
