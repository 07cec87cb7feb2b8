package discord

import (
	"context"

	"kraal/bot/discord/words"
	"kraal/bot/match"
	"kraal/render"
	"kraal/storage"
)

// described is the position in words, as the picture's description has it, with names fit for a message.
func (b *Bot) described(t match.Table, say phrases) string {
	s := b.scene(t)
	for side, seat := range t.Match.Seats {
		if !seat.Left() {
			s.Seats[side].Name = words.Name(seat.Name)
		}
	}
	return render.Alt(s, say.Say)
}

// wordsFor is the position of a match in words, for those who want it so after what they did; "" for others, and while
// there is none. What was done is done: that it cannot be described is no reason to tell its maker that it failed.
func (r *request) wordsFor(ctx context.Context, m storage.Match) string {
	if m.State != storage.Playing && m.State != storage.Finished {
		return ""
	}
	member, err := r.app.Member(ctx, r.in.User.ID)
	if err != nil {
		r.logger().Warn("not known whether words are wanted", "error", err)
		return ""
	}
	if !member.Words {
		return ""
	}
	t, err := match.Look(m)
	if err != nil {
		r.logger().Warn("no words for a position", "error", err)
		return ""
	}
	return r.described(t, r.phrases)
}

// withWords adds to an answer the position that the request led to, for those who want it in words.
func (r *request) withWords(ctx context.Context, line string) string {
	if position := r.wordsFor(ctx, r.game); position != "" {
		line += "\n" + position
	}
	return line
}

// afterTap tells whoever tapped what the board alone does not tell them: the position in words, if they want it, and
// that the channel cannot be written to.
func (r *request) afterTap(ctx context.Context) error {
	said := r.wordsFor(ctx, r.game)
	if t, err := match.Look(r.game); said != "" && err == nil {
		said = r.boardLines(t, r.phrases) + "\n" + said
	}
	if warning := r.permissionWarning(); warning != "" {
		said += "\n" + warning
	}
	if said == "" {
		return nil
	}
	return r.answer.Private(ctx, private(said))
}
