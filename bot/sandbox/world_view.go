package sandbox

import (
	"encoding/json"
	"slices"
)

// worldView is all that stands around the messages, as one person finds it.
type worldView struct {
	You     string       `json:"you"`
	Channel string       `json:"channel"` // "": the person sees none
	Bot     botView      `json:"bot"`
	People  []personView `json:"people"` // in order of their ids
	Servers []serverView `json:"servers"`
	Troubles
	Since string `json:"since"` // the newest id when the page was opened
}

type botView struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Connected bool   `json:"connected"`
}

type personView struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Bot     bool   `json:"bot,omitempty"`
	Initial string `json:"initial"`
	Colour  int    `json:"colour"`
}

// serverView is a server; without an id it is the person's direct messages.
type serverView struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	Owner    string        `json:"owner"`
	Bot      bool          `json:"bot"` // the bot is a member
	Members  []string      `json:"members"`
	Left     []string      `json:"left"` // people who are in no server any more, and may come back
	Channels []channelView `json:"channels"`
}

type channelView struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Parent string   `json:"parent,omitempty"` // of a thread
	Closed bool     `json:"closed,omitempty"` // an archived thread
	Last   string   `json:"last,omitempty"`   // the newest message that the person sees
	Pings  []string `json:"pings,omitempty"`  // messages that mention them, of the newest
}

// Troubles are the faults that are in force, for a panel that shows them.
type Troubles struct {
	Slow   int64    `json:"slow"`   // milliseconds that each answer to an interaction waits
	Silent bool     `json:"silent"` // the gateway says nothing
	May    []string `json:"may"`    // what the bot may do in the channel, by the names of permissionNames
}

// permissionName is a permission that the panel switches.
type permissionName struct {
	bit  uint64
	name string
}

func permissionNames() []permissionName {
	return []permissionName{
		{permViewChannel, "View Channel"}, {permSendMessages, "Send Messages"}, {permAttachFiles, "Attach Files"},
		{permEmbedLinks, "Embed Links"}, {permReadHistory, "Read Message History"}, {permPublicThreads, "Create Public Threads"},
		{permSendInThreads, "Send Messages in Threads"},
	}
}

// answersPath is what answers to interactions come by.
const answersPath = "/interactions/"

// worldView is made for a look that has been resolved. Whoever looks has direct messages with the bot, so that they can
// begin there. The lock is held.
func (s *Sandbox) worldView(at look) *worldView {
	if p := s.people[at.As]; p != nil && s.mayMeet(p.ID) {
		s.direct(p.ID)
	}
	v := &worldView{
		You: at.As, Channel: at.Channel, Bot: botView{ID: botID, Name: s.people[botID].Name, Connected: s.connected()},
		Troubles: s.troubles(at.Channel), Since: at.Since,
	}
	for _, p := range s.people {
		v.People = append(v.People, personView{ID: p.ID, Name: p.Name, Bot: p.Bot, Initial: initial(p.Name), Colour: colour(p.ID)})
	}
	slices.SortFunc(v.People, func(a, b personView) int { return compareIDs(a.ID, b.ID) })
	for _, srv := range s.servers {
		if srv.hasMember(at.As) {
			v.Servers = append(v.Servers, s.serverView(at.As, srv))
		}
	}
	if direct := s.directView(at.As); len(direct) > 0 {
		v.Servers = append(v.Servers, serverView{Name: "Direct messages", Bot: true, Members: []string{at.As}, Channels: direct})
	}
	return v
}

func (s *Sandbox) serverView(as string, srv *server) serverView {
	v := serverView{ID: srv.ID, Name: srv.Name, Owner: srv.Owner, Bot: srv.here, Members: slices.Clone(srv.Members), Channels: []channelView{}}
	for _, c := range srv.Channels {
		if ch := s.channels[c.ID]; ch != nil && s.sees(as, ch) {
			v.Channels = append(v.Channels, s.channelView(as, ch))
		}
	}
	for _, id := range srv.left {
		if !srv.hasMember(id) {
			v.Left = append(v.Left, id)
		}
	}
	return v
}

func (s *Sandbox) directView(as string) (all []channelView) {
	for _, ch := range s.channels {
		if ch.server == nil && ch.with == as {
			v := s.channelView(as, ch)
			v.Name = s.people[botID].Name
			all = append(all, v)
		}
	}
	return all
}

// lookBack is how many messages of a channel are looked at for mentions.
const lookBack = 100

func (s *Sandbox) channelView(as string, ch *channel) channelView {
	v := channelView{ID: ch.ID, Name: ch.Name, Parent: ch.Parent, Closed: ch.archived}
	for i := len(ch.order) - 1; i >= max(0, len(ch.order)-lookBack); i-- {
		m := s.messages[ch.order[i]]
		if m.Ephemeral && m.For != as {
			continue
		}
		if v.Last == "" {
			v.Last = m.ID
		}
		if slices.Contains(m.Mentions, as) {
			v.Pings = append(v.Pings, m.ID)
		}
	}
	return v
}

// troubles lists the faults in force. The lock is held.
func (s *Sandbox) troubles(channel string) Troubles {
	t := Troubles{Silent: s.faults.mute, May: []string{}}
	for _, d := range s.faults.delays {
		if d.method == "POST" && d.prefix == answersPath {
			t.Slow = d.by.Milliseconds()
		}
	}
	if ch := s.channels[channel]; ch != nil {
		if ch.above != nil {
			ch = ch.above
		}
		for _, p := range permissionNames() {
			if ch.allow&p.bit != 0 {
				t.May = append(t.May, p.name)
			}
		}
	}
	return t
}

// commandView is a command that a person can use somewhere, as it was registered.
type commandView struct {
	Name    string          `json:"name"`
	Type    int             `json:"type"`
	About   string          `json:"about"`
	Options json.RawMessage `json:"options"`
}

// commandViews lists what a person can use where they look: what is not for them, an app does not show. The lock is held.
func (s *Sandbox) commandViews(at look) []commandView {
	all := []commandView{}
	ch := s.channels[at.Channel]
	if ch == nil || ch.server != nil && !ch.server.here {
		return all
	}
	for _, c := range s.available(ch) {
		if ch.server != nil && !c.allows(at.As == ch.server.Owner, s.mayHere(at.As, ch)) {
			continue
		}
		options := encode(c.raw["options"])
		if c.raw["options"] == nil {
			options = json.RawMessage(`[]`)
		}
		all = append(all, commandView{Name: c.Name, Type: c.Type, About: c.Description, Options: options})
	}
	return all
}
