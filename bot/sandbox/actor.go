package sandbox

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Actor acts as one person, through the app that they would use: it refuses what the app would not let them do.
type Actor struct {
	s  *Sandbox
	id string
}

// ActionError is something that the app does not let a person do.
type ActionError struct{ Why string }

func (e *ActionError) Error() string { return "cannot be done: " + e.Why }

func cannot(why string, args ...any) error { return &ActionError{Why: fmt.Sprintf(why, args...)} }

// comesOfIt is how long somebody waits for what comes of a tap that was acknowledged without a word.
const comesOfIt = 8 * time.Second

// Reply is how the bot answered.
type Reply struct {
	Interaction string  // its id
	Failed      bool    // no answer came in time: "This interaction failed"
	Type        int     // of the first answer
	Message     Message // what the answer shows: the new message, or the one that was tapped as it is now
	Form        []byte  // the form that it was answered with, as JSON
	s           *Sandbox
	in          *interaction
}

// As is somebody to act as.
func (s *Sandbox) As(person string) *Actor { return &Actor{s: s, id: person} }

// ID is the person's.
func (a *Actor) ID() string { return a.id }

// Direct is the channel of the person's direct messages with the bot.
func (a *Actor) Direct() string {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	return a.s.direct(a.id).ID
}

// Messages lists what the person sees in a channel, oldest first.
func (a *Actor) Messages(channel string) (seen []Message) {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	ch := a.s.channels[channel]
	if ch == nil || !a.s.sees(a.id, ch) {
		return nil
	}
	for _, id := range ch.order {
		if m := a.s.messages[id]; !m.Ephemeral || m.For == a.id {
			seen = append(seen, m.view())
		}
	}
	return seen
}

// Message gives one message, if the person sees it.
func (a *Actor) Message(id string) (Message, bool) {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	m := a.s.seenMessage(a.id, id)
	if m == nil {
		return Message{}, false
	}
	return m.view(), true
}

func (s *Sandbox) seenMessage(person, id string) *message {
	m := s.messages[id]
	if m == nil || m.Ephemeral && m.For != person || s.channels[m.Channel] == nil || !s.sees(person, s.channels[m.Channel]) {
		return nil
	}
	return m
}

// Slash issues a command and waits for the bot's answer. Options are texts, truth values and whole numbers; a person's
// are their ids. A sub-command follows the command's name after a space.
func (a *Actor) Slash(ctx context.Context, channel, name string, options map[string]any) (*Reply, error) {
	return a.do(ctx, func() (*interaction, error) { return a.slash(channel, name, options, "") })
}

// Complete asks for suggestions for the option being typed.
func (a *Actor) Complete(ctx context.Context, channel, name string, options map[string]any, focused string) ([]Choice, error) {
	reply, err := a.Typing(ctx, channel, name, options, focused)
	if err != nil {
		return nil, err
	}
	if reply.Failed {
		return nil, cannot("the suggestions could not be loaded")
	}
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	return slices.Clone(reply.in.choices), nil
}

// Typing is Complete, with the answer itself.
func (a *Actor) Typing(ctx context.Context, channel, name string, options map[string]any, focused string) (*Reply, error) {
	return a.do(ctx, func() (*interaction, error) { return a.slash(channel, name, options, focused) })
}

// UserCommand uses a command of a person's menu.
func (a *Actor) UserCommand(ctx context.Context, channel, name, target string) (*Reply, error) {
	return a.do(ctx, func() (*interaction, error) {
		ch, err := a.place(channel)
		if err != nil {
			return nil, err
		}
		return a.menuCommand(ch, name, target, commandUser)
	})
}

// MessageCommand uses a command of a message's menu.
func (a *Actor) MessageCommand(ctx context.Context, name, message string) (*Reply, error) {
	return a.do(ctx, func() (*interaction, error) {
		m := a.s.seenMessage(a.id, message)
		if m == nil {
			return nil, cannot("there is no such message")
		}
		ch, err := a.place(m.Channel)
		if err != nil {
			return nil, err
		}
		return a.menuCommand(ch, name, message, commandMessage)
	})
}

// Press presses a button: its custom id, or the label that one button of the message has.
func (a *Actor) Press(ctx context.Context, message, control string) (*Reply, error) {
	return a.do(ctx, func() (*interaction, error) {
		c, err := a.control(message, control, true)
		if err != nil {
			return nil, err
		}
		return a.use(message, c, nil)
	})
}

