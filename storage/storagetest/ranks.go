package storagetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"kraal/storage"
)

func testBelow(t *testing.T, s storage.Store) {
	board, below := storage.Board(storage.GlobalPool, "morabaraba"), storage.Below(storage.GlobalPool, "morabaraba")
	old := unranked("dina", 1450)
	old.Weighed = false
	put(t, s, rated("anna", 1500), unranked("ben", 1700), unranked("carl", 1600), old)
	expectList(t, s, "ranked", board, ratingID("anna"))
	expectList(t, s, "below", below, ratingID("ben"), ratingID("carl"), ratingID("dina"))
	expectList(t, s, "lapsing", storage.Lapsing(), ratingID("anna"))
	expectList(t, s, "unweighed", storage.Unweighed(), ratingID("dina"))
	later := rated("ben", 1400)
	later.Lapses = minute(91)
	put(t, s, unranked("anna", 1500), later, rated("carl", 1600))
	expectList(t, s, "ranked", board, ratingID("carl"), ratingID("ben"))
	expectList(t, s, "below", below, ratingID("anna"), ratingID("dina"))
	expectDates(t, s, storage.Lapsing(), map[string]time.Time{ratingID("carl"): minute(90), ratingID("ben"): minute(91)})
	expectAgreement(t, s)
}

// expectDates checks when what an index lists is due.
func expectDates(t *testing.T, s storage.Store, index storage.Index, want map[string]time.Time) {
	t.Helper()
	err := s.View(t.Context(), func(r storage.Reader) error {
		hits, err := r.Range(index, "", 100)
		if len(hits) != len(want) {
			t.Errorf("got %d that are due, want %d", len(hits), len(want))
		}
		for _, h := range hits {
			if !h.At.Equal(want[h.Key.ID]) {
				t.Errorf("%v: due at %v, want %v", h.Key, h.At, want[h.Key.ID])
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// testCounts: halves go away from zero, equal points count together, and what goes is counted no more.
func testCounts(t *testing.T, s storage.Store) {
	board, below := storage.Board(storage.GlobalPool, "morabaraba"), storage.Below(storage.GlobalPool, "morabaraba")
	put(t, s, rated("a", 1500.5), rated("b", 1501.49), rated("c", 1500.49), rated("d", -0.5), rated("e", -0.49), rated("f", 0.49),
		unranked("g", 1501), unranked("h", 900))
	expectCounts(t, s, board, storage.Counts{{Points: 1501, Entries: 2}, {Points: 1500, Entries: 1}, {Points: 0, Entries: 2}, {Points: -1, Entries: 1}})
	expectCounts(t, s, below, storage.Counts{{Points: 1501, Entries: 1}, {Points: 900, Entries: 1}})
	expectCounts(t, s, storage.Board("nowhere", "morabaraba"), nil)
	commit(t, s, storage.Changes{
		Put:    []storage.Record{rated("a", 1500.6), rated("b", 1500), rated("g", 1501), unranked("c", 900)},
		Delete: []storage.Key{rated("d", 0).Key(), rated("nobody", 0).Key()},
	})
	expectCounts(t, s, board, storage.Counts{{Points: 1501, Entries: 2}, {Points: 1500, Entries: 1}, {Points: 0, Entries: 2}})
	expectCounts(t, s, below, storage.Counts{{Points: 900, Entries: 2}})
	expectAgreement(t, s)
	err := s.View(t.Context(), func(r storage.Reader) error {
		_, err := r.Counts(storage.Live())
		return err
	})
	if !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("counting what is not ranked: got error %v, want ErrInvalid", err)
	}
}

func expectCounts(t *testing.T, s storage.Store, index storage.Index, want storage.Counts) {
	t.Helper()
	err := s.View(t.Context(), func(r storage.Reader) error {
		got, err := r.Counts(index)
		if !slices.Equal(got, want) {
			t.Errorf("counts of %+q: got %v, want %v", index.Prefix(), got, want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// testRangeFrom reads a board from every place in it, and compares with what a whole reading gives.
func testRangeFrom(t *testing.T, s storage.Store) {
	const members = 60
	put(t, s, numbered(members, func(id string, i int) storage.Rating { return rated(id, float64(i*i%23)/4-2) })...)
	index := storage.Board(storage.GlobalPool, "morabaraba")
	err := s.View(t.Context(), func(r storage.Reader) error {
		whole, err := r.Range(index, "", members)
		if err != nil {
			return err
		}
		counts, err := r.Counts(index)
		if err != nil || counts.All() != members {
			t.Errorf("%d are counted, want %d", counts.All(), members)
		}
		for n := range members + 3 {
			for _, limit := range []int{1, 7, members} {
				got, err := storage.RangeFrom(r, index, counts, n, limit)
				want := whole[min(n, members):min(n+limit, members)]
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%d from place %d: got %v and error %v, want %v", limit, n, got, err, want)
				}
			}
		}
		return placesAgree(t, r, whole, counts)
	})
	if err != nil {
		t.Error(err)
	}
}

// placesAgree compares every place that the counts give with one that is counted member by member.
func placesAgree(t *testing.T, r storage.Reader, whole []storage.Hit, counts storage.Counts) error {
	var shown []int
	for _, hit := range whole {
		stored, err := r.Get(hit.Key)
		if err != nil {
			return err
		}
		shown = append(shown, storage.Whole(stored.Record.(storage.Rating).Points))
	}
	for _, points := range shown {
		above := len(slices.DeleteFunc(slices.Clone(shown), func(other int) bool { return other <= points }))
		if got := counts.Above(points); got != above {
			t.Errorf("%d are above %d points, want %d", got, points, above)
		}
	}
	return nil
}

func testBusiest(t *testing.T, s storage.Store) {
	id := func(member string) string { return played(member, 0).Key().ID }
	here := played("anna", 4)
	here.Pool = storage.ServerPool("kgotla")
	put(t, s, played("anna", 9), played("ben", 10), played("carl", 9), here)
	all := storage.Busiest(storage.GlobalPool)
	expectList(t, s, "busiest", all, id("ben"), id("anna"), id("carl"))
	expectCounts(t, s, all, storage.Counts{{Points: 13, Entries: 1}, {Points: 12, Entries: 2}})
	put(t, s, played("carl", 11))
	commit(t, s, storage.Changes{Delete: []storage.Key{played("anna", 0).Key()}})
	expectList(t, s, "busiest", all, id("carl"), id("ben"))
	expectCounts(t, s, storage.Busiest(here.Pool), storage.Counts{{Points: 7, Entries: 1}})
	expectAgreement(t, s)
}

func testSeasons(t *testing.T, s storage.Store) {
	other, done := season(1), season(10)
	other.Server, done.Uncrowned = "k", false
	put(t, s, season(2), season(9), done, other)
	expectList(t, s, "seasons", storage.SeasonsOf("kgotla"), "kgotla/10", "kgotla/9", "kgotla/2")
	expectList(t, s, "uncrowned", storage.Uncrowned(), "k/1", "kgotla/2", "kgotla/9")
	late := storage.Server{ID: "late", Season: storage.Seasons{Number: 1, To: minute(9)}}
	put(t, s, late, settled("soon"), storage.Server{ID: "none"})
	expectList(t, s, "due", storage.SeasonsDue(), "soon", "late")
	expectDates(t, s, storage.SeasonsDue(), map[string]time.Time{"soon": minute(5), "late": minute(9)})
	late.Season.To = time.Time{}
	put(t, s, late)
	expectList(t, s, "due", storage.SeasonsDue(), "soon")
	expectAgreement(t, s)
}
