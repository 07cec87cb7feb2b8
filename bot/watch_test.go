package bot_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// TestTimeWithoutTheBot: an hour before a deadline the bot goes away for three. Nobody loses, and both are told once.
func TestTimeWithoutTheBot(t *testing.T) {
	onStage(t, func(s *stage) {
		id, none := s.race("1d"), s.game(ann, cai)
		s.pass(23 * time.Hour)
		s.stop()
		s.pass(3 * time.Hour)
		s.start()
		m := s.kept(id)
		if want := opening.Add(27 * time.Hour); m.FlagAt.Before(want) || m.FlagAt.After(want.Add(time.Minute)) || m.Untold() {
			t.Errorf("time is up at %v, untold %v, want %v and a minute at most", m.FlagAt, m.Untold(), want)
		}
		told := s.screen.told()
		if len(told) != 1 || told[0].kind != bot.NoticePause || told[0].game != id || told[0].to != "BenAnn" {
			t.Errorf("told %+v, want both players of one game", told)
		}
		if m := s.kept(none); len(m.Pauses) != 0 {
			t.Errorf("a game without a clock: %+v", m.Pauses)
		}
		s.stop()
		s.start()
		if told := s.screen.told(); len(told) != 0 {
			t.Errorf("told again: %+v", told)
		}
		s.pass(time.Until(m.FlagAt) - time.Nanosecond)
		if m := s.kept(id); m.State != storage.Playing {
			t.Fatalf("%s before its time", m.State)
		}
		s.pass(time.Hour)
		if m := s.kept(id); m.Reason != rules.Timeout {
			t.Errorf("%s %s, want it lost on time", m.State, m.Reason)
		}
	})
}

// TestAwayBeforeANotice: what tells both of the time given back is not replaced at once by the notice that was due.
func TestAwayBeforeANotice(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("1d")
		s.play(id, "a7")
		s.pass(10 * time.Second)
		s.stop()
		s.pass(time.Hour)
		s.start()
		s.pass(time.Hour)
		if kinds := s.kinds(); !slices.Equal(kinds, []bot.NoticeKind{bot.NoticePause}) {
			t.Errorf("told %v, want of the time given back alone", kinds)
		}
		s.play(id, "d7")
		s.pass(time.Hour)
		if kinds := s.kinds(); !slices.Equal(kinds, []bot.NoticeKind{bot.NoticePause, bot.NoticeTurn}) {
			t.Errorf("told %v, want of the next turn too", kinds)
		}
	})
}

// TestTimeIsGivenBackBeforeAnythingElse: somebody acts before the new process sweeps.
func TestTimeIsGivenBackBeforeAnythingElse(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("5+3")
		s.play(id, "a7", "d7")
		s.pass(2 * time.Minute)
		s.stop()
		s.pass(time.Hour)
		s.open()
		s.play(id, "a1")
		s.run()
		if left := s.left(id, rules.Black); left < 3*time.Minute || left > 4*time.Minute+3*time.Second {
			t.Errorf("black has %v left", left)
		}
	})
}

// left is what a side's clock showed when the turn under way began.
func (s *stage) left(id string, side rules.Side) time.Duration {
	s.t.Helper()
	table, err := match.Look(s.kept(id))
	s.must(err)
	return table.Reading().Left[side]
}

// TestShortAbsence is given back without a word.
func TestShortAbsence(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("5+3")
		s.play(id, "a7", "d7")
		s.pass(time.Minute)
		s.stop()
		s.pass(30 * time.Second)
		s.start()
		if got := s.kept(id).FlagAt; got.Before(opening.Add(5*time.Minute + 30*time.Second)) {
			t.Errorf("time is up at %v", got)
		}
		if told := s.screen.told(); len(told) != 0 {
			t.Errorf("told %+v", told)
		}
	})
}

