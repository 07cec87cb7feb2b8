package bot_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// manyPast gives somebody more finished games than one batch takes.
func (s *stage) manyPast(who storage.Person, games int) {
	s.t.Helper()
	for i := range games {
		s.past(fmt.Sprintf("p%04d", i), who, ben, i)
	}
}

// TestKilledWhileDeleting: wherever the work stops, another process finds it and ends it.
func TestKilledWhileDeleting(t *testing.T) {
	for _, allowed := range []int{1, 2, 3, 4, 6, 8} {
		t.Run(fmt.Sprint(allowed), func(t *testing.T) {
			onTrouble(t, func(s *stage, store *trouble) {
				s.manyPast(zoe, 120)
				s.keep(rated(zoe, storage.GlobalPool), rated(zoe, storage.ServerPool("s")), storage.Member{ID: zoe.ID, Quiet: true})
				id := s.game(zoe, ben)
				s.keep(storage.Server{ID: "s", Herald: zoe.ID, Banned: []string{zoe.ID}})
				s.play(id, "a7", "d7")
				s.pass(time.Minute)
				s.stop()
				store.commit = cut(allowed)
				s.start()
				s.must(s.app.Leave(t.Context(), zoe.ID))
				synctest.Wait()
				if !s.leaving(zoe) {
					t.Fatal("it was not interrupted")
				}
				s.stop()
				store.commit = nil
				s.start()
				if s.leaving(zoe) {
					t.Error("it was not taken up again")
				}
				s.expectNoTrace(zoe)
				if m := s.kept(id); m.Result != rules.BlackWins || s.kept("p0000").Seats[0].ID != m.Seats[0].ID {
					t.Errorf("the game: %s, %+v", m.Result, m.Seats)
				}
				var banned []string
				settings, err := s.app.Settings(t.Context(), "s")
				if banned = settings.Banned; err != nil || !slices.Equal(banned, []string{zoe.ID}) {
					t.Errorf("banned: %v, %v", banned, err)
				}
			})
		})
	}
}

// cut is a disk that takes so many commits and then no more.
func cut(allowed int) func(context.Context, storage.Changes) error {
	left := make(chan struct{}, allowed)
	for range allowed {
		left <- struct{}{}
	}
	return func(context.Context, storage.Changes) error {
		select {
		case <-left:
			return nil
		default:
			return errOutage
		}
	}
}

func rated(who storage.Person, pool string) storage.Rating {
	return storage.Rating{Pool: pool, Variant: "nine", Member: who.ID, Name: who.Name, Points: 1600, Deviation: 60, Volatility: 0.09, At: opening}
}

// TestSomebodyElseWasFaster: what others change meanwhile is kept, with the alias in it.
func TestSomebodyElseWasFaster(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		s.manyPast(zoe, 10)
		s.stop()
		meddled := false
		store.commit = func(ctx context.Context, c storage.Changes) error {
			if !meddled && len(c.Put) == 10 {
				meddled = true
				m, err := read(store.Store, "p0003")
				s.must(err)
				m.Announced = true
				_, err = store.Store.Commit(ctx, storage.Changes{Put: []storage.Record{m}})
				s.must(err)
			}
			return nil
		}
		s.start()
		s.leave(zoe)
		if m := s.kept("p0003"); !meddled || !m.Announced || !m.Seats[rules.White].Left() {
			t.Errorf("meddled %v: %+v", meddled, m)
		}
		s.expectNoTrace(zoe)
	})
}

// TestLeavingTwice: asking again, during the work or after it, does no harm.
func TestLeavingTwice(t *testing.T) {
	onStage(t, func(s *stage) {
		s.manyPast(zoe, 3)
		s.keep(storage.Farewell{Member: zoe.ID, Alias: storage.Alias("first"), Asked: opening})
		s.leave(zoe)
		if got := s.kept("p0000").Seats[rules.White].ID; got != storage.Alias("first") {
			t.Errorf("alias %q", got)
		}
		s.leave(zoe)
		s.expectNoTrace(zoe)
	})
}

// TestNoTraceStays: whatever people have done before, afterwards no record but a ban or a block has the id.
func TestNoTraceStays(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			onStage(t, func(s *stage) {
				random := rand.New(rand.NewPCG(seed, 1))
				people := []storage.Person{ann, ben, cai, zoe}
				id := s.game(zoe, ben)
				s.play(id, "a7", "d7")
				s.do(id, people[1+2*int(seed%2)], match.Resign{})
				for range 150 {
					s.something(random, people)
				}
				s.pass(time.Duration(random.IntN(3)) * time.Minute)
				s.must(s.app.Block(t.Context(), ann.ID, zoe))
				if len(s.traces(zoe)) == 0 {
					t.Fatal("she has done nothing")
				}
				s.leave(zoe)
				s.expectNoTrace(zoe)
				member, err := s.app.Member(t.Context(), ann.ID)
				if err != nil || !member.Blocks(zoe.ID) {
					t.Errorf("the block is gone: %+v, %v", member, err)
				}
				s.pass(time.Hour)
				s.expectNoTrace(zoe)
			})
		})
	}
}

// something is one act of anybody's, which may be refused.
func (s *stage) something(random *rand.Rand, people []storage.Person) {
	ctx := s.t.Context()
	one, other := people[random.IntN(len(people))], people[random.IntN(len(people))]
	act := func(id string, d match.Deed) { s.app.Do(ctx, id, match.Act{By: one, Do: d}, nil) }
	live, err := s.app.Mine(ctx, one.ID)
	s.must(err)
	past, err := s.app.LastFinished(ctx, one.ID, 5)
	s.must(err)
	game := ""
	if all := slices.Concat(live, past); len(all) > 0 {
		game = all[random.IntN(len(all))].ID
	}
	deeds := []match.Deed{
		match.Accept{}, match.Accept{}, match.Decline{}, match.Resign{}, match.Draw{}, match.Takeback{}, match.Rematch{}, match.Annul{},
		match.End{Result: rules.BlackWins}, place(s.t, rules.Point(random.IntN(24)).String()), place(s.t, rules.Point(random.IntN(24)).String()),
	}
	switch random.IntN(8) {
	case 0:
		t := s.terms(one, other)
		if random.IntN(4) == 0 {
			t.Opponent = storage.Person{}
		}
		s.app.Challenge(ctx, t, nil)
	case 1:
		s.app.Predict(ctx, game, people[random.IntN(len(people))], rules.WhiteWins)
	case 2:
		s.app.Ban(ctx, "s", one, other, random.IntN(4) > 0)
	case 3:
		s.must(s.app.SetSettings(ctx, "s", func(m *storage.Server) error { m.Herald = one.ID; return nil }))
		s.must(s.app.SetMember(ctx, one.ID, func(m *storage.Member) error { m.Words = !m.Words; return nil }))
	default:
		act(game, deeds[random.IntN(len(deeds))])
	}
}

// TestBestWinOutlivesItsMatch: whoever leaves is forgotten as somebody's best win, also where the match is no longer kept.
func TestBestWinOutlivesItsMatch(t *testing.T) {
	onStage(t, func(s *stage) {
		won := rated(ben, storage.GlobalPool)
		won.Best = storage.Win{Match: "00000000", Over: zoe, Points: 1600}
		s.keep(won)
		s.leave(zoe)
		s.expectNoTrace(zoe)
		if best := s.ratingOf(storage.GlobalPool, ben).Best; best.Match != won.Best.Match || best.Points != 1600 || !best.Over.Left() {
			t.Errorf("his best win is %+v", best)
		}
	})
}
