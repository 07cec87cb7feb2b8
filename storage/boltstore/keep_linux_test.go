package boltstore

import (
	"io"
	"path/filepath"
	"syscall"
	"testing"
)

// TestBackupOnFullDisk: where there is no room for a copy that is said in a line, nothing is left, and the store goes on.
func TestBackupOnFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=16k"); err != nil {
		t.Skipf("NOT CHECKED: a full disk, for which this test has to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	s := openTemp(t).(*Store)
	for _, r := range golden(Schema) {
		if err := commitOne(t, s, r); err != nil {
			t.Fatal(err)
		}
	}
	target := filepath.Join(disk, "copy.db")
	_, err := Deliver(t.Context(), target, func(w io.Writer) error {
		return s.Backup(t.Context(), func(int64) (io.Writer, error) { return w, nil })
	})
	expectUnusable(t, err, target, "the disk is full", "make room")
	expectFiles(t, disk)
	if err := commitOne(t, s, sample("after")); err != nil {
		t.Error(err)
	}
	from := filled(t, 0)
	_, err = Restore(t.Context(), filepath.Join(disk, "kraal.db"), restoredAt, copyOf(from))
	expectUnusable(t, err, filepath.Join(disk, "kraal.db"), "the disk is full")
	expectFiles(t, disk)
}
