package match

import (
	"time"

	"kraal/storage"
)

// SeasonAt is what a server's seasons are when the one of that moment is under way, whether those before it have been
// closed or not: who settles a game needs to wait for nobody who closes seasons. ok is false where there is none then.
func SeasonAt(s storage.Seasons, at time.Time) (under storage.Seasons, ok bool) {
	for !s.To.IsZero() && !at.Before(s.To) {
		s = NextSeason(s)
	}
	return s, !s.To.IsZero() && !at.Before(s.From)
}

// NextSeason is what a server's seasons are when the one under way has ended: the next has begun with its end, or there is
// none any more.
func NextSeason(s storage.Seasons) storage.Seasons {
	s.From = s.To
	if s.To = seasonEnd(s.Length, s.From); s.To.IsZero() {
		s.From = time.Time{}
		return s
	}
	s.Number++
	return s
}

// WithLength is what a server's seasons are when their length has been chosen. Where none is under way, one begins. One
// that is ends with the stretch of the calendar that the new length makes of it; with none it is played to its end, and
// is the last.
func WithLength(s storage.Seasons, length storage.SeasonLength, now time.Time) storage.Seasons {
	s.Length = length
	switch {
	case length == "":
	case s.To.IsZero():
		s.Number, s.From, s.To = s.Number+1, now.UTC(), seasonEnd(length, now)
	case s.To.After(now):
		s.To = seasonEnd(length, now)
	}
	return s
}

// seasonEnd is when the stretch of the calendar ends that a moment lies in, in UTC; zero for no length.
func seasonEnd(length storage.SeasonLength, at time.Time) time.Time {
	months := map[storage.SeasonLength]time.Month{
		storage.SeasonMonth: 1, storage.SeasonQuarter: 3, storage.SeasonHalfYear: 6, storage.SeasonYear: 12,
	}[length]
	if months == 0 {
		return time.Time{}
	}
	year, month, _ := at.UTC().Date()
	return time.Date(year, month-(month-1)%months+months, 1, 0, 0, 0, 0, time.UTC)
}
