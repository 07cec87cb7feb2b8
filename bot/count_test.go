package bot_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// tournament is a game in play that has a two-minute rule: Ann, white, is to move, and nobody has been told anything.
func (s *stage) tournament() string {
	s.t.Helper()
	v, ok := rules.Lookup("tournament")
	if !ok {
		s.t.Fatal("no variant tournament")
	}
	terms := s.terms(ann, ben)
	terms.Variant = v
	done, err := s.app.Challenge(s.t.Context(), terms, nil)
	s.must(err)
	s.do(done.Match.ID, ben, match.Accept{})
	s.play(done.Match.ID, "a7", "a1")
	synctest.Wait()
	s.screen.forget()
	return done.Match.ID
}

// calls lists when the arbiter spoke, counted from the opening, and to whom.
func (s *stage) calls() (at []time.Duration, to []string) {
	for _, n := range s.screen.told() {
		if n.kind == bot.NoticeCall {
			at, to = append(at, n.at.Sub(opening)), append(to, n.to)
		}
	}
	return at, to
}

// TestTheArbiterCounts: it is said that there is a count, the time left is called at 1:00 and 0:30, and the turn that does
// not come has lost.
func TestTheArbiterCounts(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.tournament()
		s.pass(5 * time.Second)
		s.do(id, ben, match.Protest{})
		s.pass(2*time.Minute - time.Nanosecond)
		at, to := s.calls()
		if want := []time.Duration{5 * time.Second, 65 * time.Second, 95 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("calls at %v, want %v", at, want)
		}
		if !slices.Equal(to, []string{"Ann", "Ann", "Ann"}) || len(s.screen.told()) != 3 {
			t.Errorf("told %+v, want three calls to Ann", s.screen.told())
		}
		if m := s.kept(id); m.State != storage.Playing {
			t.Fatalf("%s before the end of the count", m.State)
		}
		s.pass(time.Nanosecond)
		if m := s.kept(id); m.Result != rules.BlackWins || m.Reason != rules.Timeout || m.Untold() {
			t.Errorf("%s %s %s", m.State, m.Result, m.Reason)
		}
	})
}

// TestTheTurnEndsTheCount, and who wants no warnings is not mentioned; but the calls are for all to hear.
func TestTheTurnEndsTheCount(t *testing.T) {
	onStage(t, func(s *stage) {
		s.choose(ann, func(m *storage.Member) { m.Unwarned = true })
		id := s.tournament()
		s.do(id, ben, match.Protest{})
		s.pass(70 * time.Second)
		if _, to := s.calls(); !slices.Equal(to, []string{"", ""}) {
			t.Errorf("calls to %q, want two to nobody", to)
		}
		s.play(id, "d7")
		s.pass(time.Hour)
		if at, _ := s.calls(); len(at) != 2 || s.kept(id).State != storage.Playing {
			t.Errorf("calls at %v, the game %s", at, s.kept(id).State)
		}
	})
}

// TestACallThatFails is not made up for later: the next one comes sooner.
func TestACallThatFails(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.tournament()
		s.do(id, ben, match.Protest{})
		s.pass(30 * time.Second)
		s.screen.failing(func(attempt int) error {
			if attempt > 1 {
				return nil
			}
			return errOutage
		})
		s.pass(80 * time.Second)
		if at, _ := s.calls(); !slices.Equal(at, []time.Duration{0, 90 * time.Second}) {
			t.Errorf("calls at %v, want at once and at 0:30", at)
		}
	})
}

func TestStandingCountGoesOn(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.tournament()
		s.do(id, cai, match.Standing{On: true})
		s.pass(100 * time.Second)
		s.play(id, "d7")
		s.pass(100 * time.Second)
		if at, to := s.calls(); !slices.Equal(to, []string{"Ann", "Ann", "Ben", "Ben"}) {
			t.Errorf("calls at %v to %q, want two to each", at, to)
		}
		s.pass(20 * time.Second)
		if m := s.kept(id); m.Result != rules.WhiteWins || m.Reason != rules.Timeout {
			t.Errorf("%s %s %s", m.State, m.Result, m.Reason)
		}
	})
}

// TestAbandoned: the one who waits is told, once, when the game may be claimed, and not as long as the other is heard of.
func TestAbandoned(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.play(id, "a7", "d7") // Ben is to move
		s.pass(48 * time.Hour)
		s.do(id, ben, match.Draw{})
		s.pass(72*time.Hour - time.Nanosecond)
		if kinds := s.kinds(); slices.Contains(kinds, bot.NoticeClaim) {
			t.Errorf("told %v too early", kinds)
		}
		s.pass(time.Nanosecond)
		told := s.screen.told()
		if last := told[len(told)-1]; last.kind != bot.NoticeClaim || last.to != "Ann" {
			t.Errorf("told last %+v, want Ann that she may claim the game", last)
		}
		s.pass(1000 * time.Hour)
		if again := s.screen.told(); len(again) != len(told) {
			t.Errorf("told again: %+v", again[len(told):])
		}
		s.do(id, ann, match.Claim{})
		m, won := s.kept(id), s.ratingOf(storage.GlobalPool, ann).Wins
		if m.Result != rules.WhiteWins || m.Reason != rules.Abandoned || won != 1 {
			t.Errorf("%s %s %s, %d wins", m.State, m.Result, m.Reason, won)
		}
	})
}

// TestAdjournedForLong: nothing happens in an adjourned game, whoever restarts, until a player goes on.
func TestAdjournedForLong(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("1d")
		s.play(id, "a7", "d7")
		s.do(id, ann, match.Adjourn{})
		s.do(id, ben, match.Adjourn{})
		synctest.Wait()
		s.screen.forget()
		s.pass(500 * time.Hour)
		s.stop()
		s.pass(500 * time.Hour)
		s.start()
		if m := s.kept(id); m.State != storage.Playing || len(s.screen.told()) != 0 {
			t.Fatalf("%s, told %+v", m.State, s.screen.told())
		}
		s.do(id, ann, match.Resume{})
		s.pass(24*time.Hour - time.Nanosecond)
		if m := s.kept(id); m.State != storage.Playing {
			t.Fatalf("%s before its time", m.State)
		}
		s.pass(time.Nanosecond)
		if m := s.kept(id); m.Reason != rules.Timeout || m.Result != rules.WhiteWins {
			t.Errorf("%s %s %s", m.State, m.Result, m.Reason)
		}
	})
}
