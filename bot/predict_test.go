package bot_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

func (s *stage) predict(id string, by storage.Person, say rules.Result) storage.Match {
	s.t.Helper()
	m, err := s.app.Predict(s.t.Context(), id, by, say)
	s.must(err)
	return m
}

func (s *stage) seers() []bot.Seer {
	s.t.Helper()
	seers, err := s.app.Seers(s.t.Context(), "s")
	s.must(err)
	return seers
}

// TestPredictionsAreSettled: with the end of a game everyone who predicted it was right or wrong, and the best are listed.
func TestPredictionsAreSettled(t *testing.T) {
	onStage(t, func(s *stage) {
		dov := storage.Person{ID: "4", Name: "Dov"}
		for i, loser := range []storage.Person{ann, ann, ben} {
			id := s.game(ann, ben)
			s.predict(id, cai, rules.WhiteWins)
			s.predict(id, cai, rules.BlackWins) // on second thoughts
			if i < 2 {
				s.predict(id, dov, rules.BlackWins)
			}
			if seers := s.seers(); i == 0 && len(seers) != 0 {
				t.Errorf("before the end: %+v", seers)
			}
			s.play(id, "a7")
			s.play(id, "d7")
			s.do(id, loser, match.Resign{})
			if kept := s.kept(id); kept.Foretold.All() != min(2, 3-i) || kept.Foretold.Black != kept.Foretold.All() {
				t.Errorf("game %d: %+v", i, kept.Foretold)
			}
		}
		want := []bot.Seer{{"4", "Dov", 2, 2}, {"3", "Cai", 2, 3}}
		if got := s.seers(); !slices.Equal(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

// TestPredictionsOfNothing: a game that came to nothing makes nobody right or wrong.
func TestPredictionsOfNothing(t *testing.T) {
	onStage(t, func(s *stage) {
		terms := s.terms(ann, ben)
		terms.Clock = "5+3"
		done, err := s.app.Challenge(t.Context(), terms, nil)
		s.must(err)
		id := done.Match.ID
		s.do(id, ben, match.Accept{})
		s.predict(id, cai, rules.WhiteWins)
		s.pass(s.limits.FirstTurn + s.limits.NoticeAfter)
		if m := s.kept(id); m.State != storage.Withdrawn {
			t.Fatalf("the game is %s", m.State)
		}
		p, err := s.app.Prediction(t.Context(), cai.ID, id)
		if err != nil || p.Said != "" || len(s.seers()) != 0 {
			t.Errorf("kept: %+v, %v, seers %+v", p, err, s.seers())
		}
	})
}

// TestPredictRace: many predict at once, while the players play: every voice counts once, and no turn is lost.
func TestPredictRace(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		var all sync.WaitGroup
		for i := range 30 {
			all.Go(func() {
				by := storage.Person{ID: fmt.Sprint(100 + i/2), Name: "somebody"} // each twice
				if _, err := s.app.Predict(t.Context(), id, by, rules.Drawn); err != nil {
					t.Errorf("%s: %v", by.ID, err)
				}
			})
		}
		s.play(id, "a7", "d7")
		all.Wait()
		synctest.Wait()
		m := s.kept(id)
		if m.Foretold != (storage.Forecast{Draw: 15}) || len(m.Deeds) != 2 || m.Untold() {
			t.Errorf("got %+v, %d actions, untold %v", m.Foretold, len(m.Deeds), m.Untold())
		}
		if _, err := s.app.Predict(t.Context(), id, ann, rules.Drawn); !errors.Is(err, match.ErrPlayer) {
			t.Errorf("a player predicts: %v", err)
		}
	})
}
