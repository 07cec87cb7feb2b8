package sandbox

import (
	"context"
	"net/http"
	"slices"
)

const notAnswered = "The application did not respond."

// act does what a person wants and says what went wrong, if anything did.
func (p *webPage) act(r *http.Request, do func(ctx context.Context) (*Reply, error)) (note string) {
	ctx, cancel := context.WithTimeout(r.Context(), actTimeout)
	defer cancel()
	reply, err := do(ctx)
	switch {
	case err != nil:
		return "That could not be done: " + err.Error() + "."
	case reply != nil && reply.Failed:
		return notAnswered
	}
	return ""
}

func (p *webPage) send(w http.ResponseWriter, r *http.Request) {
	at, ok := p.where(w, r)
	if !ok {
		return
	}
	c, ok := p.command(at, at.command)
	if !ok {
		at.command = ""
		p.showFrame(w, r, at, "The bot has no such command any more.")
		return
	}
	options, err := c.given(r.Form)
	if err != nil {
		p.showFrame(w, r, at, "Not sent: "+err.Error()+".")
		return
	}
	note := p.act(r, func(ctx context.Context) (*Reply, error) {
		if c.kind == commandUser {
			return p.s.As(at.as.ID).UserCommand(ctx, at.channel.ID, c.name, r.Form.Get(personField))
		}
		return p.s.As(at.as.ID).Slash(ctx, at.channel.ID, c.name, options)
	})
	if note != "" {
		p.showFrame(w, r, at, note)
		return
	}
	http.Redirect(w, r, "/"+at.query(), http.StatusSeeOther)
}

func (p *webPage) press(w http.ResponseWriter, r *http.Request) {
	p.operate(w, r, func(ctx context.Context, a *Actor) (*Reply, error) {
		return a.Press(ctx, r.Form.Get("message"), r.Form.Get("control"))
	})
}

func (p *webPage) choose(w http.ResponseWriter, r *http.Request) {
	values := []string{}
	for _, v := range r.Form["value"] {
		if v != "" { // a menu's heading
			values = append(values, v)
		}
	}
	p.operate(w, r, func(ctx context.Context, a *Actor) (*Reply, error) {
		return a.Select(ctx, r.Form.Get("message"), r.Form.Get("control"), values...)
	})
}

// operate works a control of a message and goes back to the messages.
func (p *webPage) operate(w http.ResponseWriter, r *http.Request, do func(ctx context.Context, a *Actor) (*Reply, error)) {
	at, ok := p.where(w, r)
	if !ok {
		return
	}
	note := p.act(r, func(ctx context.Context) (*Reply, error) { return do(ctx, p.s.As(at.as.ID)) })
	if note != "" {
		p.showMessages(w, r, at, note)
		return
	}
	http.Redirect(w, r, "/page/messages"+at.query(), http.StatusSeeOther)
}

// dismiss takes a private message out of its reader's sight. The bot does not learn of it, as on Discord.
func (p *webPage) dismiss(w http.ResponseWriter, r *http.Request) {
	at, ok := p.where(w, r)
	if !ok {
		return
	}
	if m, ok := p.s.As(at.as.ID).Message(r.Form.Get("message")); ok && m.Ephemeral {
		p.mu.Lock()
		p.dismissed[m.ID] = true
		p.mu.Unlock()
	}
	http.Redirect(w, r, "/page/messages"+at.query(), http.StatusSeeOther)
}

// seen lists what a person sees in a channel and has not dismissed.
func (p *webPage) seen(at place) []Message {
	all := p.s.As(at.as.ID).Messages(at.channel.ID)
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(all, func(m Message) bool { return p.dismissed[m.ID] })
}
