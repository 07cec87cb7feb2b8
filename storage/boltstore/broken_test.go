package boltstore

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kraal/storage"
)

// expectBroken checks the error of a commit that failed beneath, and that the store does nothing more.
func expectBroken(t *testing.T, s *Store, err, cause error) {
	t.Helper()
	if !errors.Is(err, storage.ErrBroken) || !errors.Is(err, cause) {
		t.Errorf("Commit: got error %v, want ErrBroken because of %v", err, cause)
	}
	if err := commitOne(t, s, storage.Member{ID: "later"}); !errors.Is(err, storage.ErrBroken) {
		t.Errorf("Commit after it: got error %v, want ErrBroken", err)
	}
	if err := s.View(t.Context(), func(storage.Reader) error { return nil }); !errors.Is(err, storage.ErrBroken) {
		t.Errorf("View after it: got error %v, want ErrBroken", err)
	}
}

// TestBroken takes the file away from under an open store.
func TestBroken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kraal.db")
	if err := create(path); err != nil {
		t.Fatal(err)
	}
	db, file, err := openFile(path, boltOptions(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	s := newStore(db, slog.New(slog.NewTextHandler(&log, nil)))
	if err := commitOne(t, s, sample("a")); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	group := []*request{ask(t, put(sample("b"))), ask(t, put(sample("c")))}
	s.commit(group)
	for _, r := range group {
		expectBroken(t, s, (<-r.answer).err, os.ErrClosed)
	}
	if got := strings.Count(log.String(), "level=ERROR"); got != 1 {
		t.Errorf("got %d errors in the log, want one: %s", got, log.String())
	}
	s.Close()
	checkSurvivor(t, path, map[storage.Key]storage.Version{storage.MatchKey("a"): 1})
}

func put(records ...storage.Record) storage.Changes { return storage.Changes{Put: records} }

// ask makes the request of a Commit.
func ask(t *testing.T, c storage.Changes) *request {
	t.Helper()
	rows, err := storage.Prepare(c)
	if err != nil {
		t.Fatal(err)
	}
	return &request{expect: c.Expect, rows: rows, remove: c.Delete, answer: make(chan answer, 1)}
}

// expecting makes changes that put a match if it has that version.
func expecting(version storage.Version, m storage.Match) storage.Changes {
	return storage.Changes{Expect: []storage.Expect{{Key: m.Key(), Version: version}}, Put: []storage.Record{m}}
}

// TestGroup makes many requests in one transaction: each sees those before it, and is refused alone.
func TestGroup(t *testing.T) {
	s := openTemp(t).(*Store)
	a, b := sample("a"), sample("b")
	group := []*request{
		ask(t, expecting(0, a)),
		ask(t, expecting(0, a)), // comes second
		ask(t, expecting(1, a)),
		ask(t, expecting(7, b)), // was never there
		ask(t, storage.Changes{Delete: []storage.Key{a.Key()}}),
		ask(t, expecting(0, a)),
		ask(t, storage.Changes{Expect: []storage.Expect{{Key: a.Key(), Version: 1}}}),
	}
	s.commit(group)
	for i, want := range []answer{
		{versions: storage.Versions{a.Key(): 1}},
		{err: &storage.ConflictError{Key: a.Key(), Have: 1}},
		{versions: storage.Versions{a.Key(): 2}},
		{err: &storage.ConflictError{Key: b.Key(), Want: 7}},
		{versions: storage.Versions{}},
		{versions: storage.Versions{a.Key(): 1}},
		{versions: storage.Versions{}},
	} {
		if got := <-group[i].answer; !reflect.DeepEqual(got, want) {
			t.Errorf("request %d: got %v, want %v", i, got, want)
		}
	}
	checkFile(t, s)
}

// TestSpoilt: a request that fails, or panics, half-way fails alone, and leaves no trace.
func TestSpoilt(t *testing.T) {
	for name, spoil := range map[string]func(*request){
		"error": func(r *request) { r.rows[1].Key.ID = strings.Repeat("x", 1<<16) },
		"panic": func(r *request) { r.rows[1].Key.Kind = "unknown" },
	} {
		t.Run(name, func(t *testing.T) {
			s := openTemp(t).(*Store)
			bad := ask(t, put(sample("bad"), sample("worse")))
			spoil(bad)
			group := []*request{
				ask(t, expecting(0, sample("a"))), bad, ask(t, expecting(0, sample("bad"))), ask(t, expecting(1, sample("a"))),
			}
			s.commit(group)
			for i, r := range group {
				if got := <-r.answer; (got.err != nil) != (r == bad) {
					t.Errorf("request %d: got error %v", i, got.err)
				}
			}
			checkFile(t, s)
			if err := commitOne(t, s, sample("b")); err != nil {
				t.Errorf("after it: %v", err)
			}
		})
	}
}

// TestNewerRecord: a record of a newer format is not taken for anything else, and stands in nobody's way.
func TestNewerRecord(t *testing.T) {
	s := openTemp(t).(*Store)
	newer := ask(t, put(sample("new")))
	newer.rows[0].Data = []byte(strings.Replace(string(newer.rows[0].Data), `"format":1`, `"format":2`, 1))
	s.commit([]*request{newer})
	if got := <-newer.answer; got.err != nil {
		t.Fatal(got.err)
	}
	err := s.View(t.Context(), func(r storage.Reader) error {
		_, err := r.Get(storage.MatchKey("new"))
		return err
	})
	var where *storage.RecordError
	if !errors.Is(err, storage.ErrNewer) || !errors.As(err, &where) || where.Key != storage.MatchKey("new") {
		t.Errorf("Get: got error %v, want ErrNewer of match/new", err)
	}
	if err := commitOne(t, s, sample("other")); err != nil {
		t.Error(err)
	}
	if _, err := s.Commit(t.Context(), storage.Changes{Delete: []storage.Key{storage.MatchKey("new")}}); err != nil {
		t.Error(err)
	}
	checkFile(t, s)
}
