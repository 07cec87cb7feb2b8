package match_test

import (
	"testing"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// TestSeries plays rematch after rematch: the score follows the people, who change sides, and not the colours.
func TestSeries(t *testing.T) {
	m := game(t, variant(t, "nine"), "") // Ann is white, and black begins
	if match.InSeries(m) {
		t.Error("a first game is in a series")
	}
	resign := func(by storage.Person) func(storage.Match) storage.Match {
		return func(m storage.Match) storage.Match { return do(t, play(t, m, "a7", "d7"), by, match.Resign{}) }
	}
	draw := func(actions ...string) func(storage.Match) storage.Match {
		return func(m storage.Match) storage.Match { return agree(t, play(t, m, actions...)) }
	}
	for i, c := range []struct {
		end  func(storage.Match) storage.Match
		want map[string]int // half points after it
	}{
		{resign(ben), map[string]int{ann.ID: 2, ben.ID: 0}},
		{draw("a7", "d7"), map[string]int{ann.ID: 3, ben.ID: 1}},
		{draw("a7"), map[string]int{ann.ID: 3, ben.ID: 1}},
		{resign(ann), map[string]int{ann.ID: 3, ben.ID: 3}},
		{resign(ann), map[string]int{ann.ID: 3, ben.ID: 5}},
	} {
		before := match.Series(look(t, m))
		m = c.end(m)
		score := match.Series(look(t, m))
		for side := rules.White; side <= rules.Black; side++ {
			if got := score[side]; got != c.want[m.Seats[side].ID] {
				t.Errorf("after game %d %s has %d half points, want %d; before it were %v",
					i+1, m.Seats[side].Name, got, c.want[m.Seats[side].ID], before)
			}
		}
		m = do(t, m, ann, match.Rematch{})
		next := apply(t, m, match.Act{By: ben, Do: match.Rematch{}}).New
		if next == nil || !match.InSeries(*next) {
			t.Fatalf("no rematch in a series: %+v", next)
		}
		m = *next
	}
}

// agree ends a game as drawn.
func agree(t *testing.T, m storage.Match) storage.Match {
	t.Helper()
	return do(t, do(t, m, ann, match.Draw{}), ben, match.Draw{})
}

// TestAnnulledGamesCountInNoSeries: neither for a rematch that begins afterwards, nor for one that is played already; and
// taking a game back takes back what it brought, and to whom, whichever side they have by now.
func TestAnnulledGamesCountInNoSeries(t *testing.T) {
	first := do(t, play(t, game(t, variant(t, "nine"), ""), "a7", "d7"), ben, match.Resign{}) // for Ann
	rematch := func(m storage.Match) storage.Match {
		return *apply(t, do(t, m, ann, match.Rematch{}), match.Act{By: ben, Do: match.Rematch{}}).New
	}
	second := do(t, play(t, rematch(first), "a7", "d7"), ann, match.Resign{}) // for Ben
	third := rematch(second)
	score := func(m storage.Match, p storage.Person) int {
		for side, seat := range m.Seats {
			if seat.ID == p.ID {
				return match.Series(look(t, m))[side]
			}
		}
		return -1
	}
	annulled := do(t, first, cai, match.Annul{})
	if got := rematch(annulled); score(got, ann) != 0 || score(got, ben) != 0 {
		t.Errorf("after an annulled game: %v", got.Series)
	}
	after, changed := match.Rescore(look(t, annulled), third)
	if !changed || score(after, ann) != 0 || score(after, ben) != 2 || after.Revision != third.Revision+1 {
		t.Errorf("the first annulled: %v (%v), Ann is %+v", after.Series, changed, after.Seats)
	}
	after, changed = match.Rescore(look(t, do(t, second, cai, match.Annul{})), after)
	if !changed || score(after, ann) != 0 || score(after, ben) != 0 {
		t.Errorf("both annulled: %v (%v)", after.Series, changed)
	}
	if _, changed := match.Rescore(look(t, annulled), rematch(annulled)); changed {
		t.Error("what never counted is taken back")
	}
}
