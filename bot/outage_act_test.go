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

// TestActsInAnOutage: somebody reaches the bot by another way, from direct messages, while the connection that serves the
// game's server is broken. That costs neither side the game, and once it stands again both go on with the time they had.
func TestActsInAnOutage(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("1d")
		mover := ben // black, who begins
		s.pass(23 * time.Hour)
		s.app.Cut(1, 0, func(server string) bool { return server == "s" })
		s.pass(2 * time.Hour)
		for _, do := range []match.Deed{place(t, "g1"), match.Resign{}, match.Draw{}} {
			_, err := s.app.Do(t.Context(), id, match.Act{By: mover, Do: do}, nil)
			if do == (match.Resign{}) && err == nil {
				t.Fatal("a game whose time is not certain was resigned")
			}
			if err != nil && !errors.Is(err, bot.ErrCut) {
				t.Errorf("%T: %v, want that the connection is broken", do, err)
			}
		}
		if m := s.kept(id); m.State != storage.Playing {
			t.Fatalf("%s %s in an outage", m.State, m.Reason)
		}
		s.app.Mend(1)
		synctest.Wait()
		s.do(id, mover, place(t, "g1"))
		if m := s.kept(id); m.State != storage.Playing {
			t.Errorf("%s %s after the outage", m.State, m.Reason)
		}
	})
}

// TestDirectGamesInAnOutage: games in direct messages, which belong to no server, stand still with the connection that
// serves those, and with no other.
func TestDirectGamesInAnOutage(t *testing.T) {
	for _, c := range []struct {
		name   string
		serves func(string) bool
		state  storage.State
	}{
		{"theirs", func(server string) bool { return server == "" }, storage.Playing},
		{"another", func(server string) bool { return server == "s" }, storage.Finished},
	} {
		t.Run(c.name, func(t *testing.T) {
			onStage(t, func(s *stage) {
				id := s.race("1d")
				s.change(id, func(m *storage.Match) { m.Server = "" })
				s.pass(23 * time.Hour)
				s.app.Cut(0, 0, c.serves)
				s.pass(2 * time.Hour)
				if m := s.kept(id); m.State != c.state {
					t.Errorf("%s, want %s", m.State, c.state)
				}
				s.app.Mend(0)
			})
		})
	}
}
