package bot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// zoe leaves. Her id and name are found nowhere else.
var zoe = storage.Person{ID: "777000777", Name: "Zoë of the Hill"}

// leave has somebody leave, and waits until that is done.
func (s *stage) leave(who storage.Person) {
	s.t.Helper()
	s.must(s.app.Leave(s.t.Context(), who.ID))
	synctest.Wait()
	if s.leaving(who) {
		s.t.Fatalf("%s is still being deleted", who.Name)
	}
}

func (s *stage) leaving(who storage.Person) bool {
	s.t.Helper()
	stands := false
	s.must(s.store.View(s.t.Context(), func(r storage.Reader) error {
		_, err := r.Get(storage.FarewellKey(who.ID))
		if stands = err == nil; errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		return err
	}))
	return stands
}

// traces lists the records that still name somebody, but for bans and blocks, which are to keep the bare id.
func (s *stage) traces(who storage.Person) (found []string) {
	s.t.Helper()
	var out bytes.Buffer
	s.must(storage.Export(s.t.Context(), s.store, &out))
	for line := range strings.SplitSeq(out.String(), "\n") {
		if !strings.Contains(line, who.ID) && !strings.Contains(line, who.Name) {
			continue
		}
		var row struct {
			Kind storage.Kind
			Data json.RawMessage
		}
		s.must(json.Unmarshal([]byte(line), &row))
		switch row.Kind {
		case storage.KindServer:
			var server storage.Server
			s.must(json.Unmarshal(row.Data, &server))
			server.Banned = slices.DeleteFunc(server.Banned, func(id string) bool { return id == who.ID })
			line = fmt.Sprintf("%+v", server)
		case storage.KindMember:
			var member storage.Member
			s.must(json.Unmarshal(row.Data, &member))
			member.Blocked = slices.DeleteFunc(member.Blocked, func(p storage.Person) bool { return p == storage.Person{ID: who.ID} })
			line = fmt.Sprintf("%+v", member)
		}
		if strings.Contains(line, who.ID) || strings.Contains(line, who.Name) {
			found = append(found, line)
		}
	}
	return found
}

func (s *stage) expectNoTrace(who storage.Person) {
	s.t.Helper()
	for _, line := range s.traces(who) {
		s.t.Errorf("%s is still in %s", who.Name, line)
	}
}

// TestLeavingEndsGames: one in which both have moved is lost, and rated, as if they had resigned; another is called off;
// challenges by them and to them come to nothing.
func TestLeavingEndsGames(t *testing.T) {
	onStage(t, func(s *stage) {
		played, fresh := s.game(zoe, ben), s.game(cai, zoe)
		both, err := s.app.Challenge(t.Context(), s.terms(zoe, zoe), nil)
		s.must(err)
		alone := both.Match.ID
		s.play(played, "a7", "d7")
		s.play(alone, "a7", "d7")
		by, err := s.app.Challenge(t.Context(), s.terms(zoe, ben), nil)
		s.must(err)
		to, err := s.app.Challenge(t.Context(), s.terms(ben, zoe), nil)
		s.must(err)
		stakes, err := s.app.Stakes(t.Context(), zoe.ID)
		s.must(err)
		if want := (bot.Stakes{Lost: 1, CalledOff: 2, Withdrawn: 2}); stakes != want {
			t.Errorf("at stake: %+v, want %+v", stakes, want)
		}
		other := s.game(cai, ann)
		s.play(other, "a7", "d7")
		s.do(other, cai, match.Resign{})
		s.leave(zoe)
		m := s.kept(played)
		if m.State != storage.Finished || m.Result != rules.BlackWins || m.Reason != rules.Resignation || !m.Seats[rules.White].Left() {
			t.Errorf("the game: %s %s %s, %+v", m.State, m.Result, m.Reason, m.Seats)
		}
		for id, ending := range map[string]storage.Ending{
			fresh: storage.CalledOff, alone: storage.CalledOff, by.Match.ID: storage.Cancelled, to.Match.ID: storage.Declined,
		} {
			if m := s.kept(id); m.State != storage.Withdrawn || m.Ending != ending || !m.SomebodyLeft() {
				t.Errorf("%s: %s %s, want %s", id, m.State, m.Ending, ending)
			}
		}
		for _, pool := range []string{storage.GlobalPool, storage.ServerPool("s")} {
			if got, want := s.ratingOf(pool, ben), s.ratingOf(pool, ann); got.Points != want.Points || got.Wins != 1 || got.Points <= 1500 {
				t.Errorf("%s: Ben has %+v, want what a resignation gives, %+v", pool, got, want)
			}
		}
		if m := s.kept(alone); m.Seats[0].Person != m.Seats[1].Person {
			t.Error("a game of one became a game of two")
		}
		s.expectNoTrace(zoe)
	})
}

