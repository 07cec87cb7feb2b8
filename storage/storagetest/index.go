package storagetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/rules"
	"kraal/storage"
)

func testLife(t *testing.T, s storage.Store) {
	m := told(challenge("a1", 0))
	playing := told(accepted(m, 1))
	over := told(finished(playing, 9))
	over.NoticeAt = minute(10)
	steps := []struct {
		name                           string
		match                          storage.Match
		live, serverPlays, done, isDue bool
	}{
		{"challenged", m, true, false, false, true},
		{"playing", playing, true, true, false, false},
		{"finished", over, false, false, true, true},
	}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			put(t, s, step.match)
			in := func(yes bool) []string {
				if yes {
					return []string{"a1"}
				}
				return nil
			}
			for _, member := range []string{"anna", "ben"} {
				expectList(t, s, "of "+member, storage.OfMember(member), in(step.live)...)
				expectList(t, s, "of "+member+" here", storage.OfMemberIn("kgotla", member), in(step.live)...)
				expectList(t, s, "of "+member+" there", storage.OfMemberIn("", member))
				expectList(t, s, "finished of "+member, storage.FinishedOf(member), in(step.done)...)
				expectList(t, s, "here of "+member, storage.FinishedHere("kgotla", member), in(step.done)...)
			}
			expectList(t, s, "of carl", storage.OfMember("carl"))
			expectList(t, s, "server", storage.OfServer("kgotla"), in(step.serverPlays)...)
			expectList(t, s, "finished in", storage.FinishedIn("kgotla"), in(step.done)...)
			expectList(t, s, "channel", storage.OfChannel("games"), in(step.live)...)
			expectList(t, s, "live", storage.Live(), in(step.live)...)
			expectList(t, s, "due", storage.Due(), in(step.isDue)...)
			expectList(t, s, "untold", storage.Untold())
			expectList(t, s, "all", storage.All(storage.KindMatch), "a1")
			expectAgreement(t, s)
		})
	}
}

func testWithdrawn(t *testing.T, s storage.Store) {
	m := challenge("a1", 0)
	put(t, s, m)
	m.State, m.Ending = storage.Withdrawn, storage.Declined
	put(t, s, told(m))
	expectList(t, s, "all", storage.All(storage.KindMatch), "a1")
	expectList(t, s, "withdrawn", storage.WithdrawnOf("anna"), "a1")
	expectList(t, s, "withdrawn", storage.WithdrawnOf("ben"), "a1")
	for name, index := range map[string]storage.Index{
		"live": storage.Live(), "member": storage.OfMember("anna"), "channel": storage.OfChannel("games"), "due": storage.Due(),
		"untold": storage.Untold(), "finished": storage.FinishedOf("anna"), "server": storage.FinishedIn("kgotla"),
	} {
		expectList(t, s, name, index)
	}
}

func testPrivate(t *testing.T, s storage.Store) {
	m := challenge("a1", 0)
	m.Server = ""
	put(t, s, accepted(m, 1))
	expectList(t, s, "server", storage.OfServer(""))
	expectList(t, s, "anna's private ones", storage.OfMemberIn("", "anna"), "a1")
	put(t, s, finished(accepted(m, 1), 2))
	expectList(t, s, "finished", storage.FinishedIn(""))
	expectList(t, s, "anna's finished ones", storage.FinishedOf("anna"), "a1")
}

func testChannels(t *testing.T, s storage.Store) {
	m := told(accepted(challenge("a1", 0), 1))
	put(t, s, m)
	expectList(t, s, "its own", storage.OfChannel("games"), "a1")
	m.Shown.Channel = "thread"
	put(t, s, m)
	expectList(t, s, "its own", storage.OfChannel("games"), "a1")
	expectList(t, s, "where it is shown", storage.OfChannel("thread"), "a1")
	m.Shown.Channel = "other thread"
	put(t, s, m)
	expectList(t, s, "where it was shown", storage.OfChannel("thread"))
	expectList(t, s, "where it is shown", storage.OfChannel("other thread"), "a1")
}

