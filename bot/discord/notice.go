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
	if len(n.To) > 0 || n.Aloud {
		if id, err = s.wire.Post(ctx, m.Place(), s.notice(t, n, s.words.In())); err != nil {
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
		mentions = append(mentions, mentionOf(p))
		message.Mentions = append(message.Mentions, p.ID)
	}
	a["Mention"] = strings.Join(mentions, " ")
	if len(mentions) == 0 {
		a["Mention"] = a["Mover"]
	}
	message.Content = say.Say(b.noticeID(t, n, a, say), a)
	if n.Words {
		message.Content = cut(message.Content+"\n"+b.described(t, say), maxContent)
	}
	message.Components = noticeControls(m, n, say)
	return message
}

// noticeControls are what can be done about a notice: want no more of them, or end a game that the other has left.
func noticeControls(m storage.Match, n bot.Notice, say phrases) []discordgo.MessageComponent {
	tap := func(verb string) string { return control{Game: m.ID, Revision: m.Revision, Verb: verb}.String() }
	switch n.Kind {
	case bot.NoticeTurn:
		return row(button(say.Say("ButtonQuiet", nil), tap(verbQuiet), discordgo.SecondaryButton))
	case bot.NoticeWarning:
		return row(button(say.Say("ButtonWarnings", nil), tap(verbWarnings), discordgo.SecondaryButton))
	case bot.NoticeClaim:
		return row(button(say.Say("ButtonClaim", nil), tap(verbClaim), discordgo.DangerButton))
	}
	return nil
}

// noticeNonce makes a notice that is sent again the same notice. What one state of a match can bring besides its turn's
// notice is told apart by kind, and what can happen to a state several times by when that was.
func noticeNonce(m storage.Match, n bot.Notice) string {
	switch n.Kind {
	case bot.NoticeSilence:
		return "ns-" + m.ID
	case bot.NoticePause:
		return fmt.Sprintf("np-%s-%d", m.ID, n.Pause.To.Unix())
	case bot.NoticeCall:
		return fmt.Sprintf("nc-%s-%d", m.ID, m.WarnAt.Unix())
	case bot.NoticeWarning, bot.NoticeClaim:
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
	case n.Kind == bot.NoticeSilence:
		a["Channel"] = channelMention(n.Channel)
		return "NoticeSilence"
	case n.Kind == bot.NoticePause:
		return "NoticePause"
	case n.Kind == bot.NoticeWarning:
		return "NoticeWarning"
	case n.Kind == bot.NoticeCall:
		return "NoticeCall"
	case n.Kind == bot.NoticeClaim:
		return "NoticeClaim"
	case m.Ending == storage.Voided:
		return "NoticeVoided"
	case m.Ending == storage.Aborted:
		return "NoticeAborted"
	case m.Ending == storage.CalledOff:
		a["Name"] = nameOf(m.Seats[match.CalledOffBy(m)].Person, say)
		return "NoticeCalledOff"
	case n.Kind == bot.NoticeEnd:
		a["Result"] = b.resultInOneLine(m, say)
		return "NoticeEnd"
	case t.Passed():
		return "NoticePassed"
	case played:
		return "NoticeTurn"
	}
	return "NoticeBegin"
}
