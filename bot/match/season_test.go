package match_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"kraal/bot/match"
	"kraal/storage"
)

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// TestSeasonsFollowTheCalendar: the first begins when it is chosen, each ends with its stretch of the calendar in UTC, and
// numbers count up.
func TestSeasonsFollowTheCalendar(t *testing.T) {
	began := time.Date(2026, time.February, 27, 23, 30, 0, 0, time.FixedZone("late", -2*60*60)) // the 28th in UTC
	for length, want := range map[storage.SeasonLength][3]time.Time{
		storage.SeasonMonth:    {day(2026, 3, 1), day(2026, 4, 1), day(2026, 5, 1)},
		storage.SeasonQuarter:  {day(2026, 4, 1), day(2026, 7, 1), day(2026, 10, 1)},
		storage.SeasonHalfYear: {day(2026, 7, 1), day(2027, 1, 1), day(2027, 7, 1)},
		storage.SeasonYear:     {day(2027, 1, 1), day(2028, 1, 1), day(2029, 1, 1)},
	} {
		s := match.WithLength(storage.Seasons{Games: 7, Role: "r"}, length, began)
		if s.Number != 1 || !s.From.Equal(began) || s.From.Location() != time.UTC {
			t.Errorf("%s: the first is %+v", length, s)
		}
		for i, end := range want {
			if s.Number != i+1 || !s.To.Equal(end) || s.Games != 7 || s.Role != "r" {
				t.Errorf("%s: number %d is %+v, want its end at %v", length, i+1, s, end)
			}
			next := match.NextSeason(s)
			if !next.From.Equal(s.To) {
				t.Errorf("%s: number %d begins at %v, want %v", length, next.Number, next.From, s.To)
			}
			s = next
		}
	}
}

// TestLengthChanges: what becomes of the season under way.
func TestLengthChanges(t *testing.T) {
	now := day(2026, 5, 20)
	under := storage.Seasons{Length: storage.SeasonYear, Number: 4, From: day(2026, 1, 1), To: day(2027, 1, 1)}
	shorter := match.WithLength(under, storage.SeasonMonth, now)
	if shorter.Number != 4 || !shorter.From.Equal(under.From) || !shorter.To.Equal(day(2026, 6, 1)) {
		t.Errorf("shorter: %+v", shorter)
	}
	last := match.WithLength(under, "", now)
	if last.Number != 4 || !last.To.Equal(under.To) {
		t.Errorf("off: %+v", last)
	}
	none := match.NextSeason(last)
	if none.Number != 4 || !none.To.IsZero() || !none.From.IsZero() {
		t.Errorf("after the last: %+v", none)
	}
	if _, ok := match.SeasonAt(none, now); ok {
		t.Error("there is a season after the last")
	}
	if again := match.WithLength(none, storage.SeasonMonth, now); again.Number != 5 {
		t.Errorf("on again: %+v", again)
	}
	due := under
	due.To = now
	if late := match.WithLength(due, storage.SeasonMonth, now); !late.To.Equal(now) {
		t.Errorf("one that has ended, and is not closed yet, goes on until %v", late.To)
	}
}

// TestSeasonAt: a moment is of the same season whether those before it have been closed or not.
func TestSeasonAt(t *testing.T) {
	lengths := []storage.SeasonLength{storage.SeasonMonth, storage.SeasonQuarter, storage.SeasonHalfYear, storage.SeasonYear}
	rapid.Check(t, func(t *rapid.T) {
		minutes := func(label string) time.Duration {
			return time.Duration(rapid.IntRange(0, 5*365*24*60).Draw(t, label)) * time.Minute
		}
		began := noon.Add(minutes("began"))
		s := match.WithLength(storage.Seasons{}, rapid.SampledFrom(lengths).Draw(t, "length"), began)
		at := began.Add(minutes("later"))
		want, ok := match.SeasonAt(s, at)
		if !ok || at.Before(want.From) || !at.Before(want.To) {
			t.Fatalf("at %v the season is %+v, %v", at, want, ok)
		}
		for !at.Before(s.To) {
			s = match.NextSeason(s)
			if got, ok := match.SeasonAt(s, at); !ok || got != want {
				t.Fatalf("with %d closed, at %v the season is %+v, want %+v", s.Number-1, at, got, want)
			}
		}
		if _, ok := match.SeasonAt(s, s.From.Add(-1)); ok {
			t.Fatal("a moment before the season under way is in it")
		}
	})
}