// TestGivingBackToMany goes through more games than are looked at together, one of them damaged.
func TestGivingBackToMany(t *testing.T) {
	onStage(t, func(s *stage) {
		s.limits.Games = 200
		s.stop()
		s.start()
		var ids []string
		for range 70 {
			ids = append(ids, s.race("1d"))
		}
		s.change(ids[3], func(m *storage.Match) { m.Deeds = []storage.Deed{{Action: "castles"}} })
		s.pass(time.Minute)
		s.stop()
		s.pass(time.Hour)
		s.start()
		for i, id := range ids {
			if got := len(s.kept(id).Pauses); got != 1 && i != 3 {
				t.Errorf("game %d has %d pauses", i, got)
			}
		}
	})
}

// jumpy is the bubble's clock, ahead of which the time of day can be set.
type jumpy struct {
	mu    sync.Mutex
	ahead time.Duration
	given map[time.Time]time.Time // what was told of the time, and when that was in the bubble
}

func (j *jumpy) Now() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now().Round(0)
	j.given[now.Add(j.ahead)] = now
	return now.Add(j.ahead)
}

func (j *jumpy) Since(t time.Time) time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	return time.Since(j.given[t])
}

func (*jumpy) After(d time.Duration) <-chan time.Time { return time.After(d) }

func (j *jumpy) set(d time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ahead += d
}

// TestSystemClockJumps: a jump ahead costs nobody their time, and one back does no harm.
func TestSystemClockJumps(t *testing.T) {
	onStage(t, func(s *stage) {
		clock := &jumpy{given: map[time.Time]time.Time{}}
		s.clock = clock
		s.stop()
		s.start()
		id := s.race("5+3")
		s.play(id, "a7", "d7")
		s.pass(90 * time.Second)
		clock.set(3 * time.Hour)
		s.play(id, "a1") // before any sweep
		if left := s.left(id, rules.Black); left != 3*time.Minute+33*time.Second {
			t.Errorf("black has %v left, want 3:33", left)
		}
		s.pass(time.Second)
		if kinds := s.kinds(); !slices.Contains(kinds, bot.NoticePause) {
			t.Errorf("told %v, want of the time given back", kinds)
		}
		clock.set(-time.Hour)
		s.pass(2 * time.Minute)
		if m := s.kept(id); m.State != storage.Playing {
			t.Errorf("%s %s after a jump back", m.State, m.Reason)
		}
		clock.set(2 * time.Hour) // found by the sweep, which looks once a minute
		s.pass(70 * time.Second)
		if m := s.kept(id); m.State != storage.Playing {
			t.Errorf("%s %s after a jump that nobody acted on", m.State, m.Reason)
		}
	})
}

// TestGivenBackWhileTheBoardIsShown: the revision stays as it is, and the board that is just being shown has the old
// deadline.
func TestGivenBackWhileTheBoardIsShown(t *testing.T) {
	onStage(t, func(s *stage) {
		clock := &jumpy{given: map[time.Time]time.Time{}}
		s.clock = clock
		s.stop()
		s.start()
		id, other := s.race("1d"), s.game(ann, cai)
		release := s.screen.slow()
		s.play(id, "a7")
		synctest.Wait()
		clock.set(3 * time.Hour)
		s.do(other, cai, match.Draw{})
		release()
		s.pass(time.Second)
		s.screen.mu.Lock()
		defer s.screen.mu.Unlock()
		var last shown
		for _, one := range s.screen.shown {
			if one.game == id {
				last = one
			}
		}
		if want := s.kept(id).FlagAt; !last.flag.Equal(want) {
			t.Errorf("shown last: the deadline %v, want %v", last.flag, want)
		}
	})
}

// counting counts the signs of life that are kept.
type counting struct {
	storage.Store
	mu    sync.Mutex
	alive int
}

