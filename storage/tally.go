package storage

import "time"

// Tally counts the rated games that one member has finished in one pool, over all variants. It is kept so that a list of
// who plays most needs no rating to be read.
type Tally struct {
	Pool   string    `json:"pool"`
	Member string    `json:"member"`
	Name   string    `json:"name"` // as at the last game
	Wins   int       `json:"wins"`
	Draws  int       `json:"draws"`
	Losses int       `json:"losses"`
	At     time.Time `json:"at"` // the last rated game
}

// Key of a tally: its pool and member.
func (t Tally) Key() Key { return TallyKey(t.Pool, t.Member) }

// TallyKey names the tally of a member in a pool.
func TallyKey(pool, member string) Key { return Key{KindTally, pool + "/" + member} }

// Games is how many they are.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

// Busiest lists the tallies of a pool by their games: the most first, equal ones by member. A Store counts it
// (Reader.Counts), with a game for a point.
func Busiest(pool string) Index {
	return Index{prefix: start(busiest, pool), kind: KindTally, sorted: numberSize, ranked: true}
}

func tallyEntries(t Tally) []*ordered {
	o := begin(busiest, t.Pool)
	o.fallingNumber(float64(t.Games()))
	return []*ordered{o, begin(talliesOf, t.Member)}
}
