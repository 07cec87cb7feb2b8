package storagetest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/rules"
	"kraal/storage"
)

func testRoundTrip(t *testing.T, s storage.Store) {
	records := []storage.Record{
		full("a1"), challenge("a2", 0), storage.Match{ID: "bare", Variant: challenge("", 0).Variant},
		rated("anna", 1523.000000000123), storage.Rating{Member: "bare"},
		storage.Member{
			ID: "anna", Quiet: true, Unwarned: true, Words: true, Confirm: true, Dots: true, Theme: "paper", Pieces: "cows", Closed: []string{"s"},
			Blocked: []storage.Person{{ID: "bore", Name: "Bore"}}, Climbed: map[string]int{"nine": 3, "koti": 1},
		},
		storage.Member{ID: "<b> & \u2028 \x00"},
		settled("kgotla"), noted("kgotla", 3), storage.Log{Server: "bare"}, storage.Server{ID: "bare"}, season(4), played("anna", 7),
		storage.Server{ID: "shows", Threads: true, TV: "tv"}, mirror("a1", "market"), storage.Watch{Server: "kgotla", TV: true},
		said("carl", "a1", rules.WhiteWins, rules.Drawn), storage.Prediction{Member: "bare", Game: "a1"},
	}
	versions := put(t, s, records...)
	for _, r := range records {
		expectStored(t, s, r.Key(), r, 1)
		if versions[r.Key()] != 1 {
			t.Errorf("version of %v: got %d, want 1", r.Key(), versions[r.Key()])
		}
	}
	if len(versions) != len(records) {
		t.Errorf("got %d versions, want %d", len(versions), len(records))
	}
}

func testVersions(t *testing.T, s storage.Store) {
	m := challenge("a1", 0)
	for want := storage.Version(1); want < 5; want++ {
		got := commit(t, s, storage.Changes{Expect: []storage.Expect{{Key: m.Key(), Version: want - 1}}, Put: []storage.Record{m}})
		if !reflect.DeepEqual(got, storage.Versions{m.Key(): want}) {
			t.Fatalf("put number %d: got versions %v", want, got)
		}
		expectStored(t, s, m.Key(), m, want)
		m = moved(m, "d7", int(want))
	}
	put(t, s, rated("anna", 1500))
	expectStored(t, s, rated("anna", 0).Key(), rated("anna", 1500), 1)
	commit(t, s, storage.Changes{Delete: []storage.Key{m.Key()}})
	expectStored(t, s, m.Key(), nil, 0)
	put(t, s, m)
	expectStored(t, s, m.Key(), m, 1)
}

func testConflict(t *testing.T, s storage.Store) {
	m, other, r := challenge("a1", 0), challenge("a2", 0), rated("anna", 1500)
	put(t, s, m, r)
	put(t, s, m)
	for name, c := range map[string]struct {
		expect storage.Expect
		have   storage.Version
	}{
		"older":             {storage.Expect{Key: m.Key(), Version: 1}, 2},
		"newer":             {storage.Expect{Key: m.Key(), Version: 3}, 2},
		"not to be there":   {storage.Expect{Key: m.Key()}, 2},
		"to be there":       {storage.Expect{Key: other.Key(), Version: 1}, 0},
		"not even touched":  {storage.Expect{Key: r.Key(), Version: 7}, 1},
		"one of many":       {storage.Expect{Key: r.Key()}, 1},
		"of another's kind": {storage.Expect{Key: storage.MemberKey("a1"), Version: 2}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Commit(t.Context(), storage.Changes{
				Expect: []storage.Expect{{Key: storage.MemberKey("nobody")}, c.expect},
				Put:    []storage.Record{moved(m, "d7", 1), other, storage.Member{ID: "anna"}},
				Delete: []storage.Key{r.Key()},
			})
			expectConflict(t, err, storage.ConflictError{Key: c.expect.Key, Want: c.expect.Version, Have: c.have})
			expectStored(t, s, m.Key(), m, 2)
			expectStored(t, s, other.Key(), nil, 0)
			expectStored(t, s, r.Key(), r, 1)
			expectStored(t, s, storage.MemberKey("anna"), nil, 0)
			expectList(t, s, "untold", storage.Untold(), "a1")
			expectList(t, s, "board", storage.Board(r.Pool, r.Variant), r.Key().ID)
		})
	}
}