func (c *counting) Commit(ctx context.Context, changes storage.Changes) (storage.Versions, error) {
	for _, r := range changes.Put {
		if _, ok := r.(storage.Alive); ok {
			c.mu.Lock()
			c.alive++
			c.mu.Unlock()
		}
	}
	return c.Store.Commit(ctx, changes)
}

func (c *counting) signs() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.alive
}

// TestSignsOfLife: at most one a minute, and none while no clock runs.
func TestSignsOfLife(t *testing.T) {
	onStage(t, func(s *stage) {
		s.stop()
		store := &counting{Store: s.store}
		s.store = store
		s.start()
		s.game(ann, ben)
		s.pass(time.Hour)
		if n := store.signs(); n != 0 {
			t.Errorf("%d signs of life without a clock", n)
		}
		id := s.race("1d")
		if n := store.signs(); n != 1 {
			t.Errorf("%d signs of life when a clock starts, want one at once", n)
		}
		for i := range 30 {
			s.pass(20 * time.Second)
			s.do(id, []storage.Person{ann, ben}[i%2], match.Draw{})
			if s.kept(id).State != storage.Playing {
				break
			}
			s.change(id, func(m *storage.Match) { m.Offers = nil })
		}
		if n := store.signs(); n != 11 {
			t.Errorf("%d signs of life in ten minutes, want eleven", n)
		}
		s.do(id, ben, match.Resign{})
		s.pass(time.Hour)
		if n := store.signs(); n != 11 {
			t.Errorf("%d signs of life after the end", n)
		}
	})
}

// unreadable is a store whose signs of life cannot be read.
type unreadable struct{ storage.Store }

func (u unreadable) View(ctx context.Context, read func(storage.Reader) error) error {
	return u.Store.View(ctx, func(r storage.Reader) error { return read(unreadableSigns{r}) })
}

type unreadableSigns struct{ storage.Reader }

func (u unreadableSigns) Get(k storage.Key) (storage.Stored, error) {
	if k.Kind == storage.KindAlive {
		return storage.Stored{}, &storage.RecordError{Key: k, Err: storage.ErrDamaged}
	}
	return u.Reader.Get(k)
}

// TestUnreadableSignsOfLife: then nothing can be given back, but that ends no game.
func TestUnreadableSignsOfLife(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("1d")
		s.stop()
		s.store = unreadable{s.store}
		s.pass(time.Hour)
		s.start()
		s.play(id, "a7")
		s.pass(24 * time.Hour)
		if m := s.kept(id); m.Reason != rules.Timeout || m.Untold() {
			t.Errorf("%s %s, untold %v", m.State, m.Reason, m.Untold())
		}
	})
}

// TestBootsBeforeItKnowsTheTime: a small computer without a battery begins with the time of its last shutdown, or of years
// ago, and learns the right one a while later. Nobody loses by it.
func TestBootsBeforeItKnowsTheTime(t *testing.T) {
	for name, behind := range map[string]time.Duration{"hours": 5 * time.Hour, "years": 40 * 365 * 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			onStage(t, func(s *stage) {
				clock := &jumpy{given: map[time.Time]time.Time{}}
				s.clock = clock
				s.stop()
				s.start()
				id := s.race("1d")
				s.pass(23 * time.Hour)
				s.stop()
				s.pass(5 * time.Hour)
				clock.set(-behind)
				s.start()
				s.pass(3 * time.Minute)
				if m := s.kept(id); m.State != storage.Playing {
					t.Fatalf("%s %s while the time was wrong", m.State, m.Reason)
				}
				clock.set(behind)
				s.pass(2 * time.Minute)
				m := s.kept(id)
				if m.State != storage.Playing {
					t.Fatalf("%s %s when the time was set right", m.State, m.Reason)
				}
				// At most the turn's whole time: since when the time was wrong is not always known.
				if left := m.FlagAt.Sub(clock.Now()); left < 50*time.Minute || left > 24*time.Hour {
					t.Errorf("%v are left, want an hour at least", left)
				}
			})
		})
	}
}
