package sandbox

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Flags of messages (resources/message).
const (
	flagSuppressEmbeds = 1 << 2
	flagHasThread      = 1 << 5
	flagEphemeral      = 1 << 6
	flagLoading        = 1 << 7
	flagSilent         = 1 << 12
	flagComponentsV2   = 1 << 15
)

// Types of messages (resources/message).
const (
	messagePlain   = 0
	messageReply   = 19
	messageCommand = 20
	messageMenu    = 23
)

// Message is a message as somebody sees it.
type Message struct {
	ID          string
	Channel     string
	Author      string // a person's id
	Content     string
	Ephemeral   bool
	For         string // who alone sees it
	Flags       int
	Attachments []Attachment
	Embeds      []json.RawMessage
	Components  []Row
	Raw         []json.RawMessage // the components as they came
	Mentions    []string          // ids of those who were pinged
	Edited      bool
	Created     time.Time
	Loading     bool   // a deferred answer: "thinking"
	Command     string // what it answers, "/place", and by whom
	By          string
	ReplyTo     string // the message that it replies to
}

// Attachment is a file of a message.
type Attachment struct {
	ID, Filename, ContentType, Description, URL string
	Data                                        []byte
	width, height                               int // of a picture
	size                                        int // of a copy without its data, in bytes
}

// Row is a row of controls.
type Row struct{ Controls []Control }

// Control is a button or a select menu.
type Control struct {
	Type        int // 2 a button, 3 a menu of texts, 5 to 8 menus of people, roles, both, channels
	CustomID    string
	Label       string
	Placeholder string
	Style       int
	Emoji       string
	URL         string
	Disabled    bool
	Options     []Option
	MinValues   int
	MaxValues   int
}

// Option is an entry of a menu.
type Option struct {
	Label, Value, Description string
	Default                   bool
}

// Control finds a control by its custom id, or by the label of exactly one button.
func (m Message) Control(labelOrID string) (found Control, ok bool) {
	n := 0
	for _, r := range m.Components {
		for _, c := range r.Controls {
			if c.CustomID == labelOrID && labelOrID != "" {
				return c, true
			}
			if c.Type == typeButton && c.Label == labelOrID {
				found = c
				n++
			}
		}
	}
	return found, n == 1
}

// Buttons lists the buttons.
func (m Message) Buttons() []Control {
	return m.controls(func(c Control) bool { return c.Type == typeButton })
}

// Selects lists the menus.
func (m Message) Selects() []Control {
	return m.controls(func(c Control) bool { return c.Type != typeButton })
}

func (m Message) controls(want func(Control) bool) (found []Control) {
	for _, r := range m.Components {
		for _, c := range r.Controls {
			if want(c) {
				found = append(found, c)
			}
		}
	}
	return found
}

// message is a message as the sandbox keeps it.
type message struct {
	Message
	interaction string // that it answers, if any
	editedAt    time.Time
	oldEdits    []time.Time  // edits since it was an hour old
	kind        int          // of that interaction
	tapped      string       // the message that it came from
	opener      *interaction // of a form that it answers
	said        []string     // the texts of its components
	once        string       // its channel and nonce, of one that must not be made twice
	rev         uint64       // grows with every change of any message
}

// view is a copy for whoever looks.
func (m *message) view() Message {
	v := m.Message
	v.Attachments = slices.Clone(m.Attachments)
	v.Components = slices.Clone(m.Components)
	v.Mentions = slices.Clone(m.Mentions)
	return v
}

// wholeMessage is the message's wire form with all that it says.
func (s *Sandbox) wholeMessage(m *message) object {
	attachments := []object{}
	for _, a := range m.Attachments {
		attachments = append(attachments, a.wire(m.Ephemeral))
	}
	mentions := []object{}
	for _, id := range m.Mentions {
		if p := s.people[id]; p != nil {
			mentions = append(mentions, userJSON(p))
		}
	}
	shown := echo{attachments: m.Attachments}
	o := object{
		"id": m.ID, "channel_id": m.Channel, "author": userJSON(s.people[m.Author]), "content": m.Content,
		"timestamp": m.Created.UTC().Format(time.RFC3339Nano), "edited_timestamp": nil, "tts": false, "mention_everyone": false,
		"mentions": mentions, "mention_roles": []any{}, "attachments": attachments, "embeds": shown.embeds(m.Embeds), "pinned": false,
		"type": messagePlain, "flags": s.shownFlags(m), "components": shown.components(m.Raw),
	}
	if m.Edited {
		o["edited_timestamp"] = m.editedAt.UTC().Format(time.RFC3339Nano)
	}
	if m.Author == botID {
		o["application_id"] = botID
	}
	s.replyTo(o, m)
	if thread := s.channels[m.ID]; thread != nil { // started from this message, whose id it has
		o["thread"] = channelJSON(thread)
	}
	if m.interaction != "" {
		o["webhook_id"] = botID
		o["type"] = m.wireType()
		o["interaction_metadata"] = s.metadata(m)
	}
	return o
}

// shownFlags are a message's flags as the bot sees them, and may send them again with an edit.
func (s *Sandbox) shownFlags(m *message) int {
	if s.channels[m.ID] != nil {
		return m.Flags | flagHasThread
	}
	return m.Flags
}

