package match

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"kraal/storage"
)

// TestPauseLaws: whatever stretches count against nobody, however they overlap, the moment when so much time has counted
// is the one up to which so much has counted.
func TestPauseLaws(t *testing.T) {
	start := time.Date(2026, time.May, 4, 12, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		second := func(label string, least int) time.Duration {
			return time.Duration(rapid.IntRange(least, 100).Draw(t, label)) * time.Second
		}
		var p pauses
		covered := map[int]bool{} // seconds after the start, looked at one by one
		for range rapid.IntRange(0, 6).Draw(t, "pauses") {
			from, d := second("from", -20), second("length", 0)
			p = append(p, storage.Pause{From: start.Add(from), To: start.Add(from + d)})
			for s := from; s < from+d; s += time.Second {
				covered[int(s/time.Second)] = true
			}
		}
		still, want := p.merged(), second("time", 0)
		end := still.after(start, want)
		if got := still.running(start, end); got != want {
			t.Fatalf("%v until %v, of which %v counts: %v", want, end.Sub(start), got, still)
		}
		counts := time.Duration(0)
		for s := range int(end.Sub(start) / time.Second) {
			if !covered[s] {
				counts += time.Second
			}
		}
		if counts != want {
			t.Fatalf("%v until %v, of which second by second %v counts: %v", want, end.Sub(start), counts, still)
		}
		if again := still.merged(); len(again) != len(still) {
			t.Fatalf("merged twice: %v and %v", still, again)
		}
	})
}
