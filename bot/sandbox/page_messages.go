package sandbox

import (
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"
	"unicode"

	"kraal/bot/sandbox/page"
)

// fingerprint stands for all that a person sees in a channel: it differs after any change of it.
func (p *webPage) fingerprint(at place) string {
	h := fnv.New64a()
	for _, m := range p.seen(at) {
		for i := range m.Attachments {
			m.Attachments[i].Data = nil // its address stands for it
		}
		_ = json.NewEncoder(h).Encode(m) // a hash takes everything
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

func (p *webPage) messagesView(at place, paused bool) page.Messages {
	view := page.Messages{You: at.as.Name, Channel: at.channel.Name, Form: at.hidden()}
	if paused {
		view.Pause = "/page/messages" + at.query()
	} else {
		// What changes between the two is shown by the next look.
		view.Next = "/page/messages" + at.query("seen", p.fingerprint(at))
		view.Pause = "/page/messages" + at.query("pause", "1")
	}
	v := p.look(at.as.ID)
	reader := p.reader(at, v)
	for _, m := range p.seen(at) {
		view.Messages = append(view.Messages, messageView(at, m, v, reader))
	}
	return view
}

// reader knows the names of everybody and every channel, and where a link to a message leads.
func (p *webPage) reader(at place, v overview) page.Reader {
	channel := func(id string) (string, bool) {
		for _, s := range append(v.servers, v.direct) {
			for _, c := range s.Channels {
				if c.ID == id {
					return c.Name, true
				}
			}
		}
		return "", false
	}
	return page.Reader{
		Now:     p.s.now(),
		Channel: channel,
		Person: func(id string) (string, bool) {
			one, ok := v.person(id)
			return one.Name, ok
		},
		Jump: func(id, message string) (string, string, bool) {
			name, ok := channel(id)
			there := at
			there.channel.ID = id
			return "/" + there.query("message", message), "#" + name + " › message", ok
		},
	}
}

func messageView(at place, m Message, v overview, r page.Reader) page.Message {
	author, _ := v.person(m.Author)
	view := page.Message{
		ID: m.ID, Author: author.Name, Initial: initial(author.Name), Colour: colour(m.Author), Bot: author.Bot,
		At: m.Created.UTC().Format("15:04"), Edited: m.Edited, Private: m.Ephemeral,
		Pinged: slices.Contains(m.Mentions, at.as.ID), Thinking: m.Loading,
	}
	if by, ok := v.person(m.By); ok && m.Command != "" {
		view.Invoked = by.Name + " used " + m.Command
	}
	b := blockWriter{message: m, at: at, people: v.members(at.server), reader: r}
	view.Blocks = b.write()
	return view
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
