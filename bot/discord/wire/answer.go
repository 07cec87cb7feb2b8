package wire

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"
)

// Times of an interaction (interactions/receiving-and-responding).
const (
	tokenLife   = 15 * time.Minute
	choicesTime = 2500 * time.Millisecond // an empty list is sent then; Discord waits three seconds
)

// Answer is all that can be said to one interaction. It sends at most one first response, whatever is called, when, and
// by how many at once; what comes later becomes an edit, a follow-up or a message of its own. An interaction that is
// still unanswered after a while is acknowledged by itself, so a slow handler is not a failed one.
//
// Errors are *Error, or *UnfitError for what the interaction does not take. IsLate holds for every call after the token
// died, and no request is made then.
type Answer struct {
	in      Interaction
	app     string
	client  *Client
	began   time.Time
	outcome Outcome // the handler's alone

	timer        *time.Timer
	acknowledged chan struct{} // closed when the timer's work is over

	turn   chan struct{} // holds one token: whoever has it may read and write what follows
	state  state
	shows  shows         // what @original is
	first  time.Duration // how long the first response took; 0: none yet
	unsure bool          // a first response got no answer: it may have arrived
	posts  int
}

type state int

const (
	silent   state = iota // no first response yet
	deferred              // acknowledged; what to say is still owed
	said
	dead // Discord does not know the interaction any more
)

type shows int

const (
	nothing shows = iota
	ownReply
	tapped // the message that carries the tapped control
)

func newAnswer(c *Client, in Interaction) *Answer {
	a := &Answer{in: in, app: in.App, client: c, began: time.Now(), outcome: Answered, turn: make(chan struct{}, 1), acknowledged: make(chan struct{})}
	if a.app == "" {
		a.app = c.SelfID()
	}
	a.turn <- struct{}{}
	wait := c.cfg.DeferAfter
	switch {
	case in.Kind == Autocomplete:
		wait = c.cfg.ChoicesAfter
	case a.tap():
		wait = c.cfg.DeferTapAfter // a picture may have to be drawn, and the app says nothing of it until then
	}
	a.timer = time.AfterFunc(wait, a.acknowledge)
	return a
}

// Alive reports whether the interaction's token can be used at all: it lives for 15 minutes.
func (a *Answer) Alive(now time.Time) bool { return now.Before(a.in.At.Add(tokenLife)) }

// Defer acknowledges the interaction at once: what is to be said takes long to make, or to send. A command's answer is then
// one that only the person sees.
func (a *Answer) Defer(ctx context.Context) error {
	return a.during(ctx, func() error {
		if a.state != silent {
			return nil
		}
		return a.postpone(ctx)
	})
}

// Private says something that only the person sees.
func (a *Answer) Private(ctx context.Context, m Message) error {
	if a.in.Kind == Autocomplete {
		return &UnfitError{a.in.Kind, "a message"}
	}
	m.Ephemeral = true
	return a.during(ctx, func() error { return a.private(ctx, m) })
}

func (a *Answer) private(ctx context.Context, m Message) error {
	if a.state == silent {
		_, err := a.reply(ctx, m)
		if a.state != said || err == nil {
			return err
		}
	}
	if a.state == deferred && !a.tap() {
		return a.settle(a.editOriginal(ctx, m), ownReply)
	}
	return a.settle(a.followUp(ctx, m), a.shows)
}

// Revise is Private that replaces what a command was answered with privately before, as for a job that takes a while.
func (a *Answer) Revise(ctx context.Context, m Message) error {
	if a.in.Kind != Command {
		return &UnfitError{a.in.Kind, "a revision"}
	}
	m.Ephemeral = true
	return a.during(ctx, func() error {
		if a.state == said && a.shows == ownReply {
			return a.settle(a.editOriginal(ctx, m), ownReply)
		}
		return a.private(ctx, m)
	})
}

