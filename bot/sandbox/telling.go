package sandbox

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"kraal/bot/sandbox/page"
)

// news is one thing that a page is told, of the look with that turn.
type news struct {
	Kind     string         `json:"kind"` // "world", "commands" or "messages"
	Turn     int            `json:"turn"`
	World    *worldView     `json:"world,omitempty"`
	Commands []commandView  `json:"commands,omitempty"`
	Messages *messagesShown `json:"messages,omitempty"`
}

// messagesShown is what has changed in a channel.
type messagesShown struct {
	Channel string         `json:"channel"`
	Reset   bool           `json:"reset"` // what was shown before is of another sight
	Set     []messageShown `json:"set"`   // new ones and changed ones, oldest first
	Gone    []string       `json:"gone"`
	Earlier int            `json:"earlier"` // how many there are before those
}

type messageShown struct {
	ID   string `json:"id"`
	HTML string `json:"html"`
}

// telling is what a page knows of its look.
type telling struct {
	turn            int
	world, commands []byte
	as, channel     string            // as they were resolved: people leave
	names           uint64            // the revision of the names in what is shown
	shown           map[string]uint64 // revisions of messages, by id
	since           string            // the newest id when the page was opened, as long as it does not say one
}

// news are what the page does not know yet of what it looks at.
func (t *telling) news(s *Sandbox, pages *page.Pages, at look) (all []news) {
	if at.Turn != t.turn { // whatever was told before is forgotten
		*t = telling{turn: at.Turn}
	}
	s.mu.Lock()
	at.As, at.Channel = s.resolveLook(at.As, at.Channel)
	if at.Since == "" {
		if t.since == "" {
			t.since = strconv.FormatUint(s.lastID, 10)
		}
		at.Since = t.since
	}
	world := s.worldView(at)
	commands := s.commandViews(at)
	change, changed := t.change(s, at)
	names := s.namesFor(at.As)
	s.mu.Unlock()

	if raw := encode(world); !bytes.Equal(raw, t.world) {
		t.world = raw
		all = append(all, news{Kind: "world", Turn: at.Turn, World: world})
	}
	if raw := encode(commands); !bytes.Equal(raw, t.commands) {
		t.commands = raw
		all = append(all, news{Kind: "commands", Turn: at.Turn, Commands: commands})
	}
	for _, m := range changed {
		var b strings.Builder
		if err := pages.Message(&b, names.message(m)); err != nil {
			s.config.Log.Error("the page cannot draw a message", "message", m.ID, "error", err)
			continue
		}
		change.Set = append(change.Set, messageShown{ID: m.ID, HTML: b.String()})
	}
	if change.Reset || len(change.Set) > 0 || len(change.Gone) > 0 {
		all = append(all, news{Kind: "messages", Turn: at.Turn, Messages: change})
	}
	return all
}

// change compares a channel with what the page shows of it, and gives the messages that it must be shown anew. The lock
// is held.
func (t *telling) change(s *Sandbox, at look) (*messagesShown, []sight) {
	c := &messagesShown{Channel: at.Channel, Set: []messageShown{}, Gone: []string{}}
	if t.as != at.As || t.channel != at.Channel || t.names != s.names || t.shown == nil {
		c.Reset = true
		t.as, t.channel, t.names, t.shown = at.As, at.Channel, s.names, map[string]uint64{}
	}
	seen := s.seenFrom(at)
	from := max(0, len(seen)-at.Show)
	if i := slices.IndexFunc(seen, func(m *message) bool { return m.ID == at.Message }); i >= 0 {
		from = min(from, max(0, i-5)) // with a few before it
	}
	c.Earlier = from
	now := make(map[string]uint64, len(seen)-from)
	var changed []sight
	for _, m := range seen[from:] {
		now[m.ID] = m.rev
		if rev, ok := t.shown[m.ID]; !ok || rev != m.rev {
			changed = append(changed, s.sightOf(m))
		}
	}
	for id := range t.shown {
		if _, ok := now[id]; !ok {
			c.Gone = append(c.Gone, id)
		}
	}
	slices.SortFunc(c.Gone, compareIDs)
	t.shown = now
	return c, changed
}

// seenFrom lists what a person's app shows of a channel, oldest first. The lock is held.
func (s *Sandbox) seenFrom(at look) (seen []*message) {
	ch := s.channels[at.Channel]
	if ch == nil || !s.sees(at.As, ch) {
		return nil
	}
	for _, id := range ch.order {
		m := s.messages[id]
		if m.Ephemeral && (m.For != at.As || at.Since != "" && compareIDs(m.ID, at.Since) <= 0) {
			continue
		}
		seen = append(seen, m)
	}
	return seen
}

// resolveLook puts somebody somewhere, whom and what the page named if they are there. The lock is held.
func (s *Sandbox) resolveLook(as, channel string) (person, place string) {
	if ch := s.channels[channel]; ch != nil && s.mayActFor(as) && s.sees(as, ch) {
		return as, channel
	}
	for _, srv := range s.servers {
		for _, id := range srv.Members {
			if !s.mayActFor(id) || as != "" && s.mayActFor(as) && id != as {
				continue
			}
			for _, c := range srv.Channels {
				if ch := s.channels[c.ID]; ch != nil && s.sees(id, ch) {
					return id, c.ID
				}
			}
		}
	}
	if s.mayActFor(as) {
		return as, "" // who sees no channel at all
	}
	return s.firstPerson(), ""
}

// mayActFor tells people from bots. The lock is held.
func (s *Sandbox) mayActFor(id string) bool {
	p := s.people[id]
	return p != nil && !p.Bot
}

// firstPerson is somebody who is not a bot. The lock is held.
func (s *Sandbox) firstPerson() (first string) {
	for id := range s.people {
		if s.mayActFor(id) && (first == "" || compareIDs(id, first) < 0) {
			first = id
		}
	}
	return first
}

// compareIDs puts the older id first; ids are numbers without leading zeros.
func compareIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
