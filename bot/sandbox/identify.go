package sandbox

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

const (
	maxIdentifies  = 1000 // in a day; Discord takes the token away after that (events/gateway)
	identifiesIn   = 24 * time.Hour
	maxConcurrency = 1 // identifies at once, which is: in five seconds (events/gateway, Session Start Limit)
	concurrencyIn  = 5 * time.Second
	maxServers     = 2500 // of one shard (events/gateway, Sharding)
	defaultAPI     = 8    // the version of who names none; the payloads are the same
)

// identity is what a bot says of itself to begin a session.
type identity struct {
	Token    string  `json:"token"`
	Intents  *int    `json:"intents"`
	Compress bool    `json:"compress"`
	Shard    *[2]int `json:"shard"`
}

// refused is the code to close with; 0 lets the bot in.
func (i identity) refused(s *Sandbox) int {
	switch {
	case !s.isToken(i.Token):
		return closeBadToken
	case i.Shard != nil && (i.Shard[0] < 0 || i.Shard[0] >= i.Shard[1]):
		return closeBadShard
	case i.Intents == nil || *i.Intents&^knownIntents != 0:
		return closeBadIntents
	case *i.Intents&privileged != 0:
		return closeForbiddenIntents
	}
	return 0
}

// gatewayVersion reads the version in the gateway's address; 0 is none that there is.
func gatewayVersion(asked string) int {
	switch asked {
	case "":
		return defaultAPI
	case "8", "9", "10":
		n, _ := strconv.Atoi(asked)
		return n
	}
	return 0
}

// begin carries out IDENTIFY or RESUME. A session that cannot be resumed gets op 9, and no session; so does one that is
// begun too soon after others.
func (s *Sandbox) begin(c *connection, f frame) (*session, int) {
	if f.Op == opResume {
		return s.resume(c, f.Data)
	}
	var asked identity
	if json.Unmarshal(f.Data, &asked) != nil {
		return nil, closeDecode
	}
	if code := asked.refused(s); code != 0 {
		return nil, code
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.identifiesLeft() == 0 {
		return nil, closeBadToken // the token is reset
	}
	if s.tooSoon() {
		c.send(frame{Op: opInvalidSession, Data: encode(false)})
		return nil, 0
	}
	s.identifies = append(s.identifies, s.now())
	n := &session{id: secret(), intents: *asked.Intents, version: c.version, shard: [2]int{0, 1}, conn: c}
	if asked.Shard != nil {
		n.shard, n.sharded = *asked.Shard, true
	}
	if s.served(n) > maxServers {
		return nil, closeShardsNeeded
	}
	for id, old := range s.sessions { // one bot, one session of a shard: a new one ends the old
		if old.shard == n.shard {
			old.detach()
			delete(s.sessions, id)
		}
	}
	c.compress(asked.Compress)
	s.sessions[n.id] = n
	s.greet(n)
	s.touch()
	return n, 0
}

// identifiesLeft is how many sessions may still be begun today. The lock is held.
func (st *state) identifiesLeft() int {
	now := st.now()
	st.identifies = slices.DeleteFunc(st.identifies, func(t time.Time) bool { return now.Sub(t) >= identifiesIn })
	return max(0, maxIdentifies-len(st.identifies))
}

// tooSoon tells whether another session must wait. The lock is held.
func (s *Sandbox) tooSoon() bool {
	lately := 0
	for _, at := range s.identifies {
		if s.now().Sub(at) < concurrencyIn {
			lately++
		}
	}
	return lately >= maxConcurrency*s.config.Allowance
}

// serves tells whether the session's shard is a server's, or, with no server, that of direct messages.
func (n *session) serves(server string) bool {
	if n.shard[1] <= 1 {
		return true
	}
	id, _ := strconv.ParseUint(server, 10, 64)
	return int(id>>22%uint64(n.shard[1])) == n.shard[0]
}

// served counts the servers of a session's shard. The lock is held.
func (st *state) served(n *session) (count int) {
	for _, srv := range st.servers {
		if srv.here && n.serves(srv.ID) {
			count++
		}
	}
	return count
}

// greet sends READY and every server of the session's shard. The lock is held.
func (s *Sandbox) greet(n *session) {
	unavailable := []object{}
	for _, srv := range s.servers {
		if srv.here && n.serves(srv.ID) {
			unavailable = append(unavailable, object{"id": srv.ID, "unavailable": true})
		}
	}
	ready := object{
		"v": n.version, "user": userJSON(s.people[botID]), "guilds": unavailable, "session_id": n.id, "session_type": "normal",
		"resume_gateway_url": s.gatewayFor(n.conn.host), "private_channels": []any{}, "application": object{"id": botID, "flags": 0},
	}
	if n.sharded {
		ready["shard"] = n.shard
	}
	n.dispatch("READY", ready)
	for _, srv := range s.servers {
		if srv.here && n.intents&intentGuilds != 0 && n.serves(srv.ID) {
			n.dispatch("GUILD_CREATE", serverJSON(srv, &s.state))
		}
	}
}

// sessionLimit is what GET /gateway/bot tells of beginning sessions. The lock is held.
func (st *state) sessionLimit() object {
	left, reset := st.identifiesLeft(), identifiesIn
	if len(st.identifies) > 0 {
		reset = identifiesIn - st.now().Sub(st.identifies[0])
	}
	return object{"total": maxIdentifies, "remaining": left, "reset_after": reset.Milliseconds(), "max_concurrency": maxConcurrency}
}
