package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

var restoredAt = time.Date(2026, time.March, 1, 12, 30, 0, 0, time.UTC)

// filled is the path of a closed store that holds the golden records, each as version 2, and more challenges.
func filled(t *testing.T, challenges int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kraal.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Commit(t.Context(), put(golden(Schema)...)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range challenges {
		if err := commitOne(t, s, sample(fmt.Sprintf("more%05d", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// exported is all that a closed store holds.
func exported(t *testing.T, path string) string {
	t.Helper()
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out bytes.Buffer
	if err := storage.Export(t.Context(), s, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func copyOf(path string) func(io.Writer) error {
	return func(w io.Writer) error {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	}
}

// expectFiles holds a folder to some names, so that nothing half-done is left in it.
func expectFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	var got []string
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%s holds %q (error %v), want %q", folder, got, err, want)
	}
}

func TestCheck(t *testing.T) {
	path := filled(t, 3)
	told := 0
	report, err := Check(t.Context(), path, func(int) { told++ })
	if err != nil || len(report.Faults) > 0 {
		t.Fatalf("got %+v and error %v", report, err)
	}
	if report.Schema != Schema || report.All() != len(golden(Schema))+3 || report.Entries == 0 || report.Size == 0 {
		t.Errorf("got %+v, want all %d records", report, len(golden(Schema))+3)
	}
	for schema := 1; schema < Schema; schema++ {
		if report, err := Check(t.Context(), unpacked(t, schema), nil); err != nil || report.Schema != schema {
			t.Errorf("schema %d: got %+v and error %v", schema, report, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ended, path, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want the context's", err)
	}
	nowhere := filepath.Join(t.TempDir(), "kraal.db")
	_, err = Check(t.Context(), nowhere, nil)
	expectUnusable(t, err, nowhere, "no such file")
	expectFiles(t, filepath.Dir(nowhere))
}

// TestCheckFinds: each way in which a file can disagree with itself is a fault that is told.
func TestCheckFinds(t *testing.T) {
	first := func(tx *bolt.Tx) []byte {
		k, _ := tx.Bucket(indexBucket).Cursor().First()
		return bytes.Clone(k)
	}
	matches := []byte(storage.KindMatch)
	for _, test := range []struct {
		name, want string
		spoil      func(tx *bolt.Tx) error
	}{
		{"an entry too few", "is missing", func(tx *bolt.Tx) error { return tx.Bucket(indexBucket).Delete(first(tx)) }},
		{"an entry too many", "1 index entries lead to records that do not", func(tx *bolt.Tx) error {
			return tx.Bucket(indexBucket).Put([]byte("z-nobody"), nil)
		}},
		{"a record cut short", "make no sense", func(tx *bolt.Tx) error { return tx.Bucket(matches).Put([]byte("0a1b2c3d"), []byte("x")) }},
		{"a record that is none", "damaged", func(tx *bolt.Tx) error {
			return tx.Bucket(matches).Put([]byte("other"), value{version: 1, data: []byte("{}")}.bytes())
		}},
		{"a pack that cannot be opened", "cannot be unpacked", func(tx *bolt.Tx) error {
			return tx.Bucket(matches).Put([]byte("other"), value{version: 1, data: []byte("zzzz")}.bytes())
		}},
		{"other entries", "are not those that it calls for", func(tx *bolt.Tx) error {
			kept, _ := parse(tx.Bucket(matches).Get([]byte("0a1b2c3d")))
			gone := kept.entries[0]
			kept.entries = kept.entries[1:]
			return errors.Join(tx.Bucket(indexBucket).Delete([]byte(gone)), tx.Bucket(matches).Put([]byte("0a1b2c3d"), kept.bytes()))
		}},
		{"a count that is gone", "1 counts of rated members", func(tx *bolt.Tx) error {
			key, _ := tx.Bucket(countsBucket).Cursor().First()
			return tx.Bucket(countsBucket).Delete(bytes.Clone(key))
		}},
		{"a count of nobody", "1 counts of rated members", func(tx *bolt.Tx) error {
			return tx.Bucket(countsBucket).Put([]byte("r"), []byte{1})
		}},
	} {
		path := filled(t, 0)
		db, err := bolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(db.Update(test.spoil), db.Close()); err != nil {
			t.Fatal(err)
		}
		report, err := Check(t.Context(), path, nil)
		expectUnusable(t, err, path, "damaged", "restore a backup")
		if said := strings.Join(report.Faults, "\n"); !strings.Contains(said, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, said, test.want)
		}
	}
}

// TestCheckDamaged: whatever page is spoilt, the check ends without a panic, and does not change the file.
func TestCheckDamaged(t *testing.T) {
	good := stored(t)
	used := len(bytes.TrimRight(good, "\x00"))
	for page := 0; page*4096 < used; page++ {
		bad := damage(good, page*4096, page*4096+4096)
		path := write(t, "kraal.db", bad)
		if _, err := Check(t.Context(), path, nil); err != nil {
			expectUnusable(t, err, path)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, bad) {
			t.Errorf("page %d: the check changed the file (error %v)", page, err)
		}
	}
}

// TestBackup takes copies while others write: each holds all that was acknowledged before, and agrees with itself.
func TestBackup(t *testing.T) {
	s := openTemp(t).(*Store)
	ctx, stop := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	var mu sync.Mutex
	acknowledged := map[storage.Key]storage.Version{}
	for w := range 4 {
		writers.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				m := sample(fmt.Sprintf("w%d-%d", w, i%20))
				versions, err := s.Commit(t.Context(), storage.Changes{Put: []storage.Record{m}})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				acknowledged[m.Key()] = versions[m.Key()]
				mu.Unlock()
			}
		})
	}
	defer writers.Wait()
	defer stop()
	target := filepath.Join(t.TempDir(), "copy.db")
	for range 5 {
		mu.Lock()
		before := map[storage.Key]storage.Version{}
		for k, v := range acknowledged {
			before[k] = v
		}
		mu.Unlock()
		promised := int64(0)
		report, err := Deliver(t.Context(), target, func(w io.Writer) error {
			return s.Backup(t.Context(), func(size int64) (io.Writer, error) { promised = size; return w, nil })
		})
		if err != nil || report.Size != promised {
			t.Fatalf("got %+v and error %v, want %d bytes", report, err, promised)
		}
		checkSurvivor(t, target, before)
	}
	expectFiles(t, filepath.Dir(target), "copy.db")
}

// TestBackupFails: a copy that could not be made whole leaves nothing, and what was there stays.
func TestBackupFails(t *testing.T) {
	s := openTemp(t).(*Store)
	target := write(t, "copy.db", []byte("an older copy"))
	for name, fill := range map[string]func(io.Writer) error{
		"no copy":   func(w io.Writer) error { _, err := io.WriteString(w, "not a store"); return err },
		"half":      func(w io.Writer) error { return errors.Join(copyOf(filled(t, 0))(w), io.ErrUnexpectedEOF) },
		"cut short": func(w io.Writer) error { _, err := w.Write(stored(t)[:5*4096]); return err },
		"nobody waits": func(w io.Writer) error {
			ended, cancel := context.WithCancel(t.Context())
			return s.Backup(ended, func(int64) (io.Writer, error) { cancel(); return w, nil })
		},
		"no room": func(w io.Writer) error {
			return s.Backup(t.Context(), func(int64) (io.Writer, error) { return nil, io.ErrShortWrite })
		},
	} {
		if _, err := Deliver(t.Context(), target, fill); err == nil {
			t.Errorf("%s: got no error", name)
		}
		expectFiles(t, filepath.Dir(target), "copy.db")
	}
	if data, err := os.ReadFile(target); err != nil || string(data) != "an older copy" {
		t.Errorf("the older copy is now %q (error %v)", data, err)
	}
	s.Close()
	if err := s.Backup(t.Context(), nil); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("got error %v, want ErrClosed", err)
	}
}

func TestRestore(t *testing.T) {
	backup, path := filled(t, 2), filled(t, 0)
	want, before := exported(t, backup), exported(t, path)
	done, err := Restore(t.Context(), path, restoredAt, copyOf(backup))
	if err != nil || done.Report.All() != len(golden(Schema))+2 {
		t.Fatalf("got %+v and error %v", done, err)
	}
	if got := exported(t, path); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := exported(t, done.Kept); got != before || done.Kept != path+".before-20260301-123000" {
		t.Errorf("%s holds\n%s\nwant\n%s", done.Kept, got, before)
	}
	expectFiles(t, filepath.Dir(path), "kraal.db", "kraal.db.before-20260301-123000")

	anew := filepath.Join(t.TempDir(), "new", "kraal.db")
	if done, err := Restore(t.Context(), anew, restoredAt, copyOf(backup)); err != nil || done.Kept != "" {
		t.Errorf("where nothing was: got %+v and error %v", done, err)
	}
	ruined := write(t, "kraal.db", damage(stored(t), 0, 3*4096))
	if _, err := Restore(t.Context(), ruined, restoredAt, copyOf(backup)); err != nil || exported(t, ruined) != want {
		t.Errorf("over a damaged store: error %v", err)
	}
}

// TestRestoreRefuses: nothing changes when what comes is no good, or when the store is in use.
func TestRestoreRefuses(t *testing.T) {
	path := filled(t, 0)
	before := exported(t, path)
	damaged := write(t, "copy.db", damage(stored(t), 4*4096, 9*4096))
	for name, fill := range map[string]func(io.Writer) error{
		"damaged": copyOf(damaged), "missing": copyOf(filepath.Join(t.TempDir(), "no")), "foreign": copyOf(foreign(t, nil)),
	} {
		if _, err := Restore(t.Context(), path, restoredAt, fill); err == nil {
			t.Errorf("%s: got no error", name)
		}
		expectFiles(t, filepath.Dir(path), "kraal.db")
	}
	if got := exported(t, path); got != before {
		t.Error("the store has changed")
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = Restore(t.Context(), path, restoredAt, copyOf(filled(t, 0)))
	if !Locked(err) {
		t.Errorf("in use: got error %v", err)
	}
	if _, _, err := Compact(t.Context(), path); !Locked(err) {
		t.Errorf("compact in use: got error %v", err)
	}
	if _, err := Fresh(t.Context(), path, restoredAt, func(*Store) error { return nil }); !Locked(err) {
		t.Errorf("import in use: got error %v", err)
	}
	other := foreign(t, nil)
	_, err = Restore(t.Context(), other, restoredAt, copyOf(filled(t, 0)))
	expectUnusable(t, err, other, "another program")
}

// TestCompact: a store of which most was deleted becomes small, holds the same, and agrees with itself.
func TestCompact(t *testing.T) {
	path := filled(t, 400)
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var gone storage.Changes
	for i := range 390 {
		gone.Delete = append(gone.Delete, storage.MatchKey(fmt.Sprintf("more%05d", i)))
	}
	_, err = s.Commit(t.Context(), gone)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	want := exported(t, path)
	before, after, err := Compact(t.Context(), path)
	if err != nil || after >= before/2 {
		t.Errorf("from %d to %d bytes, error %v", before, after, err)
	}
	if got := exported(t, path); got != want {
		t.Error("it holds something else")
	}
	checkSurvivor(t, path, nil)
	expectFiles(t, filepath.Dir(path), "kraal.db")
	ruined := write(t, "kraal.db", damage(stored(t), 4*4096, 9*4096))
	if _, _, err := Compact(t.Context(), ruined); err == nil {
		t.Error("a damaged store was compacted")
	}
	expectFiles(t, filepath.Dir(ruined), "kraal.db")
}

// TestImport: what was exported, imported and exported again has the same bytes, versions too.
func TestImport(t *testing.T) {
	from := filled(t, 1203)
	want := exported(t, from)
	path := filepath.Join(t.TempDir(), "kraal.db")
	load := func(text string) func(*Store) error {
		return func(s *Store) error { return storage.Import(t.Context(), strings.NewReader(text), s.Load) }
	}
	done, err := Fresh(t.Context(), path, restoredAt, load(want))
	if err != nil || done.Kept != "" {
		t.Fatalf("got %+v and error %v", done, err)
	}
	if got := exported(t, path); got != want {
		t.Errorf("got %d bytes, want %d", len(got), len(want))
	}
	checkSurvivor(t, path, map[storage.Key]storage.Version{storage.MatchKey("0a1b2c3d"): 2})
	lines := strings.SplitAfter(want, "\n")
	twice := want + lines[1]
	if _, err := Fresh(t.Context(), path, restoredAt, load(twice)); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("a record twice: got error %v", err)
	}
	expectFiles(t, filepath.Dir(path), "kraal.db")
	if done, err = Fresh(t.Context(), path, restoredAt, load(lines[0])); err != nil || exported(t, done.Kept) != want {
		t.Errorf("in place of another: got %+v and error %v", done, err)
	}
	if got := exported(t, path); got != lines[0] {
		t.Errorf("nothing was imported, and there is\n%s", got)
	}
}

// TestCopyBeforeMigration: a file of an older schema is copied aside before it is changed, once, and the copy is what it
// was.
func TestCopyBeforeMigration(t *testing.T) {
	path := unpacked(t, 1)
	for range 2 {
		s, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	copies, err := filepath.Glob(path + ".schema1-*")
	if err != nil || len(copies) != 1 {
		t.Fatalf("got copies %q and error %v", copies, err)
	}
	if report, err := Check(t.Context(), copies[0], nil); err != nil || report.Schema != 1 || report.All() != len(golden(1)) {
		t.Errorf("got %+v and error %v", report, err)
	}
}
