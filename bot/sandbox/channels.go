package sandbox

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
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
	return http.StatusOK, s.placeJSON(ch), nil
}

// getMessages lists messages, newest first: the newest, those nearest before or after an id, or those around one.
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
	var seen []string
	for _, id := range ch.order {
		if m := s.messages[id]; !m.Ephemeral && !m.Loading {
			seen = append(seen, id)
		}
	}
	for _, id := range slices.Backward(pageOf(seen, query, limit)) {
		found = append(found, s.messageJSON(s.messages[id]))
	}
	return http.StatusOK, found, nil
}

// pageOf is the part of a list of ids, oldest first, that a query asks for.
func pageOf(ids []string, query url.Values, limit int) []string {
	at := func(id string) int { // of the first id that is not older
		i, _ := slices.BinarySearchFunc(ids, id, compareIDs)
		return i
	}
	from, to := max(0, len(ids)-limit), len(ids)
	if id := query.Get("around"); id != "" {
		from = max(0, at(id)-limit/2)
		to = min(len(ids), from+limit)
	} else if id := query.Get("before"); id != "" {
		to = at(id)
		from = max(0, to-limit)
	} else if id := query.Get("after"); id != "" {
		from = at(id)
		if from < len(ids) && ids[from] == id {
			from++
		}
		to = min(len(ids), from+limit)
	}
	return ids[from:to]
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
	if ch.server == nil && !s.mayMeet(ch.with) {
		return 0, nil, errNoDirect
	}
	if err := checkMessage(c.payload, flagSuppressEmbeds|flagSilent|flagComponentsV2); err != nil {
		return 0, nil, err
	}
	nonce := c.payload.body.nonce()
	once := ch.ID + " " + nonce
	if known := s.messages[s.nonces[once]]; known != nil && c.payload.body.Enforce && nonce != "" {
		return http.StatusOK, s.messageJSON(known), nil
	}
	m := &message{Message: Message{Channel: ch.ID, Author: botID}}
	if nonce != "" {
		m.once = once
	}
	if err := s.fill(m, c.payload, true); err != nil {
		return 0, nil, err
	}
	if err := s.replied(m, ch, c.payload.body); err != nil {
		return 0, nil, err
	}
	if err := checkWhole(*m); err != nil {
		return 0, nil, err
	}
	s.add(m)
	if m.once != "" {
		s.nonces[once] = m.ID
	}
	s.unarchive(ch)
	o := s.messageJSON(m)
	if nonce != "" {
		o["nonce"] = nonce
	}
	return http.StatusOK, o, nil
}

// unarchive opens a thread again, as whoever writes into it does. The lock is held.
func (s *Sandbox) unarchive(ch *channel) {
	if ch.archived {
		ch.archived = false
		s.dispatchAll(intentGuilds, "THREAD_UPDATE", channelJSON(ch))
	}
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
	if ch.archived {
		return 0, nil, errArchived
	}
	if err := checkMessage(c.payload, flagSuppressEmbeds|flagComponentsV2|s.shownFlags(m)); err != nil {
		return 0, nil, err
	}
	if err := s.spareOld(m); err != nil {
		return 0, nil, err
	}
	if err := s.edit(m, c.payload, c.version); err != nil {
		return 0, nil, err
	}
	s.tellMessage("MESSAGE_UPDATE", m)
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

// showTyping is taken from who may write, and shown to nobody: people here do not watch each other type.
func (s *Sandbox) showTyping(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, err := s.channelOf(c)
	if err != nil {
		return 0, nil, err
	}
	if err := ch.mayWrite(payload{}); err != nil {
		return 0, nil, err
	}
	return http.StatusNoContent, nil, nil
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
	return http.StatusOK, s.placeJSON(s.direct(p.ID)), nil
}

// mayMeet tells whether the bot and a person have a server in common; without one they cannot write to each other.
func (s *Sandbox) mayMeet(person string) bool {
	return !s.people[person].Bot && slices.ContainsFunc(s.servers, func(srv *server) bool { return srv.here && srv.hasMember(person) })
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
	s.touch()
	return ch
}
