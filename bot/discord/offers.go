package discord

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/storage"
)

// draw is /draw: an offer, or agreement to one.
func (r *request) draw(ctx context.Context) error {
	return r.propose(ctx, match.Draw{}, storage.OfferDraw)
}

// takeback is /takeback: a request, or the grant of one.
func (r *request) takeback(ctx context.Context) error {
	return r.propose(ctx, match.Takeback{}, storage.OfferTakeback)
}

// propose makes an offer or agrees to the other's, and says privately which it was.
func (r *request) propose(ctx context.Context, do match.Deed, kind storage.OfferKind) error {
	m, err := r.find(ctx)
	if err != nil {
		return err
	}
	done, err := r.app.Do(ctx, m.ID, r.act(do), nil)
	if err != nil {
		return err
	}
	r.game = done.Match
	id := "Agreed" + offerWord(kind)
	t, err := match.Look(done.Match)
	if err != nil {
		return err
	}
	if side, _ := t.SideOf(r.in.User.ID); match.Offered(done.Match, kind, side) {
		id = "Offered" + offerWord(kind)
	}
	other := otherPlayer(done.Match, r.in.User.ID)
	return r.sayDone(ctx, r.Say(id, args{"Name": r.nameOf(other)}))
}

// otherPlayer is the opponent of a member.
func otherPlayer(m storage.Match, member string) storage.Person {
	for side, s := range m.Seats {
		if s.ID == member {
			return m.Seats[1-side].Person
		}
	}
	return storage.Person{}
}

// resign is /resign: it asks first.
func (r *request) resign(ctx context.Context) error {
	id, _ := r.in.Text("game")
	m, err := r.app.FindToEnd(ctx, r.asker(), id)
	r.game = m
	if err != nil {
		return err
	}
	return r.askToResign(ctx)
}

// askToResign asks privately, naming the opponent, with a button to confirm.
func (r *request) askToResign(ctx context.Context) error {
	t, err := match.Look(r.game)
	if err != nil {
		return err
	}
	if _, ok := t.SideOf(r.in.User.ID); !ok {
		return match.ErrStranger
	}
	if r.game.State != storage.Playing {
		return match.ErrNotPlaying
	}
	asked := "ConfirmResign"
	if !t.BothMoved() {
		asked = "ConfirmCallOff"
	}
	tap := func(verb string) string {
		return control{Game: r.game.ID, Revision: r.game.Revision, Verb: verb}.String()
	}
	return r.answer.Private(ctx, wire.Message{
		Content: r.Say(asked, args{
			"Name": r.nameOf(otherPlayer(r.game, r.in.User.ID)), "Game": r.game.ID, "Variant": variantName(r.game.Variant, r.phrases),
		}),
		Components: row(
			button(r.Say("ButtonConfirm", nil), tap(verbConfirm), discordgo.DangerButton),
			button(r.Say("ButtonCancel", nil), tap(verbPlayOn), discordgo.SecondaryButton),
		),
		Ephemeral: true,
	})
}

// tapPlayOn takes the question back. That the game goes on is said only of one that does.
func (r *request) tapPlayOn(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	if r.game.State != storage.Playing {
		return match.ErrNotPlaying
	}
	return r.answer.Update(ctx, private(r.Say("PlayOn", args{"Game": r.game.ID})))
}
