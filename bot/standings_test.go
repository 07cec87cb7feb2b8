package bot_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
)

// kept is a rating in the server's pool, as it is kept after a game.
func kept(name string, points, deviation float64) storage.Rating {
	r := storage.Rating{
		Pool: storage.ServerPool("s"), Variant: "nine", Member: name, Name: name, Weighed: true,
		Points: points, Deviation: deviation, Volatility: 0.09, Wins: 3, Draws: 2, Losses: 1, At: opening,
	}
	r.Lapses = rating.Standard().Lapse(rating.Rating{Points: points, Deviation: deviation, Volatility: r.Volatility}, opening)
	return r
}

// board is the whole leaderboard of the server's, as somebody who is not on it sees it.
func (s *stage) board(pool string) bot.Board {
	s.t.Helper()
	board, err := s.app.Leaderboard(s.t.Context(), bot.BoardPage{Pool: pool, Variant: "nine", Member: "nobody", Rows: 100})
	s.must(err)
	return board
}

func TestLeaderboard(t *testing.T) {
	onStage(t, func(s *stage) {
		s.keep(
			kept("eve", 1650.2, 60), kept("dan", 1649.8, 60), kept("fay", 1650.4, 60), // all show 1650
			kept("gus", 1700, 80), kept("hal", 1400, 50), kept("new", 2100, 110), kept("raw", 1300, 350),
		)
		board := s.board(storage.ServerPool("s"))
		want := []string{"1 gus", "2 fay", "2 eve", "2 dan", "5 hal", "0 new", "0 raw"}
		if got := places(board.Rows); !slices.Equal(got, want) || board.Ranked != 5 || board.Provisional != 2 || board.Own != nil {
			t.Errorf("%d ranked and %d provisional: %v, want %v", board.Ranked, board.Provisional, got, want)
		}
		for _, row := range board.Rows {
			if lacks := row.Lacks; (lacks > 0) != (row.Rank == 0) || row.Kept.Name == "new" && lacks != 1 || row.Kept.Name == "raw" && lacks < 3 {
				t.Errorf("%s lacks %d games", row.Kept.Name, lacks)
			}
		}
		empty := s.board(storage.ServerPool("elsewhere"))
		if len(empty.Rows) != 0 || empty.Page != 1 || empty.Pages != 1 {
			t.Errorf("a pool where nobody played: %+v", empty)
		}
	})
}

// TestRanksLapse: who does not play for long is taken from the board when the rating has become too uncertain, not before.
func TestRanksLapse(t *testing.T) {
	onStage(t, func(s *stage) {
		soon, later := kept("soon", 1600, 109), kept("later", 1500, 60)
		s.keep(soon, later)
		s.stop()
		s.start()
		s.pass(soon.Lapses.Sub(opening) - time.Second)
		if got, want := places(s.board(soon.Pool).Rows), []string{"1 soon", "2 later"}; !slices.Equal(got, want) {
			t.Errorf("a second before: %v, want %v", got, want)
		}
		s.pass(time.Second)
		board := s.board(soon.Pool)
		if got, want := places(board.Rows), []string{"1 later", "0 soon"}; !slices.Equal(got, want) {
			t.Errorf("when it lapses: %v, want %v", got, want)
		}
		if now := board.Rows[1].Rating; !rating.Standard().IsProvisional(now) || now.Deviation > 110.1 {
			t.Errorf("it lapsed at a deviation of %v", now.Deviation)
		}
		s.pass(20 * 365 * 24 * time.Hour)
		if board := s.board(soon.Pool); board.Ranked != 0 || board.Provisional != 2 {
			t.Errorf("after 20 idle years %d are ranked", board.Ranked)
		}
	})
}