func testLastWins(t *testing.T, s storage.Store) {
	m := challenge("a1", 0)
	put(t, s, m)
	put(t, s, accepted(m, 1))
	expectStored(t, s, m.Key(), accepted(m, 1), 2)
	expectList(t, s, "server", storage.OfServer("kgotla"), "a1")
}

func testDelete(t *testing.T, s storage.Store) {
	m, r := accepted(challenge("a1", 0), 1), rated("anna", 1500)
	put(t, s, m, r, storage.Member{ID: "anna"})
	commit(t, s, storage.Changes{Delete: []storage.Key{storage.MatchKey("never"), storage.MemberKey("never")}})
	_, err := s.Commit(t.Context(), storage.Changes{
		Expect: []storage.Expect{{Key: m.Key(), Version: 2}}, Delete: []storage.Key{m.Key()},
	})
	expectConflict(t, err, storage.ConflictError{Key: m.Key(), Want: 2, Have: 1})
	versions := commit(t, s, storage.Changes{
		Expect: []storage.Expect{{Key: m.Key(), Version: 1}}, Delete: []storage.Key{m.Key(), r.Key(), storage.MemberKey("anna")},
	})
	if len(versions) != 0 {
		t.Errorf("got versions %v of what was deleted", versions)
	}
	expectAgreement(t, s)
	for _, kind := range storage.Kinds() {
		expectList(t, s, string(kind), storage.All(kind))
	}
	expectList(t, s, "untold", storage.Untold())
	expectList(t, s, "member", storage.OfMember("anna"))
	expectList(t, s, "board", storage.Board(r.Pool, r.Variant))
}

func testExpectOnly(t *testing.T, s storage.Store) {
	m := challenge("a1", 0)
	put(t, s, m)
	commit(t, s, storage.Changes{Expect: []storage.Expect{{Key: m.Key(), Version: 1}}})
	_, err := s.Commit(t.Context(), storage.Changes{Expect: []storage.Expect{{Key: m.Key(), Version: 2}}})
	expectConflict(t, err, storage.ConflictError{Key: m.Key(), Want: 2, Have: 1})
	commit(t, s, storage.Changes{})
	expectStored(t, s, m.Key(), m, 1)
}

// unknown is a record of no kind that is kept.
type unknown struct{}

func (unknown) Key() storage.Key { return storage.MatchKey("a1") }

func testInvalid(t *testing.T, s storage.Store) {
	m, foreign := challenge("a1", 0), challenge("a2", 0)
	foreign.Channel = "not\xffUTF-8"
	odd := storage.Key{Kind: "meta", ID: "schema"}
	late := challenge("a1", 0)
	late.Created = time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC)
	put(t, s, storage.Member{ID: "there"})
	for name, c := range map[string]storage.Changes{
		"put twice":       {Put: []storage.Record{m, accepted(m, 1)}},
		"put and deleted": {Put: []storage.Record{m}, Delete: []storage.Key{m.Key()}},
		"deleted twice":   {Delete: []storage.Key{m.Key(), m.Key()}},
		"expected twice":  {Expect: []storage.Expect{{Key: m.Key()}, {Key: m.Key()}}},
		"no id":           {Put: []storage.Record{storage.Match{}}},
		"no id to delete": {Delete: []storage.Key{storage.MatchKey("")}},
		"no id to expect": {Expect: []storage.Expect{{Key: storage.MatchKey("")}}},
		"no kind":         {Delete: []storage.Key{odd}},
		"no kind either":  {Expect: []storage.Expect{{Key: odd}}},
		"a pointer":       {Put: []storage.Record{&m}},
		"nothing":         {Put: []storage.Record{nil}},
		"unknown":         {Put: []storage.Record{unknown{}}},
		"id not UTF-8":    {Put: []storage.Record{challenge("\xff", 0)}},
		"name not UTF-8":  {Put: []storage.Record{foreign}},
		"no number":       {Put: []storage.Record{rated("anna", math.NaN())}},
		"infinite":        {Put: []storage.Record{rated("anna", math.Inf(1))}},
		"no year":         {Put: []storage.Record{late}},
		"no variant":      {Put: []storage.Record{storage.Match{ID: "a1"}}},
	} {
		c.Delete = append(c.Delete, storage.MemberKey("there"))
		if _, err := s.Commit(t.Context(), c); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%s: got error %v, want ErrInvalid", name, err)
		}
	}
	expectStored(t, s, storage.MemberKey("there"), storage.Member{ID: "there"}, 1)
	expectStored(t, s, m.Key(), nil, 0)
}

