package bot_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// beats has one win against the other, so often.
func (s *stage) beats(winner, loser storage.Person, games int) {
	s.t.Helper()
	for range games {
		id := s.game(loser, winner)
		s.play(id, "a7", "d7")
		s.do(id, loser, match.Resign{})
		s.pass(time.Second) // the next one ends later
	}
}

// until lets time pass to a moment.
func (s *stage) until(at time.Time) { s.pass(time.Until(at)) }

func (s *stage) hall() []storage.Season {
	s.t.Helper()
	hall, err := s.app.Hall(s.t.Context(), "s")
	s.must(err)
	return hall
}

func (s *stage) seasons() storage.Seasons {
	s.t.Helper()
	server, err := s.app.Settings(s.t.Context(), "s")
	s.must(err)
	return server.Season
}

// TestASeasonIsRatedApart: its games count in its own pool in the same commit, each begins from a part of what they have in
// the server, and a game in another server or before it counts for no season.
func TestASeasonIsRatedApart(t *testing.T) {
	onStage(t, func(s *stage) {
		s.limits.RatedPerPair = 0
		s.stop()
		s.start()
		s.keep(kept(ann.ID, 1900, 60))
		s.beats(ann, ben, 1)
		first := storage.SeasonPool("s", 1)
		if got := s.ratingOf(first, ann); got.Games() != 0 {
			t.Errorf("a season that there is not has %+v", got)
		}
		s.must(s.app.SetSeason(t.Context(), "s", storage.Seasons{Length: storage.SeasonMonth, Role: ""}))
		before := s.ratingOf(storage.ServerPool("s"), ann)
		s.pass(time.Minute) // so that it is the last to end
		s.beats(ann, ben, 1)
		got := s.ratingOf(first, ann)
		want := (before.Points + 1500) / 2
		if got.Games() != 1 || got.Points < want || got.Points > want+100 || got.Deviation < 100 || got.Deviation >= 150 {
			t.Errorf("after a win she has %.1f ±%.1f in the season, in the server %.1f before; it was to begin from %.1f ±150",
				got.Points, got.Deviation, before.Points, want)
		}
		if n := s.ratingOf(storage.ServerPool("s"), ann).Games(); n != before.Games()+1 {
			t.Errorf("the server's own ladder has %d games, want %d", n, before.Games()+1)
		}
		changes := map[string]int{}
		last, err := s.app.LastFinished(t.Context(), ann.ID, 1)
		s.must(err)
		for _, c := range last[0].Changes {
			changes[c.Pool]++
		}
		if changes[first] != 2 || len(changes) != 3 {
			t.Errorf("the game changed %v", changes)
		}
	})
}

// TestASeasonIsClosed: at its end the first three with enough games are remembered, in one change with the next season,
// which begins anew.
func TestASeasonIsClosed(t *testing.T) {
	onStage(t, func(s *stage) {
		s.limits.RatedPerPair = 0
		s.stop()
		s.start()
		s.must(s.app.SetSeason(t.Context(), "s", storage.Seasons{Length: storage.SeasonMonth, Role: "crown"}))
		s.beats(ann, ben, 6)
		s.beats(cai, ben, 4) // too few to be a champion
		end := time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)
		s.until(end.Add(30 * time.Second))
		if len(s.hall()) != 0 {
			t.Error("a season is closed before what ended in its last moments is kept")
		}
		s.beats(ben, cai, 1) // is of the next season already
		s.until(end.Add(2 * time.Minute))
		hall := s.hall()
		if len(hall) != 1 {
			t.Fatalf("%d seasons are over, want one", len(hall))
		}
		over := hall[0]
		if over.Number != 1 || !over.To.Equal(end) || !slices.Equal(over.Champions(), []string{ann.ID}) || len(over.Podiums) != 1 {
			t.Fatalf("it is kept as %+v", over)
		}
		podium := over.Podiums[0]
		if podium.Variant != "nine" || len(podium.Places) != 2 || podium.Places[0].Games != 6 || podium.Places[0].Name != "Ann" ||
			podium.Places[1].ID != ben.ID || podium.Places[1].Place != 2 {
			t.Errorf("its podium is %+v", podium)
		}
		now := s.seasons()
		if now.Number != 2 || !now.From.Equal(end) || !now.To.Equal(end.AddDate(0, 1, 0)) {
			t.Errorf("the next is %+v", now)
		}
		if got := s.ratingOf(storage.SeasonPool("s", 2), ben); got.Wins != 1 || got.Games() != 1 {
			t.Errorf("the game after the end counts as %+v in the next season", got)
		}
		if got, want := s.screen.crownings(), []string{"1 crown +[1] -[]"}; !slices.Equal(got, want) {
			t.Errorf("crowned %q, want %q", got, want)
		}
	})
}

