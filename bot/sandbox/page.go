package sandbox

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"kraal/bot/sandbox/page"
)

const (
	// holdMessages is how long a look for new messages waits for some: a menu that is open stays open meanwhile.
	holdMessages = 9 * time.Second
	// actTimeout bounds an act of a person; the bot has three seconds to answer.
	actTimeout = 6 * time.Second
	// suggestTimeout bounds asking for suggestions: a page that opens slowly is worse than one without them.
	suggestTimeout = 1500 * time.Millisecond
	maxForm        = 64 << 10
)

// webPage is the sandbox as a page in a browser: every request acts as the person whom its "as" names.
type webPage struct {
	s     *Sandbox
	pages *page.Pages
	guard guard
	log   *slog.Logger

	mu        sync.Mutex
	dismissed map[string]bool // ids of private messages that their reader wants to see no more
}

// pageHandler serves the page for people.
func (s *Sandbox) pageHandler() http.Handler {
	p := &webPage{s: s, pages: page.New(), guard: newGuard(s.address(), s.key), log: s.config.Log, dismissed: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.frame)
	mux.HandleFunc("GET /page/messages", p.messages)
	mux.HandleFunc("GET /page/style.css", p.style)
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("POST /page/send", p.send)
	mux.HandleFunc("POST /page/press", p.press)
	mux.HandleFunc("POST /page/select", p.choose)
	mux.HandleFunc("POST /page/dismiss", p.dismiss)
	return p.guard.protect(mux)
}

func (p *webPage) style(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	p.write(w, http.StatusOK, p.pages.Style())
}

func (p *webPage) frame(w http.ResponseWriter, r *http.Request) {
	at, ok := p.where(w, r)
	if !ok {
		return
	}
	p.showFrame(w, r, at, "")
}

// showFrame writes the page around the messages, with a word on what went wrong, if anything did.
func (p *webPage) showFrame(w http.ResponseWriter, r *http.Request, at place, note string) {
	f := p.frameView(at, r.Form.Get("message"), note)
	f.MayAct = p.guard.knows(r)
	if chosen, ok := p.command(at, at.command); ok && f.MayAct {
		ctx, cancel := context.WithTimeout(r.Context(), suggestTimeout)
		defer cancel()
		f.Chosen = p.commandView(ctx, at, chosen, r.Form)
	}
	f.Refresh = len(f.Commands) == 0 && f.Chosen == nil
	var b bytes.Buffer
	if err := p.pages.Frame(&b, f); err != nil {
		p.fail(w, err)
		return
	}
	p.write(w, statusOf(note), b.Bytes())
}

func (p *webPage) messages(w http.ResponseWriter, r *http.Request) {
	at, ok := p.where(w, r)
	if !ok {
		return
	}
	if seen := r.Form.Get("seen"); seen != "" {
		ctx, cancel := context.WithTimeout(r.Context(), holdMessages)
		defer cancel()
		// That nothing has changed is no failure: the times on the page have.
		_ = p.s.Wait(ctx, func() bool { return p.fingerprint(at) != seen })
	}
	p.showMessages(w, r, at, "")
}

// showMessages writes the messages of a channel, with a word on what went wrong, if anything did.
func (p *webPage) showMessages(w http.ResponseWriter, r *http.Request, at place, note string) {
	m := p.messagesView(at, r.Form.Get("pause") != "")
	m.Note, m.MayAct = note, p.guard.knows(r)
	var b bytes.Buffer
	if err := p.pages.Messages(&b, m); err != nil {
		p.fail(w, err)
		return
	}
	p.write(w, statusOf(note), b.Bytes())
}

func statusOf(note string) int {
	if note != "" {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

func (p *webPage) write(w http.ResponseWriter, status int, body []byte) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	w.WriteHeader(status)
	if _, err := w.Write(body); err != nil {
		p.log.Debug("page: reader left", "err", err)
	}
}

func (p *webPage) fail(w http.ResponseWriter, err error) {
	p.log.Error("page: cannot draw", "err", err)
	http.Error(w, "The page could not be drawn.", http.StatusInternalServerError)
}
