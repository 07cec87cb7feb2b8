package bot_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// crowd is how many do the same at once.
const crowd = 50

// rush does the same many times at once and tells how often it succeeded. It fails only with the errors given.
func rush(s *stage, id string, acts func(n int) match.Act, allowed ...error) (done int) {
	s.t.Helper()
	var all sync.WaitGroup
	var succeeded atomic.Int32
	for n := range crowd {
		all.Go(func() {
			result, err := s.app.Do(s.t.Context(), id, acts(n), nil)
			switch {
			case err == nil && !result.Repeated:
				succeeded.Add(1)
			case err != nil && !isOne(err, allowed):
				s.t.Errorf("%d of them: %v", n, err)
			}
		})
	}
	all.Wait()
	synctest.Wait()
	return int(succeeded.Load())
}

func isOne(err error, of []error) bool {
	for _, each := range of {
		if errors.Is(err, each) {
			return true
		}
	}
	return false
}

func TestARushHasOneEffect(t *testing.T) {
	both := func(n int) storage.Person { return []storage.Person{ann, ben}[n%2] }
	for _, c := range []struct {
		name    string
		prepare func(s *stage, id string)
		act     func(m storage.Match, n int) match.Act
		allowed []error
		check   func(m storage.Match) bool
	}{
		{
			"the same request", nil,
			func(_ storage.Match, _ int) match.Act { return match.Act{Request: "r", By: ben, Do: place(t, "a7")} },
			nil, func(m storage.Match) bool { return len(m.Deeds) == 1 },
		},
		{
			"the same tap", nil,
			func(m storage.Match, n int) match.Act {
				return match.Act{Request: fmt.Sprint(n), By: ben, Revision: m.Revision, Do: place(t, "a7")}
			},
			[]error{match.ErrStale}, func(m storage.Match) bool { return len(m.Deeds) == 1 },
		},
		{
			"resigning, both", func(s *stage, id string) { s.play(id, "a7", "d7") },
			func(_ storage.Match, n int) match.Act { return match.Act{By: both(n), Do: match.Resign{}} },
			[]error{match.ErrNotPlaying}, func(m storage.Match) bool { return len(m.Changes) == 4 },
		},
		{
			"granting a draw", func(s *stage, id string) { s.do(id, ann, match.Draw{}) },
			func(_ storage.Match, _ int) match.Act { return match.Act{By: ben, Do: match.Draw{}} },
			[]error{match.ErrNotPlaying}, func(m storage.Match) bool { return m.Reason == rules.Agreement },
		},
		{
			"agreeing to a rematch", func(s *stage, id string) {
				s.play(id, "a7", "d7")
				s.do(id, ann, match.Resign{})
				s.do(id, ann, match.Rematch{})
			},
			func(_ storage.Match, _ int) match.Act { return match.Act{By: ben, Do: match.Rematch{}} },
			[]error{match.ErrRematched}, func(m storage.Match) bool { return m.Next != "" },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			onStage(t, func(s *stage) {
				id := s.game(ann, ben)
				if c.prepare != nil {
					c.prepare(s, id)
				}
				before := s.kept(id)
				done := rush(s, id, func(n int) match.Act { return c.act(before, n) }, c.allowed...)
				m := s.kept(id)
				if done != 1 || m.Revision != before.Revision+1 || !c.check(m) || m.Untold() {
					t.Errorf("%d succeeded, revision %d after %d, untold %v", done, m.Revision, before.Revision, m.Untold())
				}
				if got := s.count(storage.KindMatch); m.Next != "" && got != 2 || m.Next == "" && got != 1 {
					t.Errorf("%d matches are kept", got)
				}
			})
		})
	}
}

// count is how many records of a kind are kept.
func (s *stage) count(kind storage.Kind) (n int) {
	s.t.Helper()
	s.must(s.store.View(s.t.Context(), func(r storage.Reader) error {
		hits, err := r.Range(storage.All(kind), "", 10_000)
		n = len(hits)
		return err
	}))
	return n
}

// TestARushToAnOpenChallenge: one is seated, and only one.
func TestARushToAnOpenChallenge(t *testing.T) {
	onStage(t, func(s *stage) {
		done, err := s.app.Challenge(t.Context(), s.terms(ann, storage.Person{}), nil)
		s.must(err)
		people := func(n int) storage.Person { return storage.Person{ID: fmt.Sprint(100 + n), Name: fmt.Sprint(n)} }
		accepted := rush(s, done.Match.ID, func(n int) match.Act { return match.Act{By: people(n), Do: match.Accept{}} }, match.ErrNotWaiting)
		m := s.kept(done.Match.ID)
		if accepted != 1 || m.State != storage.Playing || m.Opponent != m.Seats[rules.Black].Person {
			t.Errorf("%d accepted; %s against %v, seats %v", accepted, m.State, m.Opponent, m.Seats)
		}
	})
}

// TestTwoAppsOnOneStore: what one process decides, the other meets in the store.
func TestTwoAppsOnOneStore(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		other := *s
		other.start()
		defer other.stop()
		before := s.kept(id)
		var all sync.WaitGroup
		var done atomic.Int32
		for n := range 8 {
			app := []*bot.App{s.app, other.app}[n%2]
			all.Go(func() {
				_, err := app.Do(t.Context(), id, match.Act{By: ben, Revision: before.Revision, Do: place(t, "a7")}, nil)
				switch {
				case err == nil:
					done.Add(1)
				case !errors.Is(err, match.ErrStale):
					t.Error(err)
				}
			})
		}
		all.Wait()
		synctest.Wait()
		if m := s.kept(id); done.Load() != 1 || len(m.Deeds) != 1 {
			t.Errorf("%d succeeded, %d actions are kept", done.Load(), len(m.Deeds))
		}
	})
}

// TestGamesEndingAtOnceKeepEveryChange: Ann loses to several people in one moment, and no rating overwrites another.
func TestGamesEndingAtOnceKeepEveryChange(t *testing.T) {
	const games = 6
	onStage(t, func(s *stage) {
		var ids []string
		for n := range games {
			ids = append(ids, s.game(ann, storage.Person{ID: fmt.Sprint(100 + n), Name: "rival"}))
			s.play(ids[n], "a7", "d7")
		}
		var all sync.WaitGroup
		for _, id := range ids {
			all.Go(func() {
				if _, err := s.app.Do(t.Context(), id, match.Act{By: ann, Do: match.Resign{}}, nil); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		synctest.Wait()
		for _, pool := range []string{storage.ServerPool("s"), storage.GlobalPool} {
			if kept := s.ratingOf(pool, ann); kept.Losses != games || kept.Games() != games {
				t.Errorf("%s: Ann has lost %d of %d games, want %d", pool, kept.Losses, kept.Games(), games)
			}
			checkChain(s, ids, pool)
		}
	})
}

// checkChain: each game's change begins where another's ended, down to what is kept.
func checkChain(s *stage, ids []string, pool string) {
	s.t.Helper()
	after := map[float64]float64{}
	for _, id := range ids {
		for _, c := range s.kept(id).Changes {
			if c.Pool == pool && c.Member == ann.ID {
				after[c.Before] = c.After
			}
		}
	}
	points := 1500.0
	for range ids {
		next, ok := after[points]
		if !ok {
			s.t.Fatalf("%s: no game begins at %v: %v", pool, points, after)
		}
		points = next
	}
	if kept := s.ratingOf(pool, ann).Points; kept != points {
		s.t.Errorf("%s: kept are %v points, the games lead to %v", pool, kept, points)
	}
}
