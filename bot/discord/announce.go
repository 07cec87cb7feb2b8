package discord

import (
	"context"

	"kraal/bot/discord/wire"
	"kraal/storage"
)

// Announce posts a line about a rated match that has ended.
func (s screen) Announce(ctx context.Context, m storage.Match, channel string) error {
	_, err := s.wire.Post(ctx, channel, s.announcement(m, s.words.In()))
	return troubled(err)
}

// announcement is that line: how it ended, what, and where the board is. It mentions nobody.
func (b *Bot) announcement(m storage.Match, say phrases) wire.Message {
	return wire.Message{
		Content: cut(say.Say("Announced", args{
			"Variant": variantName(m.Variant, say), "Result": b.resultInOneLine(m, say), "Link": boardLink(m),
		}), maxContent),
		Nonce: "na-" + m.ID, Suppress: true,
	}
}
