package storagetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"kraal/rules"
	"kraal/storage"
)

// Agree compares every index of a store with what the records in it call for, worked out in the plainest way. The error
// tells of all that differs.
func Agree(ctx context.Context, s storage.Store) error {
	return s.View(ctx, func(r storage.Reader) error {
		all := map[storage.Kind][]storage.Record{}
		var errs []error
		for _, kind := range storage.Kinds() {
			hits, err := r.Range(storage.All(kind), "", 1_000_000)
			errs = append(errs, err)
			for _, h := range hits {
				stored, err := r.Get(h.Key)
				if err != nil {
					errs = append(errs, err)
					continue
				}
				all[kind] = append(all[kind], stored.Record)
			}
		}
		for index, want := range called(all) {
			hits, err := r.Range(index, "", 1_000_000)
			if got := keys(hits); err != nil || !slices.Equal(got, want) {
				errs = append(errs, fmt.Errorf("index %+q: got %v and error %v, want %v", index.Prefix(), got, err, want))
			}
		}
		errs = append(errs, agreeOnCounts(r, all[storage.KindRating], all[storage.KindTally]))
		return errors.Join(errs...)
	})
}

func expectAgreement(t *testing.T, s storage.Store) {
	t.Helper()
	if err := Agree(t.Context(), s); err != nil {
		t.Error(err)
	}
}

func keys(hits []storage.Hit) (keys []storage.Key) {
	for _, h := range hits {
		keys = append(keys, h.Key)
	}
	return keys
}

// called tells what every index that any record has to do with should list.
func called(all map[storage.Kind][]storage.Record) map[storage.Index][]storage.Key {
	var matches []storage.Match
	for _, r := range all[storage.KindMatch] {
		matches = append(matches, r.(storage.Match))
	}
	names := namesIn(matches)
	want := calledMatches(matches)
	for member := range names.members {
		maps.Copy(want, calledOf(matches, names, member))
		maps.Copy(want, calledFinished(matches, names, member))
	}
	for server := range names.servers {
		want[storage.OfServer(server)] = pick(matches, byStart, func(m storage.Match) bool {
			return server != "" && m.Server == server && m.State == storage.Playing
		})
		want[storage.FinishedIn(server)] = pick(matches, byEnd, func(m storage.Match) bool {
			return server != "" && m.Server == server && m.State == storage.Finished
		})
	}
	for channel := range names.channels {
		want[storage.OfChannel(channel)] = pick(matches, byCreation, func(m storage.Match) bool {
			return m.Live() && (m.Channel == channel || channel != "" && m.Shown.Channel == channel)
		})
	}
	maps.Copy(want, calledRatings(all[storage.KindRating]))
	maps.Copy(want, calledBoards(all[storage.KindRating]))
	maps.Copy(want, calledWatches(all[storage.KindWatch]))
	maps.Copy(want, calledPredictions(all[storage.KindPrediction]))
	maps.Copy(want, calledTallies(all[storage.KindTally]))
	maps.Copy(want, calledSeasons(all[storage.KindServer], all[storage.KindSeason]))
	return want
}

type names struct{ members, servers, channels map[string]bool }

func namesIn(matches []storage.Match) names {
	n := names{map[string]bool{"nobody": true}, map[string]bool{"": true}, map[string]bool{"nowhere": true}}
	for _, m := range matches {
		for _, id := range people(m) {
			n.members[id] = true
		}
		n.servers[m.Server] = true
		n.channels[m.Channel], n.channels[m.Shown.Channel] = true, true
	}
	return n
}

func people(m storage.Match) []string {
	return []string{m.Challenger.ID, m.Opponent.ID, m.Seats[rules.White].ID, m.Seats[rules.Black].ID}
}

func calledMatches(matches []storage.Match) map[storage.Index][]storage.Key {
	byID := func(storage.Match) time.Time { return time.Time{} }
	dueNow := pick(matches, byID, func(m storage.Match) bool { return !m.Due().IsZero() })
	at := map[storage.Key]time.Time{}
	for _, m := range matches {
		at[m.Key()] = m.Due()
	}
	slices.SortStableFunc(dueNow, func(a, b storage.Key) int { return at[a].Compare(at[b]) })
	return map[storage.Index][]storage.Key{
		storage.Due():      dueNow,
		storage.Untold():   pick(matches, byID, storage.Match.Untold),
		storage.Live():     pick(matches, byID, storage.Match.Live),
		storage.Ticking():  pick(matches, byID, storage.Match.Ticking),
		storage.Thinking(): pick(matches, byID, storage.Match.Thinking),
	}
}

func calledOf(matches []storage.Match, names names, member string) map[storage.Index][]storage.Key {
	concerns := func(m storage.Match) bool { return member != "" && slices.Contains(people(m), member) }
	want := map[storage.Index][]storage.Key{
		storage.OfMember(member): pick(matches, byCreation, func(m storage.Match) bool { return m.Live() && concerns(m) }),
		storage.FinishedOf(member): pick(matches, byEnd, func(m storage.Match) bool {
			return m.State == storage.Finished && concerns(m)
		}),
	}
	for opponent := range names.members {
		want[storage.FinishedAgainst(member, opponent)] = pick(matches, byEnd, func(m storage.Match) bool {
			w, b := m.Seats[rules.White].ID, m.Seats[rules.Black].ID
			both := w == member && b == opponent || w == opponent && b == member
			return m.State == storage.Finished && both && member != "" && opponent != ""
		})
	}
	for server := range names.servers {
		want[storage.OfMemberIn(server, member)] = pick(matches, byCreation, func(m storage.Match) bool {
			return m.Live() && concerns(m) && m.Server == server
		})
	}
	return want
}

func calledWatches(watches []storage.Record) map[storage.Index][]storage.Key {
	want := map[storage.Index][]storage.Key{storage.WatchesOf("nothing"): nil}
	for _, r := range watches { // which come by id
		if w := r.(storage.Watch); w.Game != "" {
			want[storage.WatchesOf(w.Game)] = append(want[storage.WatchesOf(w.Game)], w.Key())
		}
	}
	return want
}

func calledPredictions(predictions []storage.Record) map[storage.Index][]storage.Key {
	want := map[storage.Index][]storage.Key{storage.PredictionsOf("nothing"): nil, storage.Came("nowhere", true): nil}
	add := func(i storage.Index, k storage.Key) { want[i] = append(want[i], k) }
	for _, r := range predictions {
		p := r.(storage.Prediction)
		add(storage.PredictionsOf(p.Game), p.Key())
		if p.Came != "" {
			add(storage.Came(p.Server, p.Said == p.Came), p.Key())
		}
	}
	return want
}

func byCreation(m storage.Match) time.Time { return m.Created }
func byStart(m storage.Match) time.Time    { return m.Started }
func byEnd(m storage.Match) time.Time      { return m.Ended }

// pick lists the matches that belong, the latest first, then by id.
func pick(matches []storage.Match, when func(storage.Match) time.Time, belongs func(storage.Match) bool) (keys []storage.Key) {
	var picked []storage.Match
	for _, m := range matches {
		if belongs(m) {
			picked = append(picked, m)
		}
	}
	slices.SortFunc(picked, func(a, b storage.Match) int {
		return cmp.Or(when(b).Compare(when(a)), cmp.Compare(a.ID, b.ID))
	})
	for _, m := range picked {
		keys = append(keys, m.Key())
	}
	return keys
}