// TestOthersKeepWhatTheyHave: ratings and results of opponents are the same before and after, and boards, profiles and
// histories of such games still work.
func TestOthersKeepWhatTheyHave(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(zoe, ben)
		s.play(id, "a7", "d7")
		s.do(id, ben, match.Resign{})
		s.pass(time.Minute)
		pools := []string{storage.GlobalPool, storage.ServerPool("s")}
		before := map[string]storage.Rating{}
		for _, pool := range pools {
			before[pool] = s.ratingOf(pool, ben)
		}
		shown := len(s.screen.revisions(id))
		s.leave(zoe)
		for _, pool := range pools {
			if got := s.ratingOf(pool, ben); got != before[pool] || got.Games() != 1 {
				t.Errorf("%s: %+v, before %+v", pool, got, before[pool])
			}
			if got := s.ratingOf(pool, zoe); got != (storage.Rating{}) {
				t.Errorf("%s: she still has %+v", pool, got)
			}
			board, err := s.app.Leaderboard(t.Context(), bot.BoardPage{Pool: pool, Variant: "nine", Page: 1, Rows: 10})
			if err != nil || board.Ranked+board.Provisional != 1 || len(board.Rows) != 1 || board.Rows[0].Kept.Member != ben.ID {
				t.Errorf("%s: %+v, %v", pool, board, err)
			}
		}
		if got := len(s.screen.revisions(id)); got != shown {
			t.Error("a finished board was shown anew")
		}
		h := s.history(bot.Search{Member: ben.ID, Server: "s"})
		if got := gameIDs(h.Matches); !slices.Equal(got, []string{id}) {
			t.Errorf("his history: %v", got)
		}
		standings, err := s.app.Standings(t.Context(), storage.ServerPool("s"), ben.ID, rules.Variants())
		if err != nil || len(standings) != 1 {
			t.Errorf("his profile: %+v, %v", standings, err)
		}
		if _, err := s.app.Do(t.Context(), id, match.Act{By: ben, Do: match.Rematch{}}, nil); !errors.Is(err, match.ErrLeft) {
			t.Errorf("a rematch: %v", err)
		}
		if _, err := s.app.Do(t.Context(), id, match.Act{By: ben, Do: match.Takeback{}}, nil); !errors.Is(err, match.ErrNotPlaying) {
			t.Errorf("a takeback: %v", err)
		}
	})
}

// TestAnnulBringsNobodyBack: a referee annuls a game of somebody who left. The other's change is taken back, no rating
// appears, and whoever came back meanwhile has only what they have won since.
func TestAnnulBringsNobodyBack(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(zoe, ben)
		s.play(id, "a7", "d7")
		s.do(id, ben, match.Resign{})
		s.leave(zoe)
		if h := s.history(bot.Search{Member: zoe.ID, Anywhere: true}); len(h.Matches) != 0 {
			t.Errorf("old games came back: %v", gameIDs(h.Matches))
		}
		anew := s.game(zoe, cai)
		if got := s.kept(anew).Seats[rules.White].Points; got != 1500 {
			t.Errorf("she begins anew at %v", got)
		}
		s.play(anew, "a7", "d7")
		s.do(anew, cai, match.Resign{})
		has := s.ratingOf(storage.GlobalPool, zoe)
		s.do(id, ann, match.Annul{})
		if got := s.ratingOf(storage.GlobalPool, zoe); got != has || got.Games() != 1 {
			t.Errorf("she has %+v, before %+v", got, has)
		}
		if got := s.ratingOf(storage.GlobalPool, ben); got != (storage.Rating{}) {
			t.Errorf("he keeps %+v of his only game", got)
		}
		s.must(s.store.View(t.Context(), func(r storage.Reader) error {
			hits, err := r.Range(storage.RatingsOf(s.kept(id).Seats[rules.White].ID), "", 1)
			if len(hits) != 0 {
				t.Errorf("the alias has a rating: %v", hits)
			}
			return err
		}))
	})
}

