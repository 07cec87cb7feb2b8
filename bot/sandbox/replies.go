package sandbox

import (
	"net/http"
	"slices"
)

var errNoHistory = refuse(http.StatusBadRequest, 160002, "Cannot reply without permission to read message history")

// replied makes a new message a reply where the request asks for that, and pings whom it replies to where that is allowed
// (resources/message, Message References). The lock is held.
func (s *Sandbox) replied(m *message, ch *channel, b messageBody) error {
	if b.Reference == nil {
		return nil
	}
	if ch.effective()&permReadHistory == 0 {
		return errNoHistory
	}
	to := s.messages[b.Reference.Message]
	if to == nil || to.Channel != ch.ID || to.Ephemeral || b.Reference.Channel != "" && b.Reference.Channel != ch.ID {
		if b.Reference.Must != nil && !*b.Reference.Must {
			return nil
		}
		return invalid("message_reference", "Unknown message")
	}
	m.ReplyTo = to.ID
	ping := b.Allowed == nil || b.Allowed.Replied != nil && *b.Allowed.Replied
	if ping && to.Author != botID && !slices.Contains(m.Mentions, to.Author) {
		m.Mentions = append(m.Mentions, to.Author)
	}
	return nil
}
