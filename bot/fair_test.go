package bot_test

import (
	"testing"
	"testing/synctest"
)

// TestBusyServer: in one server more is to be told than is told at once, and nothing gets done there; another server is
// told of its game all the same.
func TestBusyServer(t *testing.T) {
	onStage(t, func(s *stage) {
		s.limits.Games = 200
		s.stop()
		s.start()
		release := s.screen.slow()
		for range 60 {
			_, err := s.app.Challenge(t.Context(), s.terms(ann, ben), nil)
			s.must(err)
		}
		synctest.Wait()
		terms := s.terms(cai, ben)
		terms.Server, terms.Channel = "calm", "calm channel"
		done, err := s.app.Challenge(t.Context(), terms, nil)
		s.must(err)
		synctest.Wait()
		if got := s.screen.revisions(done.Match.ID); len(got) != 1 {
			t.Errorf("the other server was told %d times, want once", len(got))
		}
		release()
		synctest.Wait()
		if m := s.kept(done.Match.ID); m.Untold() {
			t.Error("not told in the end")
		}
	})
}
