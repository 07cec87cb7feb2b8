package bot_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/storage"
)

// TestPace (O26): so many challenges within a minute and no more, however many are taken back meanwhile; the refusal
// says when, and then it is possible. Others are not held up.
func TestPace(t *testing.T) {
	onStage(t, func(s *stage) {
		s.limits.ChallengesAMinute = 3
		s.stop()
		s.start()
		challenge := func(by storage.Person) (bot.Done, error) {
			return s.app.Challenge(t.Context(), s.terms(by, cai), nil)
		}
		for range 3 {
			done, err := challenge(ann)
			s.must(err)
			s.do(done.Match.ID, ann, match.Cancel{})
			s.pass(10 * time.Second)
		}
		_, err := challenge(ann)
		var pace *bot.PaceError
		if !errors.As(err, &pace) || pace.Limit != 3 || !pace.When.Equal(opening.Add(time.Minute)) {
			t.Fatalf("the fourth: %v, want to be told to wait until a minute after the first", err)
		}
		if _, err := challenge(ben); err != nil {
			t.Errorf("another member: %v", err)
		}
		s.pass(time.Until(pace.When) - time.Nanosecond)
		if _, err := challenge(ann); !errors.As(err, &pace) {
			t.Errorf("a moment before: %v", err)
		}
		s.pass(time.Nanosecond)
		if _, err := challenge(ann); err != nil {
			t.Errorf("then: %v", err)
		}
	})
}

// TestPaceOfMany (O21, O26): what is asked for in the same moment does not pass the limit together.
func TestPaceOfMany(t *testing.T) {
	onStage(t, func(s *stage) {
		s.limits.ChallengesAMinute = 3
		s.stop()
		s.start()
		kept, refused := s.atOnce(8, func(int) error {
			_, err := s.app.Challenge(t.Context(), s.terms(ann, storage.Person{}), nil)
			return err
		})
		if kept != 3 || refused != 5 {
			t.Errorf("%d challenges kept and %d refused, want 3 and 5", kept, refused)
		}
	})
}

// atOnce does things at the same time, and counts those that succeed and those that a limit refuses.
func (s *stage) atOnce(n int, do func(i int) error) (done, refused int) {
	s.t.Helper()
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	for _, err := range errs {
		var pace *bot.PaceError
		var full *bot.FullError
		switch {
		case err == nil:
			done++
		case errors.As(err, &pace), errors.As(err, &full):
			refused++
		default:
			s.t.Error(err)
		}
	}
	return done, refused
}

// TestRoom (O21): no more games are played in a channel, or a server, than its limit; that is so for challenges
// accepted in the same moment, for rematches, and for challenges made when it is full.
func TestRoom(t *testing.T) {
	for _, tt := range []struct {
		name            string
		channel, server int
	}{{"channel", 3, 0}, {"server", 0, 3}} {
		t.Run(tt.name, func(t *testing.T) {
			onStage(t, func(s *stage) {
				s.limits.GamesInChannel, s.limits.GamesInServer = tt.channel, tt.server
				s.stop()
				s.start()
				var ids []string
				for range 8 {
					done, err := s.app.Challenge(t.Context(), s.terms(ann, storage.Person{}), nil)
					s.must(err)
					ids = append(ids, done.Match.ID)
				}
				begun, refused := s.atOnce(8, func(i int) error {
					by := storage.Person{ID: fmt.Sprint("guest", i)}
					_, err := s.app.Do(t.Context(), ids[i], match.Act{By: by, Do: match.Accept{}}, nil)
					return err
				})
				if begun != 3 || refused != 5 {
					t.Fatalf("%d games begun and %d refused, want 3 and 5", begun, refused)
				}
				s.isFull(s.terms(ben, cai), tt.server > 0)
				elsewhere := s.terms(ben, cai)
				elsewhere.Channel, elsewhere.Server = "elsewhere", "elsewhere"
				if _, err := s.app.Challenge(t.Context(), elsewhere, nil); err != nil {
					t.Errorf("elsewhere: %v", err)
				}
			})
		})
	}
}

// isFull demands that a challenge be refused, with the limit named.
func (s *stage) isFull(t match.Terms, server bool) {
	s.t.Helper()
	_, err := s.app.Challenge(s.t.Context(), t, nil)
	var full *bot.FullError
	if !errors.As(err, &full) || full.Limit != 3 || full.Server != server {
		s.t.Errorf("a challenge where it is full: %v, want a limit of 3", err)
	}
}

// TestRoomForARematch: it takes a place of its own, and is refused while there is none.
func TestRoomForARematch(t *testing.T) {
	onStage(t, func(s *stage) {
		s.limits.GamesInChannel = 1
		s.stop()
		s.start()
		first := s.game(ann, ben)
		s.play(first, "a7", "d7")
		s.do(first, ann, match.Resign{})
		second := s.game(ann, cai)
		s.do(first, ann, match.Rematch{})
		var full *bot.FullError
		_, err := s.app.Do(t.Context(), first, match.Act{By: ben, Do: match.Rematch{}}, nil)
		if !errors.As(err, &full) {
			t.Errorf("a rematch where it is full: %v", err)
		}
		s.play(second, "a7", "d7")
		s.do(second, ann, match.Resign{})
		if done := s.do(first, ben, match.Rematch{}); done.New == nil {
			t.Error("no rematch although there is room again")
		}
		synctest.Wait()
	})
}

// TestChoicesTogether: what two requests choose for one member at the same time is all kept.
func TestChoicesTogether(t *testing.T) {
	onStage(t, func(s *stage) {
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				if err := s.app.Block(t.Context(), ann.ID, storage.Person{ID: fmt.Sprint("bore", i)}); err != nil {
					t.Error(err)
				}
			})
		}
		s.choose(ann, func(m *storage.Member) { m.Words = true })
		all.Wait()
		if m, err := s.app.Member(t.Context(), ann.ID); err != nil || len(m.Blocked) != 8 || !m.Words {
			t.Errorf("kept is %+v, %v, want 8 blocked and words", m, err)
		}
	})
}
