package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/storage"
)

// mirrored is one thing that was shown besides a board.
type mirrored struct {
	channel, game string
	revision      int
	message       string // that was edited; "": a new one
	over, live    bool
}

func (s *screen) Mirror(_ context.Context, m storage.Match, w storage.Watch) (storage.Watch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mirrors = append(s.mirrors, mirrored{w.Channel, m.ID, m.Revision, w.Message, w.Over, m.Live()})
	if s.mirrorErr != nil {
		if err := s.mirrorErr(w); err != nil {
			return storage.Watch{}, err
		}
	}
	if w.Message == "" {
		w.Message, w.Posted = fmt.Sprintf("mirror %d", len(s.mirrors)), time.Now().UTC()
	}
	if w.Over {
		w.Message = ""
	}
	return w, nil
}

// mirrorsFail makes what is shown besides boards fail; nil ends that.
func (s *screen) mirrorsFail(with func(storage.Watch) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mirrorErr = with
}

// seen is what was shown besides boards since it was last asked.
func (s *screen) seen() []mirrored {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.mirrors
	s.mirrors = nil
	return seen
}

func (s *stage) watch(id, channel string) bool {
	s.t.Helper()
	watched, err := s.app.Watch(s.t.Context(), s.kept(id), channel)
	s.must(err)
	synctest.Wait()
	return watched.On
}

func (s *stage) expectSeen(want ...mirrored) {
	s.t.Helper()
	synctest.Wait()
	if got := s.screen.seen(); !slices.Equal(got, want) {
		s.t.Errorf("shown besides boards:\n got %+v\nwant %+v", got, want)
	}
}

// watches lists the watches that are kept.
func (s *stage) watches() (all []storage.Watch) {
	s.t.Helper()
	s.must(s.store.View(s.t.Context(), func(r storage.Reader) error {
		hits, err := r.Range(storage.All(storage.KindWatch), "", 100)
		for _, h := range hits {
			stored, err := r.Get(h.Key)
			if err != nil {
				return err
			}
			all = append(all, stored.Record.(storage.Watch))
		}
		return err
	}))
	return all
}

// TestMirrorFollows: every turn is shown in the other channel too, over a restart, until the game has ended.
func TestMirrorFollows(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		if !s.watch(id, "market") {
			t.Fatal("not followed")
		}
		r := s.kept(id).Revision
		s.expectSeen(mirrored{"market", id, r, "", false, true})
		s.play(id, "a7")
		s.expectSeen(mirrored{"market", id, r + 1, "mirror 1", false, true})
		s.stop()
		s.start()
		s.expectSeen() // it is up to date
		s.play(id, "d7")
		s.expectSeen(mirrored{"market", id, r + 2, "mirror 1", false, true})
		s.do(id, ben, match.Resign{})
		s.expectSeen(mirrored{"market", id, r + 3, "mirror 1", false, false})
		if kept := s.watches(); len(kept) != 0 {
			t.Errorf("kept after the end: %+v", kept)
		}
		s.do(id, ann, match.Rematch{})
		s.expectSeen()
	})
}

// TestMirrorToggles: the same again ends it and takes the message away, and it can be followed once more.
func TestMirrorToggles(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		r := s.kept(id).Revision
		if on := []bool{s.watch(id, "market"), s.watch(id, "market"), s.watch(id, "market")}; !slices.Equal(on, []bool{true, false, true}) {
			t.Fatalf("followed: %v", on)
		}
		s.expectSeen(
			mirrored{"market", id, r, "", false, true}, mirrored{"market", id, r, "mirror 1", true, true},
			mirrored{"market", id, r, "", false, true},
		)
		if kept := s.watches(); len(kept) != 1 || kept[0].Over {
			t.Errorf("kept: %+v", kept)
		}
	})
}

// TestMirrorRefusals: not where the board is, not in too many channels, not when there is nothing to follow.
func TestMirrorRefusals(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		refused := func(channel string, want error) {
			t.Helper()
			if _, err := s.app.Watch(t.Context(), s.kept(id), channel); !errors.Is(err, want) {
				t.Errorf("%s: got %v, want %v", channel, err, want)
			}
		}
		refused("c", bot.ErrShownHere)
		for i := range 5 {
			s.watch(id, fmt.Sprint("market ", i))
		}
		refused("market 5", bot.ErrMirrors)
		s.watch(id, "market 2") // no more
		if !s.watch(id, "market 5") {
			t.Error("a place that became free is not used")
		}
		s.do(id, ben, match.Resign{})
		synctest.Wait()
		refused("well", match.ErrNotPlaying)
	})
}

// TestMirrorTrouble: a message or a channel that is gone ends a mirror, with one request; the game itself goes on.
func TestMirrorTrouble(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.watch(id, "market")
		s.screen.seen()
		s.screen.mirrorsFail(func(storage.Watch) error { return &bot.Trouble{Why: "gone", Err: errors.New("deleted")} })
		s.play(id, "a7", "d7")
		s.pass(time.Hour)
		if seen := s.screen.seen(); len(seen) != 1 {
			t.Errorf("%d attempts, want 1", len(seen))
		}
		if kept := s.watches(); len(kept) != 0 {
			t.Errorf("kept: %+v", kept)
		}
	})
}

// TestMirrorOutage: while Discord does not answer a mirror is tried again, ever more rarely, and shows the newest state
// alone in the end.
func TestMirrorOutage(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.watch(id, "market")
		s.screen.seen()
		s.screen.mirrorsFail(func(storage.Watch) error { return errors.New("unavailable") })
		s.play(id, "a7")
		s.pass(30 * time.Minute)
		if n := len(s.screen.seen()); n < 9 || n > 16 {
			t.Errorf("%d attempts in half an hour", n)
		}
		s.screen.mirrorsFail(nil)
		s.play(id, "d7", "g7")
		s.pass(5 * time.Minute)
		seen := s.screen.seen()
		if last := seen[len(seen)-1]; last.revision != s.kept(id).Revision {
			t.Errorf("shown at last: %+v", last)
		}
	})
}
