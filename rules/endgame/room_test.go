package endgame

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRoom: what does not fit is refused before it is built, and so is what cannot be written.
func TestRoom(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tables")
	if err := Room(dir, 1<<20); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("asking left %v", left)
	}
	if _, known := free(dir); known {
		var small *RoomError
		if err := Room(dir, 1<<62); !errors.As(err, &small) || small.Need != 1<<62 || small.Free <= 0 {
			t.Errorf("for 4 EiB: %v", err)
		}
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Room(file, 0); err == nil {
		t.Error("a file is taken for a directory")
	}
}

// TestInTheWay: a table of other rules under a table's name is not written over.
func TestInTheWay(t *testing.T) {
	dir, nine, koti := t.TempDir(), variant(t, "nine"), variant(t, "koti")
	elsewhere := t.TempDir()
	if err := build(t, elsewhere, koti, 6).Close(); err != nil {
		t.Fatal(err)
	}
	three := subspace{3, 3}
	path := filepath.Join(dir, fileKey{columns: columnsOf(nine), subspace: three}.name())
	other, err := os.ReadFile(filepath.Join(elsewhere, fileKey{columns: columnsOf(koti), subspace: three}.name()))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, other, 0o600); err != nil {
		t.Fatal(err)
	}
	tables := reopened(t, dir)
	steps, err := tables.Plan(nine, 6)
	if err != nil {
		t.Fatal(err)
	}
	err = tables.Build(t.Context(), nine, steps[0], BuildOptions{Dir: dir})
	if !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "move it elsewhere") {
		t.Errorf("got %v, want %v", err, ErrTaken)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, other) {
		t.Errorf("the table in the way was changed: %v", err)
	}
}

// TestKilledWhileWriting: what a killed process left of a file is replaced, and the table is byte for byte the same as
// one that was built in one go.
func TestKilledWhileWriting(t *testing.T) {
	whole, dir, v := t.TempDir(), t.TempDir(), variant(t, "nine")
	if err := build(t, whole, v, 6).Close(); err != nil {
		t.Fatal(err)
	}
	name := fileKey{columns: columnsOf(v), subspace: subspace{3, 3}}.name()
	want, err := os.ReadFile(filepath.Join(whole, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".part"), append(want[:5000:5000], want...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := build(t, dir, v, 6).Close(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v; want the %d of the other", len(got), err, len(want))
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.part")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestFileErrorAdvice: to delete a file is advised where that helps, and not where the system refuses it.
func TestFileErrorAdvice(t *testing.T) {
	for reason, want := range map[error]bool{
		ErrNotATable: true, ErrVersion: true, ErrDamaged: true, ErrCutShort: true, ErrTaken: false, os.ErrPermission: false,
	} {
		if said := (&FileError{"x.table", reason}).Error(); strings.Contains(said, "delete it") != want {
			t.Errorf("%q, want advice to delete it: %t", said, want)
		}
	}
}
