package bot_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/bot/rating"
	"kraal/storage"
	"kraal/storage/storagetest"
)

// trouble is a store in which things go wrong, as a test wants.
type trouble struct {
	storage.Store
	view   atomic.Pointer[error] // what View answers
	damage atomic.Pointer[storage.Key]
	commit func(ctx context.Context, c storage.Changes) error // asked before each Commit; set before anyone commits
}

func (s *trouble) View(ctx context.Context, read func(storage.Reader) error) error {
	if err := s.view.Load(); err != nil {
		return *err
	}
	return s.Store.View(ctx, func(r storage.Reader) error { return read(damaged{r, s.damage.Load()}) })
}

func (s *trouble) Commit(ctx context.Context, c storage.Changes) (storage.Versions, error) {
	if s.commit != nil {
		if err := s.commit(ctx, c); err != nil {
			return nil, err
		}
	}
	return s.Store.Commit(ctx, c)
}

// damaged is a Reader of a store in which one record cannot be read.
type damaged struct {
	storage.Reader
	key *storage.Key
}

func (d damaged) Get(k storage.Key) (storage.Stored, error) {
	if d.key != nil && *d.key == k {
		return storage.Stored{}, &storage.RecordError{Key: k, Err: storage.ErrDamaged}
	}
	return d.Reader.Get(k)
}

// onTrouble runs a test with an App on such a store.
func onTrouble(t *testing.T, test func(*stage, *trouble)) {
	t.Helper()
	onStage(t, func(s *stage) {
		s.stop()
		store := &trouble{Store: s.store}
		s.store = store
		s.start()
		test(s, store)
	})
}

// TestAnUnreadableRecordHidesNoOther: in lists, in what is due, in what is untold, and on a leaderboard.
func TestAnUnreadableRecordHidesNoOther(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		bad, good := s.game(ann, ben), s.game(ann, ben)
		key := storage.MatchKey(bad)
		store.damage.Store(&key)
		if mine, err := s.app.Mine(s.t.Context(), ann.ID); err != nil || len(mine) != 1 || mine[0].ID != good {
			t.Errorf("hers: %d, %v", len(mine), err)
		}
		if here, err := s.app.InServer(s.t.Context(), "s"); err != nil || len(here) != 1 || here[0].ID != good {
			t.Errorf("in the server: %d, %v", len(here), err)
		}
		if found, err := s.app.Find(s.t.Context(), bot.Asker{Member: ann.ID, Server: "s", Channel: "c"}, ""); err != nil || found.ID != good {
			t.Errorf("found %q, %v", found.ID, err)
		}
		s.play(good, "a7")
		s.pass(time.Minute)
		if told := s.screen.told(); len(told) != 1 || told[0].game != good {
			t.Errorf("told %v, want of %s alone", told, good)
		}
		s.keep(kept("eve", 1600, 60), kept("dan", 1500, 60))
		key = kept("eve", 0, 0).Key()
		store.damage.Store(&key)
		if got := places(s.board(storage.ServerPool("s")).Rows); len(got) != 1 || got[0] != "2 dan" {
			t.Errorf("ranked %v, want dan below one who cannot be read", got)
		}
		none := storage.Key{}
		store.damage.Store(&none)
	})
}

// TestAStoreThatPausesIsAskedAgain: what fell due while nothing could be read is done a little later.
func TestAStoreThatPausesIsAskedAgain(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		id := s.game(ann, ben)
		store.view.Store(&errOutage)
		s.pass(30 * time.Minute)
		if told := s.screen.told(); len(told) != 0 {
			t.Errorf("told %v with nothing to read", told)
		}
		store.view.Store(nil)
		s.pass(time.Minute)
		if told := s.screen.told(); len(told) != 1 || told[0].game != id {
			t.Errorf("told %v, want of %s", told, id)
		}
	})
}

// TestABrokenStoreEndsRun: nothing more can be kept or read, and whoever runs the bot has to know.
func TestABrokenStoreEndsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &trouble{Store: storagetest.Memory()}
		app := bot.New(bot.Config{
			Store: store, Clock: bot.SystemClock{}, Random: rand.IntN, Log: slog.New(slog.DiscardHandler),
			Ratings: rating.Standard(), Limits: bot.DefaultLimits(),
		})
		ended := make(chan error, 1)
		go func() { ended <- app.Run(t.Context(), &screen{t: t, store: store}) }()
		synctest.Wait()
		broken := error(&storage.BrokenError{Err: errOutage})
		store.view.Store(&broken)
		began := time.Now()
		if err := <-ended; !errors.Is(err, storage.ErrBroken) {
			t.Errorf("Run: %v", err)
		}
		if waited := time.Since(began); waited > time.Hour {
			t.Errorf("it took %v to notice", waited)
		}
	})
}

// TestConflictsAreNotTriedForEver: a store that always says that somebody was faster is not believed for ever.
func TestConflictsAreNotTriedForEver(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		id := s.game(ann, ben)
		s.stop()
		commits := 0
		store.commit = func(_ context.Context, c storage.Changes) error {
			if len(c.Expect) == 0 || c.Expect[0].Key != storage.MatchKey(id) {
				return nil
			}
			commits++
			return &storage.ConflictError{Key: c.Expect[0].Key}
		}
		s.start()
		_, err := s.app.Do(s.t.Context(), id, match.Act{By: ben, Do: place(t, "a7")}, nil)
		if !errors.Is(err, storage.ErrConflict) || commits < 2 || commits > 20 {
			t.Errorf("%v after %d commits", err, commits)
		}
		synctest.Wait()
		if got := s.screen.revisions(id); len(got) != 0 {
			t.Errorf("told what was never kept: %v", got)
		}
	})
}

// TestWhoGoesAwayLeavesNothingHalfDone: the request ends while its act is being kept.
func TestWhoGoesAwayLeavesNothingHalfDone(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		id := s.game(ann, ben)
		ctx, cancel := context.WithCancel(s.t.Context())
		s.stop()
		store.commit = func(ctx context.Context, _ storage.Changes) error {
			cancel()
			return ctx.Err()
		}
		s.start()
		if _, err := s.app.Do(ctx, id, match.Act{By: ben, Do: place(t, "a7")}, nil); err != nil {
			t.Errorf("not kept: %v", err)
		}
		synctest.Wait()
		if m := s.kept(id); len(m.Deeds) != 1 || m.Untold() {
			t.Errorf("%d actions, untold %v", len(m.Deeds), m.Untold())
		}
	})
}

// TestAfterTheEnd: what is done while the process ends is kept, and told by the next.
func TestAfterTheEnd(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.stop()
		<-s.do(id, ben, place(t, "a7")).Told
		if got := s.screen.revisions(id); len(got) != 0 || !s.kept(id).Untold() {
			t.Errorf("shown %v by an App that has ended", got)
		}
		s.start()
		if got := s.screen.revisions(id); len(got) != 1 || s.kept(id).Untold() {
			t.Errorf("the next App has shown %v", got)
		}
	})
}
