package bot_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kraal/bot"
	"kraal/rules"
	"kraal/storage"
)

// errFull is what a store says whose disk is full.
var errFull = errors.New("no space left")

// errorBook keeps what is logged as an error.
type errorBook struct {
	slog.Handler
	mu   sync.Mutex
	said []string
}

func (b *errorBook) Enabled(context.Context, slog.Level) bool { return true }

func (b *errorBook) Handle(_ context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.said = append(b.said, r.Message)
	}
	return nil
}

func (b *errorBook) errors() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.said)
}

// logged has a stage keep a book of errors from now on.
func (s *stage) logged() *errorBook {
	s.stop()
	book := &errorBook{Handler: slog.DiscardHandler}
	s.log = book
	s.start()
	return book
}

// TestBrokenGameIsRetriedSeldom: a game in which the engine cannot play is tried soon at first and then ever more seldom,
// is logged as an error once, keeps no other waiting, and is played as soon as it can be and something happens in it.
func TestBrokenGameIsRetriedSeldom(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		book := s.logged()
		broken := s.duel(ann, "white")
		s.change(broken, func(m *storage.Match) {
			m.Deeds = []storage.Deed{{Action: "a1a4", At: m.Started}} // which no game begins with
			m.EngineDue, m.Revision = true, m.Revision+1
		})
		s.stop()
		s.start()
		s.pass(time.Minute) // a notice, too, is due and fails
		before := book.errors()
		if before == 0 {
			t.Fatal("a record that cannot be replayed is no error")
		}
		s.pass(24 * time.Hour)
		if more := book.errors() - before; more != 0 {
			t.Errorf("in a day it was logged as an error %d times more", more)
		}
		other := s.duel(ben, "white")
		s.pass(pause)
		if got := len(s.actions(other)); got != 1 {
			t.Errorf("beside it, a game has %d actions, want the engine's", got)
		}
		s.change(broken, func(m *storage.Match) { m.Deeds = nil })
		s.pass(time.Hour + pause)
		if got := len(s.actions(broken)); got != 1 {
			t.Errorf("mended, it has %d actions, want the engine's", got)
		}
	})
}

// TestRecordThatContradictsItself: where the engine is due, and yet not to act, nobody was faster than it, and it does not
// try on and on.
func TestRecordThatContradictsItself(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		id := s.duel(ann, "black")
		s.change(id, func(m *storage.Match) { m.EngineDue, m.Revision = true, m.Revision+1 })
		s.stop()
		s.start()
		s.pass(24 * time.Hour)
		if n := len(f.questions()); n < 10 || n > 40 {
			t.Errorf("asked %d times in a day", n)
		}
		s.play(id, "a7")
		s.pass(pause)
		if got := len(s.actions(id)); got != 2 {
			t.Errorf("%d actions, want Ann's and the engine's", got)
		}
	})
}

// TestPlayerIsAskedEverMoreSeldom: a player that fails in a game is not asked about it for ever.
func TestPlayerIsAskedEverMoreSeldom(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		book := s.logged()
		f.thinks(func(*rules.Game) (bot.Choice, error) { return bot.Choice{}, errors.New("no idea") })
		id := s.duel(ann, "white")
		s.pass(24 * time.Hour)
		if n := len(f.questions()); n < 10 || n > 40 {
			t.Errorf("asked %d times in a day", n)
		}
		if n := book.errors(); n != 1 {
			t.Errorf("%d errors are logged, want 1", n)
		}
		f.thinks(nil)
		s.pass(time.Hour + pause)
		if got := len(s.actions(id)); got != 1 {
			t.Errorf("%d actions", got)
		}
	})
}

// TestStoreThatFailsIsAskedEveryMinute: when it answers again, nobody waits for the engine longer than that.
func TestStoreThatFailsIsAskedEveryMinute(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		f, full := &fake{}, atomic.Bool{}
		s.stop()
		store.commit = func(context.Context, storage.Changes) error {
			if full.Load() {
				return errFull
			}
			return nil
		}
		s.engine = bot.Engine{Player: func() bot.Player { return f }, Workers: 1, Time: 2 * time.Second}
		s.start()
		release := f.blocked()
		id := s.duel(ann, "white")
		full.Store(true)
		release()
		s.pass(6 * time.Hour)
		if got := len(s.actions(id)); got != 0 {
			t.Fatalf("%d actions are kept by a store that is full", got)
		}
		full.Store(false)
		s.pass(time.Minute)
		if got := len(s.actions(id)); got != 1 {
			t.Errorf("%d actions, want 1", got)
		}
	})
}

// TestManyGamesWaitForTheEngine: after a restart it finds them all, however many pages of them there are.
func TestManyGamesWaitForTheEngine(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		id := s.duel(ann, "black")
		s.play(id, "a7")
		s.stop()
		waiting := s.kept(id)
		waiting.Deeds, waiting.EngineDue, waiting.NoticeAt = waiting.Deeds[:1], true, time.Time{}
		var ids []string
		for i := range 450 {
			m := waiting
			m.ID, m.Revision, m.Shown.Revision = fmt.Sprintf("1000%04d", i), 2, 2
			ids = append(ids, m.ID)
			s.keep(m)
		}
		s.start()
		s.pass(time.Minute)
		for _, id := range ids {
			if n := len(s.kept(id).Deeds); n != 2 {
				t.Fatalf("%s has %d actions, want 2", id, n)
			}
		}
	})
}
