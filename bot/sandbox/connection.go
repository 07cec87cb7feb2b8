package sandbox

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	writeTime   = 5 * time.Second
	maxUnsent   = 4 * maxReplay // payloads that wait for a client that does not read
	maxPlain    = 1 << 10       // bytes of a payload that is not compressed though it may be; Discord's bound is not documented
	maxGoodbyes = time.Second
)

// connection is one websocket of a bot's. What is sent waits in a queue of its own: a client that does not read holds
// nobody up but itself.
type connection struct {
	ws      *websocket.Conn
	sent    int       // payloads of the client in this minute
	from    time.Time // when the minute began
	gone    bool      // the client broke off
	version int       // of the API; 0 is one that there is not
	host    string    // by which the client came
	written chan struct{}

	mu     sync.Mutex
	some   chan struct{} // holds a token when there is something to write
	out    []frame
	zipped bool // payloads may be compressed
	mute   bool // nothing goes out any more
	ended  bool
	code   int // to close with
}

// newConnection is a connection whose write must be run.
func newConnection(ws *websocket.Conn) *connection {
	return &connection{ws: ws, from: time.Now(), written: make(chan struct{}), some: make(chan struct{}, 1)}
}

// send queues a payload.
func (c *connection) send(f frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || c.mute {
		return
	}
	c.out = append(c.out, f)
	if len(c.out) > maxUnsent {
		c.ended, c.out = true, nil
	}
	c.wake()
}

// end closes with a code, after what was sent before; 0 drops the connection without one.
func (c *connection) end(code int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.ended, c.code = true, code
	}
	c.wake()
}

// drop breaks the connection off at once.
func (c *connection) drop() {
	c.end(0)
	_ = c.ws.Close()
}

// silence keeps the connection open and says nothing on it any more.
func (c *connection) silence() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mute, c.out = true, nil
}

// compress lets the payloads from now on be compressed, each by itself (events/gateway, Payload Compression).
func (c *connection) compress(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.zipped = on
}

// wake tells the writer that there is something to do. The connection's lock is held.
func (c *connection) wake() {
	select {
	case c.some <- struct{}{}:
	default:
	}
}

// wait returns when nothing is written any more.
func (c *connection) wait() { <-c.written }

// write writes what is sent until the connection ends, and closes it.
func (c *connection) write() {
	defer close(c.written)
	defer func() { _ = c.ws.Close() }()
	for range c.some {
		c.mu.Lock()
		out, ended, code, zipped := c.out, c.ended, c.code, c.zipped
		c.out = nil
		c.mu.Unlock()
		for _, f := range out {
			if c.put(f, zipped) != nil {
				return // the reader finds it broken
			}
		}
		if ended {
			if code != 0 {
				_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(maxGoodbyes))
			}
			return
		}
	}
}

func (c *connection) put(f frame, zipped bool) error {
	raw := encode(f)
	_ = c.ws.SetWriteDeadline(time.Now().Add(writeTime))
	if !zipped || len(raw) <= maxPlain {
		return c.ws.WriteMessage(websocket.TextMessage, raw)
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(raw); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return c.ws.WriteMessage(websocket.BinaryMessage, b.Bytes())
}

// read is the client's next payload, or the code to close with.
func (c *connection) read() (f frame, code int) {
	_, raw, err := c.ws.ReadMessage()
	var timeout interface{ Timeout() bool }
	switch {
	case websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway):
		return f, websocket.CloseNormalClosure
	case errors.As(err, &timeout) && timeout.Timeout():
		return f, closeTimedOut
	case err != nil:
		c.gone = true
		return f, 0
	case c.tooFast():
		return f, closeTooFast
	case len(raw) > maxPayload || json.Unmarshal(raw, &f) != nil:
		return f, closeDecode
	}
	return f, 0
}

func (c *connection) tooFast() bool {
	if time.Since(c.from) > time.Minute {
		c.from, c.sent = time.Now(), 0
	}
	c.sent++
	return c.sent > maxEvents
}
