package storage_test

import (
	"testing"
	"time"

	"kraal/storage"
)

// TestDue: whatever comes first is what a match waits for.
func TestDue(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, time.March, 1, 12, minute, 0, 0, time.UTC) }
	pause := func(minute int, untold bool) []storage.Pause {
		return []storage.Pause{{To: at(50)}, {To: at(minute), Untold: untold}}
	}
	for _, c := range []struct {
		name string
		m    storage.Match
		want time.Time
	}{
		{"nothing", storage.Match{State: storage.Playing}, time.Time{}},
		{"a challenge", storage.Match{State: storage.Challenged, Expires: at(1), FlagAt: at(0)}, at(1)},
		{"a notice alone", storage.Match{State: storage.Playing, NoticeAt: at(1)}, at(1)},
		{"a clock alone", storage.Match{State: storage.Playing, FlagAt: at(1)}, at(1)},
		{"a warning alone", storage.Match{State: storage.Playing, WarnAt: at(1)}, at(1)},
		{"a pause alone", storage.Match{State: storage.Playing, Pauses: pause(1, true)}, at(1)},
		{"a pause that was told of", storage.Match{State: storage.Playing, Pauses: pause(1, false)}, time.Time{}},
		{"a notice first", storage.Match{State: storage.Playing, NoticeAt: at(1), WarnAt: at(2), FlagAt: at(3)}, at(1)},
		{"a warning first", storage.Match{State: storage.Playing, NoticeAt: at(3), WarnAt: at(1), FlagAt: at(2)}, at(1)},
		{"a clock first", storage.Match{State: storage.Playing, NoticeAt: at(2), WarnAt: at(3), FlagAt: at(1)}, at(1)},
		{"a pause first", storage.Match{State: storage.Playing, NoticeAt: at(2), FlagAt: at(3), Pauses: pause(1, true)}, at(1)},
	} {
		if got := c.m.Due(); !got.Equal(c.want) {
			t.Errorf("%s: due at %v, want %v", c.name, got, c.want)
		}
	}
}

// TestTicking: a clock runs only in a game in play.
func TestTicking(t *testing.T) {
	flag := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		m    storage.Match
		want bool
	}{
		{storage.Match{State: storage.Playing, FlagAt: flag}, true},
		{storage.Match{State: storage.Playing}, false},
		{storage.Match{State: storage.Finished, FlagAt: flag}, false},
	} {
		if got := c.m.Ticking(); got != c.want {
			t.Errorf("%s, flag at %v: ticking %v, want %v", c.m.State, c.m.FlagAt, got, c.want)
		}
	}
}

// TestThinking: the engine has something to do only in a game in play.
func TestThinking(t *testing.T) {
	for _, c := range []struct {
		m    storage.Match
		want bool
	}{
		{storage.Match{State: storage.Playing, EngineDue: true}, true},
		{storage.Match{State: storage.Playing}, false},
		{storage.Match{State: storage.Finished, EngineDue: true}, false},
	} {
		if got := c.m.Thinking(); got != c.want {
			t.Errorf("%s, due %v: thinking %v, want %v", c.m.State, c.m.EngineDue, got, c.want)
		}
	}
}