// metadata tells what a message answers.
func (s *Sandbox) metadata(m *message) object {
	o := object{
		"id": m.interaction, "type": m.kind, "user": userJSON(s.people[m.By]), "authorizing_integration_owners": object{"0": s.owner(m)},
	}
	if m.kind == interactionControl {
		o["interacted_message_id"] = m.tapped
	}
	if m.opener != nil {
		opened := message{Message: m.Message, interaction: m.opener.id, kind: m.opener.kind, tapped: m.tapped}
		o["triggering_interaction_metadata"] = s.metadata(&opened)
	}
	return o
}

func (m *message) wireType() int {
	switch {
	case m.kind != interactionCommand:
		return messagePlain
	case strings.HasPrefix(m.Command, "/"):
		return messageCommand
	}
	return messageMenu
}

// owner is the server that the app is installed in, or "0" in direct messages.
func (s *Sandbox) owner(m *message) string {
	if ch := s.channels[m.Channel]; ch != nil && ch.server != nil {
		return ch.server.ID
	}
	return "0"
}

// list is a list that is never null.
func list(raw []json.RawMessage) []json.RawMessage {
	if raw == nil {
		return []json.RawMessage{}
	}
	return raw
}

// add puts a message into its channel, from which the oldest goes when there are too many. The lock is held.
func (s *Sandbox) add(m *message) {
	m.ID = s.newID()
	m.Created = s.now()
	s.messages[m.ID] = m
	ch := s.channels[m.Channel]
	ch.order = append(ch.order, m.ID)
	s.revise(m)
	s.tellMessage("MESSAGE_CREATE", m)
	for len(ch.order) > maxMessages {
		s.remove(s.messages[ch.order[0]])
	}
	s.touch()
}

// remove takes a message away. The lock is held.
func (s *Sandbox) remove(m *message) {
	delete(s.messages, m.ID)
	s.revise(m)
	if ch := s.channels[m.Channel]; ch != nil {
		ch.order = slices.DeleteFunc(ch.order, func(id string) bool { return id == m.ID })
		s.tellRemoved(m, ch)
	}
	s.touch()
}

// tellRemoved sends MESSAGE_DELETE, which tells nothing of what the message was. The lock is held.
func (s *Sandbox) tellRemoved(m *message, ch *channel) {
	if m.Ephemeral || ch.maySee() != nil {
		return
	}
	gone := object{"id": m.ID, "channel_id": ch.ID}
	intent := intentDirectMessages
	if ch.server != nil {
		gone["guild_id"] = ch.server.ID
		intent = intentGuildMessages
	}
	s.dispatchAll(intent, "MESSAGE_DELETE", gone)
}

// fill makes a new message of what a request says.
func (s *Sandbox) fill(m *message, p payload, usersByDefault bool) error {
	if p.body.Content != nil {
		m.Content = *p.body.Content
	}
	m.Embeds = p.body.Embeds
	if p.body.Flags != nil {
		m.Flags = *p.body.Flags
	}
	rd, err := readComponents(p.body.Components, m.Flags&flagComponentsV2 != 0)
	if err != nil {
		return err
	}
	m.Components, m.Raw, m.said = rd.rows, p.body.Components, rd.said
	if m.Attachments, err = s.editedAttachments(nil, p, 0); err != nil {
		return err
	}
	if err := rd.has(m.Attachments); err != nil {
		return err
	}
	m.Mentions = pinged(m.text(), p.body.Allowed, usersByDefault)
	return nil
}

// text is all that a message says, in its components too.
func (m *message) text() string { return strings.Join(append([]string{m.Content}, m.said...), "\n") }

// edit changes a message by what a request says: what is left out stays, null and empty clear (resources/message, Edit
// Message). An edit pings nobody.
func (s *Sandbox) edit(m *message, p payload, version int) error {
	next := *m
	if p.body.has("content") {
		next.Content = ""
		if p.body.Content != nil {
			next.Content = *p.body.Content
		}
	}
	if p.body.has("embeds") {
		next.Embeds = p.body.Embeds
	}
	if p.body.Flags != nil {
		next.Flags = next.Flags&^flagSuppressEmbeds | *p.body.Flags&(flagSuppressEmbeds|flagComponentsV2)
	}
	if p.body.has("components") {
		next.Raw = p.body.Components
	}
	rd, err := readComponents(next.Raw, next.Flags&flagComponentsV2 != 0)
	if err != nil {
		return err
	}
	next.Components, next.said = rd.rows, rd.said
	if next.Attachments, err = s.editedAttachments(m.Attachments, p, version); err != nil {
		return err
	}
	if p.body.has("components") {
		if err := rd.has(next.Attachments); err != nil {
			return err
		}
	}
	if err := checkWhole(next); err != nil {
		return err
	}
	if next.Edited = !m.Loading; next.Edited {
		next.editedAt = s.now()
	}
	next.Loading, next.Flags = false, next.Flags&^flagLoading
	*m = next
	s.revise(m)
	s.touch()
	return nil
}

var userMention = regexp.MustCompile(`<@!?([0-9]{17,20})>`)

// pinged are those whom a new message notifies: named in it, and allowed (resources/message, Allowed Mentions). Without
// allowances answers to interactions ping people alone, and messages of channels everybody they name.
func pinged(content string, allowed *allowedMentions, usersByDefault bool) (ids []string) {
	for _, found := range userMention.FindAllStringSubmatch(content, -1) {
		id := found[1]
		ok := usersByDefault
		if allowed != nil {
			ok = slices.Contains(allowed.Users, id) || allowed.Parse != nil && slices.Contains(*allowed.Parse, "users")
		}
		if ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
