package bot_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// race is a game in play with a clock, that nobody has been told anything of.
func (s *stage) race(clock string) string {
	s.t.Helper()
	terms := s.terms(ann, ben)
	terms.Clock = clock
	done, err := s.app.Challenge(s.t.Context(), terms, nil)
	s.must(err)
	s.do(done.Match.ID, ben, match.Accept{})
	synctest.Wait()
	s.screen.forget()
	return done.Match.ID
}

// kinds lists what people were told, in order.
func (s *stage) kinds() (kinds []bot.NoticeKind) {
	for _, n := range s.screen.told() {
		kinds = append(kinds, n.kind)
	}
	return kinds
}

// TestFlagFalls: the time of whoever is to move runs out with nobody there, and the ratings follow.
func TestFlagFalls(t *testing.T) {
	for clock, turn := range map[string]time.Duration{
		"5+3": 5 * time.Minute, "10+5": 10 * time.Minute, "30+20": 30 * time.Minute,
		"1d": 24 * time.Hour, "3d": 72 * time.Hour, "7d": 168 * time.Hour,
	} {
		t.Run(clock, func(t *testing.T) {
			onStage(t, func(s *stage) {
				id := s.race(clock)
				s.play(id, "a7", "d7")
				s.pass(turn - time.Nanosecond)
				if m := s.kept(id); m.State != storage.Playing {
					t.Fatalf("%s %s before its time", m.State, m.Reason)
				}
				s.pass(time.Nanosecond)
				m := s.kept(id)
				if m.State != storage.Finished || m.Result != rules.WhiteWins || m.Reason != rules.Timeout || m.Untold() {
					t.Fatalf("%s %s %s, untold %v, want white to win on time", m.State, m.Result, m.Reason, m.Untold())
				}
				for _, pool := range []string{storage.GlobalPool, storage.ServerPool("s")} {
					if won, lost := s.ratingOf(pool, ann), s.ratingOf(pool, ben); won.Wins != 1 || lost.Losses != 1 {
						t.Errorf("%s: ratings %+v and %+v", pool, won, lost)
					}
				}
				told := s.screen.told()
				if last := told[len(told)-1]; last.kind != bot.NoticeEnd || last.to != "BenAnn" {
					t.Errorf("told last %+v, want both of the end", last)
				}
			})
		})
	}
}

func TestFirstTurnNotMadeInTime(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("5+3")
		s.play(id, "a7")
		s.pass(5 * time.Minute)
		m := s.kept(id)
		if m.State != storage.Withdrawn || m.Ending != storage.Aborted || m.Untold() {
			t.Fatalf("%s %s, untold %v", m.State, m.Ending, m.Untold())
		}
		if r := s.ratingOf(storage.GlobalPool, ben); r.Games() != 0 {
			t.Errorf("it counts: %+v", r)
		}
		if told := s.screen.told(); len(told) != 2 || told[1].kind != bot.NoticeEnd || told[1].to != "Ben" {
			t.Errorf("told %+v, want Ann of her turn, then Ben of the end", told)
		}
		s.pass(24 * time.Hour)
		if told := s.screen.told(); len(told) != 2 {
			t.Errorf("told more: %+v", told[2:])
		}
	})
}

// TestTooLate: who acts after their time has lost, although no sweep has come by.
func TestTooLate(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("5+3")
		s.play(id, "a7", "d7")
		s.stop()
		s.stop = func() {} // what follows is done without a sweep
		s.pass(5 * time.Minute)
		done, err := s.app.Do(t.Context(), id, match.Act{By: ben, Do: place(t, "a1")}, nil)
		if !errors.Is(err, match.ErrTimeUp) || done.Match.Reason != rules.Timeout {
			t.Errorf("%v, with the match %s %s", err, done.Match.State, done.Match.Reason)
		}
		m, lost := s.kept(id), s.ratingOf(storage.GlobalPool, ben).Losses
		if m.State != storage.Finished || m.Result != rules.WhiteWins || len(m.Deeds) != 2 || lost != 1 {
			t.Errorf("kept %s %s, %d actions, %d losses", m.State, m.Result, len(m.Deeds), lost)
		}
	})
}

// TestWarning: the player to move is warned once a turn, unless they want no warnings; that they want no
// notices of their turn is another thing.
func TestWarning(t *testing.T) {
	for clock, at := range map[string]time.Duration{"5+3": 5*time.Minute - 30*time.Second, "1d": 24 * time.Hour * 4 / 5} {
		t.Run(clock, func(t *testing.T) {
			onStage(t, func(s *stage) {
				id := s.race(clock)
				s.play(id, "a7", "d7")
				s.pass(at - time.Nanosecond)
				if kinds := s.kinds(); !slices.Equal(kinds, []bot.NoticeKind{bot.NoticeTurn}) {
					t.Errorf("told %v before it is time for a warning", kinds)
				}
				s.pass(time.Nanosecond + 20*time.Second)
				told := s.screen.told()
				if len(told) != 2 || told[1].kind != bot.NoticeWarning || told[1].to != "Ben" || told[1].replaces != "notice 1" {
					t.Fatalf("told %+v, want Ben to be warned in place of the notice", told)
				}
				s.choose(ben, func(m *storage.Member) { m.Quiet = true })
				s.choose(ann, func(m *storage.Member) { m.Unwarned = true })
				s.play(id, "a1")
				s.pass(at)
				if told := s.screen.told(); len(told) != 4 || told[3].kind != bot.NoticeWarning || !told[3].quiet {
					t.Errorf("told %+v, want Ann to be left in peace", told)
				}
			})
		})
	}
}

// TestWarningThatFails is tried again, but never after the end.
func TestWarningThatFails(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("1d")
		s.play(id, "a7", "d7")
		s.pass(time.Hour)
		s.screen.failing(func(attempt int) error {
			if attempt > 3 {
				return nil
			}
			return errOutage
		})
		s.pass(22 * time.Hour)
		told := s.screen.told()
		if len(told) != 2 || !told[1].at.Equal(opening.Add(24*time.Hour*4/5+3*time.Minute)) {
			t.Errorf("told %+v, want a warning three minutes later", told)
		}
	})
}

// TestATooLateRush: many come too late at once, and the game is lost once.
func TestATooLateRush(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("5+3")
		s.play(id, "a7", "d7")
		s.stop()
		s.stop = func() {}
		s.pass(6 * time.Minute)
		both := []storage.Person{ann, ben}
		done := rush(s, id, func(n int) match.Act {
			return match.Act{By: both[n%2], Do: match.Resign{}}
		}, match.ErrTimeUp, match.ErrNotPlaying)
		m, won := s.kept(id), s.ratingOf(storage.GlobalPool, ann)
		if done != 0 || m.Result != rules.WhiteWins || m.Reason != rules.Timeout || won.Games() != 1 || m.Revision != 5 {
			t.Errorf("%d succeeded; %s %s, revision %d, %d games rated", done, m.Result, m.Reason, m.Revision, won.Games())
		}
	})
}
