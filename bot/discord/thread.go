package discord

import (
	"context"
	"errors"
	"strings"

	"kraal/bot/discord/wire"
	"kraal/rules"
	"kraal/storage"
)

// showInThread makes a game's own thread, below the message of its challenge, and puts the board there. Where that cannot
// be the board stands in the channel, and it is not tried again.
func (s screen) showInThread(ctx context.Context, m storage.Match) (storage.Shown, error) {
	say := s.words.In()
	anchor, err := s.anchor(ctx, m, say)
	if err != nil {
		return storage.Shown{}, troubled(err)
	}
	below := m
	below.Shown.ToThread = false
	below.Shown.Channel, below.Shown.Message = m.Channel, anchor
	if below.Shown.Message != m.Shown.Message {
		below.Shown.Posted = s.app.Clock.Now().UTC()
	}
	thread, err := s.wire.StartThread(ctx, m.Channel, anchor, threadName(m, say))
	if err != nil {
		s.log.Warn("a game gets no thread", "game", m.ID, "channel", m.Channel, "error", err)
		return s.Show(ctx, below)
	}
	shown, err := s.postInThread(ctx, m, thread, say)
	if shut(err) {
		s.log.Warn("a game cannot be in its thread", "game", m.ID, "thread", thread, "error", err)
		return s.Show(ctx, below)
	}
	if err != nil {
		return storage.Shown{}, troubled(err)
	}
	err = s.wire.Edit(ctx, m.Channel, anchor, wire.Message{Content: s.anchorLines(m, thread, say), Suppress: true})
	if err != nil { // its controls do nothing any more
		s.log.Debug("a challenge stays as it was", "game", m.ID, "error", err)
	}
	return shown, nil
}

// anchor is the message below which the thread is to hang: the challenge's, or where there was none a new one.
func (s screen) anchor(ctx context.Context, m storage.Match, say phrases) (id string, err error) {
	if m.Shown.Message != "" && m.Shown.Channel == m.Channel {
		return m.Shown.Message, nil
	}
	return s.wire.Post(ctx, m.Channel, wire.Message{Content: s.anchorLines(m, "", say), Nonce: nonce("a", m), Suppress: true})
}

// anchorLines say what is played and by whom, and where.
func (s screen) anchorLines(m storage.Match, thread string, say phrases) string {
	lines := []string{s.titleLine(m, say), s.seatsLine(m, say)}
	if thread != "" {
		lines = append(lines, say.Say("ThreadLink", args{"Thread": "<#" + thread + ">"}))
	}
	return strings.Join(lines, "\n")
}

// threadName names the players and the game.
func threadName(m storage.Match, say phrases) string {
	name := func(side rules.Side) string { return cut(plainSeatName(m.Seats[side], say), 30) }
	return say.Say("ThreadName", args{
		"White": name(rules.White), "Black": name(rules.Black), "Variant": variantName(m.Variant, say),
	})
}

func (s screen) postInThread(ctx context.Context, m storage.Match, thread string, say phrases) (storage.Shown, error) {
	message, err := s.boardMessage(ctx, m, say)
	if err != nil {
		return storage.Shown{}, err
	}
	id, err := s.wire.Post(ctx, thread, message)
	return storage.Shown{
		Channel: thread, Message: id, Revision: m.Revision, Posted: s.app.Clock.Now().UTC(), Thread: thread,
	}, err
}

// leaveThread puts the board of a game whose thread can no longer be written in into the channel that it hangs below.
func (s screen) leaveThread(ctx context.Context, m storage.Match, message wire.Message, why error) (storage.Shown, error) {
	s.log.Warn("a game leaves its thread", "game", m.ID, "thread", m.Place(), "error", why)
	if m.Place() == m.Channel {
		m.Channel = m.Above
	}
	m.Shown.Thread, m.Above = "", ""
	return s.replace(ctx, m, message)
}

// closeThread shows in the thread how the game ended, gives the board's place to the message below which the thread
// hangs, since nothing can be pressed in an archived thread, and archives it.
func (s screen) closeThread(ctx context.Context, m storage.Match, message wire.Message) (storage.Shown, error) {
	thread := m.Shown.Thread
	last := message
	last.Components, last.Mentions = nil, nil
	if err := s.edit(ctx, thread, m.Shown.Message, last); err != nil {
		if wire.IsTemporary(err) {
			return storage.Shown{}, err
		}
		s.log.Debug("a thread does not show the end", "game", m.ID, "error", err)
	}
	if m.Shown.Notice != "" && m.Shown.NoticeIn == thread { // later the thread would have to be opened for that
		if err := s.wire.Delete(ctx, thread, m.Shown.Notice); err != nil && !wire.IsGone(err) {
			s.log.Debug("an old notice stays", "game", m.ID, "error", err)
		}
	}
	shown := m.Shown
	shown.Channel, shown.Message, shown.Revision, shown.Posted = m.Channel, thread, m.Revision, s.app.Clock.Now().UTC()
	err := s.edit(ctx, shown.Channel, shown.Message, message)
	if replaceable(err) {
		shown.Message, err = s.wire.Post(ctx, m.Channel, message)
	}
	if err != nil {
		return storage.Shown{}, troubled(err)
	}
	if err := s.wire.Archive(ctx, thread); err != nil && !wire.IsArchived(err) && !wire.IsGone(err) {
		s.log.Warn("a thread is not archived", "game", m.ID, "thread", thread, "error", err)
	}
	return shown, nil
}

// shut: the thread is gone, locked, or may not be written in.
func shut(err error) bool {
	var e *wire.Error
	return wire.IsForbidden(err) || wire.IsArchived(err) || errors.As(err, &e) && e.Code == codeUnknownChannel
}
