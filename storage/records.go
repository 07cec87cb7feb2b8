package storage

import (
	"slices"
	"time"

	"kraal/rules"
)

// Kind tells what sort of thing a record is.
type Kind string

// The kinds of record that are kept.
const (
	KindMatch      Kind = "match"
	KindRating     Kind = "rating"
	KindMember     Kind = "member"
	KindServer     Kind = "server"
	KindAlive      Kind = "alive"
	KindWatch      Kind = "watch"
	KindPrediction Kind = "prediction"
	KindLog        Kind = "log"
	KindSeason     Kind = "season"
	KindTally      Kind = "tally"
	KindFarewell   Kind = "farewell"
)

// Key names one record: its kind, and an id that is unique within the kind.
type Key struct {
	Kind Kind
	ID   string
}

// String gives the key as kind/id.
func (k Key) String() string { return string(k.Kind) + "/" + k.ID }

// Record is a value that a store keeps: Match, Rating, Member, Server, Log, Alive, Watch, Prediction, Season, Tally or Farewell. It
// holds facts; what follows from them (positions, who is to move, ranks) is worked out anew by whoever reads it.
type Record interface {
	Key() Key
}

// State is how far a match has come.
type State string

// A match begins as a challenge. It is then played and finished, or comes to nothing.
const (
	Challenged State = "challenged" // offered, not yet accepted
	Playing    State = "playing"
	Finished   State = "finished"  // has a result
	Withdrawn  State = "withdrawn" // came to nothing: Ending tells how
)

// Ending tells why a match came to nothing.
type Ending string

// The ways in which a match ends without a result.
const (
	Declined  Ending = "declined"
	Cancelled Ending = "cancelled"
	Expired   Ending = "expired"
	Aborted   Ending = "aborted"   // a game in which a first turn was not made in time
	CalledOff Ending = "calledoff" // a game that a player gave up before both had made a turn
	Voided    Ending = "voided"    // by a referee, without a result
)

// Person is a Discord account as it was when a match last saw it.
type Person struct {
	ID   string `json:"id"`             // a Discord user id; "" where a challenge is open to anyone
	Name string `json:"name,omitempty"` // the display name, as it came: escape it before showing it
}

// Seat is one side of a match: who sits there, and the rating they came with.
type Seat struct {
	Person
	Points    float64 `json:"points,omitempty"`    // Glicko points in the server's pool at the start
	Deviation float64 `json:"deviation,omitempty"` // Glicko deviation then, in the same points; 0: no rating

	Acted time.Time `json:"acted,omitzero"`  // when they last did anything in this match
	Level int       `json:"level,omitempty"` // of the engine, from 1, where it sits here; 0: a person
}

// Deed is one action that was made, and when.
type Deed struct {
	Action string    `json:"a"` // as rules.Action writes it
	At     time.Time `json:"t"`
}

// OfferKind is what a player proposes to the other.
type OfferKind string

// The offers that a player can make.
const (
	OfferDraw     OfferKind = "draw"
	OfferTakeback OfferKind = "takeback"
	OfferRematch  OfferKind = "rematch" // made when the match is finished
	OfferAdjourn  OfferKind = "adjourn"
)

// Offer is a proposal that waits for the other player.
type Offer struct {
	Kind OfferKind  `json:"kind"`
	By   rules.Side `json:"by"`
	Deed int        `json:"deed"` // how many actions had been made: playing on withdraws a draw offer
	At   time.Time  `json:"at"`
}

// PauseKind tells why no clock ran for a while.
type PauseKind string

// The reasons for which a clock stands still.
const (
	PauseDowntime  PauseKind = "downtime"  // the bot was away, or the system's clock jumped
	PauseAdjourned PauseKind = "adjourned" // agreed on
	PauseTakeback  PauseKind = "takeback"  // spent on turns that were taken back
	PauseUnclocked PauseKind = "unclocked" // before clocks ran at all
)

// Pause is a stretch of time that counts against nobody. Pauses may overlap: what they cover counts once.
type Pause struct {
	Why    PauseKind `json:"why"`
	From   time.Time `json:"from"`
	To     time.Time `json:"to,omitzero"`      // zero: it lasts
	Untold bool      `json:"untold,omitempty"` // the players have yet to be told of it
}

// Protest is a call for the arbiter's count against the player to move.
type Protest struct {
	Turn int       `json:"turn"` // at which action the turn began for which the count holds
	At   time.Time `json:"at"`
}

// Hint is that a player was told what to play.
type Hint struct {
	By   rules.Side `json:"by"`
	Deed int        `json:"deed"` // how many actions had been made
}

