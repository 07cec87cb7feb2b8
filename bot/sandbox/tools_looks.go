package sandbox

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// toolMessage is a message as somebody sees it, for tools.
type toolMessage struct {
	ID          string            `json:"id"`
	Channel     string            `json:"channel"`
	Author      string            `json:"author"`
	Content     string            `json:"content"`
	Ephemeral   bool              `json:"ephemeral"`
	For         string            `json:"for,omitempty"`
	Flags       int               `json:"flags"`
	Attachments []toolAttachment  `json:"attachments"`
	Embeds      []json.RawMessage `json:"embeds"`
	Components  []json.RawMessage `json:"components"` // as they came
	Controls    []toolControl     `json:"controls"`   // all that can be used, in order
	Mentions    []string          `json:"mentions"`   // who was pinged
	Edited      bool              `json:"edited"`
	Loading     bool              `json:"loading"`
	Created     time.Time         `json:"created"`
	Command     string            `json:"command,omitempty"` // what it answers
	By          string            `json:"by,omitempty"`      // whom
}

type toolAttachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	ContentType string `json:"content_type"`
	Description string `json:"description"`
	URL         string `json:"url"`
	Size        int    `json:"size"`
}

type toolControl struct {
	Row      int          `json:"row"`
	Type     int          `json:"type"`
	CustomID string       `json:"custom_id,omitempty"`
	Label    string       `json:"label,omitempty"`
	URL      string       `json:"url,omitempty"`
	Disabled bool         `json:"disabled"`
	Options  []toolOption `json:"options,omitempty"`
}

type toolOption struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Default     bool   `json:"default"`
}

func asTool(m Message) toolMessage {
	t := toolMessage{
		ID: m.ID, Channel: m.Channel, Author: m.Author, Content: m.Content, Ephemeral: m.Ephemeral, For: m.For, Flags: m.Flags,
		Attachments: []toolAttachment{}, Embeds: list(m.Embeds), Components: list(m.Raw), Controls: []toolControl{},
		Mentions: append([]string{}, m.Mentions...), Edited: m.Edited, Loading: m.Loading, Created: m.Created,
		Command: m.Command, By: m.By,
	}
	for _, a := range m.Attachments {
		t.Attachments = append(t.Attachments, toolAttachment{a.ID, a.Filename, a.ContentType, a.Description, a.URL, len(a.Data)})
	}
	for i, r := range m.Components {
		for _, c := range r.Controls {
			control := toolControl{Row: i, Type: c.Type, CustomID: c.CustomID, Label: c.Label, URL: c.URL, Disabled: c.Disabled}
			for _, o := range c.Options {
				control.Options = append(control.Options, toolOption(o))
			}
			t.Controls = append(t.Controls, control)
		}
	}
	return t
}

// toolWorld is who and what there is.
func (s *Sandbox) toolWorld(*http.Request) (any, error) {
	connected := s.Connected()
	s.mu.Lock()
	defer s.mu.Unlock()
	people, servers := []object{}, []object{}
	for _, p := range s.people {
		people = append(people, object{"id": p.ID, "username": p.Username, "name": p.Name, "bot": p.Bot})
	}
	for _, srv := range s.servers {
		channels := []object{}
		for _, c := range srv.Channels {
			channels = append(channels, object{"id": c.ID, "name": c.Name, "type": c.Type, "parent": c.Parent})
		}
		servers = append(servers, object{
			"id": srv.ID, "name": srv.Name, "owner": srv.Owner, "members": srv.Members, "channels": channels, "bot": srv.here,
		})
	}
	return object{"bot": object{"id": botID, "connected": connected}, "people": people, "servers": servers}, nil
}

// toolReady waits for the bot.
func (s *Sandbox) toolReady(r *http.Request) (any, error) { return nil, s.WaitReady(r.Context()) }

// toolCommands are what can be used in a channel, as it was registered.
func (s *Sandbox) toolCommands(r *http.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[r.URL.Query().Get("channel")]
	if ch == nil {
		return nil, errUnknownChannel
	}
	return object{"commands": wholeCommands(s.available(ch))}, nil
}

// toolMessages are what a person sees in a channel.
func (s *Sandbox) toolMessages(r *http.Request) (any, error) {
	seen := []toolMessage{}
	for _, m := range s.As(r.URL.Query().Get("as")).Messages(r.URL.Query().Get("channel")) {
		seen = append(seen, asTool(m))
	}
	return object{"messages": seen}, nil
}

func (s *Sandbox) toolMessage(r *http.Request) (any, error) {
	m, ok := s.As(r.URL.Query().Get("as")).Message(r.URL.Query().Get("message"))
	if !ok {
		return nil, errUnknownMessage
	}
	return asTool(m), nil
}

// toolRequests are the bot's requests, without the first "from" of them; tokens of interactions are in their paths.
func (s *Sandbox) toolRequests(r *http.Request) (any, error) {
	all := s.Requests()
	from, err := strconv.Atoi(r.URL.Query().Get("from"))
	if err != nil || from < 0 {
		from = 0
	}
	made := []object{}
	for _, one := range all[min(from, len(all)):] {
		made = append(made, requestForTool(one))
	}
	return object{"requests": made}, nil
}

func (s *Sandbox) toolViolations(*http.Request) (any, error) {
	made := []object{}
	for _, v := range s.Violations() {
		made = append(made, object{"why": v.Why, "request": requestForTool(v.Request)})
	}
	return object{"violations": made}, nil
}

func requestForTool(r Request) object {
	files := []object{}
	for _, f := range r.Files {
		files = append(files, object{"name": f.Name, "content_type": f.ContentType, "size": len(f.Data)})
	}
	o := object{
		"method": r.Method, "path": r.Path, "status": r.Status, "code": r.Code, "files": files, "authorised": r.Auth, "at": r.At,
		"body": nil,
	}
	if json.Valid(r.Body) {
		o["body"] = json.RawMessage(r.Body)
	}
	return o
}
