// Package storagetest checks that a store keeps what storage.Store promises, and has a keeper in memory.
package storagetest

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"kraal/storage"
)

// Run checks each promise on stores that open makes: empty ones, which the test closes if it has not done so itself.
func Run(t *testing.T, open func(t *testing.T) storage.Store) {
	for _, check := range []struct {
		promise string
		run     func(*testing.T, storage.Store)
	}{
		{"what is put comes back as it was", testRoundTrip},
		{"versions grow by one", testVersions},
		{"a conflict names the key and changes nothing", testConflict},
		{"the last to come wins where nothing is expected", testLastWins},
		{"a delete takes the record and its entries", testDelete},
		{"a check alone is a commit", testExpectOnly},
		{"what makes no sense is refused", testInvalid},
		{"what is too large is refused", testTooLarge},
		{"a repeated request finds its own work", testLostAnswer},
		{"a context that has ended changes nothing", testContext},
		{"a closed store says so", testClosed},
		{"a reader ends with its view", testReaderEnds},
		{"a view gives the error of its reading", testViewError},
		{"what belongs to a reader is its own", testOwnership},
		{"what is not there is not found", testNotFound},

		{"a match moves through the indexes", testLife},
		{"a withdrawn challenge is in no list", testWithdrawn},
		{"private games are of no server", testPrivate},
		{"a match is found in the channel that shows it", testChannels},
		{"what is due comes in order", testDue},
		{"what is told is not untold", testUntold},
		{"a member's finished matches are narrowed down", testNarrow},
		{"a member's ratings are found", testRatingsOf},
		{"a member's predictions stand together", testPredictionsBy},
		{"ratings move on their board", testBoard},
		{"the first hundred of a board", testTopHundred},
		{"what is not ranked stands below", testBelow},
		{"boards are counted by whole points", testCounts},
		{"any place of a board is found", testRangeFrom},
		{"seasons come in order", testSeasons},
		{"tallies come by games", testBusiest},
		{"equal ones come by id", testTies},
		{"odd names break no index", testOddNames},
		{"pages join without gap or repeat", testPaging},
		{"a cursor outlives its entry", testCursorOutlives},
		{"many records at once", testLarge},

		{"a view is one moment", testSnapshot},
		{"one winner a version", testOneWinner},
		{"a conflict disturbs nobody else", testBystanders},
		{"readers see whole changes only", testWholeChanges},
		{"views and commits at once", testStress},
		{"closing while busy", testCloseBusy},
	} {
		t.Run(check.promise, func(t *testing.T) {
			s := open(t)
			check.run(t, s)
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
	t.Run("any changes leave what memory has", func(t *testing.T) { testSame(t, open) })
}

// commit makes changes that have to succeed.
func commit(t *testing.T, s storage.Store, c storage.Changes) storage.Versions {
	t.Helper()
	versions, err := s.Commit(t.Context(), c)
	if err != nil {
		t.Fatalf("Commit: %v", err)
	}
	return versions
}

// put puts records that nobody else touches.
func put(t *testing.T, s storage.Store, records ...storage.Record) storage.Versions {
	t.Helper()
	return commit(t, s, storage.Changes{Put: records})
}

// get reads one record, the zero Stored when there is none.
func get(t *testing.T, s storage.Store, k storage.Key) (stored storage.Stored) {
	t.Helper()
	err := s.View(t.Context(), func(r storage.Reader) (err error) {
		stored, err = r.Get(k)
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatalf("Get %v: %v", k, err)
	}
	return stored
}

// list reads the whole of an index and checks that its records are there.
func list(ctx context.Context, s storage.Store, index storage.Index) (ids []string, err error) {
	err = s.View(ctx, func(r storage.Reader) error {
		hits, err := r.Range(index, "", 1_000_000)
		for _, h := range hits {
			if _, err := r.Get(h.Key); err != nil {
				return err
			}
			ids = append(ids, h.Key.ID)
		}
		return err
	})
	return ids, err
}

// expectList checks the ids in an index, and their order.
func expectList(t *testing.T, s storage.Store, name string, index storage.Index, want ...string) {
	t.Helper()
	got, err := list(t.Context(), s, index)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %q, want %q", name, got, want)
	}
}

// expectStored checks a record and its version; record nil: that there is none.
func expectStored(t *testing.T, s storage.Store, k storage.Key, record storage.Record, version storage.Version) {
	t.Helper()
	got, want := get(t, s, k), storage.Stored{Record: record, Version: version}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v: got %+v, want %+v", k, got, want)
	}
}

// expectConflict checks the error of a commit that came too late.
func expectConflict(t *testing.T, err error, want storage.ConflictError) {
	t.Helper()
	var got *storage.ConflictError
	if !errors.As(err, &got) || !errors.Is(err, storage.ErrConflict) {
		t.Fatalf("got error %v, want a conflict", err)
	}
	if *got != want {
		t.Errorf("got conflict %+v, want %+v", *got, want)
	}
}
