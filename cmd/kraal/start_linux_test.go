package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kraal/storage/boltstore"
)

// somebody is the user that a container runs the bot as; nothing here is theirs.
const somebody = 65532

// startsAt starts the bot, as user somebody if that is asked, on a store where it cannot work, and gives what it said.
func startsAt(t *testing.T, store string, asSomebody bool) (said string, took time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	binary := self(t)
	bot := exec.CommandContext(ctx, binary)
	bot.Env = []string{asKraal + "=1", "KRAAL_STORAGE_PATH=" + store, "KRAAL_DISCORD_TOKEN=some.token", "KRAAL_DISCORD_API=http://127.0.0.1:1/api"}
	bot.Dir = t.TempDir()
	if asSomebody {
		folder := t.TempDir()
		openTo(t, folder)
		bot.Path, bot.Dir = copyFile(t, binary, folder), "/"
		bot.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: somebody, Gid: somebody}}
	}
	began := time.Now()
	output, err := bot.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("got %v, want exit code 1; it said:\n%s", err, output)
	}
	return string(output), time.Since(began)
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// openTo lets everyone pass through the folders that lead to one.
func openTo(t *testing.T, folder string) {
	t.Helper()
	for at := folder; at != filepath.Clean(os.TempDir()) && at != "/"; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// copyFile puts a binary into a folder where everyone may run it.
func copyFile(t *testing.T, binary, folder string) string {
	t.Helper()
	data, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "kraal")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// expectOneLine holds what the bot said to one line that names the file and says all that.
func expectOneLine(t *testing.T, said, store string, want ...string) {
	t.Helper()
	line, more, ended := strings.Cut(said, "\n")
	if !ended || more != "" || !strings.HasPrefix(line, "kraal: ") || strings.Contains(line, "goroutine") {
		t.Errorf("got more or less than a line:\n%s", said)
	}
	for _, part := range append(want, store) {
		if !strings.Contains(line, part) {
			t.Errorf("got %q, want it to say %q", line, part)
		}
	}
}

// TestSecondBot (O43): a second bot on the same store ends within five seconds and says which file is locked.
func TestSecondBot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kraal.db")
	first, err := boltstore.Open(path, boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Close() }()
	var quickest time.Duration
	for try := range 3 { // a machine that has other work may be late, though not each time
		said, took := startsAt(t, path, false)
		expectOneLine(t, said, path, "another process has it locked", "stop that one")
		if try == 0 || took < quickest {
			quickest = took
		}
		if quickest <= 5*time.Second {
			return
		}
	}
	t.Errorf("it took %v", quickest)
}

// mountSmall mounts a disk of that size, in kilobytes, until the test ends.
func mountSmall(t *testing.T, kilobytes int) string {
	t.Helper()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dk", kilobytes)); err != nil {
		t.Skipf("NOT CHECKED: a disk of its own, for which this test has to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return disk
}

// fillDisk takes all the room there is on a small disk.
func fillDisk(t *testing.T, disk string) {
	t.Helper()
	f, err := os.Create(filepath.Join(disk, "something else"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(f, neverEnding{}, 1<<20); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestStartsNowhere (O44): where the bot's folder is no use it ends at once, with one line that names the file, the user
// where that is what is wrong, and what to do.
func TestStartsNowhere(t *testing.T) {
	t.Run("read-only", func(t *testing.T) {
		disk := mountSmall(t, 400)
		store := filepath.Join(disk, "kraal.db")
		if s, err := boltstore.Open(store, boltstore.Options{}); err != nil || s.Close() != nil {
			t.Fatal("no store can be made:", err)
		}
		if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			t.Fatal(err)
		}
		for _, store := range []string{store, filepath.Join(disk, "new.db"), filepath.Join(disk, "missing", "kraal.db")} {
			said, _ := startsAt(t, store, false)
			expectOneLine(t, said, store, "read-only file system", "mount that writable")
		}
	})
	t.Run("full", func(t *testing.T) {
		disk := mountSmall(t, 64)
		fillDisk(t, disk)
		store := filepath.Join(disk, "kraal.db")
		said, _ := startsAt(t, store, false)
		expectOneLine(t, said, store, "the disk is full", "make room")
	})
	t.Run("another's", func(t *testing.T) {
		if os.Getuid() != 0 {
			t.Skip("NOT CHECKED: a folder of another user, for which this test has to run as root")
		}
		folder := t.TempDir()
		openTo(t, folder)
		for _, store := range []string{filepath.Join(folder, "kraal.db"), filepath.Join(folder, "missing", "kraal.db")} {
			said, _ := startsAt(t, store, true)
			expectOneLine(t, said, store, fmt.Sprintf("user %d may not read and write the folder %s", somebody, folder), fmt.Sprintf("chown %d", somebody))
		}
	})
}

// TestStartsInNewFolder (O44): folders that are missing are made, for the bot's user alone.
func TestStartsInNewFolder(t *testing.T) {
	v := newVictim(t)
	v.kill()
	v.store = filepath.Join(t.TempDir(), "data", "of the bot", "kraal.db")
	v.start()
	for _, path := range []string{v.store, filepath.Dir(v.store), filepath.Dir(filepath.Dir(v.store))} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, error %v; want that it is there, for its owner alone", path, info, err)
		}
	}
}