// TestOldRatingsAreWeighed: ratings of which it is not known when they lapse get their places when the bot begins, however
// many there are.
func TestOldRatingsAreWeighed(t *testing.T) {
	onStage(t, func(s *stage) {
		s.stop()
		const old = 450
		for i := range old {
			r := kept(fmt.Sprintf("old%03d", i), 1500, []float64{60, 200, 60}[i%3])
			r.Weighed, r.Lapses = false, time.Time{}
			if i%3 == 2 {
				r.At = opening.AddDate(-20, 0, 0)
			}
			s.keep(r)
		}
		s.start()
		s.pass(time.Second)
		if board := s.board(storage.ServerPool("s")); board.Ranked != old/3 || board.Provisional != old-old/3 {
			t.Errorf("%d ranked, %d provisional, want a third ranked", board.Ranked, board.Provisional)
		}
	})
}

// TestActivity: who plays most is counted over all variants, games from before they were counted among them, and an annulled
// game is counted no more.
func TestActivity(t *testing.T) {
	onStage(t, func(s *stage) {
		s.stop()
		for _, key := range []string{"nine", "koti"} {
			old := kept(ben.ID, 1500, 60) // six games
			old.Variant, old.Name, old.Weighed, old.Lapses = key, ben.Name, false, time.Time{}
			s.keep(old)
		}
		s.start()
		s.pass(time.Second)
		s.beats(ann, ben, 2)
		s.beats(cai, ann, 1)
		list := func() (rows []string) {
			all, err := s.app.Activity(t.Context(), bot.BoardPage{Pool: storage.ServerPool("s"), Member: cai.ID, Rows: 10})
			s.must(err)
			for _, b := range all.Rows {
				rows = append(rows, fmt.Sprintf("%d %s %d-%d-%d", b.Rank, b.Tally.Name, b.Tally.Wins, b.Tally.Draws, b.Tally.Losses))
			}
			if all.Own == nil || all.Own.Rank != 3 || all.Members != 3 {
				t.Errorf("of %d members his own row is %+v", all.Members, all.Own)
			}
			return rows
		}
		if got, want := list(), []string{"1 Ben 6-4-4", "2 Ann 2-0-1", "3 Cai 1-0-0"}; !slices.Equal(got, want) {
			t.Errorf("who plays most is %q, want %q", got, want)
		}
		last, err := s.app.LastFinished(t.Context(), ben.ID, 1)
		s.must(err)
		s.do(last[0].ID, storage.Person{ID: "9", Name: "Referee"}, match.Annul{})
		if got, want := list(), []string{"1 Ben 6-4-3", "2 Ann 1-0-1", "3 Cai 1-0-0"}; !slices.Equal(got, want) {
			t.Errorf("after an annulment it is %q, want %q", got, want)
		}
	})
}

// TestOldGamesAreCountedOnce: whoever plays before their old rating was weighed has its games counted with that game.
func TestOldGamesAreCountedOnce(t *testing.T) {
	onStage(t, func(s *stage) {
		old := kept(ben.ID, 1500, 60) // six games
		old.Weighed, old.Lapses = false, time.Time{}
		s.keep(old)
		s.beats(ann, ben, 1)
		s.stop()
		s.start()
		s.pass(time.Second)
		all, err := s.app.Activity(t.Context(), bot.BoardPage{Pool: storage.ServerPool("s"), Member: ben.ID, Rows: 10})
		if err != nil || all.Own == nil || all.Own.Tally.Games() != 7 || all.Own.Tally.Losses != 2 {
			t.Errorf("his row is %+v, %v", all.Own, err)
		}
	})
}

// TestPages: pages join from the ranked to the others, and the asker's own row comes with each of them.
func TestPages(t *testing.T) {
	onStage(t, func(s *stage) {
		for i := range 25 {
			deviation := 60.0
			if i >= 14 {
				deviation = 200
			}
			s.keep(kept(fmt.Sprintf("m%02d", i), float64(2000-10*(i/2)), deviation))
		}
		whole := s.board(storage.ServerPool("s"))
		var joined []string
		for page := 1; page <= 4; page++ {
			board, err := s.app.Leaderboard(t.Context(), bot.BoardPage{
				Pool: storage.ServerPool("s"), Variant: "nine", Member: "m13", Page: page, Rows: 7,
			})
			s.must(err)
			if board.Page != page || board.Pages != 4 || board.Own == nil || board.Own.Rank != 13 {
				t.Errorf("page %d is %d of %d, own row %+v", page, board.Page, board.Pages, board.Own)
			}
			joined = append(joined, places(board.Rows)...)
		}
		if want := places(whole.Rows); !slices.Equal(joined, want) {
			t.Errorf("joined %v, want %v", joined, want)
		}
		for asked, want := range map[int]int{-3: 1, 0: 1, 99: 4} {
			board, err := s.app.Leaderboard(t.Context(), bot.BoardPage{Pool: storage.ServerPool("s"), Variant: "nine", Page: asked, Rows: 7})
			if err != nil || board.Page != want {
				t.Errorf("page %d is page %d, %v, want %d", asked, board.Page, err, want)
			}
		}
	})
}

