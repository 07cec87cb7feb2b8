package sandbox

import (
	"hash/fnv"
	"slices"
	"time"
	"unicode"

	"kraal/bot/sandbox/page"
)

// sight is a message with what is shown of the one that it replies to.
type sight struct {
	Message
	text string   // all that it says, in its components too
	to   *Message // nil: it is gone, or this is no reply
}

// sightOf is a copy of a message for drawing. The lock is held.
func (s *Sandbox) sightOf(m *message) sight {
	seen := sight{Message: m.view(), text: m.text()}
	for i := range seen.Attachments {
		seen.Attachments[i].Data = nil // its address stands for it
		seen.Attachments[i].size = len(m.Attachments[i].Data)
	}
	if to := s.messages[m.ReplyTo]; to != nil {
		v := to.view()
		seen.to = &v
	}
	return seen
}

// roster is who and what is called how, as one person finds it: a copy.
type roster struct {
	as       string
	now      time.Time
	people   map[string]Person
	channels map[string]string // those that the person sees
}

// namesFor copies the names. The lock is held.
func (s *Sandbox) namesFor(as string) roster {
	n := roster{as: as, now: s.now(), people: map[string]Person{}, channels: map[string]string{}}
	for id, p := range s.people {
		n.people[id] = *p
	}
	for id, ch := range s.channels {
		if !s.sees(as, ch) {
			continue
		}
		n.channels[id] = ch.Name
		if ch.with != "" {
			n.channels[id] = s.people[botID].Name // as the list of channels has it
		}
	}
	return n
}

// reader is how the person reads texts: whom and what they mention, and where a link to a message leads.
func (n roster) reader() page.Reader {
	channel := func(id string) (string, bool) {
		name, ok := n.channels[id]
		return name, ok
	}
	return page.Reader{
		Now:     n.now,
		Channel: channel,
		Person: func(id string) (string, bool) {
			p, ok := n.people[id]
			return p.Name, ok
		},
		Jump: func(id, message string) (string, string, bool) {
			name, ok := channel(id)
			return "/?as=" + n.as + "&channel=" + id + "&message=" + message, "#" + name + " › message", ok
		},
	}
}

// message is a message as the page draws it for the person.
func (n roster) message(m sight) page.Message {
	author := n.people[m.Author]
	view := page.Message{
		ID: m.ID, Author: author.Name, AuthorID: m.Author, Initial: initial(author.Name), Colour: colour(m.Author), Bot: author.Bot,
		At: m.Created.UTC().Format(time.RFC3339Nano), Clock: m.Created.UTC().Format("15:04"), Edited: m.Edited, Private: m.Ephemeral,
		Pinged: slices.Contains(m.Mentions, n.as) && m.names(n.as), Thinking: m.Loading,
	}
	if by, ok := n.people[m.By]; ok && m.Command != "" {
		view.Invoked, view.By, view.ByID = m.Command, by.Name, by.ID
	}
	if m.ReplyTo != "" {
		view.Reply = n.reply(m)
	}
	b := blockWriter{message: m.Message, reader: n.reader()}
	view.Blocks = b.write()
	return view
}

// names tells whether a message mentions somebody as it is now: an edit may have taken that away.
func (m sight) names(person string) bool {
	for _, found := range userMention.FindAllStringSubmatch(m.text, -1) {
		if found[1] == person {
			return true
		}
	}
	return false
}

// maxSnippet is how many characters a reply shows of what it replies to.
const maxSnippet = 80

func (n roster) reply(m sight) *page.Reply {
	if m.to == nil {
		return &page.Reply{ID: m.ReplyTo}
	}
	words := []rune(m.to.Content)
	if len(words) > maxSnippet {
		words = append(words[:maxSnippet], '…')
	}
	return &page.Reply{ID: m.to.ID, Author: n.people[m.to.Author].Name, Words: string(words)}
}

// initial is the first letter or digit of a name.
func initial(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	return "?"
}

// colour gives everybody one of eight colours, always the same.
func colour(id string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // a hash takes everything
	return int(h.Sum32() % 8)
}
