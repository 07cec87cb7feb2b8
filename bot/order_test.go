package bot_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// TestANoticeWaitsForItsBoard: it links to the board, so while that cannot be shown nobody is led to an old one.
func TestANoticeWaitsForItsBoard(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		release := s.screen.slow()
		s.play(id, "a7")
		s.pass(19 * time.Second) // the notice has been due for 4 s, the try to show has one left
		if told := s.screen.told(); len(told) != 0 {
			t.Errorf("told %v with an old board in sight", told)
		}
		release()
		synctest.Wait()
		if told := s.screen.told(); len(told) != 1 || s.kept(id).Untold() {
			t.Errorf("told %v after the board was shown, want once, at once", told)
		}
	})
}

// TestNoticeWhereNoBoardCanBe: with the board in trouble for good nothing is waited for.
func TestNoticeWhereNoBoardCanBe(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.screen.failing(func(attempt int) error {
			if attempt == 1 {
				return &bot.Trouble{Why: "gone", Err: errOutage}
			}
			return nil
		})
		s.play(id, "a7")
		s.pass(15 * time.Second)
		if told := s.screen.told(); len(told) != 1 {
			t.Errorf("told %v, want once", told)
		}
	})
}

// TestAskedToShowAnewWhileShowing: what came of the older attempt is not the answer to /board.
func TestAskedToShowAnewWhileShowing(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		release := s.screen.slow()
		s.play(id, "a7")
		synctest.Wait()
		told, err := s.app.Reshow(s.t.Context(), id, "elsewhere", "")
		s.must(err)
		release()
		<-told
		m := s.kept(id)
		if m.Shown.Channel != "elsewhere" || m.Untold() {
			t.Errorf("shown %+v", m.Shown)
		}
		if got, want := s.screen.revisions(id), []int{m.Revision, m.Revision}; !slices.Equal(got, want) {
			t.Errorf("shown at %v, want %v", got, want)
		}
	})
}

// TestTroubleOfAnOlderState: somebody acts while an attempt is on its way into trouble. Their act is tried all the same.
func TestTroubleOfAnOlderState(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.screen.failing(func(attempt int) error {
			if attempt == 1 {
				return &bot.Trouble{Why: "forbidden", Err: errOutage}
			}
			return nil
		})
		release := s.screen.slow()
		s.play(id, "a7")
		synctest.Wait()
		s.play(id, "d7")
		release()
		synctest.Wait()
		if m := s.kept(id); m.Shown.Trouble != "" || m.Shown.Revision != m.Revision {
			t.Errorf("at revision %d shown %+v", m.Revision, m.Shown)
		}
	})
}

// TestManyChallengesAtOnce: the limit holds however close together they come.
func TestManyChallengesAtOnce(t *testing.T) {
	onStage(t, func(s *stage) {
		var kept, refused atomic.Int32
		var all sync.WaitGroup
		for range s.limits.Games + 10 {
			all.Go(func() {
				if _, err := s.app.Challenge(s.t.Context(), s.terms(ann, ben), nil); err != nil {
					refused.Add(1)
					return
				}
				kept.Add(1)
			})
		}
		all.Wait()
		synctest.Wait()
		if got := int(kept.Load()); got != s.limits.Games || s.count(storage.KindMatch) != got || refused.Load() != 10 {
			t.Errorf("%d kept, %d refused, the limit is %d", got, refused.Load(), s.limits.Games)
		}
	})
}

// TestManyAcceptedAtOnce: nor does accepting in one moment lead beyond it. What is refused goes on waiting.
func TestManyAcceptedAtOnce(t *testing.T) {
	onStage(t, func(s *stage) {
		var ids []string
		for n := range s.limits.Games + 5 {
			done, err := s.app.Challenge(s.t.Context(), s.terms(storage.Person{ID: strconv.Itoa(100 + n)}, storage.Person{}), nil)
			s.must(err)
			ids = append(ids, done.Match.ID)
		}
		var all sync.WaitGroup
		for _, id := range ids {
			all.Go(func() {
				_, err := s.app.Do(s.t.Context(), id, match.Act{By: ann, Do: match.Accept{}}, nil)
				var busy *bot.BusyError
				if err != nil && !errors.As(err, &busy) {
					s.t.Error(err)
				}
			})
		}
		all.Wait()
		synctest.Wait()
		states := map[storage.State]int{}
		for _, id := range ids {
			states[s.kept(id).State]++
		}
		if states[storage.Playing] != s.limits.Games || states[storage.Challenged] != 5 {
			t.Errorf("%v, the limit is %d", states, s.limits.Games)
		}
	})
}

// TestARepeatedChallengeIsOne: one request that arrives many times is one challenge.
func TestARepeatedChallengeIsOne(t *testing.T) {
	onStage(t, func(s *stage) {
		terms := s.terms(ann, ben)
		terms.Request = "r"
		var all sync.WaitGroup
		var first atomic.Int32
		for range crowd {
			all.Go(func() {
				done, err := s.app.Challenge(s.t.Context(), terms, nil)
				if err != nil {
					s.t.Error(err)
				}
				if !done.Repeated {
					first.Add(1)
				}
				<-done.Told
			})
		}
		all.Wait()
		synctest.Wait()
		if first.Load() != 1 || s.count(storage.KindMatch) != 1 {
			t.Errorf("%d of them were new, %d are kept", first.Load(), s.count(storage.KindMatch))
		}
	})
}

