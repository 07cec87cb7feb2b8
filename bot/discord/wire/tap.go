package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// tap is a gateway connection that reads along. discordgo does not tell why a connection ended, waits for ever for a
// silent server, locks itself up when it is asked to reconnect before a session has begun, answers "invalid session"
// with new sessions without end, and closes a silent connection in the way that ends its session. Here, below it, all
// that is seen in time: the tap breaks the connection, so that discordgo finds a network error, which it survives, and
// nothing it writes then gets out.
type tap struct {
	net.Conn
	within time.Duration // for the first message

	head    bool   // the HTTP answer before the first frame is still being read
	pending []byte // of the frame, or the HTTP answer, that has not arrived whole
	skip    int    // bytes of a frame too large to be of interest
	count   int    // messages read
	names   disguise

	closed chan struct{} // Close was called
	once   sync.Once

	mu       sync.Mutex
	broken   error
	code     int  // the server's close code
	invalid  bool // the server does not know the session
	interval time.Duration
	acked    time.Time
}

func newTap(conn net.Conn, within time.Duration) *tap {
	return &tap{Conn: conn, within: within, head: true, closed: make(chan struct{})}
}

var (
	errReconnect = errors.New("the server asks to reconnect")
	errInvalid   = errors.New("the server does not know the session")
	errUnasked   = errors.New("the server acknowledges a heartbeat before any was sent")
	errZombie    = errors.New("the server no longer acknowledges heartbeats")
	errNonsense  = errors.New("the server sends what is no gateway message")
)

// Close ends the connection and tells the supervisor.
func (t *tap) Close() error {
	t.fail(net.ErrClosed)
	t.once.Do(func() { close(t.closed) })
	return nil
}

// Write fails once the connection is broken: discordgo would send a close frame that ends the session.
func (t *tap) Write(p []byte) (int, error) {
	t.mu.Lock()
	broken := t.broken
	t.mu.Unlock()
	if broken != nil {
		return 0, broken
	}
	return t.Conn.Write(p)
}

func (t *tap) Read(p []byte) (int, error) {
	if err := t.Conn.SetReadDeadline(t.patience()); err != nil {
		return 0, t.fail(err)
	}
	n, err := t.Conn.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) && n == 0 && t.beating() {
		return 0, t.fail(errZombie)
	}
	if seen := t.feed(p[:n]); seen != nil {
		return 0, t.fail(seen)
	}
	t.names.cover(p[:n])
	if err != nil {
		return n, t.fail(err)
	}
	return n, nil
}

// patience is until when the server may be silent: each heartbeat is acknowledged before the next is due, so that two
// intervals after the last acknowledgement one is missing.
func (t *tap) patience() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.interval == 0 {
		return time.Now().Add(t.within)
	}
	return t.acked.Add(2 * t.interval)
}

// beating tells whether heartbeats have been agreed upon.
func (t *tap) beating() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.interval > 0
}

// fail breaks the connection, for the first reason given.
func (t *tap) fail(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.broken == nil {
		t.broken = err
		t.Conn.Close()
	}
	return t.broken
}

// ending is what is known about the connection's end.
func (t *tap) ending() (code int, invalid bool, why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.code, t.invalid, t.broken
}

// heard is when the last heartbeat was acknowledged; zero when the connection is no more.
func (t *tap) heard() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.broken != nil {
		return time.Time{}
	}
	return t.acked
}

// silence is for how long a server that was found silent had been so; zero where the connection ended otherwise.
func (t *tap) silence() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !errors.Is(t.broken, errZombie) {
		return 0
	}
	return time.Since(t.acked)
}

// maxInspected bounds the frames that are looked into; what matters here is small.
const maxInspected = 4096

// feed follows the bytes that arrive. An error means that the connection must not go on.
func (t *tap) feed(b []byte) error {
	if n := min(t.skip, len(b)); n > 0 {
		t.skip -= n
		b = b[n:]
	}
	t.pending = append(t.pending, b...)
	if t.head {
		end := bytes.Index(t.pending, []byte("\r\n\r\n"))
		if end < 0 {
			return nil
		}
		t.head, t.pending = false, t.pending[end+4:]
	}
	for {
		first, header, size, ok := frameHeader(t.pending)
		switch {
		case !ok:
			return nil
		case first&opcode == binaryFrame:
			return errNonsense // compression was not asked for
		case size > maxInspected:
			t.count++
			rest := header + size - len(t.pending)
			if rest >= 0 {
				t.skip, t.pending = rest, nil
				return nil
			}
		case len(t.pending) < header+size:
			return nil
		default:
			if err := t.inspect(first, t.pending[header:header+size]); err != nil {
				return err
			}
		}
		t.pending = t.pending[header+size:]
	}
}

// frameHeader reads a websocket frame's header (RFC 6455, 5.2); a server's frames are not masked.
func frameHeader(b []byte) (first byte, header, size int, ok bool) {
	if len(b) < 2 {
		return 0, 0, 0, false
	}
	switch size = int(b[1] & 0x7f); {
	case size < 126:
		return b[0], 2, size, true
	case size == 126 && len(b) >= 4:
		return b[0], 4, int(binary.BigEndian.Uint16(b[2:])), true
	case size == 127 && len(b) >= 10:
		return b[0], 10, int(binary.BigEndian.Uint64(b[2:]) & (1<<30 - 1)), true
	}
	return 0, 0, 0, false
}

// Frame types: a message in text, the connection's end; and what tells types apart, with one that is not asked for.
const (
	wholeText   = 0x81
	closing     = 0x88
	opcode      = 0x0f
	binaryFrame = 0x02
)

func (t *tap) inspect(first byte, body []byte) error {
	switch first {
	case closing:
		if len(body) >= 2 {
			t.mu.Lock()
			t.code = int(binary.BigEndian.Uint16(body))
			t.mu.Unlock()
			return fmt.Errorf("the server closed with code %d", t.code)
		}
		return io.EOF
	case wholeText:
		return t.message(bytes.NewReader(body))
	}
	return nil
}

// message looks at one gateway message: only what is about the connection itself.
func (t *tap) message(r io.Reader) error {
	var m struct {
		Op *int            `json:"op"`
		D  json.RawMessage `json:"d"`
	}
	if json.NewDecoder(r).Decode(&m) != nil || m.Op == nil {
		return errNonsense // discordgo would follow a nil pointer
	}
	t.count++
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count == 2 {
		t.acked = time.Now() // only now does discordgo begin its heartbeats
	}
	switch *m.Op {
	case 7:
		return errReconnect
	case 9:
		t.invalid = !part[bool](m.D)
		return errInvalid
	case 10:
		t.interval = time.Duration(part[struct {
			Interval int64 `json:"heartbeat_interval"`
		}](m.D).Interval) * time.Millisecond
		t.acked = time.Now()
		if t.interval <= 0 {
			return errNonsense // its ticker would panic
		}
	case 11:
		if t.count == 2 {
			return errUnasked
		}
		t.acked = time.Now()
	}
	if t.interval > 0 && time.Since(t.acked) > 2*t.interval {
		return errZombie
	}
	return nil
}
