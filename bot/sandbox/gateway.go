package sandbox

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// Opcodes of the gateway (topics/opcodes-and-status-codes).
const (
	opDispatch       = 0
	opHeartbeat      = 1
	opIdentify       = 2
	opPresence       = 3
	opVoice          = 4
	opResume         = 6
	opReconnect      = 7
	opMembers        = 8
	opInvalidSession = 9
	opHello          = 10
	opHeartbeatAck   = 11
)

// Close codes of the gateway.
const (
	closeUnknownOp        = 4001
	closeDecode           = 4002
	closeNotIdentified    = 4003
	closeBadToken         = 4004
	closeIdentifiedTwo    = 4005
	closeBadSequence      = 4007
	closeTooFast          = 4008
	closeTimedOut         = 4009
	closeFirstFatal       = 4010
	closeBadShard         = 4010
	closeShardsNeeded     = 4011
	closeBadVersion       = 4012
	closeBadIntents       = 4013
	closeForbiddenIntents = 4014
)

const (
	heartbeatEvery = 41250 * time.Millisecond
	maxPayload     = 4096    // bytes that a client may send at once
	maxRead        = 1 << 20 // bytes that are read at all, to close what is too large in order
	maxEvents      = 120     // payloads of a client in a minute
	maxReplay      = 1000    // events kept for a client that resumes
	knownIntents   = 1<<26 - 1
)

// Intents that decide which events a bot gets (events/gateway).
const (
	intentGuilds         = 1 << 0
	intentGuildMessages  = 1 << 9
	intentDirectMessages = 1 << 12
	privileged           = 1<<1 | 1<<8 | 1<<15
)

// frame is what goes over the gateway, both ways.
type frame struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  *int            `json:"s"`
	Type *string         `json:"t"`
}

// session is a bot's, which outlives its connections. The sandbox's lock guards it.
type session struct {
	id      string
	intents int
	version int    // of the API
	shard   [2]int // which one, of how many
	sharded bool   // the bot said so
	seq     int
	events  []frame // kept for a resume
	conn    *connection
}

// detach drops the connection, if there is one; the session can be resumed.
func (n *session) detach() {
	if n.conn != nil {
		n.conn.end(0)
		n.conn = nil
	}
}

// dispatch sends an event and keeps it for a resume. The lock is held.
func (n *session) dispatch(kind string, data any) {
	f := n.next(kind, data)
	n.events = append(n.events, f)
	n.events = n.events[max(0, len(n.events)-maxReplay):]
	if n.conn != nil {
		n.conn.send(f)
	}
}

// next is the session's next event.
func (n *session) next(kind string, data any) frame {
	n.seq++
	seq := n.seq
	return frame{Op: opDispatch, Data: encode(data), Seq: &seq, Type: &kind}
}

// replay sends what a client has missed since an event; it tells whether all of that is still kept. The lock is held.
func (n *session) replay(since int) bool {
	if len(n.events) > 0 && *n.events[0].Seq > since+1 {
		return false
	}
	for _, f := range n.events {
		if *f.Seq > since {
			n.conn.send(f)
		}
	}
	n.conn.send(n.next("RESUMED", object{}))
	return true
}

// dispatchAll sends an event to every session that asked for its kind and serves its server. The lock is held.
func (s *Sandbox) dispatchAll(intent int, kind string, data object) {
	for _, n := range s.sessions {
		if n.intents&intent != 0 && n.serves(serverOf(kind, data)) {
			n.dispatch(kind, data)
		}
	}
}

// serverOf is the server that an event is about; "" for direct messages.
func serverOf(kind string, data object) string {
	field := "guild_id"
	if strings.HasPrefix(kind, "GUILD_") {
		field = "id"
	}
	id, _ := data[field].(string)
	return id
}

func (s *Sandbox) gatewayURL() string { return "ws://" + s.doors.local + "/gateway" }

// gatewayFor is the gateway's address for who came by a host: other machines, if they may come in, have another one than
// the bot on this machine.
func (s *Sandbox) gatewayFor(host string) string {
	if s.doors.exposed && host != "" {
		return "ws://" + host + "/gateway"
	}
	return s.gatewayURL()
}