// Public says something that everyone in the channel sees, and returns the message's id. When the answer has been
// deferred, or something has been said, it is a message of the bot's own, which takes the permission to send.
func (a *Answer) Public(ctx context.Context, m Message) (id string, err error) {
	if a.in.Kind == Autocomplete {
		return "", &UnfitError{a.in.Kind, "a message"}
	}
	err = a.during(ctx, func() error {
		if a.state == silent {
			var err error
			id, err = a.reply(ctx, m)
			if a.state != said || err == nil {
				return err
			}
		}
		var err error
		id, err = a.post(ctx, m)
		if err == nil && a.state == deferred && !a.tap() {
			a.dropOriginal(ctx)
		}
		return a.settle(err, a.shows)
	})
	return id, err
}

// Update replaces the message whose control was tapped.
func (a *Answer) Update(ctx context.Context, m Message) error {
	if !a.tap() {
		return &UnfitError{a.in.Kind, "an update"}
	}
	return a.during(ctx, func() error {
		if a.state == silent {
			_, err := a.respond(ctx, discordgo.InteractionResponseUpdateMessage, m.payload(), m.Files)
			if err == nil {
				a.shows = tapped
			}
			if a.state != said || err == nil {
				return err
			}
		}
		switch {
		case a.shows == tapped:
			return a.settle(a.editOriginal(ctx, m), tapped)
		case a.in.MessageEphemeral:
			return a.webhook(ctx, http.MethodPatch, a.in.Message, m.payload(), m.Files)
		}
		return a.client.Edit(ctx, a.in.Channel, a.in.Message, m)
	})
}

// Choices suggests values for the option being typed; the first 25 are shown.
func (a *Answer) Choices(ctx context.Context, list []Choice) error {
	if a.in.Kind != Autocomplete {
		return &UnfitError{a.in.Kind, "a list of choices"}
	}
	return a.during(ctx, func() error {
		if a.state != silent {
			return a.late()
		}
		_, err := a.respond(ctx, discordgo.InteractionApplicationCommandAutocompleteResult, someChoices(list), nil)
		return err
	})
}

// Done says that there is nothing to say: a tap is acknowledged, a command's pending private answer goes away.
func (a *Answer) Done(ctx context.Context) error {
	if a.in.Kind == Autocomplete {
		return a.Choices(ctx, nil)
	}
	return a.during(ctx, func() error {
		if a.state == silent {
			if err := a.postpone(ctx); err != nil {
				return err
			}
		}
		if a.state == deferred && !a.tap() {
			a.dropOriginal(ctx)
		}
		a.state = said
		return nil
	})
}

// tap: the interaction came from a message, which can be updated.
func (a *Answer) tap() bool {
	return a.in.Kind == Component || a.in.Kind == Modal && a.in.Message != ""
}

// during runs say alone, unless the token is dead.
func (a *Answer) during(ctx context.Context, say func() error) error {
	select {
	case <-a.turn:
		defer func() { a.turn <- struct{}{} }()
	case <-ctx.Done():
		return unreached("answer to "+a.in.ID, ctx.Err())
	}
	if a.state == dead || !a.Alive(a.client.time.Now()) {
		return a.late()
	}
	return say()
}

func (a *Answer) late() error {
	return &Error{Code: codeUnknownInteraction, Status: http.StatusNotFound, Message: "too late to say that", Route: "answer to " + a.in.ID}
}

// acknowledge is the timer's: the handler has said nothing for long.
func (a *Answer) acknowledge() {
	defer close(a.acknowledged)
	ctx := a.client.ctx // the handler, which is still running, is what stopping waits for
	err := a.during(ctx, func() error {
		if a.state != silent {
			return nil
		}
		return a.postpone(ctx)
	})
	if err != nil {
		a.client.logOf(a.in).Warn("interaction not acknowledged", "error", err)
	}
}

// postpone sends the first response that shows nothing yet.
func (a *Answer) postpone(ctx context.Context) error {
	var err error
	switch {
	case a.in.Kind == Autocomplete:
		_, err = a.respond(ctx, discordgo.InteractionApplicationCommandAutocompleteResult, someChoices(nil), nil)
		return err
	case a.tap():
		_, err = a.respond(ctx, discordgo.InteractionResponseDeferredMessageUpdate, nil, nil)
	default:
		_, err = a.respond(ctx, discordgo.InteractionResponseDeferredChannelMessageWithSource,
			flagged{discordgo.MessageFlagsEphemeral}, nil)
	}
	if err != nil {
		return err
	}
	a.state, a.shows = deferred, ownReply
	if a.tap() {
		a.shows = tapped
	}
	return nil
}

