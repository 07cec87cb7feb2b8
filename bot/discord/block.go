package discord

import (
	"context"
	"errors"

	"kraal/bot/discord/wire"
	"kraal/storage"
)

// Why somebody cannot be blocked.
var (
	errBlockSelf = errors.New("nobody can block themselves")
	errBlockMe   = errors.New("the bot cannot be blocked")
	errBlockBot  = errors.New("bots challenge nobody")
	errNobody    = errors.New("the person was not told")
)

// block is /block. Whoever is blocked is told nothing.
func (r *request) block(ctx context.Context) error {
	remove, _ := r.in.Bool("remove")
	user, named := r.in.Person("user")
	switch {
	case !named && remove:
		return errNobody
	case !named:
		return r.listBlocked(ctx)
	case remove:
		return r.unblock(ctx, user)
	case user.ID == r.in.User.ID:
		return errBlockSelf
	case user.ID == r.wire.SelfID():
		return errBlockMe
	case user.Bot:
		return errBlockBot
	}
	person := storage.Person{ID: user.ID, Name: user.Name}
	if err := r.app.Block(ctx, r.in.User.ID, person); err != nil {
		return err
	}
	return r.tellPrivately(ctx, "Blocked", args{"Name": r.nameOf(person)})
}

func (r *request) unblock(ctx context.Context, user wire.User) error {
	was, err := r.app.Unblock(ctx, r.in.User.ID, user.ID)
	if err != nil {
		return err
	}
	id := "Unblocked"
	if !was {
		id = "UnblockedNobody"
	}
	return r.tellPrivately(ctx, id, args{"Name": r.nameOf(storage.Person{ID: user.ID, Name: user.Name})})
}

// listBlocked tells a member from whom they take no challenges, by the names that those had.
func (r *request) listBlocked(ctx context.Context) error {
	member, err := r.app.Member(ctx, r.in.User.ID)
	if err != nil {
		return err
	}
	if len(member.Blocked) == 0 {
		return r.tellPrivately(ctx, "BlockedNone", nil)
	}
	lines := []string{r.Say("BlockedTitle", args{"Count": len(member.Blocked)})}
	for _, p := range member.Blocked {
		lines = append(lines, r.Say("BlockedLine", args{"Name": r.nameOf(p), "Mention": mentionOf(p)}))
	}
	return r.answer.Private(ctx, private(wholeLines(lines, r.phrases)))
}
