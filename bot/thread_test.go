package bot_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/storage"
)

// toThread lists, of what was shown of a match, whether it was to get a thread.
func (s *screen) toThread(id string) (asked []bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.shown {
		if one.game == id {
			asked = append(asked, one.toThread)
		}
	}
	return asked
}

// TestThreadIsWanted: where the server wants threads, the screen is asked for one when the game begins, once, even if the
// challenge is accepted while it is only just being shown; a rematch is asked for one too.
func TestThreadIsWanted(t *testing.T) {
	onStage(t, func(s *stage) {
		s.keep(storage.Server{ID: "s", Threads: true})
		release := s.screen.slow()
		done, err := s.app.Challenge(t.Context(), s.terms(ann, ben), nil)
		s.must(err)
		id := done.Match.ID
		synctest.Wait()
		s.do(id, ben, match.Accept{})
		release()
		synctest.Wait()
		s.play(id, "a7")
		synctest.Wait()
		if got := s.screen.toThread(id); len(got) != 3 || got[0] || !got[1] || got[2] {
			t.Errorf("asked for a thread: %v, want it when the game begins", got)
		}
		s.play(id, "d7")
		s.do(id, ann, match.Resign{})
		s.do(id, ann, match.Rematch{})
		s.do(id, ben, match.Rematch{})
		synctest.Wait()
		if got := s.screen.toThread(s.kept(id).Next); len(got) != 1 || !got[0] {
			t.Errorf("of the rematch: %v", got)
		}
	})
}

// TestNoThreadIsWanted: nowhere else.
func TestNoThreadIsWanted(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.play(id, "a7")
		synctest.Wait()
		for _, asked := range s.screen.toThread(id) {
			if asked {
				t.Error("asked for a thread that nobody wants")
			}
		}
	})
}

// TestNoticeLeavesTheThread: a notice that can never be sent in the game's thread is sent in the channel, and the board
// is shown there too.
func TestNoticeLeavesTheThread(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.change(id, func(m *storage.Match) { m.Shown.Thread, m.Shown.Channel = "thread", "thread" })
		s.screen.failing(func(attempt int) error {
			if attempt == 1 {
				return &bot.Trouble{Why: "forbidden", Err: errors.New("locked")}
			}
			return nil
		})
		s.pass(time.Minute)
		m := s.kept(id)
		if m.Shown.Thread != "" || m.Shown.Channel != "c" || m.Untold() || m.Shown.NoticeIn != "c" {
			t.Errorf("kept: %+v", m.Shown)
		}
		if told := s.screen.told(); len(told) != 1 {
			t.Errorf("notices: %+v", told)
		}
	})
}
