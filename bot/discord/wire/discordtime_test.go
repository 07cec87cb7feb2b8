package wire

import (
	"net/http"
	"testing"
	"time"
)

// TestAskingForTheTime: by the clock that was handed in, once a minute; sooner where Discord did not answer, and at once
// where that clock was set back.
func TestAskingForTheTime(t *testing.T) {
	now := time.Date(2026, time.May, 4, 12, 0, 0, 0, time.UTC)
	d := &discordTime{now: func() time.Time { return now }}
	ask := func(after time.Duration, want bool) {
		t.Helper()
		now = now.Add(after)
		if got := d.mayAsk(); got != want {
			t.Errorf("%v later: %v, want %v", after, got, want)
		}
	}
	ask(0, true)
	ask(askEvery-time.Second, false)
	ask(time.Second, true)
	d.unanswered()
	ask(askAgain-time.Second, false)
	ask(time.Second, true)
	ask(-5*time.Hour, true)
	ask(time.Second, false)
}

// TestTimeThatIsLearned: a clock that is far off is put right by any answer, and one that is a little off is left alone.
func TestTimeThatIsLearned(t *testing.T) {
	now := time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	d := &discordTime{now: func() time.Time { return now }}
	theirs := time.Date(2026, time.May, 4, 12, 0, 0, 0, time.UTC)
	d.learn(http.Header{"Date": {theirs.Format(http.TimeFormat)}})
	if got := d.Now(); !got.Equal(theirs) {
		t.Errorf("got %v, want %v", got, theirs)
	}
	now = theirs.Add(2 * time.Second) // it was set
	d.learn(http.Header{"Date": {theirs.Format(http.TimeFormat)}})
	if got := d.Now(); !got.Equal(now) {
		t.Errorf("got %v, want %v", got, now)
	}
	d.learn(http.Header{"Date": {"yesterday"}})
	if got := d.Now(); !got.Equal(now) {
		t.Errorf("after an answer without a time: %v", got)
	}
}
