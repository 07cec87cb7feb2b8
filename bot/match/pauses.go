package match

import (
	"slices"
	"time"

	"kraal/storage"
)

// pauses are stretches that count against nobody. One that lasts ends nowhere.
type pauses []storage.Pause

// merged gives the same stretches in their order, without overlaps: what several pauses cover counts once.
func (p pauses) merged() pauses {
	sorted := slices.Clone(p)
	slices.SortStableFunc(sorted, func(a, b storage.Pause) int { return a.From.Compare(b.From) })
	var out pauses
	for _, next := range sorted {
		n := len(out)
		switch {
		case n > 0 && out[n-1].To.IsZero():
			return out
		case n == 0 || next.From.After(out[n-1].To):
			out = append(out, next)
		case next.To.IsZero() || next.To.After(out[n-1].To):
			out[n-1].To = next.To
		}
	}
	return out
}

// running is how much of the time between two moments counts; p is merged. It is never below zero, even where the later
// moment is the earlier one because somebody set the system's clock back.
func (p pauses) running(from, to time.Time) time.Duration {
	if !from.Before(to) {
		return 0
	}
	counts := to.Sub(from)
	for _, pause := range p {
		begin, end := later(pause.From, from), pause.To
		if end.IsZero() || end.After(to) {
			end = to
		}
		counts -= max(0, end.Sub(begin))
	}
	return counts
}

// after is when so much time has counted since a moment; p is merged, and none of it lasts.
func (p pauses) after(from time.Time, d time.Duration) time.Time {
	at := from.Add(d)
	for _, pause := range p {
		if pause.From.Before(at) {
			at = at.Add(max(0, pause.To.Sub(later(pause.From, from))))
		}
	}
	return at
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
