package match_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kraal/bot/match"
	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
)

var poolResults = flag.Int("pool.results", 20_000, "how many results TestResultsKeepThePools plays")

// over is a rated game between two that ended so.
func over(base storage.Match, white, black int, result rules.Result, at time.Time) storage.Match {
	base.ID = fmt.Sprintf("%d-%d-%d", white, black, at.UnixNano())
	for side, member := range [2]int{rules.White: white, rules.Black: black} {
		base.Seats[side] = storage.Seat{Person: storage.Person{ID: fmt.Sprint("member", member), Name: fmt.Sprint("Member ", member)}}
	}
	base.Result, base.Ended, base.Changes = result, at, nil
	return base
}

// ladders are ratings as they are kept, in the server's pool, everybody's and a season's.
type ladders map[storage.Key]storage.Rating

func (l ladders) settle(m storage.Match) (storage.Match, []storage.Rating) {
	m, ratings := match.Settle(m, match.Pools(m, storage.SeasonPool(m.Server, 1)), l, rating.Standard())
	for _, r := range ratings {
		l[r.Key()] = r
	}
	return m, ratings
}

// sensible tells what is wrong with a rating, if anything.
func sensible(r storage.Rating) error {
	s := rating.Standard()
	switch provisional := r.Deviation >= s.Provisional; {
	case math.IsNaN(r.Points) || math.IsInf(r.Points, 0) || math.Abs(r.Points-1500) > 3000:
		return fmt.Errorf("%v points", r.Points)
	case !(r.Deviation >= s.MinDeviation && r.Deviation <= s.MaxDeviation):
		return fmt.Errorf("deviation %v", r.Deviation)
	case !(r.Volatility > 0 && r.Volatility <= s.MaxVolatility):
		return fmt.Errorf("volatility %v", r.Volatility)
	case r.White+r.Black != r.Games() || r.Games() == 0:
		return fmt.Errorf("%d games as white and %d as black of %d", r.White, r.Black, r.Games())
	case (r.Best.Match == "") != (r.Wins == 0):
		return fmt.Errorf("%d wins, the best %+v", r.Wins, r.Best)
	case !r.Weighed || r.Ranked() == provisional || r.Ranked() && !r.Lapses.After(r.At):
		return fmt.Errorf("deviation %v, and it lapses at %v", r.Deviation, r.Lapses)
	}
	return nil
}

// TestResultsKeepThePools plays results by chance, of people who meet and pause by chance: no rating becomes senseless, and
// what the match notes is what is kept.
func TestResultsKeepThePools(t *testing.T) {
	const members = 300
	seed := uint64(time.Now().UnixNano())
	chance, l := rand.New(rand.NewPCG(seed, 0)), ladders{}
	base, at := finished(t, variant(t, "nine")), noon
	results := []rules.Result{rules.WhiteWins, rules.WhiteWins, rules.BlackWins, rules.BlackWins, rules.Drawn}
	for n := range *poolResults {
		white, black := chance.IntN(members), chance.IntN(members-1)
		if black >= white {
			black++
		}
		at = at.Add(time.Duration(chance.ExpFloat64() * float64(20*time.Minute)))
		if n%5000 == 4999 {
			at = at.AddDate(1, 0, 0) // nobody plays for long
		}
		m, ratings := l.settle(over(base, white, black, results[chance.IntN(len(results))], at))
		if len(ratings) != 6 || len(m.Changes) != 6 {
			t.Fatalf("seed %d, result %d: %d ratings, %d changes", seed, n, len(ratings), len(m.Changes))
		}
		for i, r := range ratings {
			if err := sensible(r); err != nil || m.Changes[i].After != r.Points {
				t.Fatalf("seed %d, result %d: %s in %s has %v; noted is %+v", seed, n, r.Name, r.Pool, err, m.Changes[i])
			}
		}
	}
}

