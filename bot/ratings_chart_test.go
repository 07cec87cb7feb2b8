package bot_test

import (
	"fmt"
	"slices"
	"testing"

	"kraal/bot"
	"kraal/rules"
	"kraal/storage"
)

// TestCourse: the points after each game that changed the rating in the pool, the oldest first; neither other pools,
// variants and members nor what was annulled.
func TestCourse(t *testing.T) {
	onStage(t, func(s *stage) {
		changed := func(here, everywhere float64) func(*storage.Match) {
			return func(m *storage.Match) {
				for _, who := range []storage.Person{ann, ben} {
					m.Changes = append(m.Changes,
						storage.Change{Pool: storage.GlobalPool, Member: who.ID, After: everywhere},
						storage.Change{Pool: storage.ServerPool(m.Server), Member: who.ID, After: here},
						storage.Change{Pool: storage.SeasonPool(m.Server, 1), Member: who.ID, After: 1})
					here, everywhere = here-500, everywhere-500
				}
			}
		}
		elsewhere := func(m *storage.Match) { m.Server = "other" }
		s.past("one", ann, ben, 1, changed(1510, 1511))
		s.past("two", ben, ann, 2, elsewhere, changed(1520, 1521))
		s.past("three", ann, ben, 3, changed(1530, 1531), func(m *storage.Match) { m.Annulled = m.Ended })
		s.past("four", ann, ben, 4, changed(1540, 1541), func(m *storage.Match) { m.Variant, _ = rules.Lookup("koti") })
		s.past("five", ben, ann, 5, changed(1550, 1551))
		s.past("six", ann, ben, 6) // changed nothing
		s.past("seven", cai, ben, 7, changed(1570, 1571))
		for _, c := range []struct {
			server, variant string
			want            []float64
		}{
			{"s", "nine", []float64{1510, 1550}},
			{"other", "nine", []float64{1520}},
			{"", "nine", []float64{1511, 1521, 1551}},
			{"s", "koti", []float64{1540}},
			{"nowhere", "nine", nil},
		} {
			course, err := s.app.Course(s.t.Context(), c.server, ann.ID, c.variant)
			s.must(err)
			if got := pointsOf(course); !slices.Equal(got, c.want) {
				t.Errorf("%s in %q: %v, want %v", c.variant, c.server, got, c.want)
			}
			if !slices.IsSortedFunc(course, func(a, b bot.RatedGame) int { return a.Ended.Compare(b.Ended) }) {
				t.Errorf("%s in %q: not in the order of time: %v", c.variant, c.server, course)
			}
		}
	})
}

// TestCourseIsBounded: of more games the last are read.
func TestCourseIsBounded(t *testing.T) {
	onStage(t, func(s *stage) {
		const games = bot.CourseGames + 3
		for i := range games {
			s.past(fmt.Sprintf("g%03d", i), ann, ben, i, func(m *storage.Match) {
				m.Changes = []storage.Change{{Pool: storage.ServerPool("s"), Member: ann.ID, After: float64(i)}}
			})
		}
		course, err := s.app.Course(s.t.Context(), "s", ann.ID, "nine")
		s.must(err)
		if got := pointsOf(course); len(got) != bot.CourseGames || got[0] != 3 || got[len(got)-1] != games-1 {
			t.Errorf("%d points: %v", len(got), got)
		}
	})
}

func pointsOf(course []bot.RatedGame) (points []float64) {
	for _, g := range course {
		points = append(points, g.Points)
	}
	return points
}
