package wire

import (
	"net/http"
	"sync"

	"github.com/gorilla/websocket"
)

// socket is one gateway connection.
type socket struct {
	d    *stub
	conn *websocket.Conn
	mu   sync.Mutex
	end  int // the close code the client sent; 1006 none
}

func (d *stub) socket(w http.ResponseWriter, r *http.Request) {
	conn, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	k := &socket{d: d, conn: conn}
	var n int
	d.change(func() { d.sockets = append(d.sockets, k); n = len(d.sockets) })
	if d.connect != nil {
		d.connect(n, k)
		return
	}
	k.hello(40000)
	k.begin()
	k.listen()
}

func (k *socket) send(v any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.conn.WriteJSON(v) // a connection that has ended is the test's matter
}

func (k *socket) op(op int, data any) { k.send(map[string]any{"op": op, "d": data}) }

func (k *socket) hello(interval int) { k.op(10, map[string]any{"heartbeat_interval": interval}) }

// begin reads IDENTIFY or RESUME and answers it; it returns which.
func (k *socket) begin() int {
	op := k.begins()
	if op == 2 {
		k.dispatch("READY", map[string]any{
			"v": 9, "session_id": "s1", "user": map[string]any{"id": appID}, "application": map[string]any{"id": appID},
		})
	} else if op == 6 {
		k.dispatch("RESUMED", map[string]any{})
	}
	return op
}

// begins reads IDENTIFY or RESUME.
func (k *socket) begins() int {
	var m struct {
		Op int
		D  struct{ Shard [2]int }
	}
	if k.conn.ReadJSON(&m) != nil {
		return 0
	}
	k.d.change(func() {
		k.d.begun = append(k.d.begun, m.Op)
		if m.Op == 2 {
			k.d.asked = append(k.d.asked, m.D.Shard)
		}
	})
	return m.Op
}

func (k *socket) dispatch(event string, data any) {
	k.d.mu.Lock()
	k.d.seq++
	seq := k.d.seq
	k.d.mu.Unlock()
	k.send(map[string]any{"op": 0, "s": seq, "t": event, "d": data})
}

// listen acknowledges heartbeats until the connection ends.
func (k *socket) listen() {
	for {
		var m struct{ Op int }
		if err := k.conn.ReadJSON(&m); err != nil {
			code := websocket.CloseAbnormalClosure
			if closed, ok := err.(*websocket.CloseError); ok {
				code = closed.Code
			}
			k.d.change(func() { k.end = code })
			return
		}
		if m.Op == 1 {
			k.op(11, nil)
		}
	}
}

func (k *socket) closeWith(code int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, "because"))
}
