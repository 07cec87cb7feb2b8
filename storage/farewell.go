package storage

import (
	"slices"
	"strings"
	"time"
)

// Farewell is that a member wants nothing kept of them any more. It stands until that is so: what is kept of somebody can
// be more than one change takes, and a process may end in between.
type Farewell struct {
	Member string    `json:"member"`
	Alias  string    `json:"alias"` // what stands in their place in records that others share
	Asked  time.Time `json:"asked"`
}

// Key of a farewell: the member's Discord id.
func (f Farewell) Key() Key { return FarewellKey(f.Member) }

// FarewellKey names the farewell of the member with that id.
func FarewellKey(member string) Key { return Key{KindFarewell, member} }

// aliasMark begins every alias. No Discord id does so.
const aliasMark = "gone-"

// Alias is an id for somebody who has left, told apart from others who have by the suffix alone.
func Alias(suffix string) string { return aliasMark + suffix }

// Left tells whether the person is one who has left, of whom nothing but an alias is known.
func (p Person) Left() bool { return strings.HasPrefix(p.ID, aliasMark) }

// SomebodyLeft tells whether a match concerns somebody who has left.
func (m Match) SomebodyLeft() bool {
	for _, id := range m.Members() {
		if (Person{ID: id}).Left() {
			return true
		}
	}
	return false
}

// Renamed is the match with one person's id and name replaced by an alias, and without what waits for their answer. It
// shares nothing that was changed with m.
func (m Match) Renamed(member, alias string) Match {
	for _, p := range []*Person{&m.Challenger, &m.Opponent, &m.Seats[0].Person, &m.Seats[1].Person} {
		if p.ID == member {
			*p = Person{ID: alias}
		}
	}
	if m.Quitter == member {
		m.Quitter = alias
	}
	changes := m.Changes
	m.Changes = nil
	for _, c := range changes {
		if c.Member == member {
			c.Member = alias
		}
		m.Changes = append(m.Changes, c)
	}
	var offers []Offer
	for _, o := range m.Offers {
		if o.Kind != OfferRematch {
			offers = append(offers, o)
		}
	}
	m.Offers = offers
	return m
}

// Renamed is the log with one person's id and name replaced by an alias. changed is false where they are not in it.
func (l Log) Renamed(member, alias string) (renamed Log, changed bool) {
	acts := make([]Act, len(l.Acts))
	copy(acts, l.Acts)
	for i := range acts {
		for _, p := range []*Person{&acts[i].By, &acts[i].Member} {
			if p.ID == member {
				*p, changed = Person{ID: alias}, true
			}
		}
	}
	l.Acts = acts
	return l, changed
}

// Renamed is the season with one person's id and name replaced by an alias. changed is false where they are not in it.
func (s Season) Renamed(member, alias string) (renamed Season, changed bool) {
	podiums := make([]Podium, len(s.Podiums))
	for i, p := range s.Podiums {
		p.Places = slices.Clone(p.Places)
		for j := range p.Places {
			if p.Places[j].ID == member {
				p.Places[j].Person, changed = Person{ID: alias}, true
			}
		}
		podiums[i] = p
	}
	former := slices.DeleteFunc(slices.Clone(s.Former), func(id string) bool { return id == member })
	if changed = changed || len(former) < len(s.Former); changed {
		s.Podiums, s.Former, s.Crowned = podiums, former, 0 // which counts them
	}
	return s, changed
}
