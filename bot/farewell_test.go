package bot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
			if m := s.kept(id); id == alone && m.Seats[0].Person != m.Seats[1].Person {
				t.Error("a game of one became a game of two")
			}
		}
		for _, pool := range []string{storage.GlobalPool, storage.ServerPool("s")} {
			if got, want := s.ratingOf(pool, ben), s.ratingOf(pool, ann); got.Points != want.Points || got.Wins != 1 || got.Points <= 1500 {
				t.Errorf("%s: Ben has %+v, want what a resignation gives, %+v", pool, got, want)
			}
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
		if h := s.history(bot.Search{Member: ben.ID, Server: "s"}); len(h.Matches) != 1 || h.Matches[0].ID != id {
			t.Errorf("his history: %v", gameIDs(h.Matches))
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

// TestLeavingTheHallOfFame: a champion who leaves stays as a champion whom nobody knows, and takes no part in crownings.
func TestLeavingTheHallOfFame(t *testing.T) {
	onStage(t, func(s *stage) {
		s.limits.RatedPerPair = 0
		s.stop()
		s.start()
		s.must(s.app.SetSeason(t.Context(), "s", storage.Seasons{Length: storage.SeasonMonth, Role: "crown"}))
		s.beats(zoe, ben, 6)
		s.until(time.Date(2026, time.June, 1, 0, 2, 0, 0, time.UTC))
		if got := s.hall()[0].Champions(); !slices.Equal(got, []string{zoe.ID}) {
			t.Fatalf("the champions are %v", got)
		}
		if _, file := s.export(zoe); len(file.Seasons) != 1 || file.Seasons[0].Season != 1 || file.Seasons[0].Place.Place != 1 {
			t.Errorf("her own file tells of her seasons %+v", file.Seasons)
		}
		s.leave(zoe)
		s.expectNoTrace(zoe)
		season := s.hall()[0]
		if got := season.Podiums[0].Places; len(got) != 2 || !got[0].Left() || got[0].Games != 6 || got[1].ID != ben.ID {
			t.Errorf("the podium is %+v", got)
		}
		if got := season.Champions(); len(got) != 0 {
			t.Errorf("%v can be given a role", got)
		}
	})
}
