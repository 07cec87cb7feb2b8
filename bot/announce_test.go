package bot_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/storage"
)

// announcing has the server announce in a channel that cai has chosen.
func (s *stage) announcing() {
	s.t.Helper()
	s.must(s.app.SetSettings(s.t.Context(), "s", func(v *storage.Server) error {
		v.Announce, v.Herald = "news", cai.ID
		return nil
	}))
}

// TestAnnounceOnce: a rated game is announced once, one that does not count is not.
func TestAnnounceOnce(t *testing.T) {
	onStage(t, func(s *stage) {
		s.announcing()
		unrated := s.game(ann, ben)
		s.do(unrated, ben, match.Resign{}) // before both have made a turn
		id := s.rated()
		s.pass(time.Hour)
		if got := s.screen.announced; !slices.Equal(got, []string{"news " + id}) {
			t.Errorf("announced %q", got)
		}
		if !s.kept(id).Announced || s.kept(unrated).Announced {
			t.Error("it is not noted what was announced")
		}
		s.do(id, ann, match.Rematch{})
		s.pass(time.Hour)
		if n := len(s.screen.announced); n != 1 {
			t.Errorf("announced %d times", n)
		}
	})
}

// TestAnnounceAgain: after a failure that may pass it is tried again, and the player is told of the end all the same.
func TestAnnounceAgain(t *testing.T) {
	onStage(t, func(s *stage) {
		s.announcing()
		s.screen.announceErr = func(attempt int) error {
			if attempt < 3 {
				return errors.New("Discord is away")
			}
			return nil
		}
		id := s.rated()
		s.pass(time.Hour)
		told := slices.ContainsFunc(s.screen.told(), func(n notice) bool { return n.game == id && n.kind == bot.NoticeEnd })
		if n := len(s.screen.announced); n != 3 || !s.kept(id).Announced || !told {
			t.Errorf("tried %d times, noted %v, told %v", n, s.kept(id).Announced, told)
		}
	})
}

// TestAnnounceRefused: a channel that takes nothing is let go, and who chose it is told, once.
func TestAnnounceRefused(t *testing.T) {
	onStage(t, func(s *stage) {
		s.announcing()
		s.screen.announceErr = func(int) error { return &bot.Trouble{Why: "forbidden", Err: errors.New("403")} }
		s.rated()
		s.pass(time.Hour)
		settings, err := s.app.Settings(t.Context(), "s")
		s.must(err)
		silences := 0
		for _, n := range s.screen.told() {
			if n.kind == bot.NoticeSilence {
				silences++
			}
		}
		if settings.Announce != "" || settings.Herald != "" || silences != 1 || len(s.screen.announced) != 1 {
			t.Errorf("settings %+v, told %d times, tried %d times", settings, silences, len(s.screen.announced))
		}
		s.rated()
		s.pass(time.Hour)
		if n := len(s.screen.announced); n != 1 {
			t.Errorf("tried again: %d", n)
		}
	})
}
