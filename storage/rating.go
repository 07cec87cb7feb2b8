package storage

import (
	"strconv"
	"time"
)

// GlobalPool is the pool of ratings that all servers share.
const GlobalPool = "global"

// ServerPool names the pool of one server's ratings.
func ServerPool(server string) string { return "server:" + server }

// SeasonPool names the pool of one season of a server's.
func SeasonPool(server string, number int) string {
	return "season:" + server + ":" + strconv.Itoa(number)
}

// Rating is what one member has reached in one pool under one variant. Source of the numbers: Glickman's Glicko-2.
type Rating struct {
	Pool       string    `json:"pool"`
	Variant    string    `json:"variant"` // a variant's key
	Member     string    `json:"member"`
	Name       string    `json:"name"` // as at the last game, so that a list needs no call for a name
	Points     float64   `json:"points"`
	Deviation  float64   `json:"deviation"` // as it was at At; it grows with time
	Volatility float64   `json:"volatility"`
	Wins       int       `json:"wins"`
	Draws      int       `json:"draws"`
	Losses     int       `json:"losses"`
	At         time.Time `json:"at"` // the last rated game

	Weighed bool      `json:"weighed,omitempty"` // Lapses was worked out; false in a record that is older than it
	Lapses  time.Time `json:"lapses,omitzero"`   // when it has become too uncertain to be ranked; zero: it is so now
	Monday  float64   `json:"monday,omitempty"`  // the points it had when the ISO week of At began, in UTC; 0: that is not known
	White   int       `json:"white,omitempty"`   // of the games, how many as white; those before it was counted are not among them
	Black   int       `json:"black,omitempty"`   // and as black
	Best    Win       `json:"best,omitzero"`     // over the highest rated
}

// Win is a game that was won.
type Win struct {
	Match  string  `json:"match"`
	Over   Person  `json:"over"`
	Points float64 `json:"points"` // the loser's before the game
}

// Key of a rating: its pool, variant and member.
func (r Rating) Key() Key { return RatingKey(r.Pool, r.Variant, r.Member) }

// RatingKey names a member's rating under a variant in a pool.
func RatingKey(pool, variant, member string) Key {
	return Key{KindRating, pool + "/" + variant + "/" + member}
}

// Games is the number of rated games.
func (r Rating) Games() int { return r.Wins + r.Draws + r.Losses }

// Ranked tells whether the rating has a place on its board.
func (r Rating) Ranked() bool { return !r.Lapses.IsZero() }
