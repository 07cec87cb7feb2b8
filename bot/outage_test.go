package bot_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/rules"
	"kraal/storage"
)

func all(string) bool  { return true }
func none(string) bool { return false }

// TestOutage: an hour before a deadline the connection to Discord breaks for three, while the bot runs. Nobody loses, and
// both are told once.
func TestOutage(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("1d")
		s.pass(23 * time.Hour)
		s.app.Cut(0, 0, all)
		s.pass(3 * time.Hour)
		if m := s.kept(id); m.State != storage.Playing {
			t.Fatalf("%s %s while nobody could act", m.State, m.Reason)
		}
		s.app.Mend(0)
		synctest.Wait()
		m := s.kept(id)
		if want := opening.Add(27 * time.Hour); m.FlagAt.Before(want) || m.FlagAt.After(want.Add(time.Minute)) {
			t.Errorf("time is up at %v, want %v", m.FlagAt, want)
		}
		paused := slices.DeleteFunc(s.kinds(), func(k bot.NoticeKind) bool { return k != bot.NoticePause })
		if len(paused) != 1 {
			t.Errorf("told %v, want of the time given back, once", s.kinds())
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

// TestOutageElsewhere: a connection that serves other servers is no excuse.
func TestOutageElsewhere(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("1d")
		s.app.Cut(0, 0, none)
		s.pass(25 * time.Hour)
		if m := s.kept(id); m.Reason != rules.Timeout {
			t.Errorf("%s %s, want it lost on time", m.State, m.Reason)
		}
		s.app.Mend(0)
	})
}

// TestShortOutage: a session that is taken up again in seconds changes no clock, however often that happens.
func TestShortOutage(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("1d")
		due := s.kept(id).FlagAt
		for range 20 {
			s.app.Cut(0, 0, all)
			s.pass(2 * time.Second)
			s.app.Mend(0)
			s.pass(time.Second)
		}
		if m := s.kept(id); !m.FlagAt.Equal(due) || len(m.Pauses) != 0 {
			t.Errorf("time is up at %v, want %v; pauses %v", m.FlagAt, due, m.Pauses)
		}
	})
}

// TestSilenceCounts: that the server had been silent was noticed late; it counts from when it began.
func TestSilenceCounts(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("1d")
		due := s.kept(id).FlagAt
		s.pass(10 * time.Minute)
		s.app.Cut(3, time.Minute, all)
		s.pass(time.Minute)
		s.app.Mend(3)
		synctest.Wait()
		if m := s.kept(id); !m.FlagAt.Equal(due.Add(2 * time.Minute)) {
			t.Errorf("time is up at %v, want %v", m.FlagAt, due.Add(2*time.Minute))
		}
	})
}

// TestCrashInAnOutage: the process that comes after gives back the whole time, not that since the crash.
func TestCrashInAnOutage(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.race("1d")
		s.pass(23 * time.Hour)
		s.app.Cut(0, 0, all)
		s.pass(3 * time.Hour)
		s.stop()
		s.pass(time.Hour)
		s.start()
		m := s.kept(id)
		if want := opening.Add(28 * time.Hour); m.State != storage.Playing || m.FlagAt.Before(want) || m.FlagAt.After(want.Add(2*time.Minute)) {
			t.Errorf("%s, time is up at %v, want %v", m.State, m.FlagAt, want)
		}
	})
}
