package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// oldMessage is the age from which edits of a message are limited; how many are left then is not documented.
const (
	oldMessage  = time.Hour
	oldEdits    = 3
	oldEditsFor = time.Hour
)

// channelOf is the channel that a route names, as far as the bot can see it. The lock is held.
func (s *Sandbox) channelOf(c *call) (*channel, error) {
	ch := s.channels[c.PathValue("channel")]
	if ch == nil {
		return nil, errUnknownChannel
	}
	return ch, ch.maySee()
}

// messageOf is the message that a route names. Ephemeral ones do not exist for these routes.
func (s *Sandbox) messageOf(c *call) (*message, *channel, error) {
	ch, err := s.channelOf(c)
	if err != nil {
		return nil, nil, err
	}
	m := s.messages[c.PathValue("message")]
	if m == nil || m.Channel != ch.ID || m.Ephemeral || m.Loading {
		return nil, nil, errUnknownMessage
	}
	return m, ch, nil
}

func (s *Sandbox) getChannel(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, err := s.channelOf(c)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, channelJSON(ch), nil
}

// editChannel serves what bots do to their threads: archive and rename.
func (s *Sandbox) editChannel(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, err := s.channelOf(c)
	if err != nil {
		return 0, nil, err
	}
	if ch.Parent == "" {
		return 0, nil, errMissingPermissions
	}
	var asked struct {
		Name     *string `json:"name"`
		Archived *bool   `json:"archived"`
	}
	if err := json.Unmarshal(c.payload.json, &asked); err != nil {
		return 0, nil, invalid("_", "%v", err)
	}
	if asked.Archived != nil {
		ch.archived = *asked.Archived
	}
	if asked.Name != nil {
		ch.Name = *asked.Name
	}
	s.dispatchAll(intentGuilds, "THREAD_UPDATE", channelJSON(ch))
	s.touch()
	return http.StatusOK, channelJSON(ch), nil
}

func (s *Sandbox) getMessages(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, err := s.channelOf(c)
	if err != nil {
		return 0, nil, err
	}
	query := c.URL.Query()
	limit := 50
	if text := query.Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > 100 {
			return 0, nil, invalid("limit", "int value should be between 1 and 100.")
		}
	}
	found := []object{}
	if ch.effective()&permReadHistory == 0 {
		return http.StatusOK, found, nil
	}
	after, _ := strconv.ParseUint(query.Get("after"), 10, 64)
	for _, id := range slices.Backward(ch.order) {
		m := s.messages[id]
		n, _ := strconv.ParseUint(id, 10, 64)
		if len(found) < limit && !m.Ephemeral && !m.Loading && n > after {
			found = append(found, s.messageJSON(m))
		}
	}
	return http.StatusOK, found, nil
}

func (s *Sandbox) getMessage(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ch, err := s.messageOf(c)
	if err != nil {
		return 0, nil, err
	}
	if ch.effective()&permReadHistory == 0 {
		return 0, nil, errMissingPermissions
	}
	return http.StatusOK, s.messageJSON(m), nil
}

func (s *Sandbox) postMessage(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, err := s.channelOf(c)
	if err != nil {
		return 0, nil, err
	}
	if err := c.payload.readMessage(c.payload.json); err != nil {
		return 0, nil, err
	}
	if err := ch.mayWrite(c.payload); err != nil {
		return 0, nil, err
	}
	if err := checkMessage(c.payload, flagSuppressEmbeds|flagSilent|flagComponentsV2); err != nil {
		return 0, nil, err
	}
	nonce := ch.ID + " " + strings.Trim(string(c.payload.body.Nonce), `"`)
	if known, ok := s.nonces[nonce]; ok && c.payload.body.Enforce && s.messages[known] != nil {
		return http.StatusOK, s.messageJSON(s.messages[known]), nil
	}
	m := &message{Message: Message{Channel: ch.ID, Author: botID}}
	if err := s.fill(m, c.payload, true); err != nil {
		return 0, nil, err
	}
	if err := checkWhole(*m); err != nil {
		return 0, nil, err
	}
	s.add(m)
	if c.payload.body.Enforce {
		s.nonces[nonce] = m.ID
	}
	return http.StatusOK, s.messageJSON(m), nil
}