// TestTrend: it counts from the points at the beginning of the week, whatever was played since, and ends with the week.
func TestTrend(t *testing.T) {
	onStage(t, func(s *stage) { // opening is a Monday
		for i := range 3 {
			id := s.game(ann, ben)
			s.play(id, "a7", "d7")
			s.do(id, ben, match.Resign{})
			s.pass(time.Hour)
			up := s.ratingOf(storage.ServerPool("s"), ann)
			row := s.board(storage.ServerPool("s")).Rows[0]
			if want := storage.Whole(up.Points) - 1500; row.Kept.Member != ann.ID || row.Trend != want {
				t.Errorf("after %d games %s has %+d, want %+d", i+1, row.Kept.Name, row.Trend, want)
			}
		}
		s.pass(time.Until(opening.AddDate(0, 0, 7).Truncate(24 * time.Hour)))
		if row := s.board(storage.ServerPool("s")).Rows[0]; row.Trend != 0 {
			t.Errorf("in the next week, before any game, the trend is %+d", row.Trend)
		}
		before := s.ratingOf(storage.ServerPool("s"), ann).Points
		id := s.game(ann, ben)
		s.play(id, "a7", "d7")
		s.do(id, ann, match.Resign{})
		rows := s.board(storage.ServerPool("s")).Rows
		row := rows[slices.IndexFunc(rows, func(r bot.Row) bool { return r.Kept.Member == ann.ID })]
		if want := storage.Whole(row.Kept.Points) - storage.Whole(before); row.Trend != want || want >= 0 {
			t.Errorf("after a loss in the next week the trend is %+d, want %+d", row.Trend, want)
		}
	})
}

func places(rows []bot.Row) (places []string) {
	for _, r := range rows {
		places = append(places, fmt.Sprint(r.Rank, " ", r.Kept.Name))
	}
	return places
}

func TestStandings(t *testing.T) {
	onStage(t, func(s *stage) {
		s.keep(kept("eve", 1650, 60), kept("gus", 1700, 60), kept(ann.ID, 1600, 60), kept("new", 1500, 200))
		all, err := s.app.Standings(t.Context(), storage.ServerPool("s"), ann.ID, rules.Variants())
		s.must(err)
		if len(all) != 1 || all[0].Row.Rank != 3 || all[0].Of != 3 || all[0].Variant.Key != "nine" {
			t.Errorf("standings %+v, want the third of three at nine alone", all)
		}
		all, err = s.app.Standings(t.Context(), storage.ServerPool("s"), "new", rules.Variants())
		if err != nil || len(all) != 1 || all[0].Row.Rank != 0 {
			t.Errorf("provisional: %+v, %v", all, err)
		}
	})
}