// TestBothPressRematch: one of the presses offers, one of the other's agrees, and there is one new match.
func TestBothPressRematch(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.play(id, "a7", "d7")
		s.do(id, ann, match.Resign{})
		done := rush(s, id, func(n int) match.Act {
			return match.Act{By: []storage.Person{ann, ben}[n%2], Do: match.Rematch{}}
		}, match.ErrOffered, match.ErrRematched)
		m := s.kept(id)
		if done != 2 || s.count(storage.KindMatch) != 2 || s.kept(m.Next).Last != id || s.kept(m.Next).Untold() {
			t.Errorf("%d succeeded, %d matches are kept, next %q", done, s.count(storage.KindMatch), m.Next)
		}
	})
}

// TestChallengeIsShownByItsOwnAnswer: the answer to the command is the board message.
func TestChallengeIsShownByItsOwnAnswer(t *testing.T) {
	onStage(t, func(s *stage) {
		via := &way{}
		done, err := s.app.Challenge(s.t.Context(), s.terms(ann, ben), via)
		s.must(err)
		<-done.Told
		id := done.Match.ID
		if m := s.kept(id); via.used != 1 || len(s.screen.revisions(id)) != 0 || m.Untold() {
			t.Errorf("own way used %d times, the screen for %v", via.used, s.screen.revisions(id))
		}
	})
}

// TestRestartBetweenAnyTwoActions plays a game with two shots in a turn, and each action with a bot of its own.
func TestRestartBetweenAnyTwoActions(t *testing.T) {
	onStage(t, func(s *stage) {
		terms := s.terms(ann, ben)
		terms.Variant, _ = rules.Lookup("koti")
		done, err := s.app.Challenge(s.t.Context(), terms, nil)
		s.must(err)
		id := done.Match.ID
		s.do(id, ben, match.Accept{})
		g := rules.NewGame(terms.Variant)
		for _, text := range []string{"a7", "b4", "d7", "e4", "g4", "d5", "g1", "c3", "g7", "xb4", "xe4", "b2"} {
			synctest.Wait()
			s.stop()
			s.start()
			s.play(id, text)
			s.must(g.Play(place(t, text).Action))
			table, err := match.Look(s.kept(id))
			s.must(err)
			if got, want := table.Game.Position(), g.Position(); got != want {
				t.Fatalf("after %s\n got %s\nwant %s", text, got, want)
			}
		}
	})
}

// TestAddressees: a notice is for whoever has to act, or, at the end, for whoever did not bring it about.
func TestAddressees(t *testing.T) {
	onStage(t, func(s *stage) {
		addressee := func(id string) string {
			t.Helper()
			table, err := match.Look(s.kept(id))
			s.must(err)
			kind := bot.NoticeTurn
			if table.Match.State == storage.Finished {
				kind = bot.NoticeEnd
			}
			return s.kept(id).Seats[bot.Addressees(table, kind)[0]].Name
		}
		id := s.game(ann, ben) // Ben, black, begins
		if got := addressee(id); got != "Ben" {
			t.Errorf("at the opening %s, want Ben", got)
		}
		s.play(id, "a7")
		if got := addressee(id); got != "Ann" {
			t.Errorf("after Ben's turn %s, want Ann", got)
		}
		s.do(id, ben, match.Resign{})
		if got := addressee(id); got != "Ann" {
			t.Errorf("after Ben resigned %s, want Ann", got)
		}
		for _, offers := range [][2]storage.Person{{ann, ben}, {ben, ann}} {
			id = s.game(ann, ben)
			s.play(id, "a7", "d7")
			s.do(id, offers[0], match.Draw{})
			s.do(id, offers[1], match.Draw{})
			if got := addressee(id); got != offers[0].Name {
				t.Errorf("after %s agreed to %s's draw %s", offers[1].Name, offers[0].Name, got)
			}
		}
		id = s.game(ann, ben)
		s.change(id, func(m *storage.Match) { m.Position = "w../w.b/b../.b..w./.../bw./... b 0,0 0 99,0 -,-" })
		s.play(id, "c5-d5")
		if m := s.kept(id); m.Reason != rules.NoShotDraw || addressee(id) != "Ann" {
			t.Errorf("after Ben's last move, %s: %s, want Ann", m.Reason, addressee(id))
		}
	})
}

// TestSlowScreensHoldUpNoOther: a match that takes its time to be shown delays neither others nor what falls due.
func TestSlowScreensHoldUpNoOther(t *testing.T) {
	onStage(t, func(s *stage) {
		slow, quick := s.game(ann, ben), s.game(ann, cai)
		via := &stuck{until: make(chan struct{})}
		done, err := s.app.Do(s.t.Context(), slow, match.Act{By: ben, Do: place(t, "a7")}, via)
		s.must(err)
		s.play(quick, "a7")
		s.pass(15 * time.Second)
		if s.kept(quick).Untold() || len(s.screen.told()) != 1 {
			t.Errorf("untold %v, notices %v", s.kept(quick).Untold(), s.screen.told())
		}
		s.pass(5 * time.Second) // the slow one's time is over, and the screen is used
		<-done.Told
		if s.kept(slow).Untold() {
			t.Error("not shown by the screen either")
		}
	})
}

// stuck is a way that leads nowhere until its time is over.
type stuck struct{ until chan struct{} }

func (s *stuck) Show(ctx context.Context, _ storage.Match) (storage.Shown, error) {
	select {
	case <-s.until:
	case <-ctx.Done():
	}
	return storage.Shown{}, errOutage
}
