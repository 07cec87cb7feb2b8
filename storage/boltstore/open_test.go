package boltstore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
	"kraal/storage/storagetest"
)

// expectUnusable checks the error of opening: its kind, that it is one line, and that it names the file and what else is
// wanted.
func expectUnusable(t *testing.T, err error, path string, want ...string) {
	t.Helper()
	var unusable *storage.UnusableError
	if !errors.As(err, &unusable) {
		t.Fatalf("got error %v, want an UnusableError", err)
	}
	if unusable.Path != path || unusable.Why == "" || unusable.Do == "" {
		t.Errorf("got %+v, want all of it, for %s", unusable, path)
	}
	expectLine(t, err.Error(), append(want, path)...)
}

func expectLine(t *testing.T, line string, want ...string) {
	t.Helper()
	for _, part := range want {
		if !strings.Contains(line, part) {
			t.Errorf("got %q, want it to say %q", line, part)
		}
	}
	if strings.Contains(line, "\n") || strings.Contains(line, "goroutine") {
		t.Errorf("got more than a line: %q", line)
	}
}

// write makes a file of those bytes.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// stored gives the bytes of a store with records in it.
func stored(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kraal.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if err := commitOne(t, s, sample(fmt.Sprintf("m%03d", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func commitOne(t *testing.T, s storage.Store, r storage.Record) error {
	_, err := s.Commit(t.Context(), storage.Changes{Put: []storage.Record{r}})
	return err
}

func TestOpenMakesFolders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "kraal.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o600 {
		t.Errorf("mode: got %v, want that only its owner may read it", got)
	}
	if size := info.Size(); size > 64<<10 {
		t.Errorf("size of a new store: got %d bytes", size)
	}
	names, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("got files %q and error %v, want the store alone", names, err)
	}
}

func TestOpenKeeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kraal.db")
	for want := range storage.Version(3) {
		s, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Commit(t.Context(), storage.Changes{
			Expect: []storage.Expect{{Key: storage.MatchKey("a"), Version: want}}, Put: []storage.Record{sample("a")},
		})
		if err != nil {
			t.Errorf("opened %d times: %v", want+1, err)
		}
		checkFile(t, s)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	good := stored(t)
	folder := t.TempDir()
	for _, test := range []struct{ name, path, want string }{
		{"a folder", folder, "a folder"},
		{"a device", os.DevNull, "not an ordinary file"},
		{"an empty file", write(t, "kraal.db", nil), "empty"},
		{"a few bytes", write(t, "kraal.db", []byte("hello")), "not a store, or is damaged"},
		{"text", write(t, "kraal.db", bytes.Repeat([]byte("hello\n"), 1500)), "not a store, or is damaged"},
		{"much text", write(t, "kraal.db", bytes.Repeat([]byte("hello\n"), 50_000)), "not a store, or is damaged"},
		{"both heads damaged", write(t, "kraal.db", damage(good, 0, 2*4096)), "not a store, or is damaged"},
		{"a page", write(t, "kraal.db", good[:4096]), "not a store, or is damaged"},
		{"three pages", write(t, "kraal.db", good[:3*4096]), "damaged"},
		{"a file for a folder", filepath.Join(write(t, "kraal.db", good), "kraal.db"), "a part of its path is a file"},
		{"another program's", foreign(t, nil), "another program"},
		{"another program's with a bucket of that name", foreign(t, map[string]string{"other": "1"}), "another program"},
		{"a newer version's", foreign(t, map[string]string{"schema": strconv.Itoa(Schema + 1)}), "newer version"},
		{"no version", foreign(t, map[string]string{"schema": "one"}), "damaged"},
		{"no records", foreign(t, map[string]string{"schema": "1"}), "damaged"},
		{"no records of the newest", foreign(t, map[string]string{"schema": strconv.Itoa(Schema)}), "damaged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := Open(test.path, Options{Timeout: 100 * time.Millisecond})
			if err == nil {
				s.Close()
			}
			expectUnusable(t, err, test.path, test.want)
		})
	}
}

// damage overwrites bytes with nonsense.
func damage(data []byte, from, to int) []byte {
	bad := bytes.Clone(data)
	for i := from; i < min(to, len(bad)); i++ {
		bad[i] ^= 0xa5
	}
	return bad
}

