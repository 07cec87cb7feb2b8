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

// tunes has server s want a tv in a channel.
func (s *stage) tunes(channel string) {
	s.t.Helper()
	s.keep(storage.Server{ID: "s", Threads: true, TV: channel})
	<-s.app.Tune("s")
	synctest.Wait()
}

// strong is a game between two who are worth so many points each.
func (s *stage) strong(points float64, white, black storage.Person) string {
	s.t.Helper()
	for _, p := range []storage.Person{white, black} {
		s.keep(storage.Rating{Pool: storage.ServerPool("s"), Variant: "nine", Member: p.ID, Points: points, Deviation: 60, Volatility: 0.09, At: time.Now()})
	}
	return s.game(white, black)
}

// expectOnAir demands that a tv has turned to a game, in that message. Whether its board was there by then, or the link to
// it had to be added, is chance.
func (s *stage) expectOnAir(id, message string) {
	s.t.Helper()
	seen := s.screen.seen()
	if len(seen) == 0 || len(seen) > 2 || seen[0] != (mirrored{"tv", id, s.kept(id).Revision, message, false, true}) || seen[len(seen)-1].game != id {
		s.t.Errorf("got %+v, want %s in message %q", seen, id, message)
	}
}

// TestTVShowsTheBest: the strongest pair is shown, the later game of equals; when it ends its board stays as it ended,
// and the next best is shown below it.
func TestTVShowsTheBest(t *testing.T) {
	onStage(t, func(s *stage) {
		s.tunes("tv")
		s.expectSeen()
		weak := s.strong(1400, ann, ben)
		s.expectOnAir(weak, "")
		best := s.strong(1800, cai, storage.Person{ID: "4", Name: "Dov"})
		s.expectOnAir(best, "mirror 1")
		s.play(weak, "a7")
		s.expectSeen()
		s.play(best, "a7")
		s.expectSeen(mirrored{"tv", best, 3, "mirror 1", false, true})
		s.do(best, cai, match.Resign{})
		s.expectSeen(mirrored{"tv", best, 4, "mirror 1", false, false}, mirrored{"tv", weak, 3, "", false, true})
		s.do(weak, ann, match.Resign{})
		synctest.Wait()
		s.screen.seen()
		s.expectOnAir(s.game(ann, ben), "")
	})
}

// TestTVOfEquals: of equally strong pairs the last to start is shown, and nobody's practice with themselves.
func TestTVOfEquals(t *testing.T) {
	onStage(t, func(s *stage) {
		s.game(ann, ben)
		s.pass(time.Minute)
		later := s.game(ben, cai)
		s.pass(time.Minute)
		if _, err := s.app.Challenge(t.Context(), s.terms(cai, cai), nil); err != nil {
			t.Fatal(err)
		}
		s.tunes("tv")
		if kept := s.watches(); len(kept) != 1 || kept[0].Game != later || !kept[0].TV {
			t.Errorf("kept: %+v, want %s on a tv", kept, later)
		}
	})
}

// TestTVMovesAndGoes: a server's tv follows the server's wish, and there is one at most.
func TestTVMovesAndGoes(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.tunes("tv")
		s.tunes("other")
		s.expectSeen(
			mirrored{"tv", id, 2, "", false, true}, mirrored{"tv", "", 0, "mirror 1", true, false},
			mirrored{"other", id, 2, "", false, true},
		)
		s.tunes("")
		s.expectSeen(mirrored{"other", "", 0, "mirror 3", true, false})
		if kept := s.watches(); len(kept) != 0 {
			t.Errorf("kept: %+v", kept)
		}
	})
}

// TestTVTrouble: a channel that may not be written to is left alone until another game is the best; one that is gone is
// forgotten, and nothing else that the server wants.
func TestTVTrouble(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.screen.mirrorsFail(func(storage.Watch) error { return &bot.Trouble{Why: "forbidden", Err: errors.New("no")} })
		s.tunes("tv")
		s.play(id, "a7", "d7", "g7")
		s.pass(3 * time.Hour)
		if seen := s.screen.seen(); len(seen) != 1 {
			t.Errorf("%d attempts for one game, want 1", len(seen))
		}
		s.screen.mirrorsFail(func(storage.Watch) error { return &bot.Trouble{Why: "gone", Err: errors.New("deleted")} })
		s.game(cai, ben)
		s.pass(3 * time.Hour)
		if seen := s.screen.seen(); len(seen) != 1 {
			t.Errorf("%d attempts for the next, want 1", len(seen))
		}
		server, err := s.app.Settings(t.Context(), "s")
		if err != nil || server.TV != "" || !server.Threads || len(s.watches()) != 0 {
			t.Errorf("got %+v and error %v, kept %+v", server, err, s.watches())
		}
	})
}