func (s *Sandbox) editMessage(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ch, err := s.messageOf(c)
	if err != nil {
		return 0, nil, err
	}
	if m.Author != botID {
		return 0, nil, errNotAuthor
	}
	if err := c.payload.readMessage(c.payload.json); err != nil {
		return 0, nil, err
	}
	if err := ch.mayWrite(c.payload); err != nil {
		return 0, nil, err
	}
	if err := checkMessage(c.payload, flagSuppressEmbeds|flagComponentsV2); err != nil {
		return 0, nil, err
	}
	if err := s.spareOld(m); err != nil {
		return 0, nil, err
	}
	if err := s.edit(m, c.payload, c.version); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, s.messageJSON(m), nil
}

// spareOld limits the edits of a message that is older than an hour (code 30046).
func (s *Sandbox) spareOld(m *message) error {
	now := s.now()
	if now.Sub(m.Created) < oldMessage {
		return nil
	}
	m.oldEdits = slices.DeleteFunc(m.oldEdits, func(t time.Time) bool { return now.Sub(t) > oldEditsFor })
	if len(m.oldEdits) >= oldEdits {
		return errOldEdit
	}
	m.oldEdits = append(m.oldEdits, now)
	return nil
}

func (s *Sandbox) deleteMessage(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, _, err := s.messageOf(c)
	if err != nil {
		return 0, nil, err
	}
	if m.Author != botID {
		return 0, nil, errMissingPermissions
	}
	s.remove(m)
	return http.StatusNoContent, nil, nil
}

// startThread serves both routes: from a message, whose id the thread then has, and without one.
func (s *Sandbox) startThread(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, err := s.channelOf(c)
	if err != nil {
		return 0, nil, err
	}
	var asked struct {
		Name string `json:"name"`
		Type *int   `json:"type"`
	}
	if err := json.Unmarshal(c.payload.json, &asked); err != nil {
		return 0, nil, invalid("_", "%v", err)
	}
	if n := utf8.RuneCountInString(asked.Name); n < 1 || n > 100 {
		return 0, nil, invalid("name", "Must be between 1 and 100 in length.")
	}
	if ch.server == nil || ch.Parent != "" {
		return 0, nil, refuse(http.StatusBadRequest, 50024, "Cannot execute action on this channel type")
	}
	thread := &channel{Channel: Channel{ID: s.newID(), Name: asked.Name, Type: PrivateThread, Parent: ch.ID}, server: ch.server, allow: ch.allow}
	if from := c.PathValue("message"); from != "" {
		if s.messages[from] == nil {
			return 0, nil, errUnknownMessage
		}
		if s.channels[from] != nil {
			return 0, nil, refuse(http.StatusBadRequest, 160004, "A thread has already been created for this message")
		}
		thread.ID, thread.Type = from, PublicThread
	} else if asked.Type != nil {
		thread.Type = *asked.Type
	}
	if thread.Type == PublicThread && ch.effective()&permPublicThreads == 0 {
		return 0, nil, errMissingPermissions
	}
	s.channels[thread.ID] = thread
	thread.server.Channels = append(thread.server.Channels, thread.Channel)
	s.dispatchAll(intentGuilds, "THREAD_CREATE", channelJSON(thread))
	s.touch()
	return http.StatusCreated, channelJSON(thread), nil
}

// openDirect opens the direct messages with a person.
func (s *Sandbox) openDirect(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var asked struct {
		Recipient string `json:"recipient_id"`
	}
	if err := json.Unmarshal(c.payload.json, &asked); err != nil {
		return 0, nil, invalid("_", "%v", err)
	}
	p := s.people[asked.Recipient]
	if p == nil {
		return 0, nil, errUnknownUser
	}
	ch := s.direct(p.ID)
	o := channelJSON(ch)
	o["recipients"] = []object{userJSON(p)}
	return http.StatusOK, o, nil
}

// direct is the channel of direct messages between a person and the bot. The lock is held.
func (s *Sandbox) direct(person string) *channel {
	for _, ch := range s.channels {
		if ch.with == person {
			return ch
		}
	}
	ch := &channel{Channel: Channel{ID: s.newID(), Type: DirectChannel}, with: person}
	s.channels[ch.ID] = ch
	return ch
}

// serveAttachment serves a file of a message.
func (s *Sandbox) serveAttachment(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	var found *Attachment
	for _, m := range s.messages {
		for i := range m.Attachments {
			if m.Attachments[i].ID == r.PathValue("id") {
				found = &m.Attachments[i]
			}
		}
	}
	s.mu.Unlock()
	if found == nil {
		http.NotFound(w, r)
		return
	}
	kind := found.ContentType
	if kind == "" {
		kind = http.DetectContentType(found.Data)
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, max-age=3600")
	_, _ = w.Write(found.Data)
}
