package bot_test

import (
	"errors"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/storage"
)

// TestNotice: who has not acted after a while is told, once; the next notice takes the place of the last.
func TestNotice(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.pass(14 * time.Second)
		if told := s.screen.told(); len(told) != 0 {
			t.Errorf("told too early: %v", told)
		}
		s.pass(time.Second)
		s.pass(24 * time.Hour)
		told := s.screen.told()
		if len(told) != 1 || !told[0].at.Equal(opening.Add(15*time.Second)) || told[0].actions != 0 || told[0].replaces != "" {
			t.Fatalf("told %+v, want once, 15 s after the beginning", told)
		}
		s.play(id, "a7", "d7") // both at once: neither has to be told of the first
		s.pass(time.Hour)
		told = s.screen.told()
		if len(told) != 2 || told[1].actions != 2 || told[1].replaces != "notice 1" {
			t.Fatalf("told %+v, want once more, of the second action", told)
		}
		if m := s.kept(id); m.Shown.Notice != "notice 2" || !m.NoticeAt.IsZero() {
			t.Errorf("noted %q, next at %v", m.Shown.Notice, m.NoticeAt)
		}
	})
}

func TestNoticeIsNotForWhoeverGoesOn(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.play(id, "a7", "a1", "d7", "d1", "g7") // black has closed a mill and is to shoot
		s.pass(time.Hour)
		if told := s.screen.told(); len(told) != 0 {
			t.Errorf("told to shoot: %v", told)
		}
		s.play(id, "xa1")
		s.pass(time.Hour)
		if told := s.screen.told(); len(told) != 1 {
			t.Errorf("told %v, want white once", told)
		}
	})
}

func TestQuietMember(t *testing.T) {
	onStage(t, func(s *stage) {
		s.choose(ben, func(m *storage.Member) { m.Quiet = true })
		id := s.game(ann, ben)
		s.pass(time.Minute)
		s.play(id, "a7")
		s.pass(time.Minute)
		told := s.screen.told()
		if len(told) != 2 || !told[0].quiet || told[1].quiet {
			t.Fatalf("told %+v, want Ben quietly, then Ann", told)
		}
		s.choose(ben, func(m *storage.Member) { m.Quiet = false })
		s.play(id, "d7")
		s.pass(time.Minute)
		if told := s.screen.told(); len(told) != 3 || told[2].quiet {
			t.Errorf("told %+v, want Ben again", told)
		}
	})
}

func TestNoticeOfTheEnd(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		s.play(id, "a7", "d7")
		s.do(id, ben, match.Resign{})
		s.pass(0)
		told := s.screen.told()
		if len(told) != 1 || !told[0].over {
			t.Fatalf("told %+v, want of the end, at once", told)
		}
		s.pass(time.Hour)
		if again := s.screen.told(); len(again) != 1 {
			t.Errorf("told again: %+v", again)
		}
	})
}

func TestANoticeThatFailsIsTriedAgain(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want int
	}{
		{"an outage", errOutage, 1},
		{"trouble", &bot.Trouble{Why: "gone", Err: errOutage}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			onStage(t, func(s *stage) {
				id := s.game(ann, ben)
				s.screen.failing(func(attempt int) error {
					if attempt > 2 {
						return nil
					}
					return c.err
				})
				s.pass(time.Hour)
				if told := s.screen.told(); len(told) != c.want {
					t.Errorf("told %v, want %d", told, c.want)
				}
				if m := s.kept(id); !m.NoticeAt.IsZero() {
					t.Errorf("still due at %v", m.NoticeAt)
				}
			})
		})
	}
}

func TestChallengeExpires(t *testing.T) {
	onStage(t, func(s *stage) {
		done, err := s.app.Challenge(t.Context(), s.terms(ann, ben), nil)
		s.must(err)
		s.pass(24*time.Hour - time.Nanosecond)
		if m := s.kept(done.Match.ID); m.State != storage.Challenged {
			t.Fatalf("%s before its time", m.State)
		}
		s.pass(time.Nanosecond)
		m := s.kept(done.Match.ID)
		if m.State != storage.Withdrawn || m.Ending != storage.Expired || m.Untold() {
			t.Errorf("%s %s, untold %v", m.State, m.Ending, m.Untold())
		}
		_, err = s.app.Do(t.Context(), m.ID, match.Act{By: ben, Do: match.Accept{}}, nil)
		if !errors.Is(err, match.ErrNotWaiting) {
			t.Errorf("accepted afterwards: %v", err)
		}
	})
}

// TestADamagedGameStopsNoOther: a record that cannot be replayed is due for ever. The sweep once tried it without a pause,
// and did nothing else.
func TestADamagedGameStopsNoOther(t *testing.T) {
	onStage(t, func(s *stage) {
		bad, good := s.game(ann, ben), s.game(ann, cai)
		s.change(bad, func(m *storage.Match) { m.Deeds = []storage.Deed{{Action: "castles"}} })
		s.pass(10 * time.Minute)
		s.play(good, "a7")
		s.pass(time.Minute)
		told := s.screen.told()
		if len(told) != 2 || told[0].game != good || told[1].game != good {
			t.Errorf("told %+v, want two notices of %s", told, good)
		}
	})
}
