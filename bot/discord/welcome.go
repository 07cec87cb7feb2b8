package discord

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"kraal/bot/discord/wire"
)

// waysIn are the buttons with which everything begins: they are about no game, and work for whoever presses them.
func waysIn(say phrases) []discordgo.MessageComponent {
	return row(
		button(say.Say("ButtonPlayFriend", nil), control{Verb: verbFriend}.String(), discordgo.SuccessButton),
		button(say.Say("ButtonPlayBot", nil), control{Verb: verbEngine}.String(), discordgo.PrimaryButton),
		button(say.Say("ButtonReadRules", nil), control{Verb: verbRules}.String(), discordgo.SecondaryButton),
	)
}

// waysInHere are the buttons that lead somewhere from where the request was made: in direct messages there is no friend to
// play.
func (r *request) waysInHere() []discordgo.MessageComponent {
	if r.in.Server != "" {
		return waysIn(r.phrases)
	}
	return row(
		button(r.Say("ButtonPlayBot", nil), control{Verb: verbEngine}.String(), discordgo.PrimaryButton),
		button(r.Say("ButtonReadRules", nil), control{Verb: verbRules}.String(), discordgo.SecondaryButton),
	)
}

// tapFriend asks whom to challenge, privately.
func (r *request) tapFriend(ctx context.Context, _ control) error {
	whom := discordgo.SelectMenu{
		MenuType: discordgo.UserSelectMenu, CustomID: control{Verb: verbWhom}.String(),
		Placeholder: cut(r.Say("MenuWhom", nil), 150),
	}
	anyone := button(r.Say("ButtonAnyone", nil), control{Verb: verbAnyone}.String(), discordgo.SecondaryButton)
	return r.answer.Private(ctx, wire.Message{
		Content: r.Say("WelcomeWhom", nil), Components: append(row(whom), row(anyone)...), Ephemeral: true,
	})
}

// tapWhom challenges the person chosen, as the command does where everything else is left out.
func (r *request) tapWhom(ctx context.Context, _ control) error {
	return r.issueByTap(ctx, func() (rival, error) {
		user, ok := r.in.Chosen()
		if !ok {
			return rival{}, errNotHere // the menu's person did not come with the request
		}
		return r.against(user)
	})
}

// tapAnyone makes a challenge that anyone may accept.
func (r *request) tapAnyone(ctx context.Context, _ control) error {
	return r.issueByTap(ctx, func() (rival, error) { return rival{}, nil })
}

// tapBoth begins a game with oneself.
func (r *request) tapBoth(ctx context.Context, _ control) error {
	return r.issueByTap(ctx, func() (rival, error) { return rival{Person: r.person()}, nil })
}

// issueByTap makes a challenge in the channel. The private message that was tapped has served then: it loses its
// controls, so that a second tap does not make a second challenge, and says where the first one is.
func (r *request) issueByTap(ctx context.Context, opponent opponent) error {
	if err := r.issue(ctx, opponent, nil); err != nil {
		return err
	}
	posted, err := r.posted(ctx)
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, posted)
}

// posted says where the challenge stands that was just made.
func (r *request) posted(ctx context.Context) (wire.Message, error) {
	m, err := r.app.Visible(ctx, r.asker(), r.game.ID)
	if err != nil {
		return wire.Message{}, err
	}
	id := "WelcomePosted"
	if m.Shown.Message == "" {
		id = "BoardNotYet"
	}
	return wire.Message{Content: r.Say(id, args{"Link": boardLink(m)}), Suppress: true}, nil
}

// tapRules shows the rules of the server's game.
func (r *request) tapRules(ctx context.Context, _ control) error { return r.rules(ctx) }
