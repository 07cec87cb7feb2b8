package storagetest

import (
	"errors"
	"testing"

	"kraal/storage"
)

func testReaderEnds(t *testing.T, s storage.Store) {
	put(t, s, challenge("a1", 0))
	var kept storage.Reader
	if err := s.View(t.Context(), func(r storage.Reader) error { kept = r; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Get(storage.MatchKey("a1")); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("Get: got error %v, want ErrClosed", err)
	}
	if _, err := kept.Range(storage.Live(), "", 1); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("Range: got error %v, want ErrClosed", err)
	}
	if _, err := kept.Counts(storage.Board(storage.GlobalPool, "nine")); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("Counts: got error %v, want ErrClosed", err)
	}
}

func testViewError(t *testing.T, s storage.Store) {
	mine := errors.New("mine")
	if err := s.View(t.Context(), func(storage.Reader) error { return mine }); err != mine {
		t.Errorf("got error %v, want the one that read returned", err)
	}
}

// testOwnership: neither what was handed in nor what was handed out is tied to what is kept.
func testOwnership(t *testing.T, s storage.Store) {
	m := moved(accepted(challenge("a1", 0), 1), "d7", 2)
	put(t, s, m)
	m.Deeds[0].Action = "a1"
	first := get(t, s, m.Key()).Record.(storage.Match)
	if first.Deeds[0].Action != "d7" {
		t.Errorf("a change to what was handed in: got %q, want d7", first.Deeds[0].Action)
	}
	first.Deeds[0].Action = "g7"
	if second := get(t, s, m.Key()).Record.(storage.Match); second.Deeds[0].Action != "d7" {
		t.Errorf("a change to what was handed out: got %q, want d7", second.Deeds[0].Action)
	}
}

func testNotFound(t *testing.T, s storage.Store) {
	put(t, s, challenge("a1", 0))
	err := s.View(t.Context(), func(r storage.Reader) error {
		for _, k := range []storage.Key{
			storage.MatchKey("a"), storage.MatchKey("a11"), storage.MatchKey(""), storage.MemberKey("a1"),
			{Kind: "index", ID: "a1"}, {Kind: "meta", ID: "schema"}, {},
		} {
			if stored, err := r.Get(k); !errors.Is(err, storage.ErrNotFound) || stored != (storage.Stored{}) {
				t.Errorf("Get %v: got %v and error %v, want ErrNotFound", k, stored, err)
			}
		}
		for _, index := range []storage.Index{storage.All("index"), storage.All("meta"), {}, storage.OfServer("kgotl"), storage.OfServer("")} {
			if hits, err := r.Range(index, "", 10); err != nil || len(hits) > 0 {
				t.Errorf("Range %v: got %v and error %v, want nothing", index, hits, err)
			}
		}
		for _, limit := range []int{0, -1} {
			if _, err := r.Range(storage.Live(), "", limit); !errors.Is(err, storage.ErrInvalid) {
				t.Errorf("Range with limit %d: got error %v, want ErrInvalid", limit, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// testSnapshot commits while a view is open, which must neither wait for it nor show in it.
func testSnapshot(t *testing.T, s storage.Store) {
	m, r := accepted(challenge("a1", 0), 1), rated("anna", 1500)
	put(t, s, m, r)
	err := s.View(t.Context(), func(reader storage.Reader) error {
		done := make(chan error, 1)
		go func() {
			_, err := s.Commit(t.Context(), storage.Changes{
				Put:    []storage.Record{finished(m, 2), challenge("a2", 2)},
				Delete: []storage.Key{r.Key()},
			})
			done <- err
		}()
		if err := <-done; err != nil {
			return err
		}
		if stored, err := reader.Get(m.Key()); err != nil || stored.Version != 1 {
			t.Errorf("match: got version %d and error %v, want the 1 of before", stored.Version, err)
		}
		if stored, err := reader.Get(r.Key()); err != nil || stored.Record != r {
			t.Errorf("rating: got %v and error %v, want the one of before", stored, err)
		}
		hits, err := reader.Range(storage.Live(), "", 10)
		if err != nil || len(hits) != 1 || hits[0].Key != m.Key() {
			t.Errorf("live: got %v and error %v, want a1 as before", hits, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	expectStored(t, s, m.Key(), finished(m, 2), 2)
	expectStored(t, s, r.Key(), nil, 0)
	expectList(t, s, "live", storage.Live(), "a2")
}