// Change is what a finished match did to one rating.
type Change struct {
	Pool   string  `json:"pool"`
	Member string  `json:"member"`
	Before float64 `json:"before"` // points
	After  float64 `json:"after"`
}

// Unrated tells why a match that was to be rated left the ratings alone.
type Unrated string

// The reasons for that.
const (
	UnratedAgreed Unrated = "agreed" // a draw was agreed on after too few turns
	UnratedPair   Unrated = "pair"   // the two had played enough rated games with each other that day
)

// Shown tells what people can see of a match, so that a crash between keeping and telling is found and made good.
type Shown struct {
	Channel  string    `json:"channel,omitempty"`
	Message  string    `json:"message,omitempty"`   // the board message; "" when there is none
	Revision int       `json:"revision"`            // the revision which that message shows
	Posted   time.Time `json:"posted,omitzero"`     // when the message was created: Discord limits edits of old ones
	Notice   string    `json:"notice,omitempty"`    // the turn notice that stands
	NoticeIn string    `json:"notice_in,omitempty"` // the channel it stands in
	Trouble  string    `json:"trouble,omitempty"`   // why telling stopped, until a player acts again
	ToThread bool      `json:"to_thread,omitempty"` // the game is to have a thread of its own, and has none yet
	Thread   string    `json:"thread,omitempty"`    // the game's own thread, where its board is while it is played
}

// Match is one match, from challenge to result. It is enough to rebuild everything: Variant carries the full rules, so
// that a later change of house rules does not reach a running game.
type Match struct {
	ID       string        `json:"id"`
	State    State         `json:"state"`
	Ending   Ending        `json:"ending,omitempty"`  // of a withdrawn one
	Quitter  string        `json:"quitter,omitempty"` // the id of whoever called the game off
	Server   string        `json:"server,omitempty"`  // "" in direct messages
	Channel  string        `json:"channel"`
	Above    string        `json:"above,omitempty"` // the channel that Channel, a thread which people began, hangs below
	Variant  rules.Variant `json:"variant"`
	Position string        `json:"position,omitempty"` // where it does not begin at the opening position
	Clock    string        `json:"clock,omitempty"`    // "none", "5+3" or "1d", as in the command
	Rated    bool          `json:"rated,omitempty"`

	Challenger Person `json:"challenger"`
	Opponent   Person `json:"opponent"`
	Colour     string `json:"colour,omitempty"` // the challenger's: "white", "black" or "random"

	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero"` // of a challenge
	Started time.Time `json:"started,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`

	Seats  [2]Seat `json:"seats"` // by side; empty until the challenge is accepted
	Deeds  []Deed  `json:"deeds,omitempty"`
	Offers []Offer `json:"offers,omitempty"`

	Pauses   []Pause   `json:"pauses,omitempty"`   // in the order in which they were noted
	Protests []Protest `json:"protests,omitempty"` // of turns on the board, in their order
	Standing time.Time `json:"standing,omitzero"`  // since when a referee has every turn counted

	Result    rules.Result `json:"result,omitempty"`
	Reason    rules.Reason `json:"reason,omitempty"`
	Changes   []Change     `json:"changes,omitempty"`   // to ratings, in every pool
	Unrated   Unrated      `json:"unrated,omitempty"`   // why a rated match changed none; "": it did, or counted for nobody
	Hints     []Hint       `json:"hints,omitempty"`     // that players were given
	Foretold  Forecast     `json:"foretold,omitzero"`   // what others said would come of it
	Next      string       `json:"next,omitempty"`      // the rematch's id
	Last      string       `json:"last,omitempty"`      // the match this is a rematch of
	Series    [2]int       `json:"series,omitzero"`     // half points in the games before this rematch, by side here
	Announced bool         `json:"announced,omitempty"` // the result was announced in the server's channel for that, or never can be
	Annulled  time.Time    `json:"annulled,omitzero"`   // when a referee took those changes back; zero: they stand
	Camp      int          `json:"camp,omitempty"`      // the level that was beaten, where by this the winner has come higher than before

	EngineDue   bool `json:"engine_due,omitempty"`   // it is for the engine to act: to make its turn, or to answer an offer
	DrawRefused int  `json:"draw_refused,omitempty"` // how many actions had been made, and one, when the engine last refused a draw

	Revision int       `json:"revision"`          // grows with every change that people can see; taps name it
	Handled  []string  `json:"handled,omitempty"` // ids of the last requests carried out, so that a repeated one is known
	NoticeAt time.Time `json:"notice_at,omitzero"`
	WarnAt   time.Time `json:"warn_at,omitzero"` // when somebody is next to be told how little time is left
	FlagAt   time.Time `json:"flag_at,omitzero"` // when the turn under way ends the game, if it is not made; zero: no clock runs
	Shown    Shown     `json:"shown"`
}

