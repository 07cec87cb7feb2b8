package boltstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kraal/storage"
)

// nobody is a user who owns nothing here.
const nobody = 65534

// TestOpenForbidden (O44) opens, as a user without rights, what belongs to another.
func TestOpenForbidden(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("NOT CHECKED: files of another user, for which this test has to run as root")
	}
	root := t.TempDir()
	for _, test := range []struct {
		name          string
		folder, inner os.FileMode
		file          bool
		path, want    string
	}{
		{"a file of another's", 0o755, 0o755, true, "data/kraal.db", "may not read and write it"},
		{"a folder of another's", 0o755, 0o755, false, "data/kraal.db", "may not read and write the folder %s/data"},
		{"a folder to be made in another's", 0o755, 0o755, false, "data/new/kraal.db", "may not read and write the folder %s/data"},
		{"a closed folder", 0o755, 0o700, true, "data/kraal.db", "may not read and write it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := filepath.Join(root, strings.ReplaceAll(test.name, " ", "-"))
			if err := os.MkdirAll(filepath.Join(folder, "data"), 0o755); err != nil {
				t.Fatal(err)
			}
			if test.file {
				if err := os.WriteFile(filepath.Join(folder, "data", "kraal.db"), stored(t), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			openWay(t, folder)
			if err := os.Chmod(filepath.Join(folder, "data"), test.inner); err != nil {
				t.Fatal(err)
			}
			c := child("open", filepath.Join(folder, test.path))
			c.Args[0], c.Path = os.Args[0], copyBinary(t, folder)
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			line, err := c.Output()
			if err == nil {
				t.Fatal("it was opened")
			}
			want := test.want
			if strings.Contains(want, "%s") {
				want = fmt.Sprintf(want, folder)
			}
			expectLine(t, strings.TrimSuffix(string(line), "\n"), c.Args[1], fmt.Sprintf("user %d %s", nobody, want), "chown")
		})
	}
}

// openWay lets everyone pass through the folders that lead to one.
func openWay(t *testing.T, folder string) {
	t.Helper()
	for at := folder; at != filepath.Clean(os.TempDir()) && at != "/"; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// copyBinary puts this binary where everyone may run it.
func copyBinary(t *testing.T, folder string) string {
	t.Helper()
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "binary")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFullDisk (O44) fills a small disk: the store breaks when there is no room, keeps what it acknowledged, and a new one is
// refused.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=300k"); err != nil {
		t.Skipf("NOT CHECKED: a full disk, for which this test has to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	path := filepath.Join(disk, "kraal.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	acknowledged := map[storage.Key]storage.Version{}
	for i := 0; err == nil; i++ {
		m := sample(fmt.Sprintf("m%05d", i))
		if err = commitOne(t, s, m); err == nil {
			acknowledged[m.Key()] = 1
		}
	}
	expectBroken(t, s, err, syscall.ENOSPC)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if len(acknowledged) == 0 {
		t.Error("nothing was acknowledged")
	}
	checkSurvivor(t, path, acknowledged)
	_, err = Open(filepath.Join(disk, "more", "kraal.db"), Options{})
	expectUnusable(t, err, filepath.Join(disk, "more", "kraal.db"), "the disk is full", "make room")

	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, filepath.Join(disk, "new.db"), filepath.Join(disk, "new", "kraal.db")} {
		_, err = Open(path, Options{})
		expectUnusable(t, err, path, "read-only file system")
	}
}