// serveGateway is a bot's connection from HELLO to its end.
func (s *Sandbox) serveGateway(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{CheckOrigin: func(r *http.Request) bool { return r.Header.Get("Origin") == "" }}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // answered by the upgrader
	}
	c := newConnection(ws)
	c.host = r.Host
	c.version = gatewayVersion(r.URL.Query().Get("v"))
	if !s.accept(c) {
		c.drop()
		return
	}
	defer s.serving.Done()
	defer c.wait()
	if s.isMute() {
		s.ignore(c)
		return
	}
	if c.version == 0 {
		s.lost(c, closeBadVersion)
		return
	}
	c.send(frame{Op: opHello, Data: encode(object{"heartbeat_interval": s.config.Heartbeat.Milliseconds()})})
	code := s.listen(c)
	s.lost(c, code)
}

// accept counts a connection among those that Close ends, unless the sandbox has been closed.
func (s *Sandbox) accept(c *connection) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.serving.Add(1)
	s.connections[c] = true
	go c.write()
	return true
}

// holds tells whether a session is still a connection's: an invalid one is not, and the connection may have another.
func (s *Sandbox) holds(n *session, c *connection) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return n.conn == c
}

// ignore is a connection on which nothing is ever said.
func (s *Sandbox) ignore(c *connection) {
	for {
		if _, _, err := c.ws.ReadMessage(); err != nil {
			s.lost(c, 0)
			return
		}
	}
}

// listen carries out what the client sends, and returns the code to close with; 0 when the client has gone.
func (s *Sandbox) listen(c *connection) int {
	var mine *session
	c.ws.SetReadLimit(maxRead)
	beat := func() { _ = c.ws.SetReadDeadline(time.Now().Add(2 * s.config.Heartbeat)) }
	beat()
	for {
		f, code := c.read()
		if code != 0 || c.gone {
			return code
		}
		switch f.Op {
		case opHeartbeat:
			beat()
			c.send(frame{Op: opHeartbeatAck})
		case opIdentify, opResume:
			if mine != nil && s.holds(mine, c) {
				return closeIdentifiedTwo
			}
			if mine, code = s.begin(c, f); code != 0 {
				return code
			}
		case opPresence, opVoice, opMembers:
			if mine == nil {
				return closeNotIdentified
			}
			if f.Op != opMembers {
				break
			}
			if code := s.sendMembers(mine, f.Data); code != 0 {
				return code
			}
		default:
			return closeUnknownOp
		}
	}
}

func (s *Sandbox) resume(c *connection, data json.RawMessage) (*session, int) {
	var asked struct {
		Token   string `json:"token"`
		Session string `json:"session_id"`
		Seq     int    `json:"seq"`
	}
	if json.Unmarshal(data, &asked) != nil {
		return nil, closeDecode
	}
	if !s.isToken(asked.Token) {
		return nil, closeBadToken
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.sessions[asked.Session]
	if n != nil && asked.Seq > n.seq {
		delete(s.sessions, n.id)
		n.detach()
		return nil, closeBadSequence
	}
	if n != nil {
		n.detach()
		n.conn = c
	}
	if n == nil || !n.replay(asked.Seq) {
		delete(s.sessions, asked.Session)
		c.send(frame{Op: opInvalidSession, Data: encode(false)})
		return nil, 0
	}
	s.touch()
	return n, 0
}

// lost ends a connection; a client that said goodbye, or timed out, has no session any more.
func (s *Sandbox) lost(c *connection, code int) {
	c.end(code)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.connections, c)
	for id, n := range s.sessions {
		if n.conn != c {
			continue
		}
		n.conn = nil
		if endsSession(code) {
			delete(s.sessions, id)
		}
	}
	s.touch()
}

// endsSession tells the codes after which a session cannot be resumed.
func endsSession(code int) bool {
	switch code {
	case websocket.CloseNormalClosure, websocket.CloseGoingAway, closeBadSequence, closeTimedOut:
		return true
	}
	return code == closeBadToken || code >= closeFirstFatal && code <= closeForbiddenIntents
}
