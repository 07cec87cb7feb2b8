package discord

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/storage"
)

// Notify posts a notice with a link to the board. It mentions those whom it is for, and nobody else.
func (s screen) Notify(ctx context.Context, m storage.Match, n bot.Notice) (string, error) {
	t, err := match.Look(m)
	if err != nil {
		return "", err
	}
	id := ""
	if len(n.To) > 0 {
		if id, err = s.wire.Post(ctx, m.Channel, s.notice(t, n, s.words.In())); err != nil {
			return "", troubled(err)
		}
	}
	if m.Shown.Notice != "" && m.Shown.Notice != id {
		if err := s.wire.Delete(ctx, m.Shown.NoticeIn, m.Shown.Notice); err != nil && !wire.IsGone(err) {
			s.log.Debug("an old notice stays", "game", m.ID, "error", err)
		}
	}
	return id, nil
}

// notice is a short message that tells somebody what the board alone would not: an edit of it notifies nobody.
func (b *Bot) notice(t match.Table, n bot.Notice, say phrases) wire.Message {
	m := t.Match
	a := args{
		"Game": m.ID, "Link": boardLink(m), "Mover": nameOf(m.Seats[t.ToMove()].Person, say),
		"Until": relative(m.FlagAt), "From": clockTime(n.Pause.From), "To": clockTime(n.Pause.To),
	}
	var mentions []string
	message := wire.Message{Nonce: noticeNonce(m, n), Suppress: true}
	for _, p := range n.To {
		mentions = append(mentions, "<@"+p.ID+">")
		message.Mentions = append(message.Mentions, p.ID)
	}
	a["Mention"] = strings.Join(mentions, " ")
	message.Content = say.Say(b.noticeID(t, n, a, say), a)
	quiet := control{Game: m.ID, Revision: m.Revision, Verb: verbQuiet}.String()
	if n.Kind == bot.NoticeTurn || n.Kind == bot.NoticeWarning {
		message.Components = row(button(say.Say("ButtonQuiet", nil), quiet, discordgo.SecondaryButton))
	}
	return message
}

// noticeNonce makes a notice that is sent again the same notice. What one state of a match can bring besides its turn's
// notice is told apart by kind, and time given back, which can happen to a state several times, by when that was.
func noticeNonce(m storage.Match, n bot.Notice) string {
	switch n.Kind {
	case bot.NoticePause:
		return fmt.Sprintf("np-%s-%d", m.ID, n.Pause.To.Unix())
	case bot.NoticeWarning:
		return nonce("nw", m)
	}
	return nonce("n", m)
}

// noticeID is the message for a notice. It adds what that message names besides.
func (b *Bot) noticeID(t match.Table, n bot.Notice, a args, say phrases) string {
	m := t.Match
	last, played := t.LastTurn()
	if played {
		a["Name"], a["Turn"] = nameOf(m.Seats[last.Side].Person, say), last.Turn.String()
	}
	switch {
	case n.Kind == bot.NoticePause:
		return "NoticePause"
	case n.Kind == bot.NoticeWarning:
		return "NoticeWarning"
	case m.Ending == storage.Aborted:
		return "NoticeAborted"
	case n.Kind == bot.NoticeEnd:
		a["Result"] = strings.ReplaceAll(b.resultOf(m, say), "\n", " ")
		return "NoticeEnd"
	case t.Passed():
		return "NoticePassed"
	case played:
		return "NoticeTurn"
	}
	return "NoticeBegin"
}
