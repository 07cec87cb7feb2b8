package sandbox

// The permissions that decide what the bot may do (topics/permissions).
const (
	permViewChannel    uint64 = 1 << 10
	permSendMessages   uint64 = 1 << 11
	permEmbedLinks     uint64 = 1 << 14
	permAttachFiles    uint64 = 1 << 15
	permReadHistory    uint64 = 1 << 16
	permManageThreads  uint64 = 1 << 34
	permPublicThreads  uint64 = 1 << 35
	permPrivateThreads uint64 = 1 << 36
	permSendInThreads  uint64 = 1 << 38
	defaultPermissions        = permViewChannel | permSendMessages | permEmbedLinks | permAttachFiles | permReadHistory |
		permPublicThreads | permSendInThreads
)

// memberPermissions are what people may do: everything but to manage the server, which the owner may.
const (
	memberPermissions = defaultPermissions | 1<<31
	ownerPermissions  = memberPermissions | 1<<5
)

// effective is what the bot may do in a channel: who may not see or send may do nothing that follows from it.
func (c *channel) effective() uint64 {
	if c.Type == DirectChannel {
		return defaultPermissions
	}
	if c.server == nil || !c.server.here {
		return 0
	}
	allow := c.allow
	if c.above != nil {
		allow = c.above.allow
	}
	if allow&permViewChannel == 0 {
		return 0
	}
	send := permSendMessages
	if c.Parent != "" {
		send = permSendInThreads
	}
	if allow&send == 0 {
		allow &^= permEmbedLinks | permAttachFiles
	}
	if c.server.manages {
		allow |= permManageRoles
	}
	return allow
}

// maySee refuses a channel that the bot cannot see.
func (c *channel) maySee() error {
	if c.effective()&permViewChannel == 0 {
		return errMissingAccess
	}
	return nil
}

// mayWrite refuses what the bot may not write in a channel. An answer to an interaction needs none of this.
func (c *channel) mayWrite(p payload) error {
	if err := c.maySee(); err != nil {
		return err
	}
	need := permSendMessages
	if c.Parent != "" {
		need = permSendInThreads
	}
	if len(p.files) > 0 {
		need |= permAttachFiles
	}
	if len(p.embeds()) > 0 {
		need |= permEmbedLinks
	}
	if c.effective()&need != need {
		return errMissingPermissions
	}
	if c.locked && c.archived {
		return errArchived
	}
	return nil
}

// mayHere is what a person may do in a channel of a server: nothing where they do not see it.
func (s *Sandbox) mayHere(person string, ch *channel) uint64 {
	switch {
	case !s.sees(person, ch):
		return 0
	case ch.server != nil && ch.server.Owner == person:
		return ownerPermissions
	}
	return memberPermissions
}

// sees tells whether a person is where a channel is, and may look into it.
func (s *Sandbox) sees(person string, ch *channel) bool {
	if ch.server == nil {
		return ch.with == person
	}
	if ch.above != nil && ch.above.hidden[person] {
		return false
	}
	return ch.server.hasMember(person) && !ch.hidden[person]
}

// Hide takes a channel, with its threads, out of a person's sight, or puts it back. The server's owner sees everything.
func (s *Sandbox) Hide(channel, person string, hidden bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channel]
	switch {
	case ch == nil || ch.server == nil:
		return errUnknownChannel
	case !ch.server.hasMember(person):
		return errUnknownMember
	case ch.server.Owner == person || person == botID:
		return cannot("nothing can be hidden from %s", s.people[person].Name)
	}
	if ch.hidden == nil {
		ch.hidden = map[string]bool{}
	}
	ch.hidden[person] = hidden
	s.tellChannel(ch)
	s.touch()
	return nil
}
