package sandbox

import (
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// faults are the troubles that were asked for.
type faults struct {
	failures []failure
	delays   []delay
	mute     bool
	patience time.Duration // 0: Discord's
}

type failure struct {
	method, prefix string
	err            *apiError
	left           int
}

type delay struct {
	method, prefix string
	by             time.Duration
}

// FailNext makes the next n requests that match answer with a status and Discord's code, carrying nothing out.
func (s *Sandbox) FailNext(method, pathPrefix string, status, code, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := refuse(status, code, http.StatusText(status))
	s.faults.failures = append(s.faults.failures, failure{method, pathPrefix, err, n})
}

// Recover ends every failure and delay that was asked for.
func (s *Sandbox) Recover() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.failures, s.faults.delays = nil, nil
}

// Delay makes every request that matches wait before it is carried out; 0 ends it.
func (s *Sandbox) Delay(method, pathPrefix string, by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.delays = slices.DeleteFunc(s.faults.delays, func(d delay) bool { return d.method == method && d.prefix == pathPrefix })
	if by > 0 {
		s.faults.delays = append(s.faults.delays, delay{method, pathPrefix, by})
	}
}

// fault applies the troubles that match a request.
func (s *Sandbox) fault(c *call) error {
	path := below(c.URL.Path)
	s.mu.Lock()
	var wait time.Duration
	for _, d := range s.faults.delays {
		if d.method == c.Method && strings.HasPrefix(path, d.prefix) {
			wait = max(wait, d.by)
		}
	}
	var err error
	for i := range s.faults.failures {
		f := &s.faults.failures[i]
		if f.left > 0 && f.method == c.Method && strings.HasPrefix(path, f.prefix) {
			f.left--
			err = f.err
			break
		}
	}
	s.mu.Unlock()
	if wait > 0 {
		select {
		case <-time.After(wait): // a client that gives up does not take back what it asked for
		case <-s.closing:
		}
	}
	return err
}

// below is a path without the API's version.
func below(path string) string {
	path = strings.TrimPrefix(path, "/api/v")
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[i:]
	}
	return path
}

func splitPath(path string) []string { return strings.Split(path, ".") }

// Redeliver sends an interaction's event once more.
func (s *Sandbox) Redeliver(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.interactions[id]
	if in == nil {
		return cannot("there is no such interaction")
	}
	s.deliver(in)
	return nil
}

// DropGateway breaks the bot's connection without a word; its session can be resumed.
func (s *Sandbox) DropGateway() { s.CloseGateway(0) }

// CloseGateway closes the bot's connections with a code; a session ends with it where the code says so.
func (s *Sandbox) CloseGateway(code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.connections {
		c.end(code)
	}
	for id, n := range s.sessions {
		n.conn = nil
		if endsSession(code) {
			delete(s.sessions, id)
		}
	}
	s.touch()
}

// RecommendShards changes how many shards the gateway recommends.
func (s *Sandbox) RecommendShards(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.config.Shards = max(n, 1)
}

// Reconnect asks the bot to reconnect and resume (op 7).
func (s *Sandbox) Reconnect() { s.sendAll(frame{Op: opReconnect}) }

// InvalidSession tells the bot that its session is invalid (op 9). A resumable one has lost its connection, which stays
// open for the bot to resume on; any other is over.
func (s *Sandbox) InvalidSession(resumable bool) {
	s.sendAll(frame{Op: opInvalidSession, Data: encode(resumable)})
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, n := range s.sessions {
		if !resumable {
			n.detach()
			delete(s.sessions, id)
		}
		n.conn = nil
	}
	s.touch()
}

func (s *Sandbox) sendAll(f frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.sessions {
		if n.conn != nil {
			n.conn.send(f)
		}
	}
}

// BePatient makes interactions wait so long for their first answer, instead of Discord's three seconds, which are real ones
// whatever time it is in the sandbox, and people at least as long for what comes of it: a test that is not about that need
// not fail where the machine is slow. 0 ends it.
func (s *Sandbox) BePatient(within time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.patience = max(0, within)
}