// Select chooses from a menu: its custom id, or "" where the message has one.
func (a *Actor) Select(ctx context.Context, message, control string, values ...string) (*Reply, error) {
	return a.do(ctx, func() (*interaction, error) {
		c, err := a.control(message, control, false)
		if err != nil {
			return nil, err
		}
		if err := c.takes(values); err != nil {
			return nil, err
		}
		return a.use(message, c, values)
	})
}

// PressStale presses a button that the message had once: an app that has not heard of the change yet.
func (a *Actor) PressStale(ctx context.Context, message, customID string) (*Reply, error) {
	return a.do(ctx, func() (*interaction, error) {
		return a.use(message, Control{Type: typeButton, CustomID: customID}, nil)
	})
}

// SelectStale chooses from a menu that the message had once.
func (a *Actor) SelectStale(ctx context.Context, message, customID string, values ...string) (*Reply, error) {
	return a.do(ctx, func() (*interaction, error) {
		return a.use(message, Control{Type: typeTextMenu, CustomID: customID}, values)
	})
}

// control finds what is to be used on a message that the person sees.
func (a *Actor) control(id, control string, button bool) (Control, error) {
	m := a.s.seenMessage(a.id, id)
	if m == nil {
		return Control{}, cannot("there is no such message")
	}
	c, ok := m.Control(control)
	if menus := m.Selects(); control == "" && !button && len(menus) == 1 {
		c, ok = menus[0], true
	}
	switch {
	case !ok:
		return c, cannot("the message has no one control %q", control)
	case (c.Type == typeButton) != button:
		return c, cannot("%q is of another kind", control)
	case c.Disabled:
		return c, cannot("%q is disabled", control)
	case c.CustomID == "":
		return c, cannot("%q is a link", control)
	}
	return c, nil
}

// takes refuses values that the menu does not offer.
func (c Control) takes(values []string) error {
	if len(values) < c.MinValues || len(values) > c.MaxValues {
		return cannot("%d to %d values can be chosen", c.MinValues, c.MaxValues)
	}
	for i, v := range values {
		if slices.Contains(values[:i], v) {
			return cannot("%q is chosen twice", v)
		}
		if c.Type == typeTextMenu && !slices.ContainsFunc(c.Options, func(o Option) bool { return o.Value == v }) {
			return cannot("the menu does not offer %q", v)
		}
	}
	return nil
}

// do makes an interaction, delivers it and waits for the first answer.
func (a *Actor) do(ctx context.Context, begin func() (*interaction, error)) (*Reply, error) {
	a.s.mu.Lock()
	in, err := begin()
	within := a.s.firstAnswer()
	if err == nil {
		a.s.interactions[in.id] = in
		a.s.deliver(in)
	}
	a.s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	reply := &Reply{Interaction: in.id, s: a.s, in: in}
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-in.done:
	case <-timer.C:
		reply.Failed = true
		return reply, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	reply.Type = in.answered
	if in.form != nil {
		reply.Form = slices.Clone(in.form.raw)
	}
	if in.original != nil {
		reply.Message = in.original.view()
	}
	return reply, nil
}

// deliver sends an interaction to the bot. The lock is held.
func (s *Sandbox) deliver(in *interaction) {
	for _, n := range s.sessions {
		if n.serves(serverOf("INTERACTION_CREATE", in.payload)) {
			n.dispatch("INTERACTION_CREATE", in.payload)
		}
	}
	s.touch()
}

// Wait gives what the answer says in the end: of a deferred one what it was edited to, of a tap that was only
// acknowledged what comes of it, a follow-up or another look of the message, or, where nothing has come of it for a while,
// the message as it is.
func (r *Reply) Wait(ctx context.Context) (Message, error) {
	if r.Failed {
		return Message{}, cannot("this interaction failed")
	}
	var m Message
	soon, done := ctx, context.CancelFunc(func() {})
	if r.Type == answerDeferredUpdate {
		r.s.mu.Lock()
		patience := max(comesOfIt, r.s.firstAnswer())
		r.s.mu.Unlock()
		soon, done = context.WithTimeout(ctx, patience)
	}
	defer done()
	err := r.s.Wait(soon, func() bool {
		r.s.mu.Lock()
		defer r.s.mu.Unlock()
		in := r.in
		if n := len(in.followUps); n > 0 {
			m = in.followUps[n-1].view()
			return true
		}
		if in.original == nil {
			return true
		}
		m = in.original.view()
		if r.s.messages[in.original.ID] == nil {
			return true
		}
		if in.answered == answerDeferredUpdate && in.source.rev == in.seen {
			return false
		}
		return !in.original.Loading
	})
	if r.Type == answerDeferredUpdate {
		err = ctx.Err()
	}
	return m, err
}
