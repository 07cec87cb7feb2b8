package storage

import (
	"fmt"
	"slices"
	"time"
)

// SeasonLength is how long a server's seasons last, by the calendar in UTC; "": it has none.
type SeasonLength string

// The lengths of seasons.
const (
	SeasonMonth    SeasonLength = "month"
	SeasonQuarter  SeasonLength = "quarter"
	SeasonHalfYear SeasonLength = "half-year"
	SeasonYear     SeasonLength = "year"
)

// Seasons is what a server has chosen of its seasons, and the one under way.
type Seasons struct {
	Length  SeasonLength `json:"length,omitempty"`  // of those to come
	Games   int          `json:"games,omitempty"`   // that a champion needs to have played; 0: the bot's default
	Role    string       `json:"role,omitempty"`    // the id of the role that champions wear; "": none
	Trouble string       `json:"trouble,omitempty"` // why the role could not be given; "": it could, or was not tried

	Number int       `json:"number,omitempty"` // of the season under way; 0: there has been none
	From   time.Time `json:"from,omitzero"`    // when it began
	To     time.Time `json:"to,omitzero"`      // when it ends; zero: none is under way
}

// Place is somebody's place in a season that is over.
type Place struct {
	Person
	Place  int     `json:"place"` // equal ones share one; 1 is a champion
	Points float64 `json:"points"`
	Games  int     `json:"games"`
}

// Podium is who came first in a season under one variant.
type Podium struct {
	Variant string  `json:"variant"` // a variant's key
	Name    string  `json:"name"`    // and its name then: a server may have dropped the game
	Places  []Place `json:"places"`  // the first three, with those who share a place
}

// Season is one season of a server's that is over.
type Season struct {
	Server    string    `json:"server"`
	Number    int       `json:"number"`
	From      time.Time `json:"from"`
	To        time.Time `json:"to"`
	Podiums   []Podium  `json:"podiums,omitempty"`   // by variant; none: nobody played enough
	Role      string    `json:"role,omitempty"`      // the role that its champions are to have
	Former    []string  `json:"former,omitempty"`    // the ids of those from whom it is to be taken
	Uncrowned bool      `json:"uncrowned,omitempty"` // that has yet to be done
	Crowned   int       `json:"crowned,omitempty"`   // for how many of those, former ones first, it is done with Role so far
}

// Champions lists the ids of those who came first under any variant, without repeats. Who has left is not among them.
func (s Season) Champions() (ids []string) {
	seen := map[string]bool{}
	for _, p := range s.Podiums {
		for _, place := range p.Places {
			if place.Place == 1 && !seen[place.ID] && !place.Left() {
				seen[place.ID] = true
				ids = append(ids, place.ID)
			}
		}
	}
	return ids
}

// Key of a season: its server and number.
func (s Season) Key() Key { return SeasonKey(s.Server, s.Number) }

// SeasonKey names a season of a server's.
func SeasonKey(server string, number int) Key {
	return Key{KindSeason, fmt.Sprintf("%s/%d", server, number)}
}

// Members lists the ids of all whom the season names, with repeats.
func (s Season) Members() []string {
	ids := slices.Clone(s.Former)
	for _, p := range s.Podiums {
		for _, place := range p.Places {
			ids = append(ids, place.ID)
		}
	}
	return ids
}
