package sandbox

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
)

// newToken is a token for an interaction, which it names, as Discord's do.
func newToken(id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte("interaction:" + id + ":" + secret()))
}

// namedBy is the id of the interaction that a token is for, "" if it is no token.
func namedBy(token string) string {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	parts := strings.Split(string(raw), ":")
	if err != nil || len(parts) != 3 {
		return ""
	}
	return parts[1]
}

// byToken is the interaction whose token a route carries, while the token lives. The lock is held.
func (s *Sandbox) byToken(c *call) (*interaction, error) {
	if c.PathValue("app") != botID {
		return nil, errUnknownWebhook
	}
	id := namedBy(c.PathValue("token"))
	in := s.interactions[id]
	switch {
	case in == nil && id != "" && s.now().Sub(timeOf(id)) > interactionTokenLives: // forgotten here, but not its token's form
		return nil, errInvalidToken
	case in == nil || in.token != c.PathValue("token"):
		return nil, errUnknownWebhook
	case s.now().Sub(in.created) > interactionTokenLives:
		return nil, errInvalidToken
	case in.answered == 0:
		return nil, errUnknownWebhook
	}
	return in, nil
}

// answerNamed is the message of an interaction that a route names: @original, or one of its own.
func (s *Sandbox) answerNamed(c *call) (*interaction, *message, error) {
	in, err := s.byToken(c)
	if err != nil {
		return nil, nil, err
	}
	name := c.PathValue("message")
	m := in.original
	if name != "@original" {
		m = s.messages[name]
		if m != nil && m.interaction != in.id && m != in.source {
			m = nil
		}
	}
	if m == nil || s.messages[m.ID] == nil {
		return in, nil, errUnknownMessage
	}
	return in, m, nil
}

// followUp adds a message to an answer. The first one after a deferred answer takes its place, whatever its flags.
func (s *Sandbox) followUp(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in, err := s.byToken(c)
	if err != nil {
		return 0, nil, err
	}
	if err := c.payload.readMessage(c.payload.json); err != nil {
		return 0, nil, err
	}
	if err := checkMessage(c.payload, callbackFlags); err != nil {
		return 0, nil, err
	}
	if in.original != nil && in.original.Loading && in.answered == answerDeferred {
		s.violation(c, "the first act after a deferred answer is a follow-up: edit @original")
		if err := s.settle(in.original, c); err != nil {
			return 0, nil, err
		}
		return http.StatusOK, s.messageJSON(in.original), nil
	}
	m, err := s.answerOf(in, c.payload)
	if err != nil {
		return 0, nil, err
	}
	if err := checkWhole(*m); err != nil {
		return 0, nil, err
	}
	s.add(m)
	in.followUps = append(in.followUps, m)
	s.touch()
	return http.StatusOK, s.messageJSON(m), nil
}

// settle edits an answer; what a deferred one says at last may ping, for it is new to everyone.
func (s *Sandbox) settle(m *message, c *call) error {
	loading := m.Loading
	if err := s.edit(m, c.payload, c.version); err != nil {
		return err
	}
	if loading && !m.Ephemeral {
		m.Mentions = pinged(m.text(), c.payload.body.Allowed, true)
	}
	s.tellMessage("MESSAGE_UPDATE", m)
	return nil
}

func (s *Sandbox) getAnswer(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, m, err := s.answerNamed(c)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, s.messageJSON(m), nil
}

func (s *Sandbox) editAnswer(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, m, err := s.answerNamed(c)
	if err != nil {
		return 0, nil, err
	}
	if err := c.payload.readMessage(c.payload.json); err != nil {
		return 0, nil, err
	}
	if err := checkMessage(c.payload, flagSuppressEmbeds|flagComponentsV2|s.shownFlags(m)); err != nil {
		return 0, nil, err
	}
	if err := s.settle(m, c); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, s.messageJSON(m), nil
}

func (s *Sandbox) deleteAnswer(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in, m, err := s.answerNamed(c)
	if err != nil {
		return 0, nil, err
	}
	s.remove(m)
	in.followUps = slices.DeleteFunc(in.followUps, func(f *message) bool { return f == m })
	return http.StatusNoContent, nil, nil
}
