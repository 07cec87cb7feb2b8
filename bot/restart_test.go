package bot_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// TestKilledBetweenKeepingAndTelling leaves an App whose screen never answers, and begins another on the same store.
func TestKilledBetweenKeepingAndTelling(t *testing.T) {
	onStage(t, func(s *stage) {
		id, other := s.game(ann, ben), s.game(ann, cai)
		s.screen.slow()
		s.play(id, "a7", "d7")
		synctest.Wait()
		bury := s.stop // the first App is dead to the world; its goroutines end with the test
		s.start()
		m := s.kept(id)
		if got := s.screen.revisions(id); !slices.Equal(got, []int{m.Revision}) || m.Untold() {
			t.Errorf("shown %v, untold %v, want revision %d once", got, m.Untold(), m.Revision)
		}
		if got := s.screen.revisions(other); len(got) != 0 {
			t.Errorf("what had been told is told again: %v", got)
		}
		s.play(id, "g7")
		synctest.Wait()
		if got := s.screen.revisions(id); len(got) != 2 {
			t.Errorf("the game does not go on: shown %v", got)
		}
		bury()
		s.stop()
		s.start()
		if got := len(s.screen.revisions(id)) + len(s.screen.revisions(other)); got != 0 {
			t.Errorf("a third App has %d things to tell, want none", got)
		}
	})
}

// TestWhatFellDueMeanwhile: a notice and an expiry become due while nobody runs.
func TestWhatFellDueMeanwhile(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		done, err := s.app.Challenge(t.Context(), s.terms(ann, ben), nil)
		s.must(err)
		synctest.Wait()
		s.stop()
		s.pass(48 * time.Hour)
		s.start()
		if told := s.screen.told(); len(told) != 1 || told[0].game != id {
			t.Errorf("told %+v, want of %s once", told, id)
		}
		if m := s.kept(done.Match.ID); m.Ending != storage.Expired {
			t.Errorf("the challenge: %s %s", m.State, m.Ending)
		}
	})
}

// TestRepetitionOutlivesARestart walks in circles: the draw comes after 32 turns, however often the bot begins anew.
func TestRepetitionOutlivesARestart(t *testing.T) {
	black := []string{"c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5"}
	white := []string{"a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"}
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.change(id, func(m *storage.Match) { m.Position = "w../w.b/b../.b..w./.../bw./... b 0,0 0 0,0 -,-" })
		for turn := range 32 {
			if m := s.kept(id); m.State != storage.Playing {
				t.Fatalf("%s by %s after %d turns", m.Result, m.Reason, turn)
			}
			if turn == 20 {
				s.stop()
				s.start()
			}
			points := [][]string{black, white}[turn%2]
			s.play(id, points[turn/2%8]+"-"+points[turn/2%8+1])
		}
		m := s.kept(id)
		if m.State != storage.Finished || m.Result != rules.Drawn || m.Reason != rules.RepetitionDraw {
			t.Errorf("%s %s by %s after 32 turns", m.State, m.Result, m.Reason)
		}
	})
}

// TestTellingIsAskedForBeforeThereIsAScreen: what is done before Run is told by Run.
func TestTellingIsAskedForBeforeThereIsAScreen(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.stop()
		early := *s
		early.start()
		early.do(id, ben, match.Resign{})
		synctest.Wait()
		if m := early.kept(id); m.Untold() {
			t.Errorf("not told: %+v", m.Shown)
		}
		s.stop = early.stop
	})
}
