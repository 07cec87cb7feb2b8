package match

import (
	"kraal/rules"
	"kraal/storage"
)

// Tallies counts a match that is settled for both players, in each of the pools, on top of what was counted. ratings are
// those that they had: one that was not weighed is from before games were counted, and its own are counted with this one.
func Tallies(
	m storage.Match, pools []Pool, counted map[storage.Key]storage.Tally, ratings map[storage.Key]storage.Rating,
) (all []storage.Tally) {
	for _, pool := range pools {
		for side, seat := range m.Seats {
			t := counted[storage.TallyKey(pool.Name, seat.ID)]
			t.Pool, t.Member, t.Name, t.At = pool.Name, seat.ID, seat.Name, m.Ended
			if old := ratings[storage.RatingKey(pool.Name, m.Variant.Key, seat.ID)]; !old.Weighed {
				t = WithOld(t, old)
			}
			switch winner, won := m.Result.Winner(); {
			case !won:
				t.Draws++
			case winner == rules.Side(side):
				t.Wins++
			default:
				t.Losses++
			}
			all = append(all, t)
		}
	}
	return all
}

// WithOld is a tally with the games of a rating from before they were counted.
func WithOld(t storage.Tally, old storage.Rating) storage.Tally {
	t.Wins, t.Draws, t.Losses = t.Wins+old.Wins, t.Draws+old.Draws, t.Losses+old.Losses
	return t
}

// untallied is a tally without a match that was annulled.
func untallied(t storage.Tally, m storage.Match) storage.Tally {
	switch winner, won := m.Result.Winner(); {
	case !won:
		t.Draws = max(0, t.Draws-1)
	case m.Seats[winner].ID == t.Member:
		t.Wins = max(0, t.Wins-1)
	default:
		t.Losses = max(0, t.Losses-1)
	}
	return t
}

// Untally takes an annulled match out of what was counted: it returns the tallies to keep, and those to forget, in which no
// other game is left. Of a rating that is not weighed nothing was counted yet.
func Untally(
	m storage.Match, counted map[storage.Key]storage.Tally, ratings map[storage.Key]storage.Rating,
) (keep []storage.Tally, forget []storage.Key) {
	for _, c := range m.Changes {
		t, ok := counted[storage.TallyKey(c.Pool, c.Member)]
		if !ok || !ratings[storage.RatingKey(c.Pool, m.Variant.Key, c.Member)].Weighed {
			continue
		}
		if t = untallied(t, m); t.Games() == 0 {
			forget = append(forget, t.Key())
			continue
		}
		keep = append(keep, t)
	}
	return keep, forget
}
