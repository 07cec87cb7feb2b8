package sandbox

import (
	"net/http"
	"net/url"
	"slices"

	"kraal/bot/sandbox/page"
)

// place is where in the sandbox a request looks, and as whom.
type place struct {
	as      Person
	server  Server // zero: direct messages
	channel Channel
	command string
}

// where reads a request's place. Without one it is the first person in the first channel; of one that does not exist it
// says so and is not ok.
func (p *webPage) where(w http.ResponseWriter, r *http.Request) (place, bool) {
	as, channel := r.Form.Get("as"), r.Form.Get("channel")
	v := p.look(as)
	at := place{command: r.Form.Get("command")}
	if as != "" && !v.known(as) {
		http.Error(w, "There is no such person.", http.StatusNotFound)
		return at, false
	}
	for _, s := range append(v.servers, v.direct) {
		for _, c := range s.Channels {
			if at.channel.ID == "" && (channel == "" || channel == c.ID) {
				at.server, at.channel = s, c
			}
		}
	}
	people := v.members(at.server)
	if at.channel.ID == "" || len(people) == 0 {
		http.Error(w, "There is no such channel. Perhaps it was deleted.", http.StatusNotFound)
		return at, false
	}
	// Somebody who is not in this server lets another of its people look.
	at.as = people[max(0, slices.IndexFunc(people, func(one Person) bool { return one.ID == as }))]
	return at, true
}

// query is the place in an address, with more pairs behind it.
func (at place) query(more ...string) string {
	q := url.Values{"as": {at.as.ID}, "channel": {at.channel.ID}}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return "?" + q.Encode()
}

// hidden is the place as fields of a form.
func (at place) hidden(more ...page.Pair) []page.Pair {
	return append([]page.Pair{{Name: "as", Value: at.as.ID}, {Name: "channel", Value: at.channel.ID}}, more...)
}

// frameView is the page around the messages; message is one to go to, or empty.
func (p *webPage) frameView(at place, message, note string) page.Frame {
	v := p.look(at.as.ID)
	f := page.Frame{
		You: at.as.Name, Channel: at.channel.Name, Note: note, Messages: "/page/messages" + at.query(),
	}
	if message != "" {
		f.Messages += "#m-" + url.PathEscape(message)
	}
	for _, s := range append(v.servers, v.direct) {
		if len(s.Channels) > 0 {
			f.Servers = append(f.Servers, page.Server{Name: s.Name, Channels: channelLinks(at, s)})
		}
	}
	for _, one := range v.members(at.server) {
		there := at
		there.as = one
		f.People = append(f.People, page.Link{Name: one.Name, Href: "/" + there.query(), Current: one.ID == at.as.ID})
	}
	for _, c := range p.commands(at) {
		f.Commands = append(f.Commands, page.Link{Name: c.title(), About: c.about, Href: "/" + at.query("command", c.key)})
	}
	return f
}

// channelLinks lists a server's channels, each with its threads behind it.
func channelLinks(at place, s Server) []page.Link {
	var links []page.Link
	add := func(c Channel) {
		there := at
		there.channel = c
		links = append(links, page.Link{
			Name: c.Name, Href: "/" + there.query(), Current: c.ID == at.channel.ID, Inner: c.Parent != "",
		})
	}
	for _, c := range s.Channels {
		if c.Parent != "" {
			continue
		}
		add(c)
		for _, thread := range s.Channels {
			if thread.Parent == c.ID {
				add(thread)
			}
		}
	}
	return links
}
