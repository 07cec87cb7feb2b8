package sandbox

import "slices"

// overview is who and what there is, as one person finds it: a copy.
type overview struct {
	people  []Person // bots too, in order of their ids
	servers []Server
	direct  Server // the person's direct messages with the bot, if there are any, as if they were a server's channel
}

// look takes an overview for a person; of an unknown one there are no direct messages.
func (p *webPage) look(as string) overview {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	v := overview{direct: Server{Name: "Direct messages", Members: []string{as}}}
	for _, one := range s.people {
		v.people = append(v.people, *one)
	}
	slices.SortFunc(v.people, func(a, b Person) int { return compareIDs(a.ID, b.ID) })
	for _, srv := range s.servers {
		copied := srv.Server
		copied.Members = slices.Clone(srv.Members)
		copied.Channels = slices.DeleteFunc(slices.Clone(srv.Channels), func(c Channel) bool {
			ch := s.channels[c.ID]
			return ch == nil || ch.archived
		})
		v.servers = append(v.servers, copied)
	}
	for _, ch := range s.channels {
		if as != "" && ch.with == as {
			c := ch.Channel
			c.Name = s.people[botID].Name
			v.direct.Channels = append(v.direct.Channels, c)
		}
	}
	return v
}

// compareIDs puts the older id first; ids are numbers without leading zeros.
func compareIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	if a < b {
		return -1
	}
	return 1
}

// known tells whether a person may be acted for.
func (v overview) known(id string) bool {
	one, ok := v.person(id)
	return ok && !one.Bot
}

func (v overview) person(id string) (Person, bool) {
	i := slices.IndexFunc(v.people, func(one Person) bool { return one.ID == id })
	if i < 0 {
		return Person{}, false
	}
	return v.people[i], true
}

// members are the people of a server, without bots, in the server's order.
func (v overview) members(s Server) (people []Person) {
	for _, id := range s.Members {
		if one, ok := v.person(id); ok && !one.Bot {
			people = append(people, one)
		}
	}
	return people
}
