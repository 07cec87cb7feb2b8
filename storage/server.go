package storage

import (
	"fmt"
	"slices"
	"time"

	"kraal/rules"
)

// Server is what is kept of a Discord server: what those who manage it have chosen for all who play there. What is not
// chosen is empty, and then the bot's own default holds.
type Server struct {
	ID      string    `json:"id"`
	Greeted time.Time `json:"greeted,omitzero"` // when the bot's first message was posted there; zero: not since it came

	Variant  string      `json:"variant,omitempty"`  // the key of the game that is played where nobody says which
	Clock    string      `json:"clock,omitempty"`    // and its clock
	Channels []string    `json:"channels,omitempty"` // the channels in which games may begin; none: in all
	Threads  bool        `json:"threads,omitempty"`  // each game has a thread of its own
	Theme    string      `json:"theme,omitempty"`    // how boards look in its channels; "": as everywhere
	Pieces   string      `json:"pieces,omitempty"`   // what pieces look like on them; "": what suits the game
	TV       string      `json:"tv,omitempty"`       // the channel that shows the best game in play
	Announce string      `json:"announce,omitempty"` // the channel in which finished rated games are announced
	Herald   string      `json:"herald,omitempty"`   // who chose that channel, to be told when it takes no announcements
	Referees []string    `json:"referees,omitempty"` // the ids of the roles that make a referee
	House    []HouseRule `json:"house,omitempty"`    // in the order in which they were made
	Banned   []string    `json:"banned,omitempty"`   // the members who may not begin games here
	Season   Seasons     `json:"season,omitzero"`

	Puzzles   string `json:"puzzles,omitempty"`    // the channel in which each day's puzzle is posted
	PuzzleDay int    `json:"puzzle_day,omitempty"` // the last whose puzzle was posted, as Puzzles.Day counts
}

// HouseRule is a game of a server's own: one of the table with some columns changed.
type HouseRule struct {
	Key     string        `json:"key"` // the variant's
	Variant rules.Variant `json:"variant"`
}

// Key of a server: its Discord id.
func (s Server) Key() Key { return ServerKey(s.ID) }

// ServerKey names what is kept of the server with that id.
func ServerKey(id string) Key { return Key{KindServer, id} }

// HouseRule finds a house rule by its key.
func (s Server) HouseRule(key string) (rules.Variant, bool) {
	i := slices.IndexFunc(s.House, func(h HouseRule) bool { return h.Key == key })
	if i < 0 {
		return rules.Variant{}, false
	}
	return s.House[i].Variant, true
}

// Clone is a copy that shares nothing with s, so that a change of one is none of the other.
func (s Server) Clone() Server {
	s.Channels, s.Referees, s.Banned = slices.Clone(s.Channels), slices.Clone(s.Referees), slices.Clone(s.Banned)
	s.House = slices.Clone(s.House)
	return s
}

// check refuses house rules that could not be read again.
func (s Server) check() error {
	for _, h := range s.House {
		if err := h.Variant.Validate(); err != nil {
			return fmt.Errorf("%w: server %s: %w", ErrInvalid, s.ID, err)
		}
		if h.Key != h.Variant.Key {
			return fmt.Errorf("%w: server %s: house rule %q is of variant %q", ErrInvalid, s.ID, h.Key, h.Variant.Key)
		}
	}
	return nil
}

// ActKind is what a referee did.
type ActKind string

// The acts of referees.
const (
	ActEnd      ActKind = "end"      // a game, with the result in Said, "*" for none
	ActAnnul    ActKind = "annul"    // a game
	ActMove     ActKind = "move"     // a game to the channel in Said
	ActStanding ActKind = "standing" // ordered the count of every turn
	ActUncount  ActKind = "uncount"  // ended that order
	ActBan      ActKind = "ban"      // a member
	ActUnban    ActKind = "unban"    // a member
)

// Act is one thing that a referee did.
type Act struct {
	Kind   ActKind   `json:"kind"`
	At     time.Time `json:"at"`
	By     Person    `json:"by"`
	Match  string    `json:"match,omitempty"` // the id of the match that it was about
	Member Person    `json:"member,omitzero"` // whom it was about
	Said   string    `json:"said,omitempty"`  // what was decided, by kind
}

// Log is what a server's referees did, the last act last. It is a record of its own, for everything that begins a game
// reads the Server, and bounded, so that it needs no index: MaxActs are kept, and the oldest goes.
type Log struct {
	Server string `json:"server"`
	Acts   []Act  `json:"acts,omitempty"`
}

// MaxActs is how many acts a Log keeps.
const MaxActs = 200

// Key of a log: the Discord id of its server.
func (l Log) Key() Key { return LogKey(l.Server) }

// LogKey names what the referees of the server with that id did.
func LogKey(server string) Key { return Key{KindLog, server} }

// With is the log with a further act; l is left as it is.
func (l Log) With(a Act) Log {
	l.Acts = append(slices.Clone(l.Acts), a)
	l.Acts = l.Acts[max(0, len(l.Acts)-MaxActs):]
	return l
}
