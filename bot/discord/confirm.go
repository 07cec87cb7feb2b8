package discord

import (
	"context"
	"errors"
	"sync"

	"github.com/bwmarrin/discordgo"

	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// errReplaced: what is confirmed is not what was chosen last.
var errReplaced = errors.New("another action was chosen since")

// maxRemembered bounds how many choices are remembered.
const maxRemembered = 10_000

// choices remember which action a member who is asked first chose last in a game, so that an older question, which they
// can still see, is not taken for it. It is not kept on disk: a question carries all that it needs, and after a restart
// the oldest can be confirmed like the newest, which is what its words say.
type choices struct {
	mu   sync.Mutex
	last map[string]choice
}

// choice is an action that waits for a confirmation; the empty action: the question was cancelled.
type choice struct {
	revision int
	action   string
}

func (c *choices) set(member, game string, to choice) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil || len(c.last) >= maxRemembered {
		c.last = map[string]choice{}
	}
	c.last[member+" "+game] = to
}

func (c *choices) forget(member, game string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.last, member+" "+game)
}

// replaced tells whether something else was chosen at that revision since.
func (c *choices) replaced(member, game string, was choice) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	last, ok := c.last[member+" "+game]
	return ok && last.revision == was.revision && last != was
}

// asksFirst tells whether whoever acts wants to be asked before each action.
func (r *request) asksFirst(ctx context.Context) (bool, error) {
	member, err := r.app.Member(ctx, r.in.User.ID)
	return member.Confirm, err
}

// question asks whether an action is to be made, on a board as it was at a revision. What could not be made is refused
// at once. Moving, another destination can be chosen in the same message.
func (r *request) question(t match.Table, revision int, a rules.Action) (wire.Message, error) {
	m, pos := t.Match, t.Game.Position()
	if err := mayAct(t, r.in.User.ID, revision); err != nil {
		return wire.Message{}, err
	}
	if _, err := m.Variant.Play(pos, a); err != nil {
		return wire.Message{}, err
	}
	r.choices.set(r.in.User.ID, m.ID, choice{m.Revision, a.String()})
	said := r.Say("Confirm"+title(kindWord(a.Kind)), args{"From": a.From.String(), "To": a.To.String()})
	if closes := closesWord(m.Variant, pos, a, r.phrases); closes != "" && a.Kind != rules.Shoot {
		said += " " + r.Say("ConfirmCloses", nil)
	}
	said += " " + r.Say("ConfirmNothingYet", args{"Name": r.nameOf(otherPlayer(m, r.in.User.ID)), "Game": m.ID})
	tap := func(verb string) string {
		return control{Game: m.ID, Revision: m.Revision, Verb: verb, Arg: a.String()}.String()
	}
	message := private(said)
	message.Components = row(
		button(r.Say("ButtonConfirm", nil), tap(verbMake), discordgo.SuccessButton),
		button(r.Say("ButtonCancel", nil), tap(verbDrop), discordgo.SecondaryButton),
	)
	if a.Kind == rules.Move {
		others := m.Variant.Destinations(pos, a.From)
		message.Components = append(message.Components, r.destinationControls(m, t, a.From, others)...)
	}
	return message, nil
}

// kindWord ends the id of a question.
func kindWord(k rules.ActionKind) string {
	switch k {
	case rules.Move:
		return "move"
	case rules.Shoot:
		return "shoot"
	}
	return "place"
}

// playByTap makes an action that was tapped on the board, or asks first.
func (r *request) playByTap(ctx context.Context, c control, t match.Table, a rules.Action) error {
	ask, err := r.asksFirst(ctx)
	if err != nil {
		return err
	}
	if !ask {
		return r.doByTap(ctx, c, match.Play{Action: a})
	}
	question, err := r.question(t, c.Revision, a)
	if err != nil {
		return err
	}
	return r.answer.Private(ctx, question)
}

// askByCommand asks whether an action is to be made that was named in a command.
func (r *request) askByCommand(ctx context.Context, m storage.Match, a rules.Action) error {
	t, err := match.Look(m)
	if err != nil {
		return err
	}
	question, err := r.question(t, m.Revision, a)
	if err != nil {
		return err
	}
	return r.answer.Private(ctx, question)
}

// tapMake makes the action that was asked about, on the board for which it was chosen and no other.
func (r *request) tapMake(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	a, err := rules.ParseAction(c.Arg)
	if err != nil {
		return errOutdated
	}
	if r.choices.replaced(r.in.User.ID, c.Game, choice{c.Revision, c.Arg}) {
		return errReplaced
	}
	if err := r.makeByAnswer(ctx, c, a); err != nil {
		return err
	}
	r.choices.forget(r.in.User.ID, c.Game)
	return nil
}

// makeByAnswer makes an action by a tap on a private message, which then says what came of it.
func (r *request) makeByAnswer(ctx context.Context, c control, a rules.Action) error {
	act := r.act(match.Play{Action: a})
	act.Revision = c.Revision
	done, err := r.app.Do(ctx, c.Game, act, nil)
	if err != nil {
		return err
	}
	r.game = done.Match
	return r.answer.Update(ctx, private(r.withWords(ctx, r.withWarning(r.whatWasDone(done.Match)))))
}

// tapDrop cancels a question, and with it those before it about the same board.
func (r *request) tapDrop(ctx context.Context, c control) error {
	r.choices.set(r.in.User.ID, c.Game, choice{revision: c.Revision})
	return r.answer.Update(ctx, private(r.Say("ConfirmDropped", nil)))
}
