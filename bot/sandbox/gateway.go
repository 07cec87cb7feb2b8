package sandbox

import (
	"encoding/json"
	"net/http"
	"sync"
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
	closeBadIntents       = 4013
	closeForbiddenIntents = 4014
)

const (
	heartbeatEvery = 41250 * time.Millisecond
	maxPayload     = 4096 // bytes that a client may send at once
	maxEvents      = 120  // payloads of a client in a minute
	maxReplay      = 1000 // events kept for a client that resumes
	privileged     = 1<<1 | 1<<8 | 1<<15
	knownIntents   = 1<<26 - 1
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
	id     string
	seq    int
	events []frame // kept for a resume
	conn   *connection
}

// connection is one websocket of a bot's.
type connection struct {
	ws   *websocket.Conn
	mu   sync.Mutex // one writer at a time
	sent int        // payloads in this minute
	from time.Time  // when the minute began
}

func (c *connection) send(f frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.ws.SetWriteDeadline(time.Now().Add(5 * time.Second))
	_ = c.ws.WriteJSON(f) // a broken connection is found by its reader
}

// end closes with a code; 0 drops the connection without one.
func (c *connection) end(code int) {
	if code != 0 {
		message := websocket.FormatCloseMessage(code, "")
		_ = c.ws.WriteControl(websocket.CloseMessage, message, time.Now().Add(time.Second))
	}
	_ = c.ws.Close()
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
	n.seq++
	seq := n.seq
	f := frame{Op: opDispatch, Data: encode(data), Seq: &seq, Type: &kind}
	n.events = append(n.events, f)
	n.events = n.events[max(0, len(n.events)-maxReplay):]
	if n.conn != nil {
		n.conn.send(f)
	}
}

// dispatchAll sends an event to every session. The lock is held.
func (s *Sandbox) dispatchAll(kind string, data any) {
	for _, n := range s.sessions {
		n.dispatch(kind, data)
	}
}

func (s *Sandbox) gatewayURL() string { return "ws://" + s.address() + "/gateway" }

// serveGateway is a bot's connection from HELLO to its end.
func (s *Sandbox) serveGateway(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{CheckOrigin: func(r *http.Request) bool { return r.Header.Get("Origin") == "" }}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // answered by the upgrader
	}
	c := &connection{ws: ws, from: time.Now()}
	if s.isMute() {
		<-s.ended // a server that accepts and says nothing
		return
	}
	c.send(frame{Op: opHello, Data: encode(object{"heartbeat_interval": heartbeatEvery.Milliseconds()})})
	code := s.listen(c)
	s.lost(c, code)
}

// listen carries out what the client sends, and returns the code to close with; 0 when the client has gone.
func (s *Sandbox) listen(c *connection) int {
	var mine *session
	c.ws.SetReadLimit(maxPayload)
	for {
		_ = c.ws.SetReadDeadline(time.Now().Add(2 * heartbeatEvery))
		var f frame
		if err := c.ws.ReadJSON(&f); err != nil {
			return closeCodeFor(err)
		}
		if c.tooFast() {
			return closeTooFast
		}
		switch f.Op {
		case opHeartbeat:
			c.send(frame{Op: opHeartbeatAck})
		case opIdentify, opResume:
			if mine != nil {
				return closeIdentifiedTwo
			}
			var code int
			if mine, code = s.begin(c, f); code != 0 {
				return code
			}
		case opPresence, opVoice, opMembers:
			if mine == nil {
				return closeNotIdentified
			}
		default:
			return closeUnknownOp
		}
	}
}

func closeCodeFor(err error) int {
	switch {
	case websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway):
		return websocket.CloseNormalClosure
	case isTimeout(err):
		return closeTimedOut
	case isSyntax(err):
		return closeDecode
	}
	return 0
}

func isTimeout(err error) bool {
	t, ok := err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

func isSyntax(err error) bool {
	switch err.(type) {
	case *json.SyntaxError, *json.UnmarshalTypeError:
		return true
	}
	return err == websocket.ErrReadLimit
}

func (c *connection) tooFast() bool {
	if time.Since(c.from) > time.Minute {
		c.from, c.sent = time.Now(), 0
	}
	c.sent++
	return c.sent > maxEvents
}

// begin carries out IDENTIFY or RESUME. A session that cannot be resumed gets op 9, and no session.
func (s *Sandbox) begin(c *connection, f frame) (*session, int) {
	if f.Op == opResume {
		return s.resume(c, f.Data)
	}
	var asked struct {
		Token   string `json:"token"`
		Intents int    `json:"intents"`
	}
	if json.Unmarshal(f.Data, &asked) != nil {
		return nil, closeDecode
	}
	switch {
	case !s.isToken(asked.Token):
		return nil, closeBadToken
	case asked.Intents&^knownIntents != 0:
		return nil, closeBadIntents
	case asked.Intents&privileged != 0:
		return nil, closeForbiddenIntents
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, old := range s.sessions { // one bot, one session: a new one ends the old
		old.detach()
		delete(s.sessions, id)
	}
	n := &session{id: secret(), conn: c}
	s.sessions[n.id] = n
	s.greet(n)
	s.touch()
	return n, 0
}

// greet sends READY and every server. The lock is held.
func (s *Sandbox) greet(n *session) {
	var unavailable []object
	for _, srv := range s.servers {
		if srv.here {
			unavailable = append(unavailable, object{"id": srv.ID, "unavailable": true})
		}
	}
	n.dispatch("READY", object{
		"v": 9, "user": userJSON(s.people[botID]), "guilds": unavailable, "session_id": n.id, "session_type": "normal",
		"resume_gateway_url": s.gatewayURL(), "private_channels": []any{}, "application": object{"id": botID, "flags": 0},
	})
	for _, srv := range s.servers {
		if srv.here {
			n.dispatch("GUILD_CREATE", serverJSON(srv, &s.state))
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
	switch {
	case n == nil:
		c.send(frame{Op: opInvalidSession, Data: encode(false)})
		return nil, 0
	case asked.Seq > n.seq:
		return nil, closeBadSequence
	}
	n.detach()
	n.conn = c
	for _, f := range n.events {
		if *f.Seq > asked.Seq {
			c.send(f)
		}
	}
	n.dispatch("RESUMED", object{})
	s.touch()
	return n, 0
}

// lost ends a connection; a client that said goodbye, or timed out, has no session any more.
func (s *Sandbox) lost(c *connection, code int) {
	c.end(code)
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, n := range s.sessions {
		if n.conn != c {
			continue
		}
		n.conn = nil
		if code == websocket.CloseNormalClosure || code == closeTimedOut || code == closeBadSequence {
			delete(s.sessions, id)
		}
	}
	s.touch()
}