// Mute makes the gateway accept connections and say nothing, and say no more on those that it has; what it has silenced
// stays silent until its client gives it up.
func (s *Sandbox) Mute(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.mute = on
	for c := range s.connections {
		if on {
			c.silence()
		}
	}
}

func (s *Sandbox) isMute() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults.mute
}

// SetPermissions sets what the bot may do in a channel: the whole bitset.
func (s *Sandbox) SetPermissions(channel string, allow uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channel]
	if ch == nil {
		return errUnknownChannel
	}
	if ch.above != nil {
		ch = ch.above // a thread has its channel's
	}
	ch.allow = allow
	s.tellChannel(ch)
	s.touch()
	return nil
}

// DeleteMessage deletes a message, as a moderator would.
func (s *Sandbox) DeleteMessage(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.messages[id]
	if m == nil {
		return errUnknownMessage
	}
	s.remove(m)
	return nil
}

// Say puts a person's message into a channel.
func (s *Sandbox) Say(person, channel, text string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channel]
	if ch == nil || s.people[person] == nil || !s.sees(person, ch) {
		return "", errUnknownChannel
	}
	if n := utf8.RuneCountInString(text); n < 1 || n > maxContent {
		return "", cannot("a message has 1 to %d characters", maxContent)
	}
	m := &message{Message: Message{Channel: channel, Author: person, Content: text, Mentions: pinged(text, nil, true)}}
	if ch.archived && ch.locked {
		return "", cannot("the thread is locked")
	}
	s.add(m)
	s.unarchive(ch)
	return m.ID, nil
}

// DeleteChannel deletes a channel with all that is in it, its threads too; no message is told of (events/gateway-events).
func (s *Sandbox) DeleteChannel(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[id]
	if ch == nil || ch.server == nil {
		return errUnknownChannel
	}
	s.forget(ch)
	return nil
}

// Kick removes the bot from a server.
func (s *Sandbox) Kick(server string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	srv := s.serverByID(server)
	if srv == nil {
		return errUnknownServer
	}
	srv.here = false
	s.dispatchAll(intentGuilds, "GUILD_DELETE", object{"id": server})
	s.touch()
	return nil
}

// Invite brings the bot back. Where it is already, it is told of the server once more.
func (s *Sandbox) Invite(server string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	srv := s.serverByID(server)
	if srv == nil {
		return errUnknownServer
	}
	if !srv.here {
		srv.here, srv.joined = true, s.now()
	}
	s.dispatchAll(intentGuilds, "GUILD_CREATE", serverJSON(srv, &s.state))
	s.touch()
	return nil
}

// RemoveMember lets a person leave a server. The bot is not told: it has no intent for members.
func (s *Sandbox) RemoveMember(server, person string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	srv := s.serverByID(server)
	if srv == nil || !srv.hasMember(person) {
		return errUnknownMember
	}
	srv.Members = slices.DeleteFunc(srv.Members, func(id string) bool { return id == person })
	srv.left = append(srv.left, person)
	s.touch()
	return nil
}

// AddMember lets a person join a server, or come back. The bot is not told.
func (s *Sandbox) AddMember(server, person string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	srv := s.serverByID(server)
	switch {
	case srv == nil:
		return errUnknownServer
	case s.people[person] == nil:
		return errUnknownUser
	case srv.hasMember(person):
		return cannot("%s is there already", s.people[person].Name)
	}
	srv.Members = append(srv.Members, person)
	srv.left = slices.DeleteFunc(srv.left, func(id string) bool { return id == person })
	s.touch()
	return nil
}

// maxDisplayName is how long a display name may be (resources/user, Usernames and Nicknames).
const maxDisplayName = 32

// Rename changes a person's display name.
func (s *Sandbox) Rename(person, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.people[person]
	if p == nil {
		return errUnknownUser
	}
	if n := utf8.RuneCountInString(strings.TrimSpace(name)); n < 1 || n > maxDisplayName {
		return cannot("a name has 1 to %d characters", maxDisplayName)
	}
	p.Name = name
	s.names++
	s.touch()
	return nil
}
