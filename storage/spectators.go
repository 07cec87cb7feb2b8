package storage

import (
	"time"

	"kraal/rules"
)

// Forecast counts what people who do not play said would come of a match.
type Forecast struct {
	White int `json:"white,omitempty"` // that white wins
	Black int `json:"black,omitempty"`
	Draw  int `json:"draw,omitempty"`
}

// All is how many people said something.
func (f Forecast) All() int { return f.White + f.Black + f.Draw }

// Of is how many people said that.
func (f Forecast) Of(r rules.Result) int {
	if n := (&f).count(r); n != nil {
		return *n
	}
	return 0
}

// Moved is the forecast after one person said now what they had not said before; rules.Result's zero is nothing.
func (f Forecast) Moved(before, now rules.Result) Forecast {
	if n := f.count(before); n != nil {
		*n--
	}
	if n := f.count(now); n != nil {
		*n++
	}
	return f
}

func (f *Forecast) count(r rules.Result) *int {
	switch r {
	case rules.WhiteWins:
		return &f.White
	case rules.BlackWins:
		return &f.Black
	case rules.Drawn:
		return &f.Draw
	}
	return nil
}

// Watch is a message that shows a game in another channel than its board: a mirror, which follows one game, or a
// server's tv, which shows the best game in play.
type Watch struct {
	Server  string    `json:"server"`
	Channel string    `json:"channel"`
	Game    string    `json:"game,omitempty"`    // the match that is followed; of a tv the one that it shows, "" before the first
	TV      bool      `json:"tv,omitempty"`      // a server has at most one of these
	Message string    `json:"message,omitempty"` // "" while there is none
	Posted  time.Time `json:"posted,omitzero"`   // when the message was created: Discord limits edits of old ones
	Shows   string    `json:"shows,omitempty"`   // which state of the match the message shows
	Over    bool      `json:"over,omitempty"`    // of a mirror: nobody wants it any more, and the message is to go
	Trouble string    `json:"trouble,omitempty"` // of a tv: why it stopped, until another game is the best
}

// Key of a watch: a mirror's game and channel, or a tv's server.
func (w Watch) Key() Key {
	if w.TV {
		return TVKey(w.Server)
	}
	return MirrorKey(w.Game, w.Channel)
}

// MirrorKey names the mirror of a game in a channel.
func MirrorKey(game, channel string) Key { return Key{KindWatch, game + "/" + channel} }

// TVKey names a server's tv. No game's id is so short.
func TVKey(server string) Key { return Key{KindWatch, "tv/" + server} }

// Prediction is what somebody who does not play said would come of a match.
type Prediction struct {
	Game   string       `json:"game"`
	Server string       `json:"server"`
	Member string       `json:"member"`
	Name   string       `json:"name,omitempty"` // as it came: escape it before showing it
	Said   rules.Result `json:"said"`
	At     time.Time    `json:"at"`
	Came   rules.Result `json:"came,omitempty"` // what came of the match; its zero: it is not over, or does not count
}

// Right tells whether it came as was said.
func (p Prediction) Right() bool { return p.Came != "" && p.Came == p.Said }

// Key of a prediction: member and game, so that a member's stand together.
func (p Prediction) Key() Key { return PredictionKey(p.Member, p.Game) }

// PredictionKey names what a member said of a match.
func PredictionKey(member, game string) Key { return Key{KindPrediction, member + "/" + game} }