// drawPair draws two games between four people, none of whom plays in both, on ladders that have seen some games.
func drawPair(t *rapid.T, base storage.Match) (l ladders, one, other storage.Match) {
	l = ladders{}
	outcome := rapid.SampledFrom([]rules.Result{rules.WhiteWins, rules.BlackWins, rules.Drawn})
	at := noon
	for range rapid.IntRange(0, 12).Draw(t, "before") {
		white := rapid.IntRange(0, 3).Draw(t, "white")
		black := (white + rapid.IntRange(1, 3).Draw(t, "apart")) % 4
		at = at.Add(time.Duration(rapid.IntRange(0, 60*24).Draw(t, "hours")) * time.Hour)
		l.settle(over(base, white, black, outcome.Draw(t, "result"), at))
	}
	at = at.Add(time.Hour)
	return l, over(base, 0, 1, outcome.Draw(t, "one"), at), over(base, 2, 3, outcome.Draw(t, "other"), at)
}

func (l ladders) clone() ladders {
	copied := ladders{}
	for k, r := range l {
		copied[k] = r
	}
	return copied
}

func (l ladders) expect(t *rapid.T, other ladders) {
	if len(l) != len(other) {
		t.Fatalf("%d ratings, %d ratings", len(l), len(other))
	}
	for k, r := range l {
		if other[k] != r {
			t.Fatalf("%v: %+v, %+v", k, r, other[k])
		}
	}
}

// TestIndependentGamesCommute: which of two games between different people is settled first makes no difference.
func TestIndependentGamesCommute(t *testing.T) {
	base := finished(t, variant(t, "nine"))
	rapid.Check(t, func(t *rapid.T) {
		l, one, other := drawPair(t, base)
		swapped := l.clone()
		l.settle(one)
		l.settle(other)
		swapped.settle(other)
		swapped.settle(one)
		l.expect(t, swapped)
	})
}

// TestEqualGamesAreEqual: the same game changes equal ratings equally in every pool, and who had which colour makes no
// difference to points.
func TestEqualGamesAreEqual(t *testing.T) {
	base := finished(t, variant(t, "nine"))
	rapid.Check(t, func(t *rapid.T) {
		l, one, _ := drawPair(t, base)
		mirrored, seen := l.clone(), map[string]storage.Change{}
		again, _ := l.clone().settle(one)
		m, _ := l.settle(one)
		for i, c := range m.Changes {
			if again.Changes[i] != c {
				t.Fatalf("settled twice: %+v, %+v", c, again.Changes[i])
			}
			seen[c.Pool+c.Member] = c
		}
		if server, all := seen[storage.ServerPool(m.Server)+"member0"], seen[storage.GlobalPool+"member0"]; server.Before != all.Before || server.After != all.After {
			t.Fatalf("all games were of one server, and its pool differs: %+v, %+v", server, all)
		}
		turned := one
		turned.Seats[rules.White], turned.Seats[rules.Black] = one.Seats[rules.Black], one.Seats[rules.White]
		turned.Result = map[rules.Result]rules.Result{
			rules.WhiteWins: rules.BlackWins, rules.BlackWins: rules.WhiteWins, rules.Drawn: rules.Drawn,
		}[one.Result]
		turned, _ = mirrored.settle(turned)
		for _, c := range turned.Changes {
			if c != seen[c.Pool+c.Member] {
				t.Fatalf("with the colours exchanged: %+v, %+v", c, seen[c.Pool+c.Member])
			}
		}
	})
}

// TestWeeks: the points of Monday stay through the week, and are those of the last game before it in the next.
func TestWeeks(t *testing.T) {
	base, l := finished(t, variant(t, "nine")), ladders{}
	key := storage.RatingKey(storage.GlobalPool, "nine", "member0")
	sunday := time.Date(2026, time.May, 3, 23, 59, 59, 0, time.UTC)
	play := func(at time.Time) storage.Rating {
		l.settle(over(base, 0, 1, rules.WhiteWins, at))
		return l[key]
	}
	first := play(sunday.Add(-time.Hour))
	second := play(sunday)
	third := play(sunday.Add(time.Second))
	fourth := play(sunday.AddDate(0, 0, 7))
	if first.Monday != 1500 || second.Monday != 1500 || third.Monday != second.Points || fourth.Monday != second.Points {
		t.Errorf("Monday was %v, %v, %v and %v; after the second game she had %v", first.Monday, second.Monday, third.Monday, fourth.Monday, second.Points)
	}
}
