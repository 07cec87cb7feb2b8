package discord

import (
	"context"
	"errors"

	"github.com/bwmarrin/discordgo"

	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// errNoWay: a piece that has nowhere to go, or a point that holds no piece of one's own.
var errNoWay = errors.New("no piece of yours that can move")

// dots are the preference for seeing the board, with the points dotted where a piece can go, as soon as the piece is chosen.
// Usually the points are named, and the board comes when it is asked for: a picture at every move would be in the way of
// those who see the board in the channel.
func dots() preference {
	return preference{
		"dots",
		func(m storage.Member, _ string) bool { return m.Dots },
		func(m *storage.Member, _ string, on bool) { m.Dots = on },
	}
}

// offerDestinations answers the choice of a piece with the points that it may go to, privately. Nothing is touched by it:
// another piece may be chosen.
func (r *request) offerDestinations(ctx context.Context, c control, t match.Table, from rules.Point) error {
	to, err := r.destinations(c, t, from)
	if err != nil {
		return err
	}
	member, err := r.app.Member(ctx, r.in.User.ID)
	if err != nil {
		return err
	}
	if member.Dots {
		message, err := r.dottedMessage(ctx, t, from, to)
		if err != nil {
			return err
		}
		return r.answer.Private(ctx, message)
	}
	message := r.whitherMessage(t, from, to)
	where := control{Game: t.Match.ID, Revision: t.Match.Revision, Verb: verbWhere, Arg: from.String()}
	message.Components = append(message.Components,
		row(button(r.Say("ButtonWhere", nil), where.String(), discordgo.SecondaryButton))...)
	return r.answer.Private(ctx, message)
}

// tapWhere shows, in the private answer, the board with the points dotted where the chosen piece can go.
func (r *request) tapWhere(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	from, err := rules.ParsePoint(c.Arg)
	if err != nil {
		return errOutdated
	}
	t, err := match.Look(r.game)
	if err != nil {
		return err
	}
	to, err := r.destinations(c, t, from)
	if err != nil {
		return err
	}
	message, err := r.dottedMessage(ctx, t, from, to)
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, message)
}

// destinations are the points to which whoever asks may now move a piece, on the board that the control is of; there is one
// at least.
func (r *request) destinations(c control, t match.Table, from rules.Point) (rules.Points, error) {
	if err := mayAct(t, r.in.User.ID, c.Revision); err != nil {
		return 0, err
	}
	to := t.Match.Variant.Destinations(t.Game.Position(), from)
	if to == 0 {
		return 0, &rules.IllegalError{Action: rules.Action{Kind: rules.Move, From: from, To: from}, Reason: errNoWay, Legal: t.Game.Legal()}
	}
	return to, nil
}

// whitherMessage asks where a piece is to go.
func (r *request) whitherMessage(t match.Table, from rules.Point, to rules.Points) wire.Message {
	return wire.Message{
		Content:    r.Say("ChooseDestination", args{"From": from, "Points": pointList(to)}),
		Components: r.destinationControls(t.Match, t, from, to),
		Ephemeral:  true,
	}
}

// dottedMessage asks where a piece is to go, with a picture that marks the piece and dots the points, as seen from the side of
// whoever asks. The last turn is left out: it would cover what is looked for, and the board in the channel shows it.
func (r *request) dottedMessage(ctx context.Context, t match.Table, from rules.Point, to rules.Points) (wire.Message, error) {
	s := r.scene(t)
	s.Last, s.Picked, s.Hints = nil, rules.Points(0).With(from), to
	s.Turned = r.seenByBlack(t.Match)
	file, err := r.ownPicture(ctx, s)
	if err != nil {
		return wire.Message{}, err
	}
	message := r.whitherMessage(t, from, to)
	message.Files = []wire.File{file}
	return message, nil
}