// foreign makes a bbolt file that this package would not; its meta bucket holds those values, unless it is nil.
func foreign(t *testing.T, meta map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.db")
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		if meta == nil {
			return nil
		}
		bucket, err := tx.CreateBucket(metaBucket)
		for k, v := range meta {
			err = errors.Join(err, bucket.Put([]byte(k), []byte(v)))
		}
		_, other := tx.CreateBucket(indexBucket)
		return errors.Join(err, other)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOpenDamaged: whatever happened to a file, opening and reading it ends in an error or in records, never in a panic.
func TestOpenDamaged(t *testing.T) {
	good := stored(t)
	used := len(bytes.TrimRight(good, "\x00"))
	for page := 0; page*4096 < used; page++ {
		for name, data := range map[string][]byte{
			"head":    damage(good, page*4096, page*4096+64),
			"flags":   damage(good, page*4096+8, page*4096+10),
			"count":   damage(good, page*4096+10, page*4096+12),
			"whole":   damage(good, page*4096, page*4096+4096),
			"cut off": good[:page*4096+100],
		} {
			path := write(t, "kraal.db", data)
			s, err := Open(path, Options{})
			if err != nil {
				expectUnusable(t, err, path)
				continue
			}
			if err := storagetest.Agree(t.Context(), s); err != nil && strings.Contains(err.Error(), "goroutine") {
				t.Errorf("page %d, %s: %v", page, name, err)
			}
			s.Close()
		}
	}
}

// TestOpenAtOnce: of many that find no file, one has the store, and the others are told so.
func TestOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kraal.db")
	var wait sync.WaitGroup
	stores := make(chan *Store, 8)
	for range cap(stores) {
		wait.Go(func() {
			s, err := Open(path, Options{Timeout: 100 * time.Millisecond})
			if err == nil {
				stores <- s
			} else if !strings.Contains(err.Error(), "another process has it locked") {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	close(stores)
	if len(stores) != 1 {
		t.Errorf("%d have the store, want one", len(stores))
	}
	for s := range stores {
		if err := commitOne(t, s, sample("a")); err != nil {
			t.Error(err)
		}
		s.Close()
	}
	if names, _ := filepath.Glob(path + "*"); len(names) != 1 {
		t.Errorf("got files %q, want the store alone", names)
	}
	checkSurvivor(t, path, map[storage.Key]storage.Version{storage.MatchKey("a"): 1})
}

// child prepares this binary to do a job on a path.
func child(job, path string) *exec.Cmd {
	c := exec.Command(os.Args[0], path)
	c.Env = append(os.Environ(), childVariable+"="+job)
	return c
}

// lateExit is what a process ends with that took too long to find out that it cannot open a store.
const lateExit = 3

// childOpen opens a store, and prints why it cannot. How long that takes it measures itself: how long a process takes to
// begin is the machine's affair.
func childOpen(path string) int {
	began := time.Now()
	s, err := Open(path, Options{})
	if err != nil {
		fmt.Println(err)
		if time.Since(began) > 5*time.Second {
			return lateExit
		}
		return 1
	}
	s.Close()
	return 0
}

// childHold opens a store, says so, and keeps it until it is to end.
func childHold(path string) int {
	s, err := Open(path, Options{})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("held")
	io.Copy(io.Discard, os.Stdin)
	s.Close()
	return 0
}

// TestOpenLocked (O43): a second process on the same file gives up within five seconds, and says why.
func TestOpenLocked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kraal.db")
	holder := child("hold", path)
	end, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, len("held\n"))
	if _, err := io.ReadFull(out, said); err != nil || string(said) != "held\n" {
		t.Fatalf("the holder says %q: %v", said, err)
	}
	second := child("open", path)
	line, err := second.Output()
	if code := second.ProcessState.ExitCode(); code != 1 {
		t.Errorf("error %v; %d would be that it took too long", err, lateExit)
	}
	expectLine(t, strings.TrimSuffix(string(line), "\n"), path, "another process has it locked")
	end.Close()
	if err := holder.Wait(); err != nil {
		t.Error(err)
	}
	if line, err := child("open", path).Output(); err != nil {
		t.Errorf("after the holder has ended: %s", line)
	}
}