// TestNothingBeginsMeanwhile: while a farewell stands, nothing of that member is kept anew.
func TestNothingBeginsMeanwhile(t *testing.T) {
	onStage(t, func(s *stage) {
		id, over := s.game(ann, ben), s.past("over", zoe, ben, 1).ID
		open, err := s.app.Challenge(t.Context(), s.terms(cai, storage.Person{}), nil)
		s.must(err)
		s.do(over, ben, match.Rematch{})
		s.keep(storage.Farewell{Member: zoe.ID, Alias: storage.Alias("x"), Asked: opening})
		for name, try := range map[string]func() error{
			"a challenge": func() error { _, err := s.app.Challenge(t.Context(), s.terms(zoe, ben), nil); return err },
			"of her":      func() error { _, err := s.app.Challenge(t.Context(), s.terms(ben, zoe), nil); return err },
			"accepting": func() error {
				_, err := s.app.Do(t.Context(), open.Match.ID, match.Act{By: zoe, Do: match.Accept{}}, nil)
				return err
			},
			"a rematch": func() error {
				_, err := s.app.Do(t.Context(), over, match.Act{By: zoe, Do: match.Rematch{}}, nil)
				return err
			},
			"a prediction": func() error { _, err := s.app.Predict(t.Context(), id, zoe, rules.WhiteWins); return err },
			"a choice": func() error {
				return s.app.SetMember(t.Context(), zoe.ID, func(m *storage.Member) error { m.Quiet = true; return nil })
			},
			"a setting": func() error {
				return s.app.SetSettings(t.Context(), "s", func(m *storage.Server) error { m.Herald = zoe.ID; return nil })
			},
			"a ban by her": func() error { _, err := s.app.Ban(t.Context(), "s", zoe, cai, false); return err },
			"a ban of her": func() error { _, err := s.app.Ban(t.Context(), "s", cai, zoe, false); return err },
		} {
			if err := try(); !errors.Is(err, bot.ErrLeaving) {
				t.Errorf("%s: %v, want ErrLeaving", name, err)
			}
		}
		s.leave(zoe)
		s.expectNoTrace(zoe)
		if _, err := s.app.Challenge(t.Context(), s.terms(zoe, ben), nil); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}

// TestWhatWasForetoldIsTakenBack: the board counts what they said no more, and is shown anew; of games that are over
// nothing changes.
func TestWhatWasForetoldIsTakenBack(t *testing.T) {
	onStage(t, func(s *stage) {
		running, over := s.game(ann, ben), s.game(ann, ben)
		for _, id := range []string{running, over} {
			for _, who := range []storage.Person{zoe, cai} {
				_, err := s.app.Predict(t.Context(), id, who, rules.WhiteWins)
				s.must(err)
			}
		}
		s.play(over, "a7", "d7")
		s.do(over, ben, match.Resign{})
		synctest.Wait()
		s.screen.forget()
		s.leave(zoe)
		if got := s.kept(running).Foretold; got != (storage.Forecast{White: 1}) || len(s.screen.revisions(running)) != 1 {
			t.Errorf("foretold: %+v, shown %v", got, s.screen.revisions(running))
		}
		if got := s.kept(over).Foretold; got != (storage.Forecast{White: 2}) {
			t.Errorf("foretold of the other: %+v", got)
		}
		seers, err := s.app.Seers(t.Context(), "s")
		if err != nil || len(seers) != 1 || seers[0].Member != cai.ID {
			t.Errorf("seers: %+v, %v", seers, err)
		}
		s.expectNoTrace(zoe)
	})
}

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
