package sandbox

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"kraal/bot/sandbox/page"
)

const (
	maxLook     = 4 << 10               // bytes of what a page says
	livePace    = 25 * time.Millisecond // between two tellings: what changes meanwhile goes together
	livePing    = 20 * time.Second      // a page that is gone is noticed
	defaultShow = 60                    // messages that a page shows at first
	maxShow     = 2000
)

// look is what a page wants to see: somebody's sight of a channel. A page says it when it opens, and at every change.
type look struct {
	Turn    int    `json:"turn"`    // counts the page's looks, so that it knows what a telling is about
	As      string `json:"as"`      // "": the first person
	Channel string `json:"channel"` // "": the first channel
	Show    int    `json:"show"`    // how many messages, the newest
	Since   string `json:"since"`   // private messages are shown from this id on: an app has forgotten the older ones
	Message string `json:"message"` // one that is to be among them
}

// live is the connection of one page: it says where it looks, and is told what changes there.
type live struct {
	s     *Sandbox
	ws    *websocket.Conn
	pages *page.Pages
	asked chan struct{} // holds a token when the page looks elsewhere

	mu     sync.Mutex
	wanted look

	told telling
}

// serveLive serves a page's connection until one side ends it.
func (s *Sandbox) serveLive(g guard, pages *page.Pages, w http.ResponseWriter, r *http.Request) {
	if !g.knows(r) || r.Header.Get("Origin") == "" || !fromPage(r) {
		http.Error(w, "Open the address that was printed when the sandbox started.", http.StatusForbidden)
		return
	}
	if !s.serveOne() {
		http.Error(w, "The sandbox is closing.", http.StatusServiceUnavailable)
		return
	}
	defer s.serving.Done()
	upgrader := websocket.Upgrader{CheckOrigin: fromPage, EnableCompression: true}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // answered by the upgrader
	}
	l := &live{s: s, ws: ws, pages: pages, asked: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	var reading sync.WaitGroup
	reading.Go(func() {
		defer cancel()
		l.listen()
	})
	l.tell(ctx)
	_ = ws.Close()
	reading.Wait()
}

// serveOne counts something among what Close waits for, unless the sandbox has been closed.
func (s *Sandbox) serveOne() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.serving.Add(1)
	return true
}

// listen reads where the page looks.
func (l *live) listen() {
	l.ws.SetReadLimit(maxLook)
	alive := func(string) error { return l.ws.SetReadDeadline(time.Now().Add(3 * livePing)) }
	_ = alive("")
	l.ws.SetPongHandler(alive)
	for {
		wanted := look{}
		if l.ws.ReadJSON(&wanted) != nil {
			return
		}
		if wanted.Show <= 0 {
			wanted.Show = defaultShow
		}
		wanted.Show = min(wanted.Show, maxShow)
		l.mu.Lock()
		l.wanted = wanted
		l.mu.Unlock()
		select {
		case l.asked <- struct{}{}:
		default:
		}
	}
}

// tell sends what has changed, whenever something has, until the page is gone or the sandbox closes.
func (l *live) tell(ctx context.Context) {
	ping := time.NewTicker(livePing)
	defer ping.Stop()
	for {
		changed, closed := l.s.nextChange()
		if closed || l.send() != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(livePace):
		}
		select {
		case <-changed:
		case <-l.asked:
		case <-ping.C:
			if l.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTime)) != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// nextChange gives what is closed at the next change, and tells whether the sandbox is closed.
func (s *Sandbox) nextChange() (<-chan struct{}, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed, s.closed
}

// send tells the page what it does not know yet of where it looks.
func (l *live) send() error {
	l.mu.Lock()
	wanted := l.wanted
	l.mu.Unlock()
	if wanted.Turn == 0 {
		return nil // it has not said yet
	}
	for _, news := range l.told.news(l.s, l.pages, wanted) {
		_ = l.ws.SetWriteDeadline(time.Now().Add(writeTime))
		if err := l.ws.WriteJSON(news); err != nil {
			return err
		}
	}
	return nil
}
