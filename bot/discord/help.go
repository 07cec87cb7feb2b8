package discord

import (
	"context"

	"kraal/bot/discord/wire"
)

// help is /help: a short way in.
func (r *request) help(ctx context.Context) error {
	return r.answer.Private(ctx, wire.Message{Content: r.Say("Help", nil), Components: r.waysInHere(), Ephemeral: true})
}
