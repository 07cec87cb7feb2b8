package bot_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

var errOutage = errors.New("nobody answers")

func TestRefusedIsNeitherKeptNorTold(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		before := s.kept(id)
		for _, c := range []struct {
			by   storage.Person
			do   match.Deed
			want error
		}{
			{ann, place(t, "a7"), match.ErrNotYourTurn},
			{cai, match.Resign{}, match.ErrStranger},
			{ben, place(t, "xa7"), rules.ErrNoShotPending},
		} {
			done, err := s.app.Do(t.Context(), id, match.Act{By: c.by, Do: c.do}, nil)
			if !errors.Is(err, c.want) || done.Match.Revision != before.Revision {
				t.Errorf("%s does %T: %v, revision %d", c.by.Name, c.do, err, done.Match.Revision)
			}
		}
		if _, err := s.app.Do(t.Context(), "00000000", match.Act{By: ann, Do: match.Resign{}}, nil); !errors.Is(err, bot.ErrUnknownGame) {
			t.Errorf("a game that is not: %v", err)
		}
		synctest.Wait()
		if got := s.kept(id); got.Revision != before.Revision || len(s.screen.revisions(id)) != 0 {
			t.Errorf("revision %d, shown %v", got.Revision, s.screen.revisions(id))
		}
	})
}

// TestKeptBeforeTold has a screen that never comes to an end: Do returns all the same, and the act is kept.
func TestKeptBeforeTold(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		release := s.screen.slow()
		done := s.do(id, ben, place(t, "a7"))
		if m := s.kept(id); m.Revision != done.Match.Revision || len(m.Deeds) != 1 || !m.Untold() {
			t.Errorf("kept revision %d, %d actions, untold %v", m.Revision, len(m.Deeds), m.Untold())
		}
		synctest.Wait()
		select {
		case <-done.Told:
			t.Error("told while the screen was still at it")
		default:
		}
		release()
		<-done.Told
		if m := s.kept(id); m.Untold() || m.Shown.Message != "board of "+id || m.Shown.Revision != m.Revision {
			t.Errorf("not noted as told: %+v", m.Shown)
		}
	})
}

func TestOnlyTheNewestIsTold(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		from := s.kept(id).Revision
		release := s.screen.slow()
		first := s.do(id, ben, place(t, "a7"))
		synctest.Wait()
		var told []<-chan struct{}
		for i, text := range []string{"d7", "g7", "b6", "d6", "f6", "c5"} {
			by := []storage.Person{ann, ben}[i%2]
			told = append(told, s.do(id, by, place(t, text)).Told)
		}
		release()
		<-first.Told
		for _, each := range told {
			<-each
		}
		if got, want := s.screen.revisions(id), []int{from + 1, from + 7}; !slices.Equal(got, want) {
			t.Errorf("shown %v, want %v", got, want)
		}
	})
}

// way is a Shower that a request brings.
type way struct {
	err  error
	used int
}

func (w *way) Show(_ context.Context, m storage.Match) (storage.Shown, error) {
	w.used++
	return storage.Shown{Channel: m.Channel, Message: "by the way", Revision: m.Revision}, w.err
}

func TestTheRequestsOwnWay(t *testing.T) {
	for _, c := range []struct {
		name, message string
		err           error
		screen        int
	}{
		{"works", "by the way", nil, 0},
		{"fails", "", errOutage, 1},
		{"is in trouble", "", &bot.Trouble{Why: "gone", Err: errOutage}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			onStage(t, func(s *stage) {
				id := s.game(ann, ben)
				via := &way{err: c.err}
				done, err := s.app.Do(t.Context(), id, match.Act{By: ben, Do: place(t, "a7")}, via)
				s.must(err)
				<-done.Told
				want := c.message
				if want == "" {
					want = "board of " + id
				}
				m := s.kept(id)
				if via.used != 1 || len(s.screen.revisions(id)) != c.screen || m.Shown.Message != want || m.Shown.Trouble != "" {
					t.Errorf("its way used %d times, the screen for %v, shown %+v", via.used, s.screen.revisions(id), m.Shown)
				}
				s.play(id, "d7")
				synctest.Wait()
				if via.used != 1 {
					t.Errorf("the way of an earlier request was used again")
				}
			})
		})
	}
}

func TestTroubleEndsWithTheNextAct(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.change(id, func(m *storage.Match) { m.NoticeAt = time.Time{} })
		s.screen.failing(func(int) error { return &bot.Trouble{Why: "gone", Err: errOutage} })
		<-s.do(id, ben, place(t, "a7")).Told
		if m := s.kept(id); m.Shown.Trouble != "gone" || m.Untold() {
			t.Fatalf("trouble not noted: %+v", m.Shown)
		}
		s.pass(48 * time.Hour)
		if got := s.screen.revisions(id); len(got) != 1 {
			t.Errorf("tried %d times, want once", len(got))
		}
		s.screen.failing(nil)
		<-s.do(id, ann, place(t, "d7")).Told
		if m := s.kept(id); m.Shown.Trouble != "" || m.Shown.Revision != m.Revision {
			t.Errorf("not shown after the next act: %+v", m.Shown)
		}
	})
}

