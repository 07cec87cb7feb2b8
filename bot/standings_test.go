package bot_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// kept is a rating in the server's pool.
func kept(name string, points, deviation float64) storage.Rating {
	return storage.Rating{
		Pool: storage.ServerPool("s"), Variant: "nine", Member: name, Name: name,
		Points: points, Deviation: deviation, Volatility: 0.09, Wins: 3, Draws: 2, Losses: 1, At: opening,
	}
}

func TestLeaderboard(t *testing.T) {
	onStage(t, func(s *stage) {
		s.keep(
			kept("eve", 1650.2, 60), kept("dan", 1649.8, 60), kept("fay", 1650.4, 60), // all show 1650
			kept("gus", 1700, 80), kept("hal", 1400, 50), kept("new", 2100, 110), kept("raw", 1300, 350),
		)
		board, err := s.app.Leaderboard(t.Context(), storage.ServerPool("s"), "nine")
		s.must(err)
		want := []string{"1 gus", "2 fay", "2 eve", "2 dan", "5 hal"}
		if got := places(board.Ranked); !slices.Equal(got, want) {
			t.Errorf("ranked %v, want %v", got, want)
		}
		if got, want := places(board.Provisional), []string{"0 new", "0 raw"}; !slices.Equal(got, want) {
			t.Errorf("provisional %v, want %v", got, want)
		}
		s.pass(20 * 365 * 24 * time.Hour)
		board, err = s.app.Leaderboard(t.Context(), storage.ServerPool("s"), "nine")
		s.must(err)
		if len(board.Ranked) != 0 || len(board.Provisional) != 7 {
			t.Errorf("after 20 idle years ranked %v", places(board.Ranked))
		}
		empty, err := s.app.Leaderboard(t.Context(), storage.ServerPool("elsewhere"), "nine")
		if err != nil || len(empty.Ranked)+len(empty.Provisional) != 0 {
			t.Errorf("a pool where nobody played: %+v, %v", empty, err)
		}
	})
}

func places(rows []bot.Row) (places []string) {
	for _, r := range rows {
		places = append(places, fmt.Sprint(r.Rank, " ", r.Kept.Name))
	}
	return places
}

func TestProfile(t *testing.T) {
	onStage(t, func(s *stage) {
		s.keep(kept("eve", 1650, 60), kept("gus", 1700, 60), kept(ann.ID, 1600, 60), kept("new", 1500, 200))
		var ids []string
		for range 12 {
			id := s.game(ann, ben)
			s.do(id, ben, match.Draw{}) // before a turn: no rating changes
			s.do(id, ann, match.Draw{})
			s.pass(time.Minute)
			ids = append(ids, id)
		}
		slices.Reverse(ids)
		p, err := s.app.Profile(t.Context(), storage.ServerPool("s"), ann.ID, rules.Variants())
		s.must(err)
		if len(p.Standings) != 1 || p.Standings[0].Row.Rank != 3 || p.Standings[0].Of != 3 || p.Standings[0].Variant.Key != "nine" {
			t.Errorf("standings %+v, want the third of three at nine alone", p.Standings)
		}
		var last []string
		for _, m := range p.Last {
			last = append(last, m.ID)
		}
		if !slices.Equal(last, ids[:10]) {
			t.Errorf("last games %v, want %v", last, ids[:10])
		}
		p, err = s.app.Profile(t.Context(), storage.ServerPool("s"), "new", rules.Variants())
		if err != nil || len(p.Standings) != 1 || p.Standings[0].Row.Rank != 0 || len(p.Last) != 0 {
			t.Errorf("provisional: %+v, %v", p, err)
		}
	})
}

// TestRatingsAreKeptWithTheResult also shows what does not count.
func TestRatingsAreKeptWithTheResult(t *testing.T) {
	onStage(t, func(s *stage) {
		tooShort := s.game(ann, ben)
		s.play(tooShort, "a7")
		s.do(tooShort, ann, match.Resign{})
		if n := s.count(storage.KindRating); n != 0 || len(s.kept(tooShort).Changes) != 0 {
			t.Errorf("a game in which one side made no turn made %d ratings", n)
		}
		id := s.game(ann, ben)
		s.play(id, "a7", "d7")
		s.do(id, ann, match.Resign{})
		synctest.Wait()
		changes := s.kept(id).Changes
		if len(changes) != 4 || s.count(storage.KindRating) != 4 {
			t.Fatalf("%d changes, %d ratings, want 4 each", len(changes), s.count(storage.KindRating))
		}
		for _, c := range changes {
			who := map[string]storage.Person{ann.ID: ann, ben.ID: ben}[c.Member]
			if got := s.ratingOf(c.Pool, who); got.Points != c.After || got.Games() != 1 || c.Before != 1500 {
				t.Errorf("%s in %s: kept %v after %d games, changed %v to %v", who.Name, c.Pool, got.Points, got.Games(), c.Before, c.After)
			}
		}
		next := s.game(ann, ben)
		if seat := s.kept(next).Seats[rules.White]; seat.Points != s.ratingOf(storage.ServerPool("s"), ann).Points || seat.Deviation == 0 {
			t.Errorf("the next game's seat shows %v, RD %v", seat.Points, seat.Deviation)
		}
	})
}

func TestWhole(t *testing.T) {
	for points, want := range map[float64]int{0: 0, 1499.5: 1500, 1499.49: 1499, -0.5: -1, -0.4: 0, -12.6: -13} {
		if got := bot.Whole(points); got != want {
			t.Errorf("%v is shown as %d, want %d", points, got, want)
		}
	}
}