// reply is the first response that is a message.
func (a *Answer) reply(ctx context.Context, m Message) (id string, err error) {
	id, err = a.respond(ctx, discordgo.InteractionResponseChannelMessageWithSource, m.created(), m.Files)
	if err == nil {
		a.shows = ownReply
	}
	return id, err
}

// respond sends the first response. It is safe to repeat: Discord takes one and refuses the others, so being told that
// there is one already means that an earlier try arrived.
func (a *Answer) respond(ctx context.Context, kind discordgo.InteractionResponseType, data any, files []File) (id string, err error) {
	var got struct {
		Resource struct {
			Message struct {
				ID string `json:"id"`
			} `json:"message"`
		} `json:"resource"`
	}
	query := ""
	if kind == discordgo.InteractionResponseChannelMessageWithSource {
		query = "?with_response=true" // tells the new message's id
	}
	tries, err := a.client.rest.do(ctx, request{
		method: http.MethodPost,
		path:   path("interactions", a.in.ID, a.in.Token, "callback") + query,
		name:   path("interactions", a.in.ID, "callback"),
		body:   callback{kind, data}, files: files, interaction: true, repeatable: true, within: a.client.cfg.AnswerWithin,
	}, &got)
	switch {
	case err == nil:
		a.state, a.first = said, time.Since(a.began)
	case hasCode(err, codeAcknowledged) && tries > 1:
		a.state, a.first = said, time.Since(a.began)
		return a.originalID(ctx), nil
	case hasCode(err, codeAcknowledged) && a.unsure:
		a.state = said // by an earlier call; this one's message is to follow up
	case IsLate(err):
		a.state = dead
	case IsTemporary(err):
		a.unsure = true
	}
	return got.Resource.Message.ID, err
}

// settle notes that what was owed has been said.
func (a *Answer) settle(err error, now shows) error {
	if err == nil {
		a.state, a.shows = said, now
	}
	return err
}

func (a *Answer) editOriginal(ctx context.Context, m Message) error {
	return a.webhook(ctx, http.MethodPatch, "@original", m.payload(), m.Files)
}

func (a *Answer) dropOriginal(ctx context.Context) {
	if err := a.webhook(ctx, http.MethodDelete, "@original", nil, nil); err != nil && !IsGone(err) {
		a.client.logOf(a.in).Warn("pending answer stays", "error", err)
	}
	a.shows = nothing
}

func (a *Answer) followUp(ctx context.Context, m Message) error {
	return a.webhook(ctx, http.MethodPost, "", m.created(), m.Files)
}

// originalID is the id of the first response's message, empty if it cannot be learned.
func (a *Answer) originalID(ctx context.Context) string {
	var got struct {
		ID string `json:"id"`
	}
	q := a.hook(http.MethodGet, "@original")
	if _, err := a.client.rest.do(ctx, q, &got); err != nil {
		return ""
	}
	return got.ID
}

// hook is a request by the interaction's token; an empty message means a new one.
func (a *Answer) hook(method, message string) request {
	q := request{
		method: method, path: path("webhooks", a.app, a.in.Token), name: path("webhooks", a.in.ID),
		key: "interaction " + a.in.ID, interaction: true, repeatable: method != http.MethodPost, within: requestTime,
	}
	if message != "" {
		q.path += path("messages", message)
		q.name += path("messages", message)
	}
	return q
}

func (a *Answer) webhook(ctx context.Context, method, message string, body any, files []File) error {
	q := a.hook(method, message)
	q.body, q.files = body, files
	_, err := a.client.rest.do(ctx, q, nil)
	if IsLate(err) || hasCode(err, codeUnknownWebhook) {
		a.state = dead
	}
	return err
}

// post is a message of the bot's own; its nonce keeps one answer from being posted twice.
func (a *Answer) post(ctx context.Context, m Message) (id string, err error) {
	if m.Nonce == "" {
		m.Nonce = a.in.ID + "-" + strconv.Itoa(a.posts)
	}
	a.posts++
	return a.client.Post(ctx, a.in.Channel, m)
}
