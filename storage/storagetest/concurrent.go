package storagetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"kraal/storage"
)

// together runs f in n goroutines and waits for them.
func together(n int, f func(i int)) {
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { f(i) })
	}
	wait.Wait()
}

// testOneWinner: writers race for each version of one record, and each version has one writer.
func testOneWinner(t *testing.T, s storage.Store) {
	const writers, rounds = 8, 15
	key := storage.MatchKey("a1")
	for round := range storage.Version(rounds) {
		var guard sync.Mutex
		var winners []string
		together(writers, func(i int) {
			m := challenge("a1", 0)
			m.Last = fmt.Sprint(i)
			versions, err := s.Commit(t.Context(), storage.Changes{
				Expect: []storage.Expect{{Key: key, Version: round}}, Put: []storage.Record{m},
			})
			guard.Lock()
			defer guard.Unlock()
			switch {
			case err == nil && versions[key] == round+1:
				winners = append(winners, m.Last)
			case !errors.Is(err, storage.ErrConflict):
				t.Errorf("got versions %v and error %v", versions, err)
			}
		})
		got := get(t, s, key)
		if len(winners) != 1 || got.Version != round+1 || got.Record.(storage.Match).Last != winners[0] {
			t.Fatalf("version %d: winners %q, and %q is kept as version %d", round+1, winners, got.Record.(storage.Match).Last, got.Version)
		}
	}
}

// testBystanders: of commits that come together, those in conflict fail and all others are made.
func testBystanders(t *testing.T, s storage.Store) {
	put(t, s, challenge("a1", 0))
	const writers, each = 16, 8
	together(writers, func(i int) {
		for n := range each {
			if i%4 == 0 {
				_, err := s.Commit(t.Context(), storage.Changes{
					Expect: []storage.Expect{{Key: storage.MatchKey("a1")}},
					Put:    []storage.Record{storage.Member{ID: fmt.Sprintf("never%d", i)}},
				})
				if !errors.Is(err, storage.ErrConflict) {
					t.Errorf("got error %v, want a conflict", err)
				}
				continue
			}
			m := challenge(fmt.Sprintf("w%d", i), n)
			versions, err := s.Commit(t.Context(), storage.Changes{
				Expect: []storage.Expect{{Key: m.Key(), Version: storage.Version(n)}}, Put: []storage.Record{m},
			})
			if err != nil || versions[m.Key()] != storage.Version(n+1) {
				t.Errorf("writer %d: got versions %v and error %v", i, versions, err)
			}
		}
	})
	expectList(t, s, "members", storage.All(storage.KindMember))
	if live, err := list(t.Context(), s, storage.Live()); err != nil || len(live) != 1+writers*3/4 {
		t.Errorf("live: got %d and error %v", len(live), err)
	}
	expectAgreement(t, s)
}

// testWholeChanges moves points between ratings while others add them all up.
func testWholeChanges(t *testing.T, s storage.Store) {
	const members, moves, total = 5, 40, 5 * 1500.0
	name := func(i int) string { return fmt.Sprintf("m%d", i%members) }
	for i := range members {
		put(t, s, rated(name(i), 1500))
	}
	ctx, done := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for ctx.Err() == nil {
				if sum, err := addUp(t.Context(), s); err != nil || sum != total {
					t.Errorf("got the sum %v and error %v, want %v", sum, err, total)
					return
				}
			}
		})
	}
	together(members, func(i int) {
		for range moves / members {
			if err := transfer(t.Context(), s, name(i), name(i+1)); err != nil {
				t.Error(err)
			}
		}
	})
	done()
	readers.Wait()
	expectAgreement(t, s)
}

// addUp is the sum of all points on the board.
func addUp(ctx context.Context, s storage.Store) (sum float64, err error) {
	err = s.View(ctx, func(r storage.Reader) error {
		hits, err := r.Range(storage.Board(storage.GlobalPool, "morabaraba"), "", 100)
		for _, h := range hits {
			stored, err := r.Get(h.Key)
			if err != nil {
				return err
			}
			sum += stored.Record.(storage.Rating).Points
		}
		return err
	})
	return sum, err
}

// transfer takes a point from one and gives it to the other, again and again until nobody comes between.
func transfer(ctx context.Context, s storage.Store, from, to string) error {
	for {
		var c storage.Changes
		err := s.View(ctx, func(r storage.Reader) error {
			for member, change := range map[string]float64{from: -1, to: 1} {
				stored, err := r.Get(rated(member, 0).Key())
				if err != nil {
					return err
				}
				rating := stored.Record.(storage.Rating)
				rating.Points += change
				c.Expect = append(c.Expect, storage.Expect{Key: rating.Key(), Version: stored.Version})
				c.Put = append(c.Put, rating)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if _, err = s.Commit(ctx, c); !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}

// testStress lets every sort of call happen at once, on few records, for the race detector to watch.
func testStress(t *testing.T, s storage.Store) {
	const rounds = 30
	calls := []func(i, n int) error{
		func(i, n int) error {
			_, err := s.Commit(t.Context(), storage.Changes{Put: []storage.Record{accepted(challenge("shared", n), i)}})
			return err
		},
		func(i, n int) error {
			m := challenge(fmt.Sprintf("own%d", n%3), i)
			_, err := s.Commit(t.Context(), storage.Changes{Put: []storage.Record{finished(m, n)}, Delete: []storage.Key{storage.MatchKey("shared")}})
			return err
		},
		func(i, n int) error {
			_, err := s.Commit(t.Context(), storage.Changes{
				Expect: []storage.Expect{{Key: storage.MatchKey("shared"), Version: storage.Version(n)}},
				Put:    []storage.Record{rated(fmt.Sprint(i), float64(n))},
			})
			if errors.Is(err, storage.ErrConflict) {
				return nil
			}
			return err
		},
		func(int, int) error { return Agree(t.Context(), s) },
		func(int, int) error {
			ctx, cancel := context.WithCancel(t.Context())
			go cancel()
			_, err := s.Commit(ctx, storage.Changes{Put: []storage.Record{storage.Member{ID: "hasty"}}})
			if errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		},
	}
	together(2*len(calls), func(i int) {
		for n := range rounds {
			if err := calls[i%len(calls)](i, n); err != nil {
				t.Errorf("call %d: %v", i%len(calls), err)
			}
		}
	})
	expectAgreement(t, s)
}

// testCloseBusy closes under load: every call either does its work or says that the store is closed.
func testCloseBusy(t *testing.T, s storage.Store) {
	var started, wait sync.WaitGroup
	for i := range 6 {
		started.Add(1)
		wait.Go(func() {
			for n := 0; ; n++ {
				var err error
				if i%2 == 0 {
					_, err = s.Commit(t.Context(), storage.Changes{Put: []storage.Record{challenge(fmt.Sprintf("w%d", i), n)}})
				} else {
					_, err = addUp(t.Context(), s)
				}
				if n == 0 {
					started.Done()
				}
				if errors.Is(err, storage.ErrClosed) {
					return
				}
				if err != nil {
					t.Errorf("got error %v, want success or ErrClosed", err)
					return
				}
			}
		})
	}
	started.Wait()
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	wait.Wait()
}
