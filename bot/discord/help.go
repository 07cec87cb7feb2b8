package discord

import (
	"context"

	"kraal/bot/discord/wire"
)

// help is /help: a short way in.
func (r *request) help(ctx context.Context) error {
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	learn := row(lessonButton(r.defaultGame(s), r.phrases))
	return r.answer.Private(ctx, wire.Message{
		Content: r.Say("Help", nil), Components: append(r.waysInHere(), learn...), Ephemeral: true,
	})
}