func TestAnOutageIsTriedAgainMoreAndMoreSeldom(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.change(id, func(m *storage.Match) { m.Shown.Channel = "elsewhere" })
		began := time.Now()
		s.screen.failing(func(int) error { return errOutage })
		<-s.do(id, ben, match.Draw{}).Told
		s.pass(40 * time.Minute)
		s.screen.failing(nil)
		s.pass(5 * time.Minute)
		var waits []time.Duration
		last := began
		for _, one := range s.screen.shown {
			waits = append(waits, one.at.Sub(last))
			last = one.at
		}
		want := []time.Duration{0, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second,
			32 * time.Second, 64 * time.Second, 128 * time.Second, 256 * time.Second, 5 * time.Minute, 5 * time.Minute}
		if len(waits) < len(want) || !slices.Equal(waits[:len(want)], want) {
			t.Errorf("waits %v, want at first %v", waits, want)
		}
		if m := s.kept(id); m.Untold() || m.Shown.Trouble != "" {
			t.Errorf("not told after the outage: %+v", m.Shown)
		}
		s.screen.forget()
		s.pass(time.Hour)
		if got := s.screen.revisions(id); len(got) != 0 {
			t.Errorf("told again: %v", got)
		}
	})
}

// TestWhoActsDoesNotWaitForTheNextTry: after a long outage the next try is minutes away, and somebody taps.
func TestWhoActsDoesNotWaitForTheNextTry(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.screen.failing(func(int) error { return errOutage })
		s.play(id, "a7")
		s.pass(20 * time.Minute)
		via := &way{}
		before := time.Now()
		done, err := s.app.Do(t.Context(), id, match.Act{By: ann, Do: place(t, "d7")}, via)
		s.must(err)
		<-done.Told
		if waited := time.Since(before); waited != 0 || via.used != 1 || s.kept(id).Untold() {
			t.Errorf("waited %v, own way used %d times, untold %v", waited, via.used, s.kept(id).Untold())
		}
	})
}

func TestReshow(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		before := s.kept(id)
		told, err := s.app.Reshow(t.Context(), id, "elsewhere", "")
		s.must(err)
		<-told
		m := s.kept(id)
		if m.Shown.Channel != "elsewhere" || m.Channel != "elsewhere" || m.Revision != before.Revision || m.Untold() {
			t.Errorf("shown %+v at revision %d, want elsewhere at %d", m.Shown, m.Revision, before.Revision)
		}
	})
}

// TestARepeatedRequestIsAnsweredOnce repeats requests, also one of which it was not known whether it was kept.
func TestARepeatedRequestIsAnsweredOnce(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		act := match.Act{Request: "r", By: ben, Do: place(t, "a7")}
		for i := range 3 {
			done, err := s.app.Do(t.Context(), id, act, nil)
			s.must(err)
			<-done.Told
			if done.Repeated != (i > 0) || len(done.Match.Deeds) != 1 {
				t.Errorf("time %d: repeated %v, %d actions", i+1, done.Repeated, len(done.Match.Deeds))
			}
		}
		if got := s.screen.revisions(id); len(got) != 1 {
			t.Errorf("shown %v", got)
		}
	})
}

// unsure is a store that keeps what it is given once, and then says that it does not know.
type unsure struct {
	storage.Store
	once atomic.Bool
}

func (u *unsure) Commit(ctx context.Context, c storage.Changes) (storage.Versions, error) {
	versions, err := u.Store.Commit(ctx, c)
	if u.once.CompareAndSwap(true, false) {
		return nil, errOutage
	}
	return versions, err
}

// TestKeptOrNot: the store could not say whether the act was kept. Who asks again is told that it was.
func TestKeptOrNot(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		store := &unsure{Store: s.store}
		s.app.Store = store
		store.once.Store(true)
		act := match.Act{Request: "r", By: ben, Do: place(t, "a7")}
		if _, err := s.app.Do(t.Context(), id, act, nil); !errors.Is(err, errOutage) {
			t.Fatalf("%v, want the store's answer", err)
		}
		done, err := s.app.Do(t.Context(), id, act, nil)
		if err != nil || !done.Repeated || len(s.kept(id).Deeds) != 1 {
			t.Errorf("%v, repeated %v, %d actions", err, done.Repeated, len(s.kept(id).Deeds))
		}
		synctest.Wait()
		if m := s.kept(id); m.Untold() || len(s.screen.revisions(id)) != 1 {
			t.Errorf("untold %v, shown %v", m.Untold(), s.screen.revisions(id))
		}
	})
}

// TestAPanicIsOneTryThatFailed: a match that cannot be drawn does not end the bot, nor what others play.
func TestAPanicIsOneTryThatFailed(t *testing.T) {
	onStage(t, func(s *stage) {
		id, other := s.game(ann, ben), s.game(ann, cai)
		s.screen.failing(func(attempt int) error {
			if attempt < 4 {
				panic("no such picture")
			}
			return nil
		})
		s.play(id, "a7")
		s.pass(time.Hour) // tries to show, and one to notify, among the first three
		s.play(other, "a7")
		s.pass(time.Hour)
		for _, game := range []string{id, other} {
			if m := s.kept(game); m.Untold() || !m.NoticeAt.IsZero() {
				t.Errorf("%s: untold %v, notice due at %v", game, m.Untold(), m.NoticeAt)
			}
		}
	})
}
