package discord

import (
	"context"
	"errors"
	"slices"
	"strings"

	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/storage"
)

// board is /board: for a player, the board anew at the bottom of the channel; for others a private look; with words, a
// private description of it.
func (r *request) board(ctx context.Context) error {
	m, err := r.find(ctx)
	if err != nil {
		return err
	}
	if inWords, _ := r.in.Bool("words"); inWords {
		return r.boardInWords(ctx, m)
	}
	if !m.Live() || !isPlayer(m, r.in.User.ID) || m.Server != r.in.Server { // a game stays in its server
		if m.State == storage.Playing || m.State == storage.Finished {
			return r.openView(ctx, m)
		}
		return r.privateBoard(ctx, m)
	}
	if missing := r.missingPermissions(); len(missing) > 0 {
		return &permissionError{Missing: missing}
	}
	if err := r.checkBoardChannel(ctx, m); err != nil {
		return err
	}
	told, err := r.app.Reshow(ctx, m.ID, r.in.Channel, r.in.Above)
	if err != nil {
		return err
	}
	r.await(ctx, told)
	m, err = r.app.Visible(ctx, r.asker(), m.ID)
	if err != nil {
		return err
	}
	if m.Shown.Revision != m.Revision {
		return r.tellPrivately(ctx, "BoardNotYet", nil)
	}
	return r.tellPrivately(ctx, "BoardShown", args{"Link": boardLink(m)})
}

// boardChannelError refuses to take a board into a channel that the server does not allow.
type boardChannelError struct {
	Allowed []string
	Match   storage.Match
}

func (e *boardChannelError) Error() string {
	return "boards are shown in " + strings.Join(e.Allowed, ", ") + " alone"
}

// checkBoardChannel refuses to take a board where no game begins. Where it is already it may stay, whatever the server has
// chosen since.
func (r *request) checkBoardChannel(ctx context.Context, m storage.Match) error {
	if m.Place() == r.in.Channel || m.Shown.Channel == r.in.Channel {
		return nil
	}
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	err = r.checkChannel(s)
	if elsewhere := new(channelError); errors.As(err, &elsewhere) {
		return &boardChannelError{Allowed: elsewhere.Allowed, Match: m}
	}
	return err
}

func isPlayer(m storage.Match, member string) bool { return slices.Contains(m.Members(), member) }

// privateBoard is a look at what is no game yet, or came to nothing, for one person, without controls.
func (r *request) privateBoard(ctx context.Context, m storage.Match) error {
	message, err := r.boardMessage(ctx, m, r.phrases)
	if err != nil {
		return err
	}
	message.Components, message.Mentions, message.Nonce, message.Ephemeral = nil, nil, "", true
	return r.answer.Private(ctx, message)
}

// boardInWords describes the position to one person, for those who cannot see pictures.
func (r *request) boardInWords(ctx context.Context, m storage.Match) error {
	t, err := match.Look(m)
	if err != nil {
		return err
	}
	said := r.boardLines(t, r.phrases)
	if m.State == storage.Challenged || m.State == storage.Withdrawn {
		said = r.challengeLines(m, r.phrases)
	}
	said += "\n" + r.described(t, r.phrases)
	return r.answer.Private(ctx, wire.Message{Content: cut(said, maxContent), Ephemeral: true})
}
