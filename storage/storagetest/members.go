package storagetest

import (
	"slices"
	"testing"

	"kraal/storage"
)

// calledFinished tells what the indexes of a member's matches that are over should list, narrowed down in every way.
func calledFinished(matches []storage.Match, names names, member string) map[storage.Index][]storage.Key {
	concerns := func(m storage.Match, id string) bool { return id != "" && slices.Contains(people(m), id) }
	done := func(belongs func(storage.Match) bool) []storage.Key {
		return pick(matches, byEnd, func(m storage.Match) bool {
			return m.State == storage.Finished && concerns(m, member) && belongs(m)
		})
	}
	want := map[storage.Index][]storage.Key{
		storage.WithdrawnOf(member): pick(matches, byCreation, func(m storage.Match) bool {
			return m.State == storage.Withdrawn && concerns(m, member)
		}),
	}
	variants := map[string]bool{"nothing": true}
	for _, m := range matches {
		variants[m.Variant.Key] = true
	}
	for v := range variants {
		want[storage.FinishedUnder(member, v)] = done(func(m storage.Match) bool { return m.Variant.Key == v })
	}
	for other := range names.members {
		want[storage.FinishedAgainst(member, other)] = done(func(m storage.Match) bool { return other != member && concerns(m, other) })
	}
	for server := range names.servers {
		want[storage.FinishedHere(server, member)] = done(func(m storage.Match) bool { return m.Server == server })
	}
	return want
}

func calledRatings(ratings []storage.Record) map[storage.Index][]storage.Key {
	want := map[storage.Index][]storage.Key{storage.RatingsOf("nobody"): nil}
	for _, r := range ratings { // which come by id
		index := storage.RatingsOf(r.(storage.Rating).Member)
		want[index] = append(want[index], r.Key())
	}
	return want
}

// testNarrow: a member's finished matches are found by variant, by opponent and by server.
func testNarrow(t *testing.T, s storage.Store) {
	first := told(finished(accepted(challenge("a1", 0), 1), 2))
	ours := told(finished(accepted(challenge("a2", 0), 1), 3))
	ours.Variant.Key, ours.Variant.Base = "ours", "morabaraba"
	away := told(finished(accepted(challenge("a3", 0), 1), 4))
	away.Server = "elsewhere"
	carl := challenge("a4", 0)
	carl.Opponent.ID = "carl"
	carl = told(finished(accepted(carl, 1), 5))
	alone := challenge("a5", 0)
	alone.Opponent = alone.Challenger
	alone = told(finished(accepted(alone, 1), 6))
	put(t, s, first, ours, away, carl, alone)
	for _, list := range []struct {
		name  string
		index storage.Index
		want  []string
	}{
		{"under", storage.FinishedUnder("anna", "morabaraba"), []string{"a5", "a4", "a3", "a1"}},
		{"under ours", storage.FinishedUnder("ben", "ours"), []string{"a2"}},
		{"against ben", storage.FinishedAgainst("anna", "ben"), []string{"a3", "a2", "a1"}},
		{"against anna", storage.FinishedAgainst("ben", "anna"), []string{"a3", "a2", "a1"}},
		{"against herself", storage.FinishedAgainst("anna", "anna"), nil},
		{"here", storage.FinishedHere("kgotla", "anna"), []string{"a5", "a4", "a2", "a1"}},
		{"elsewhere", storage.FinishedHere("elsewhere", "ben"), []string{"a3"}},
		{"carl against ben", storage.FinishedAgainst("carl", "ben"), nil},
	} {
		expectList(t, s, list.name, list.index, list.want...)
	}
	put(t, s, away.Renamed("anna", storage.Alias("x")), alone.Renamed("anna", storage.Alias("x")))
	expectList(t, s, "those that still name her", storage.FinishedOf("anna"), "a4", "a2", "a1")
	expectList(t, s, "against who left", storage.FinishedAgainst("ben", storage.Alias("x")), "a3")
	expectAgreement(t, s)
}

// testRatingsOf: a member's ratings are found in every pool and under every variant.
func testRatingsOf(t *testing.T, s storage.Store) {
	here, koti := rated("anna", 1400), rated("anna", 1300)
	here.Pool, koti.Variant = storage.ServerPool("kgotla"), "koti"
	put(t, s, rated("anna", 1500), rated("annabel", 1500), rated("ben", 1500), here, koti)
	expectList(t, s, "hers", storage.RatingsOf("anna"), koti.Key().ID, ratingID("anna"), here.Key().ID)
	commit(t, s, storage.Changes{Delete: []storage.Key{koti.Key(), here.Key(), storage.RatingKey(storage.GlobalPool, "morabaraba", "anna")}})
	expectList(t, s, "hers", storage.RatingsOf("anna"))
	expectAgreement(t, s)
}

// testPredictionsBy: a member's predictions stand together among all.
func testPredictionsBy(t *testing.T, s storage.Store) {
	put(t, s, said("ann", "a1", "1-0", ""), said("anna", "a1", "1-0", ""), said("anna", "a2", "0-1", "1-0"), said("annabel", "a1", "1-0", ""))
	err := s.View(t.Context(), func(r storage.Reader) error {
		hits, err := r.Range(storage.All(storage.KindPrediction), storage.PredictionsBy("anna"), 2)
		var got []string
		for _, h := range hits {
			got = append(got, h.Key.ID)
		}
		if want := []string{"anna/a1", "anna/a2"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