// TestPast: form and streak count what counted for somebody, newest first, and the score is that with one other.
func TestPast(t *testing.T) {
	onStage(t, func(s *stage) {
		end := func(white, black storage.Person, loser *storage.Person) {
			id := s.game(white, black)
			s.play(id, "a7", "d7")
			if loser != nil {
				s.do(id, *loser, match.Resign{})
			} else {
				s.do(id, white, match.Draw{})
				s.do(id, black, match.Draw{})
			}
			s.pass(time.Minute)
		}
		for range 8 {
			end(ann, ben, &ann)
		}
		end(ann, ben, nil)
		end(cai, ann, &cai)
		end(ann, ben, &ben)
		off := s.game(ann, ben) // in which nobody moved
		s.do(off, ann, match.Resign{})
		p, err := s.app.Past(t.Context(), ann.ID, ben.ID)
		s.must(err)
		form := []bot.Outcome{bot.Won, bot.Won, bot.Drawn, bot.Lost, bot.Lost, bot.Lost, bot.Lost, bot.Lost, bot.Lost, bot.Lost}
		if !slices.Equal(p.Form, form) || p.Streak != 2 || p.Longer || p.Against != (bot.Score{Won: 1, Drawn: 1, Lost: 8}) {
			t.Errorf("her past is %+v", p)
		}
		p, err = s.app.Past(t.Context(), cai.ID, cai.ID)
		if err != nil || p.Streak != -1 || len(p.Form) != 1 || p.Against.Games() != 0 {
			t.Errorf("his past, as he sees it, is %+v, %v", p, err)
		}
		standings, err := s.app.Standings(t.Context(), storage.ServerPool("s"), ann.ID, rules.Variants())
		s.must(err)
		side, often, of, ok := bot.Favourite(standings)
		if side != rules.White || often != 9 || of != 10 || !ok {
			t.Errorf("she plays %v in %d of %d games, %v", side, often, of, ok)
		}
		best, ok := bot.BestWin(standings)
		if over := best.Row.Kept.Best.Over; !ok || over.ID != ben.ID || best.Row.Kept.Best.Points <= 1500 {
			t.Errorf("her best win is over %+v", best.Row.Kept.Best)
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

// TestThePairIsRatedSoOften: games of the same two beyond the limit are played and change nothing, until a day has gone by
// since the first; those with others are rated all the same.
func TestThePairIsRatedSoOften(t *testing.T) {
	onStage(t, func(s *stage) {
		s.limits.RatedPerPair = 3
		s.stop()
		s.start()
		end := func(white, black storage.Person) storage.Match {
			id := s.game(white, black)
			s.play(id, "a7", "d7")
			s.do(id, white, match.Resign{})
			s.pass(time.Minute)
			return s.kept(id)
		}
		for i := range 5 {
			pair := [2]storage.Person{ann, ben}
			m := end(pair[i%2], pair[(i+1)%2])
			if rated := len(m.Changes) > 0; rated != (i < 3) || (m.Unrated == storage.UnratedPair) == rated {
				t.Errorf("game %d: rated %v, because of %q", i+1, rated, m.Unrated)
			}
		}
		if games := s.ratingOf(storage.GlobalPool, ann).Games(); games != 3 {
			t.Errorf("%d games are in her rating, want 3", games)
		}
		if m := end(ann, cai); len(m.Changes) == 0 {
			t.Errorf("a game with another is not rated: %q", m.Unrated)
		}
		s.pass(24 * time.Hour)
		if m := end(ben, ann); len(m.Changes) == 0 {
			t.Errorf("a day later it is not rated: %q", m.Unrated)
		}
	})
}

// TestEarlyAgreementSaysSo: such a draw leaves ratings alone, and the record tells why.
func TestEarlyAgreementSaysSo(t *testing.T) {
	onStage(t, func(s *stage) {
		for _, turns := range [][]string{{"a7", "d7"}, {"a7"}, nil} {
			id := s.game(ann, ben)
			s.play(id, turns...)
			s.do(id, ann, match.Draw{})
			s.do(id, ben, match.Draw{})
			if m := s.kept(id); m.Unrated != storage.UnratedAgreed || len(m.Changes) != 0 || s.count(storage.KindRating) != 0 {
				t.Errorf("after %d turns because of %q, %d changes and %d ratings",
					len(turns), m.Unrated, len(m.Changes), s.count(storage.KindRating))
			}
		}
	})
}

func TestWhole(t *testing.T) {
	for points, want := range map[float64]int{0: 0, 1499.5: 1500, 1499.49: 1499, -0.5: -1, -0.4: 0, -12.6: -13} {
		if got := storage.Whole(points); got != want {
			t.Errorf("%v is shown as %d, want %d", points, got, want)
		}
	}
}
