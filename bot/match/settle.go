package match

import (
	"time"

	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
)

// Counts tells whether a finished match changes ratings: it was agreed to be rated, and each side made a turn.
func Counts(t Table) bool {
	return t.Match.State == storage.Finished && t.Match.Rated && !Alone(t.Match) && t.BothMoved()
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

// Pools lists the pools in which a match is rated. House rules have a ladder in their server alone.
func Pools(m storage.Match) []string {
	var pools []string
	if m.Server != "" {
		pools = append(pools, storage.ServerPool(m.Server))
	}
	if m.Variant.Base == "" || m.Variant.Base == m.Variant.Key {
		pools = append(pools, storage.GlobalPool)
	}
	return pools
}

// Settle works out the ratings of both players after a finished match, in every pool, from those they had (none: they
// are new there). It returns the match with the changes noted, and the ratings to keep.
func Settle(m storage.Match, had map[storage.Key]storage.Rating, s rating.System) (storage.Match, []storage.Rating) {
	m = clone(m)
	var ratings []storage.Rating
	for _, pool := range Pools(m) {
		pair := [2]storage.Rating{}
		for side, seat := range m.Seats {
			pair[side] = current(had, pool, m.Variant.Key, seat, s)
		}
		for side, after := range settlePair(pair, m, s) {
			m.Changes = append(m.Changes, storage.Change{
				Pool: pool, Member: after.Member, Before: pair[side].Points, After: after.Points,
			})
			ratings = append(ratings, after)
		}
	}
	return m, ratings
}

// current is a member's rating before the game; a newcomer's is the system's start.
func current(had map[storage.Key]storage.Rating, pool, variant string, seat storage.Seat, s rating.System) storage.Rating {
	r, ok := had[storage.RatingKey(pool, variant, seat.ID)]
	if !ok {
		r = storage.Rating{
			Pool: pool, Variant: variant, Member: seat.ID,
			Points: s.Start.Points, Deviation: s.Start.Deviation, Volatility: s.Start.Volatility,
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
	return [2]storage.Rating{
		after(pair[rules.White], white, score, m.Ended),
		after(pair[rules.Black], black, 1-score, m.Ended),
	}
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

func after(r storage.Rating, now rating.Rating, score float64, at time.Time) storage.Rating {
	r.Points, r.Deviation, r.Volatility = now.Points, now.Deviation, now.Volatility
	r.At = at
	switch score {
	case 1:
		r.Wins++
	case 0:
		r.Losses++
	default:
		r.Draws++
	}
	return r
}
