package discord_test

import (
	"strings"
	"testing"
	"time"

	"kraal/rules/study"
	"kraal/storage"
)

// TestSolutionIsAskedAbout: showing a solution costs something, and says so while it can still be left: a streak is named,
// and Cancel goes on with what was played. Once the puzzle is counted, nobody is asked.
func TestSolutionIsAskedAbout(t *testing.T) {
	t.Parallel()
	var z study.Puzzle
	s := newStage(t, func(s *stage) { z = s.onDay(moves) })
	white := s.server.Members[0]
	s.solves(s.white, s.slash(s.white, "puzzle", nil), z)
	s.clock.Advance(24 * time.Hour)
	z = embedded(t).Daily(s.clock.Now())
	before := s.fares(white)
	puzzle := s.slash(s.white, "puzzle", nil)
	asked := s.press(s.white, puzzle.ID, "Show the solution")
	s.expectPrivate(asked, "end your streak of 1 day")
	if strings.Contains(asked.Content, "The solution:") {
		t.Errorf("it is shown before it is confirmed: %q", asked.Content)
	}
	back := s.press(s.white, asked.ID, "Cancel")
	if back.Content != puzzle.Content || s.fares(white) != before {
		t.Errorf("cancelled: got %q and %+v, want %q and %+v", back.Content, s.fares(white), puzzle.Content, before)
	}
	s.expectPrivate(s.shown(s.white, back), "The solution: ")
	after := s.fares(white)
	if after.Missed != before.Missed+1 || after.Streak != 0 {
		t.Errorf("shown: %+v after %+v", after, before)
	}
	again := s.press(s.white, s.slash(s.white, "puzzle", nil).ID, "Show the solution")
	s.expectPrivate(again, "The solution: ")
	missed := s.misses(s.black, s.slash(s.black, "puzzle", nil), z)
	s.expectPrivate(s.press(s.black, missed.ID, "Show the solution"), "The solution: ")
	if got, want := s.fares(s.server.Members[1]), (storage.Puzzles{Day: study.DayNumber(s.clock.Now()), Missed: 1}); got != want {
		t.Errorf("missed, then shown: %+v, want %+v", got, want)
	}
}

// TestSolutionExplainsItsShots: what the x in a turn means is said where there is one, and only there.
func TestSolutionExplainsItsShots(t *testing.T) {
	t.Parallel()
	for _, shots := range []bool{true, false} {
		s := newStage(t)
		m := s.slash(s.white, "puzzle", map[string]any{"kind": "more"})
		for n, set := 0, embedded(t); strings.ContainsRune(set.Further(n).Accepted[0].String(), 'x') != shots; n++ {
			m = s.solves(s.white, m, set.Further(n))
			m = s.press(s.white, m.ID, "Another puzzle")
		}
		m = s.shown(s.white, m)
		_, solution, _ := strings.Cut(m.Content, "The solution: ")
		turns, _, _ := strings.Cut(solution, " (")
		turns, _, _ = strings.Cut(turns, ". The picture")
		if explained := strings.Contains(m.Content, "x is a shot"); explained != strings.Contains(turns, "x") {
			t.Errorf("explained: %v, of %q", explained, turns)
		}
	}
}
