package match

import (
	"time"

	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
)

// Counts tells whether a finished match changes ratings: it was agreed to be rated, each side made a turn, and a draw was
// not agreed on at once.
func Counts(t Table) bool { return toBeRated(t) && t.BothMoved() && !AgreedEarly(t) }

// agreedTurns is how many turns both sides together have to make before a draw that they agree on is rated: two who want
// their ratings to move towards each other, or a day's games to be played, shall at least have played.
const agreedTurns = 10

// AgreedEarly tells whether a match leaves ratings alone for that reason. Where not even both have made a turn it is the
// reason to give, too: the board said that the game is rated, and owes an answer.
func AgreedEarly(t Table) bool {
	return toBeRated(t) && t.Match.Reason == rules.Agreement && len(t.Game.Turns()) < agreedTurns
}

// toBeRated tells whether a match is over that its players wanted rated, and that can be.
func toBeRated(t Table) bool {
	_, practice := EngineSide(t.Match)
	return t.Match.State == storage.Finished && t.Match.Rated && !practice && !Alone(t.Match)
}

// HasLadder tells whether games under these rules can be rated: those of the six variants as they stand, or changed only
// where their guide leaves a choice, and house rules, which have a key and a ladder of their own.
func HasLadder(v rules.Variant) bool {
	row, known := rules.Lookup(v.Key)
	if !known {
		return true
	}
	for _, column := range rules.Columns() {
		want, _ := row.Column(column)
		if have, _ := v.Column(column); have != want && !row.LeavesOpen(column) {
			return false
		}
	}
	return true
}

// Pool is one in which a match is rated.
type Pool struct {
	Name  string
	Reset string // the pool of whose rating a newcomer here begins with a part (rating.System.Reset); "": with none
}

// Pools lists the pools in which a match is rated. House rules have a ladder in their server alone. season is the pool of
// the server's season; "" where there is none.
func Pools(m storage.Match, season string) []Pool {
	var pools []Pool
	if m.Server != "" {
		pools = append(pools, Pool{Name: storage.ServerPool(m.Server)})
	}
	if m.Variant.Base == "" || m.Variant.Base == m.Variant.Key {
		pools = append(pools, Pool{Name: storage.GlobalPool})
	}
	if m.Server != "" && season != "" {
		pools = append(pools, Pool{Name: season, Reset: storage.ServerPool(m.Server)})
	}
	return pools
}

// Settle works out the ratings of both players after a finished match, in each of the pools, from those they had (none:
// they are new there). It returns the match with the changes noted, and the ratings to keep.
func Settle(m storage.Match, pools []Pool, had map[storage.Key]storage.Rating, s rating.System) (storage.Match, []storage.Rating) {
	m = clone(m)
	var ratings []storage.Rating
	for _, pool := range pools {
		pair := [2]storage.Rating{}
		for side, seat := range m.Seats {
			pair[side] = current(had, pool, m, seat, s)
		}
		for side, after := range settlePair(pair, m, s) {
			m.Changes = append(m.Changes, storage.Change{
				Pool: pool.Name, Member: after.Member, Before: pair[side].Points, After: after.Points,
			})
			ratings = append(ratings, after)
		}
	}
	return m, ratings
}

// current is a member's rating before the game. A newcomer's is the system's start, or what a season leaves of another.
func current(had map[storage.Key]storage.Rating, pool Pool, m storage.Match, seat storage.Seat, s rating.System) storage.Rating {
	r, ok := had[storage.RatingKey(pool.Name, m.Variant.Key, seat.ID)]
	if !ok {
		begin := s.Start
		if other, known := had[storage.RatingKey(pool.Reset, m.Variant.Key, seat.ID)]; known {
			begin = s.Reset(s.Grown(strength(other), since(other, m.Ended)))
		}
		r = storage.Rating{
			Pool: pool.Name, Variant: m.Variant.Key, Member: seat.ID,
			Points: begin.Points, Deviation: begin.Deviation, Volatility: begin.Volatility,
		}
	}
	r.Name = seat.Name
	return r
}

// settlePair rates one game in one pool, both sides from the same state before it.
func settlePair(pair [2]storage.Rating, m storage.Match, s rating.System) [2]storage.Rating {
	score := whiteScore(m.Result)
	idle := [2]time.Duration{since(pair[rules.White], m.Ended), since(pair[rules.Black], m.Ended)}
	white, black := s.Game(strength(pair[rules.White]), strength(pair[rules.Black]), score, idle)
	after := pair
	for side, now := range [2]rating.Rating{rules.White: white, rules.Black: black} {
		r := entered(pair[side], m, rules.Side(side))
		r.Points, r.Deviation, r.Volatility = now.Points, now.Deviation, now.Volatility
		r.Weighed, r.Lapses = true, s.Lapse(now, m.Ended)
		if winner, ok := m.Result.Winner(); ok && winner == rules.Side(side) {
			r.Best = better(r.Best, m, pair[winner.Opponent()])
		}
		after[side] = r
	}
	return after
}

// entered is a rating with the game in its counts, and what it was worth when this week began.
func entered(r storage.Rating, m storage.Match, side rules.Side) storage.Rating {
	if week := WeekOf(m.Ended); r.At.Before(week) || r.At.IsZero() {
		r.Monday = r.Points
	}
	r.At = m.Ended
	if side == rules.White {
		r.White++
	} else {
		r.Black++
	}
	switch winner, won := m.Result.Winner(); {
	case !won:
		r.Draws++
	case winner == side:
		r.Wins++
	default:
		r.Losses++
	}
	return r
}

// better is the best win so far: that over the opponent with the most points before the game, the first of equals.
func better(best storage.Win, m storage.Match, over storage.Rating) storage.Win {
	if best.Match != "" && best.Points >= over.Points {
		return best
	}
	return storage.Win{Match: m.ID, Over: storage.Person{ID: over.Member, Name: over.Name}, Points: over.Points}
}

// WeekOf is when the ISO week of a moment began: on Monday, at midnight in UTC.
func WeekOf(at time.Time) time.Time {
	return at.UTC().Truncate(7 * 24 * time.Hour) // counted from the zero time, which was a Monday
}

func whiteScore(r rules.Result) float64 {
	winner, ok := r.Winner()
	switch {
	case !ok:
		return 0.5
	case winner == rules.White:
		return 1
	}
	return 0
}

func since(r storage.Rating, now time.Time) time.Duration {
	if r.At.IsZero() {
		return 0
	}
	return max(0, now.Sub(r.At))
}

func strength(r storage.Rating) rating.Rating {
	return rating.Rating{Points: r.Points, Deviation: r.Deviation, Volatility: r.Volatility}
}
