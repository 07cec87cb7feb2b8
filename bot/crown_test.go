package bot_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"kraal/bot"
	"kraal/storage"
)

// crowner is a screen at which the limits let a few roles through in each attempt.
type crowner struct {
	bot.Screen
	few   int
	asked *[]int // from where on
	fails func() error
}

func (c crowner) Crown(_ context.Context, season storage.Season) (int, error) {
	*c.asked = append(*c.asked, season.Crowned)
	all := len(season.Former) + len(season.Champions())
	if done := season.Crowned + c.few; done < all {
		return done, c.fails()
	}
	return all, nil
}

// dethroned keeps a season that is over, with a role to be taken from so many.
func (s *stage) dethroned(n int) {
	season := storage.Season{Server: "s", Number: 1, Role: "crown", Uncrowned: true}
	for i := range n {
		season.Former = append(season.Former, strconv.Itoa(1000+i))
	}
	s.keep(season, storage.Server{ID: "s", Season: storage.Seasons{Role: "crown", Number: 1}})
}

// TestCrowningGoesOn: what the limits leave of a season's roles after an attempt is done in those that follow, each from
// where the one before it ended; after a restart too.
func TestCrowningGoesOn(t *testing.T) {
	for name, fail := range map[string]error{"time is up": context.DeadlineExceeded, "a failure": errors.New("down")} {
		t.Run(name, func(t *testing.T) {
			onStage(t, func(s *stage) {
				s.stop()
				s.dethroned(25)
				begin := func(few int) *[]int {
					s.open()
					asked := []int{}
					app, screen := s.app, crowner{s.screen, few, &asked, func() error { return fail }}
					s.runOn(app, screen)
					return &asked
				}
				asked := begin(10)
				s.pass(time.Hour)
				if got := *asked; len(got) != 3 || got[1] != 10 || got[2] != 20 {
					t.Errorf("asked to go on from %v", got)
				}
				if season := s.hall()[0]; season.Uncrowned || season.Crowned != 0 {
					t.Errorf("afterwards %+v", season)
				}
				s.stop()
				s.reseason(func(m *storage.Season) { m.Uncrowned, m.Crowned = true, 15 })
				asked = begin(10)
				s.pass(time.Second)
				if got := *asked; len(got) != 1 || got[0] != 15 {
					t.Errorf("after a restart asked to go on from %v", got)
				}
			})
		})
	}
}

// TestCrowningBeginsAnewWithAnotherRole: how far it had come with the one before counts for nothing.
func TestCrowningBeginsAnewWithAnotherRole(t *testing.T) {
	onStage(t, func(s *stage) {
		s.stop()
		s.dethroned(2)
		s.reseason(func(m *storage.Season) { m.Crowned = 2 })
		s.keep(storage.Server{ID: "s", Season: storage.Seasons{Role: "laurel", Number: 1}})
		s.open()
		asked := []int{}
		s.runOn(s.app, crowner{s.screen, 10, &asked, nil})
		s.pass(time.Second)
		if len(asked) != 1 || asked[0] != 0 {
			t.Errorf("asked to go on from %v", asked)
		}
		if got := s.hall()[0]; got.Role != "laurel" || got.Uncrowned {
			t.Errorf("kept %+v", got)
		}
	})
}

// reseason alters the season that is kept.
func (s *stage) reseason(alter func(*storage.Season)) {
	s.t.Helper()
	season := s.hall()[0]
	alter(&season)
	s.keep(season)
}

// TestSeasonsThatCannotBeClosedHoldUpNoOther: however many there are.
func TestSeasonsThatCannotBeClosedHoldUpNoOther(t *testing.T) {
	onStage(t, func(s *stage) {
		book := s.logged()
		end := time.Now().UTC().Add(time.Hour)
		for i := range 40 {
			id := "a" + strconv.Itoa(10+i)
			s.keep(storage.Server{ID: id, Season: storage.Seasons{Number: 1, From: end.AddDate(0, -1, 0), To: end}},
				storage.Season{Server: id, Number: 1}) // there is one already: it cannot be closed
		}
		s.keep(storage.Server{ID: "z", Season: storage.Seasons{Number: 1, From: end.AddDate(0, -1, 0), To: end}})
		s.stop()
		s.start()
		s.pass(time.Hour + 2*time.Minute)
		hall, err := s.app.Hall(t.Context(), "z")
		s.must(err)
		if len(hall) != 1 {
			t.Errorf("behind forty that cannot be closed, %d are", len(hall))
		}
		if n := book.errors(); n == 0 {
			t.Error("nothing is said of the forty")
		}
	})
}

// TestCrowningWhileSomebodyLeaves: whoever has themselves deleted is counted no more, so that nobody after them is passed
// by.
func TestCrowningWhileSomebodyLeaves(t *testing.T) {
	onStage(t, func(s *stage) {
		s.stop()
		s.dethroned(25)
		s.reseason(func(m *storage.Season) { m.Crowned = 20 })
		s.open()
		asked := []int{}
		s.runOn(s.app, crowner{s.screen, 1, &asked, func() error { return errors.New("down") }})
		s.pass(time.Second / 2)
		s.must(s.app.Leave(t.Context(), "1003"))
		s.pass(2 * time.Second)
		if !slices.Contains(asked, 0) || len(s.hall()[0].Former) != 24 {
			t.Errorf("asked to go on from %v; %d are left", asked, len(s.hall()[0].Former))
		}
	})
}

// TestARefusedCrownIsToldOnce: a server that has a channel for announcements is told there when its role cannot be given,
// not each time that it is tried, and one that has none is not.
func TestARefusedCrownIsToldOnce(t *testing.T) {
	for announce, want := range map[string]int{"news": 1, "": 0} {
		onStage(t, func(s *stage) {
			s.stop()
			s.dethroned(2)
			s.keep(storage.Server{ID: "s", Announce: announce, Season: storage.Seasons{Role: "crown", Number: 1}})
			s.open()
			screen := s.screen
			screen.refuseCrowns(&bot.Trouble{Why: "gone", Err: errors.New("no")})
			s.run()
			s.pass(24 * time.Hour)
			if got := len(screen.crownings()); got < 10 {
				t.Errorf("tried %d times in a day", got)
			}
			screen.mu.Lock()
			defer screen.mu.Unlock()
			if len(screen.uncrowned) != want {
				t.Errorf("announcements in %q: told %q, want %d", announce, screen.uncrowned, want)
			}
		})
	}
}

// TestARoleThatIsChosenMeanwhile: while one role is refused another is chosen. What is told is of the role that is chosen
// now, and nothing of the one before.
func TestARoleThatIsChosenMeanwhile(t *testing.T) {
	onStage(t, func(s *stage) {
		s.stop()
		s.dethroned(2)
		s.keep(storage.Server{ID: "s", Announce: "news", Season: storage.Seasons{Role: "crown", Number: 1}})
		s.open()
		asked := []int{}
		s.runOn(s.app, crowner{s.screen, 0, &asked, func() error {
			if len(asked) == 1 {
				s.must(s.app.SetSeason(t.Context(), "s", storage.Seasons{Role: "laurel"}))
			}
			return &bot.Trouble{Why: "gone", Err: errors.New("no")}
		}})
		s.pass(24 * time.Hour)
		s.screen.mu.Lock()
		defer s.screen.mu.Unlock()
		if want := []string{"s laurel gone"}; !slices.Equal(s.screen.uncrowned, want) {
			t.Errorf("told %q, want %q", s.screen.uncrowned, want)
		}
	})
}