func testDue(t *testing.T, s storage.Store) {
	at := map[string]time.Time{
		"a1": minute(5), "a2": minute(5), "a3": minute(3), "a4": minute(5).Add(time.Nanosecond), "a5": time.Unix(-1, 5).UTC(),
		"a6": time.Unix(0, 0).UTC(), "a7": minute(4).In(time.FixedZone("CAT", 2*60*60)), "a8": time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC),
	}
	for id, when := range at {
		m := accepted(challenge(id, 0), 1)
		m.NoticeAt = when
		put(t, s, m)
	}
	put(t, s, accepted(challenge("never", 0), 1))
	want := []string{"a5", "a6", "a3", "a7", "a1", "a2", "a4", "a8"}
	expectList(t, s, "due", storage.Due(), want...)
	err := s.View(t.Context(), func(r storage.Reader) error {
		hits, err := r.Range(storage.Due(), "", 10)
		for _, h := range hits {
			if !h.At.Equal(at[h.Key.ID]) || h.At.Location() != time.UTC {
				t.Errorf("%s: due at %v, want %v in UTC", h.Key.ID, h.At, at[h.Key.ID])
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func testUntold(t *testing.T, s storage.Store) {
	a, b, c := told(accepted(challenge("a1", 0), 1)), accepted(challenge("a2", 0), 1), accepted(challenge("a3", 0), 1)
	c.Shown.Trouble = "it was forbidden"
	put(t, s, c, b, a)
	expectList(t, s, "untold", storage.Untold(), "a2")
	put(t, s, moved(a, "d7", 1), told(b))
	expectList(t, s, "untold", storage.Untold(), "a1")
}

func testBoard(t *testing.T, s storage.Store) {
	here := rated("anna", 1400)
	here.Pool = storage.ServerPool("kgotla")
	koti := rated("anna", 1300)
	koti.Variant = "koti"
	put(t, s, rated("anna", 1500), rated("ben", 1600), rated("carl", -3.5), rated("dina", 0), here, koti)
	global := storage.Board(storage.GlobalPool, "morabaraba")
	expectList(t, s, "before", global, ratingID("ben"), ratingID("anna"), ratingID("dina"), ratingID("carl"))
	put(t, s, rated("anna", 1600.0000000001), rated("dina", -3.25), rated("carl", -100))
	expectList(t, s, "after", global, ratingID("anna"), ratingID("ben"), ratingID("dina"), ratingID("carl"))
	expectList(t, s, "server", storage.Board(here.Pool, "morabaraba"), here.Key().ID)
	expectList(t, s, "variant", storage.Board(storage.GlobalPool, "koti"), koti.Key().ID)
	expectAgreement(t, s)
}

func testTopHundred(t *testing.T, s storage.Store) {
	const members = 1500
	scores := numbered(members, func(id string, i int) storage.Rating { return rated(id, 1000+float64(i*7919%members)/3) })
	put(t, s, scores...)
	var want []string
	slices.SortFunc(scores, func(a, b storage.Record) int {
		return int(3*b.(storage.Rating).Points) - int(3*a.(storage.Rating).Points)
	})
	for _, r := range scores[:100] {
		want = append(want, r.Key().ID)
	}
	err := s.View(t.Context(), func(r storage.Reader) error {
		hits, err := r.Range(storage.Board(storage.GlobalPool, "morabaraba"), "", 100)
		var got []string
		for _, h := range hits {
			got = append(got, h.Key.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func testTies(t *testing.T, s storage.Store) {
	negative := rated("ben", 0)
	negative.Points = -negative.Points // -0, which is 0
	put(t, s, rated("dina", 0), negative, rated("anna", 0), rated("carl", 0))
	expectList(t, s, "board", storage.Board(storage.GlobalPool, "morabaraba"),
		ratingID("anna"), ratingID("ben"), ratingID("carl"), ratingID("dina"))
	put(t, s, challenge("a2", 0), challenge("a10", 0), challenge("a1", 0), challenge("b", 1))
	expectList(t, s, "member", storage.OfMember("anna"), "b", "a1", "a10", "a2")
	expectList(t, s, "due", storage.Due(), "a1", "a10", "a2", "b")
	expectList(t, s, "live", storage.Live(), "a1", "a10", "a2", "b")
}

// testOddNames: a name that holds what separates names, or begins as another does, stays a name of its own.
func testOddNames(t *testing.T, s storage.Store) {
	odd := []string{"a", "a\x00", "a\x00b", "a\x01", "a\x01\x00", "\x00", "\x00\x00", "\x01", "\x02", "a/b", "a:b", "é", "\U0010ffff", "a ", " a"}
	for i, name := range odd {
		m := challenge(name, i)
		m.Challenger = storage.Person{ID: name}
		m.Server, m.Channel = name, name
		put(t, s, told(m), rated(name, 5))
	}
	for _, name := range odd {
		called := fmt.Sprintf("%q", name)
		expectList(t, s, called, storage.OfMember(name), name)
		expectList(t, s, called, storage.OfMemberIn(name, name), name)
		expectList(t, s, called, storage.OfChannel(name), name)
	}
	sorted := slices.Sorted(slices.Values(odd))
	expectList(t, s, "live", storage.Live(), sorted...)
	expectList(t, s, "all", storage.All(storage.KindMatch), sorted...)
	expectAgreement(t, s)
}

// indexes lists one index of each sort, as filled by fill.
func indexes() map[string]storage.Index {
	return map[string]storage.Index{
		"member": storage.OfMember("anna"), "member in": storage.OfMemberIn("kgotla", "anna"), "server": storage.OfServer("kgotla"),
		"channel": storage.OfChannel("games"), "live": storage.Live(), "due": storage.Due(), "untold": storage.Untold(), "ticking": storage.Ticking(),
		"thinking": storage.Thinking(),
		"finished": storage.FinishedOf("anna"), "finished in": storage.FinishedIn("kgotla"),
		"finished under": storage.FinishedUnder("anna", "morabaraba"), "finished against": storage.FinishedAgainst("anna", "ben"),
		"finished here": storage.FinishedHere("kgotla", "anna"), "withdrawn": storage.WithdrawnOf("anna"),
		"ratings of": storage.RatingsOf("anna"), "farewells": storage.All(storage.KindFarewell),
		"board": storage.Board(storage.GlobalPool, "morabaraba"), "matches": storage.All(storage.KindMatch),
		"ratings": storage.All(storage.KindRating), "members": storage.All(storage.KindMember),
		"servers": storage.All(storage.KindServer), "watches": storage.All(storage.KindWatch),
		"watches of": storage.WatchesOf("a1"), "predictions": storage.All(storage.KindPrediction),
		"predictions of": storage.PredictionsOf("a1"), "came so": storage.Came("kgotla", true),
		"did not": storage.Came("kgotla", false), "below": storage.Below(storage.GlobalPool, "morabaraba"),
		"lapsing": storage.Lapsing(), "unweighed": storage.Unweighed(), "against": storage.FinishedAgainst("ben", "anna"),
		"seasons": storage.All(storage.KindSeason), "seasons of": storage.SeasonsOf("kgotla"), "uncrowned": storage.Uncrowned(),
		"seasons due": storage.SeasonsDue(), "tallies": storage.All(storage.KindTally),
		"busiest": storage.Busiest(storage.GlobalPool),
	}
}

// fill puts at least twenty records into every index.
func fill(t *testing.T, s storage.Store) {
	records := numbered(80, func(id string, i int) storage.Match {
		m := challenge(id, i/2)
		if i%4 > 0 {
			m = accepted(m, i/4)
			m.NoticeAt, m.FlagAt = minute(i/5), minute(i+1)
			m.EngineDue = true
		}
		switch i % 4 {
		case 2:
			m = finished(m, i/6)
		case 3:
			m.State = storage.Withdrawn
		}
		return m
	})
	records = append(records, numbered(23, func(id string, i int) storage.Farewell { return storage.Farewell{Member: id} })...)
	records = append(records, numbered(23, func(id string, i int) storage.Rating {
		r := rated("anna", 1500)
		r.Pool = storage.ServerPool(id)
		return r
	})...)
	records = append(records, numbered(23, func(id string, i int) storage.Rating { return rated(id, float64(i/4)) })...)
	records = append(records, numbered(23, func(id string, i int) storage.Rating {
		r := unranked("u"+id, float64(i/4))
		r.Weighed = false
		return r
	})...)
	records = append(records, numbered(23, func(id string, i int) storage.Tally { return played(id, i/3) })...)
	records = append(records, numbered(23, func(_ string, i int) storage.Season { return season(i) })...)
	records = append(records, numbered(23, func(id string, i int) storage.Member { return storage.Member{ID: id} })...)
	records = append(records, numbered(23, func(id string, i int) storage.Server {
		return storage.Server{ID: id, Season: storage.Seasons{To: minute(i / 2)}}
	})...)
	records = append(records, numbered(23, func(id string, i int) storage.Watch { return mirror("a1", id) })...)
	records = append(records, numbered(46, func(id string, i int) storage.Prediction {
		return said(id, "a1", rules.WhiteWins, []rules.Result{rules.WhiteWins, rules.Drawn}[i%2])
	})...)
	put(t, s, records...)
}

func testPaging(t *testing.T, s storage.Store) {
	fill(t, s)
	for name, index := range indexes() {
		whole, err := list(t.Context(), s, index)
		if err != nil || len(whole) < 20 {
			t.Errorf("%s: got %d and error %v", name, len(whole), err)
		}
		for _, size := range []int{1, 2, 7, len(whole) - 1, len(whole), len(whole) + 1} {
			if got := pages(t, s, index, size); !slices.Equal(got, whole) {
				t.Errorf("%s by %d: got %v, want %v", name, size, got, whole)
			}
		}
	}
	expectAgreement(t, s)
}

// pages reads an index page by page, each in a view of its own.
func pages(t *testing.T, s storage.Store, index storage.Index, size int) (ids []string) {
	t.Helper()
	var from storage.Cursor
	for {
		var hits []storage.Hit
		err := s.View(t.Context(), func(r storage.Reader) (err error) {
			hits, err = r.Range(index, from, size)
			return err
		})
		if err != nil || len(hits) > size {
			t.Fatalf("a page of %d: got %d hits and error %v", size, len(hits), err)
		}
		for _, h := range hits {
			ids, from = append(ids, h.Key.ID), h.Cursor
		}
		if len(hits) < size {
			return ids
		}
	}
}

func testCursorOutlives(t *testing.T, s storage.Store) {
	put(t, s, numbered(9, func(id string, i int) storage.Rating { return rated(id, float64(-i)) })...)
	index := storage.Board(storage.GlobalPool, "morabaraba")
	var from storage.Cursor
	read := func(limit int) (ids []string) {
		err := s.View(t.Context(), func(r storage.Reader) error {
			hits, err := r.Range(index, from, limit)
			for _, h := range hits {
				ids, from = append(ids, strings.TrimPrefix(h.Key.ID, "global/morabaraba/")), h.Cursor
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return ids
	}
	read(4)
	commit(t, s, storage.Changes{
		Delete: []storage.Key{rated("id00003", 0).Key(), rated("id00004", 0).Key()},
		Put:    []storage.Record{rated("new", -4.5)},
	})
	if got, want := read(9), []string{"new", "id00005", "id00006", "id00007", "id00008"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func testLarge(t *testing.T, s storage.Store) {
	games := numbered(storage.MaxChanges, func(id string, i int) storage.Match { return accepted(challenge(id, i), i) })
	put(t, s, games...)
	expectAgreement(t, s)
	over := numbered(storage.MaxChanges/2, func(id string, i int) storage.Match {
		return finished(games[i].(storage.Match), i)
	})
	var gone []storage.Key
	for _, r := range games[storage.MaxChanges/2:] {
		gone = append(gone, r.Key())
	}
	versions := commit(t, s, storage.Changes{Put: over, Delete: gone})
	for k, v := range versions {
		if v != 2 {
			t.Fatalf("%v: got version %d, want 2", k, v)
		}
	}
	expectList(t, s, "live", storage.Live())
	if done, err := list(t.Context(), s, storage.FinishedOf("ben")); err != nil || len(done) != len(over) {
		t.Errorf("finished: got %d and error %v, want %d", len(done), err, len(over))
	}
	expectAgreement(t, s)
	if got := get(t, s, storage.MatchKey("id00000")).Record.(storage.Match); got.Result != rules.WhiteWins {
		t.Errorf("the first one's result: got %v", got.Result)
	}
}
