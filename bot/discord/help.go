package discord

import (
	"context"

	"kraal/bot/discord/wire"
)

// help is /help: a short way in, which names nothing that cannot be done where it is read.
func (r *request) help(ctx context.Context) error {
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	text := "Help"
	if r.in.Server == "" {
		text = "HelpAlone"
	}
	learn := row(lessonButton(r.defaultGame(s), r.phrases))
	return r.answer.Private(ctx, wire.Message{
		Content: r.Say(text, nil), Components: append(r.waysInHere(), learn...), Ephemeral: true,
	})
}
