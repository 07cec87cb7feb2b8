package bot_test

import (
	"testing"
	"time"

	"kraal/bot/match"
)

// TestPauseWhereItMatters: the engine takes its time where a mill can be closed, by either side, and less of it where a
// clock runs.
func TestPauseWhereItMatters(t *testing.T) {
	const weigh = 10 * time.Second
	tests := []struct {
		name        string
		clock       string
		before      []string      // of ann and the engine in turn
		last        string        // of ann
		silent, all time.Duration // for so long there is no answer, and after all there is
	}{
		{"nothing is at stake", "", []string{"a7", "d2"}, "g1", pause - 1, pause},
		{"ann can close a mill", "", []string{"a7", "d2"}, "d7", pause + weigh - 1, pause + weigh},
		{"the engine can", "", []string{"a7", "d2", "g7", "g4", "b4", "f4"}, "c3", pause + weigh - 1, pause + weigh},
		{"five minutes are left", "5+3", []string{"a7", "d2"}, "d7", 5 * time.Second, 6 * time.Second},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			withEngine(t, func(s *stage, f *fake) {
				s.stop()
				s.engine.Weigh = weigh
				s.start()
				id := s.duel(ann, "black", func(terms *match.Terms) { terms.Clock = test.clock })
				var answers []string
				for i, at := range append(test.before, test.last) {
					if i%2 == 1 {
						answers = append(answers, at) // the engine's
					}
				}
				f.thinks(scripted(t, append(answers, "b6")...))
				for i := 0; i < len(test.before); i += 2 {
					s.play(id, test.before[i])
					s.pass(pause + weigh)
				}
				s.play(id, test.last)
				played := len(s.actions(id))
				s.pass(test.silent)
				if len(s.actions(id)) != played {
					t.Errorf("it has played within %v", test.silent)
				}
				s.pass(test.all - test.silent)
				if len(s.actions(id)) != played+1 {
					t.Errorf("actions %v", s.actions(id))
				}
			})
		})
	}
}