func testTooLarge(t *testing.T, s storage.Store) {
	long, wide := challenge("a1", 0), challenge("a2", 0)
	long.Shown.Trouble = strings.Repeat("x", storage.MaxRecord)
	wide.Channel = strings.Repeat("x", storage.MaxEntry)
	heavy := func(id string, _ int) storage.Match {
		m := challenge(id, 0)
		m.Last = strings.Repeat("x", storage.MaxRecord-2000)
		return m
	}
	for name, c := range map[string]storage.Changes{
		"record":   {Put: []storage.Record{storage.Member{ID: "anna"}, long}},
		"id":       {Put: []storage.Record{storage.Member{ID: strings.Repeat("x", storage.MaxID+1)}}},
		"entry":    {Put: []storage.Record{storage.Member{ID: "anna"}, wide}},
		"records":  {Put: numbered(storage.MaxChanges+1, func(id string, _ int) storage.Member { return storage.Member{ID: id} })},
		"together": {Put: numbered(storage.MaxCommit/storage.MaxRecord+1, heavy)},
	} {
		if _, err := s.Commit(t.Context(), c); !errors.Is(err, storage.ErrTooLarge) {
			t.Errorf("%s: got error %v, want ErrTooLarge", name, err)
		}
	}
	expectList(t, s, "members", storage.All(storage.KindMember))
	just := storage.Member{ID: strings.Repeat("x", storage.MaxID)}
	put(t, s, just, heavy("a3", 0))
	expectStored(t, s, just.Key(), just, 1)
	expectStored(t, s, storage.MatchKey("a3"), heavy("a3", 0), 1)
}

// testLostAnswer: a caller whose first answer never came tries again, as the bot does.
func testLostAnswer(t *testing.T, s storage.Store) {
	m := accepted(challenge("a1", 0), 1)
	put(t, s, m)
	act := func(ctx context.Context, request string) (again bool, err error) {
		was := get(t, s, m.Key())
		now := was.Record.(storage.Match)
		if slices.Contains(now.Handled, request) {
			return true, nil
		}
		now = moved(now, "d7", 2)
		now.Handled = append(now.Handled, request)
		_, err = s.Commit(ctx, storage.Changes{
			Expect: []storage.Expect{{Key: m.Key(), Version: was.Version}}, Put: []storage.Record{now},
		})
		return false, err
	}
	hasty, cancel := context.WithCancel(t.Context())
	go cancel()
	_, first := act(hasty, "tap")
	if first != nil && !errors.Is(first, context.Canceled) {
		t.Fatalf("the first try: %v", first)
	}
	again, err := act(t.Context(), "tap")
	for errors.Is(err, storage.ErrConflict) { // the first one was made just now
		again, err = act(t.Context(), "tap")
	}
	if err != nil || first == nil && !again {
		t.Fatalf("the second try: done already %v, error %v; the first one's error was %v", again, err, first)
	}
	got := get(t, s, m.Key()).Record.(storage.Match)
	if len(got.Deeds) != 1 || !slices.Equal(got.Handled, []string{"tap"}) {
		t.Errorf("got actions %v for requests %q, want one for one", got.Deeds, got.Handled)
	}
}

func testContext(t *testing.T, s storage.Store) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Commit(ended, storage.Changes{Put: []storage.Record{challenge("a1", 0)}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Commit: got error %v, want that of the context", err)
	}
	read := false
	if err := s.View(ended, func(storage.Reader) error { read = true; return nil }); !errors.Is(err, context.Canceled) || read {
		t.Errorf("View: got error %v, want that of the context; read: %v", err, read)
	}
	expectStored(t, s, storage.MatchKey("a1"), nil, 0)
}

func testClosed(t *testing.T, s storage.Store) {
	put(t, s, challenge("a1", 0))
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
	}
	if _, err := s.Commit(t.Context(), storage.Changes{Put: []storage.Record{challenge("a2", 0)}}); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("Commit: got error %v, want ErrClosed", err)
	}
	if err := s.View(t.Context(), func(storage.Reader) error { return nil }); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("View: got error %v, want ErrClosed", err)
	}
}
