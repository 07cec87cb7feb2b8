package sandbox

import "slices"

// tellMessage sends MESSAGE_CREATE or MESSAGE_UPDATE (events/gateway-events). An ephemeral message goes past its channel,
// straight to the person and the bot: it counts as a direct one and names no server. The lock is held.
func (s *Sandbox) tellMessage(kind string, m *message) {
	ch := s.channels[m.Channel]
	if ch == nil || !m.Ephemeral && ch.maySee() != nil {
		return
	}
	told := s.messageJSON(m)
	if ch.server == nil || m.Ephemeral {
		s.dispatchAll(intentDirectMessages, kind, told)
		return
	}
	told["guild_id"] = ch.server.ID
	if m.interaction == "" && ch.server.hasMember(m.Author) { // answers come by a webhook, which is no member
		told["member"] = partialMember(s.people[m.Author])
	}
	for _, mention := range told["mentions"].([]object) {
		if id, _ := mention["id"].(string); ch.server.hasMember(id) {
			mention["member"] = partialMember(s.people[id])
		}
	}
	s.dispatchAll(intentGuildMessages, kind, told)
}

// partialMember is a member beside the user that they are.
func partialMember(p *Person) object {
	m := memberJSON(p, 0)
	delete(m, "user")
	delete(m, "permissions") // which only interactions tell
	return m
}

// messageJSON is a message as the bot is shown it. It has no MESSAGE_CONTENT intent: of what others say, in a server and
// not to it, all that they wrote is empty, in events and answers alike (events/gateway, Message Content Intent).
func (s *Sandbox) messageJSON(m *message) object {
	o := s.wholeMessage(m)
	ch := s.channels[m.Channel]
	if m.Author == botID || ch == nil || ch.server == nil || slices.Contains(m.Mentions, botID) {
		return o
	}
	o["content"] = ""
	for _, field := range []string{"attachments", "embeds", "components"} {
		o[field] = []any{}
	}
	return o
}

// replyTo adds to a message what it replies to: null where that is gone, and told of to one reply's depth only.
func (s *Sandbox) replyTo(o object, m *message) {
	if m.ReplyTo == "" {
		return
	}
	o["type"] = messageReply
	reference := object{"type": 0, "message_id": m.ReplyTo, "channel_id": m.Channel}
	if ch := s.channels[m.Channel]; ch != nil && ch.server != nil {
		reference["guild_id"] = ch.server.ID
	}
	o["message_reference"], o["referenced_message"] = reference, nil
	if to := s.messages[m.ReplyTo]; to != nil {
		flat := *to
		flat.ReplyTo = ""
		answered := s.messageJSON(&flat)
		if to.ReplyTo != "" {
			answered["type"] = messageReply
			answered["message_reference"] = object{"type": 0, "message_id": to.ReplyTo, "channel_id": to.Channel}
		}
		o["referenced_message"] = answered
	}
}
