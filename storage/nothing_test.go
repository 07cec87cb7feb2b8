package storage_test

import (
	"slices"
	"testing"
	"time"

	"kraal/rules"
	"kraal/storage"
	"kraal/storage/storagetest"
)

// TestCameToNothing: what came to nothing is found for everybody whom it concerns, whatever their ids are made of, page after
// page; nothing else is.
func TestCameToNothing(t *testing.T) {
	s, at := storagetest.Memory(), time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	match := func(id string, state storage.State, members ...string) storage.Match {
		m := storage.Match{ID: id, State: state, Server: "s", Channel: "c", Created: at, Revision: 1, Variant: rules.Variants()[0]}
		m.Challenger.ID = members[0]
		if len(members) > 1 {
			m.Opponent.ID = members[1]
		}
		return m
	}
	_, err := s.Commit(t.Context(), storage.Changes{Put: []storage.Record{
		match("1", storage.Withdrawn, "m"), match("2", storage.Withdrawn, "m\x00", "o"), match("3", storage.Finished, "m", "o"),
		match("4", storage.Playing, "m", "o"), match("5", storage.Withdrawn, "o"), match("6", storage.Challenged, "m"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for from, more := storage.Cursor(""), true; more; {
		err := s.View(t.Context(), func(r storage.Reader) error {
			hits, err := r.Range(storage.CameToNothing(), from, 1)
			if more = len(hits) > 0; more {
				got, from = append(got, hits[0].Key.ID), hits[0].Cursor
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(got)
	if want := []string{"1", "2", "2", "5"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestCameToNothingIsNoOtherEntry: an entry that is cut short leads nowhere.
func TestCameToNothingIsNoOtherEntry(t *testing.T) {
	whole, err := storage.Entries(storage.Match{
		ID: "1", State: storage.Withdrawn, Challenger: storage.Person{ID: "m"}, Revision: 1, Shown: storage.Shown{Revision: 1},
	})
	if err != nil || len(whole) != 1 {
		t.Fatalf("%q, %v", whole, err)
	}
	for n := range whole[0] {
		if hit, err := storage.CameToNothing().Hit(whole[0][:n]); err == nil {
			t.Errorf("the first %d bytes lead to %v", n, hit.Key)
		}
	}
	if hit, err := storage.CameToNothing().Hit(whole[0]); err != nil || hit.Key.ID != "1" {
		t.Errorf("got %v, %v", hit, err)
	}
}