// Key of a match: its id.
func (m Match) Key() Key { return MatchKey(m.ID) }

// MatchKey names the match with that id.
func MatchKey(id string) Key { return Key{KindMatch, id} }

// Live tells whether the match is still going on: a challenge that waits, or a game in play.
func (m Match) Live() bool { return m.State == Challenged || m.State == Playing }

// Place is the channel where the match is played: its own thread while it is in play, if it has one.
func (m Match) Place() string {
	if m.State == Playing && m.Shown.Thread != "" {
		return m.Shown.Thread
	}
	return m.Channel
}

// InThread tells whether the match is played in a thread, its own or one that people began, and so has a channel above to
// go to.
func (m Match) InThread() bool { return m.Place() != m.Channel || m.Above != "" }

// Untold tells whether people have yet to be shown the newest revision.
func (m Match) Untold() bool { return m.Shown.Revision < m.Revision && m.Shown.Trouble == "" }

// Ticking tells whether a clock runs: that of the player to move, the time for a first turn, or the arbiter's count.
func (m Match) Ticking() bool { return m.State == Playing && !m.FlagAt.IsZero() }

// Thinking tells whether the engine has something to do in the match.
func (m Match) Thinking() bool { return m.State == Playing && m.EngineDue }

// UntoldPause is the first pause that the players have yet to be told of.
func (m Match) UntoldPause() (p Pause, ok bool) {
	i := slices.IndexFunc(m.Pauses, func(p Pause) bool { return p.Untold })
	if i < 0 {
		return p, false
	}
	return m.Pauses[i], true
}

// Due is when something is to happen without anyone acting: a challenge expires, a clock runs out, somebody is warned of
// that, a notice of a turn, of the end or of a pause is sent. The zero time means never.
func (m Match) Due() time.Time {
	if m.State == Challenged {
		return m.Expires
	}
	first := m.NoticeAt
	pause, _ := m.UntoldPause()
	for _, at := range []time.Time{m.WarnAt, m.FlagAt, pause.To} {
		if first.IsZero() || !at.IsZero() && at.Before(first) {
			first = at
		}
	}
	return first
}

// Members lists the ids of the people whom the match concerns, without repeats.
func (m Match) Members() []string {
	people := []string{m.Challenger.ID, m.Opponent.ID, m.Seats[rules.White].ID, m.Seats[rules.Black].ID}
	var ids []string
	for _, id := range people {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Member is what one person has chosen for themselves.
type Member struct {
	ID       string   `json:"id"`
	Quiet    bool     `json:"quiet,omitempty"`    // wants no notices of turns, ends and pauses
	Unwarned bool     `json:"unwarned,omitempty"` // wants no warnings of how little time is left
	Words    bool     `json:"words,omitempty"`    // is told each position in words
	Confirm  bool     `json:"confirm,omitempty"`  // is asked before an action of theirs is made
	Dots     bool     `json:"dots,omitempty"`     // is shown the board, with dots where it can go, when they choose a piece
	Theme    string   `json:"theme,omitempty"`    // how pictures look that they alone see; "": as all others do
	Pieces   string   `json:"pieces,omitempty"`   // what pieces look like in those; "": as for all others
	Closed   []string `json:"closed,omitempty"`   // ids of the servers in which nobody may challenge them
	Blocked  []Person `json:"blocked,omitempty"`  // from whom they take no challenges anywhere, and who never learn it
	Puzzles  Puzzles  `json:"puzzles,omitzero"`   // how they fare with them

	Climbed map[string]int `json:"climbed,omitempty"` // by a variant's key: the highest level beaten after all those below it
}

// Blocks tells whether the member takes no challenges from somebody.
func (m Member) Blocks(id string) bool {
	return slices.ContainsFunc(m.Blocked, func(p Person) bool { return p.ID == id })
}

// Key of a member: the Discord user id.
func (m Member) Key() Key { return MemberKey(m.ID) }

// MemberKey names what is kept of the member with that id.
func MemberKey(id string) Key { return Key{KindMember, id} }

// Alive tells when a process was last there while a clock ran, so that the time without one is given back.
type Alive struct {
	ID string    `json:"id"` // of what was alive: the bot, or, where several share a store, one part of it
	At time.Time `json:"at"`
}

// Key of a sign of life: what was alive.
func (a Alive) Key() Key { return AliveKey(a.ID) }

// AliveKey names the last sign of life of what has that id.
func AliveKey(id string) Key { return Key{KindAlive, id} }