// TestSeasonsWithoutGames: a season that nobody played has no champions, and one after the other is closed after a long
// time away.
func TestSeasonsWithoutGames(t *testing.T) {
	onStage(t, func(s *stage) {
		s.must(s.app.SetSeason(t.Context(), "s", storage.Seasons{Length: storage.SeasonQuarter, Role: "crown"}))
		s.stop()
		time.Sleep(400 * 24 * time.Hour) // from May 2026 to June 2027
		s.start()
		s.pass(time.Second)
		hall := s.hall()
		if len(hall) != 4 || s.seasons().Number != 5 {
			t.Fatalf("%d are over, number %d is under way", len(hall), s.seasons().Number)
		}
		for i, season := range hall {
			if season.Number != 4-i || len(season.Podiums) != 0 || season.Uncrowned {
				t.Errorf("one is kept as %+v", season)
			}
		}
		if got := s.screen.crownings(); len(got) != 0 {
			t.Errorf("crowned %q", got)
		}
	})
}

// TestTheCrownPassesOn: a refusal is kept for those who manage the server, later champions take the role from all before
// who may have it, and what a crash left undone is done by the next process.
func TestTheCrownPassesOn(t *testing.T) {
	onStage(t, func(s *stage) {
		s.limits.RatedPerPair = 0
		s.stop()
		s.start()
		month := func(m time.Month) time.Time { return time.Date(2026, m, 1, 0, 2, 0, 0, time.UTC) }
		s.must(s.app.SetSeason(t.Context(), "s", storage.Seasons{Length: storage.SeasonMonth, Role: "crown"}))
		s.beats(ann, ben, 6)
		s.until(month(time.June))
		s.beats(ben, cai, 6)
		s.screen.refuseCrowns(&bot.Trouble{Why: "forbidden", Err: errors.New("no")})
		s.until(month(time.July))
		if got := s.seasons().Trouble; got != "forbidden" {
			t.Errorf("the server's settings say %q of the role", got)
		}
		s.beats(cai, ann, 6)
		s.until(month(time.August))
		s.stop()
		s.start()
		s.pass(time.Second)
		if got, want := s.screen.crownings(), []string{"3 crown +[3] -[2 1]"}; !slices.Equal(got, want) {
			t.Errorf("after a restart crowned %q, want %q", got, want)
		}
		if got := s.seasons().Trouble; got != "" {
			t.Errorf("afterwards the settings still say %q", got)
		}
		for _, season := range s.hall() {
			if season.Uncrowned {
				t.Errorf("season %d is left uncrowned", season.Number)
			}
		}
		s.stop()
		s.start()
		s.pass(time.Second)
		if got := s.screen.crownings(); len(got) != 0 {
			t.Errorf("after another restart crowned %q anew", got)
		}
	})
}

// TestThePodiumIsShared: those with the same points share a place, and the ranked come before all others.
func TestThePodiumIsShared(t *testing.T) {
	onStage(t, func(s *stage) {
		s.must(s.app.SetSeason(t.Context(), "s", storage.Seasons{Length: storage.SeasonMonth, Role: ""}))
		for name, points := range map[string]float64{"a": 1700.2, "b": 1699.9, "c": 1650, "d": 1600, "wild": 2100} {
			deviation := 60.0
			if name == "wild" {
				deviation = 200
			}
			r := kept(name, points, deviation)
			r.Pool = storage.SeasonPool("s", 1)
			s.keep(r)
		}
		s.until(time.Date(2026, time.June, 1, 0, 2, 0, 0, time.UTC))
		var got []string
		for _, place := range s.hall()[0].Podiums[0].Places {
			got = append(got, fmt.Sprint(place.Place, " ", place.Name))
		}
		if want := []string{"1 a", "1 b", "3 c"}; !slices.Equal(got, want) {
			t.Errorf("the podium is %q, want %q", got, want)
		}
		if v, _ := rules.Lookup("nine"); s.hall()[0].Podiums[0].Name != v.Name {
			t.Errorf("the game is called %q", s.hall()[0].Podiums[0].Name)
		}
	})
}

// TestGamesEndInADamagedServer: where a server's record cannot be read its games end all the same, and are rated outside
// of its season.
func TestGamesEndInADamagedServer(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		s.must(s.app.SetSeason(t.Context(), "s", storage.Seasons{Length: storage.SeasonMonth}))
		id := s.game(ann, ben)
		s.play(id, "a7", "d7")
		key := storage.ServerKey("s")
		store.damage.Store(&key)
		s.do(id, ann, match.Resign{})
		if m := s.kept(id); m.State != storage.Finished || len(m.Changes) != 4 {
			t.Errorf("it is %s, with %d changes; want finished, with those of two in two pools", m.State, len(m.Changes))
		}
	})
}
