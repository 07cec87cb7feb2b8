package discord

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/storage"
)

const (
	// boardLasts is how long a board message is edited before a new one takes its place: Discord limits edits of messages
	// that are older than an hour.
	boardLasts = 55 * time.Minute
	// outOfSight is how many messages after the board mean that people have talked it out of sight.
	outOfSight = 8
)

// screen shows matches in their channels.
type screen struct{ *Bot }

// Show brings the board message up to date, or puts a new one in its place.
func (s screen) Show(ctx context.Context, m storage.Match) (storage.Shown, error) {
	if m.Shown.ToThread && m.State == storage.Playing {
		return s.showInThread(ctx, m)
	}
	message, err := s.boardMessage(ctx, m, s.words.In())
	if err != nil {
		return storage.Shown{}, err
	}
	if m.Shown.Thread != "" && m.Shown.Channel == m.Shown.Thread && m.State != storage.Playing {
		return s.closeThread(ctx, m, message)
	}
	if !s.outdated(ctx, m) {
		err := s.edit(ctx, m.Shown.Channel, m.Shown.Message, message)
		if err == nil {
			shown := m.Shown
			shown.Revision = m.Revision
			return shown, nil
		}
		if m.InThread() && shut(err) {
			return s.leaveThread(ctx, m, message, err)
		}
		if !replaceable(err) {
			return storage.Shown{}, troubled(err)
		}
	}
	return s.replace(ctx, m, message)
}

// replace posts a new board and retires the old one.
func (s screen) replace(ctx context.Context, m storage.Match, message wire.Message) (storage.Shown, error) {
	place := m.Place()
	id, err := s.wire.Post(ctx, place, message)
	if m.InThread() && shut(err) {
		return s.leaveThread(ctx, m, message, err)
	}
	if err != nil {
		return storage.Shown{}, troubled(err)
	}
	if m.Shown.Message != "" && m.Shown.Message != id {
		s.retire(ctx, m.Shown)
	}
	return storage.Shown{
		Channel: place, Message: id, Revision: m.Revision, Posted: s.app.Clock.Now().UTC(), Thread: m.Shown.Thread,
	}, nil
}

// outdated tells whether the board message no longer serves: there is none, it is too old to be edited freely, the game
// moved to another channel, or people have talked it out of sight.
func (s screen) outdated(ctx context.Context, m storage.Match) bool {
	switch {
	case m.Shown.Message == "" || m.Shown.Channel != m.Place():
		return true
	case m.Shown.ToThread && m.State == storage.Playing:
		return true
	case s.app.Clock.Now().Sub(m.Shown.Posted) > boardLasts:
		return true
	case m.State != storage.Playing || m.NoticeAt.IsZero():
		return false // no turn was made just now
	}
	return s.talkedAway(ctx, m.Shown)
}

// talkedAway counts the messages after the board. Where they may not be read the board stays where it is.
func (s screen) talkedAway(ctx context.Context, shown storage.Shown) bool {
	n, err := s.wire.CountAfter(ctx, shown.Channel, shown.Message, outOfSight)
	return err == nil && n >= outOfSight
}

// retire deletes a board that another has replaced; where that fails, or a thread hangs below it, it loses at least its
// controls.
func (s screen) retire(ctx context.Context, old storage.Shown) {
	if old.Message == old.Thread {
		if err := s.wire.StripControls(ctx, old.Channel, old.Message); err != nil {
			s.log.Debug("an old board keeps its controls", "channel", old.Channel, "message", old.Message, "error", err)
		}
		return
	}
	err := s.wire.Delete(ctx, old.Channel, old.Message)
	if err != nil && !wire.IsGone(err) {
		err = s.wire.StripControls(ctx, old.Channel, old.Message)
	}
	if err != nil && !wire.IsGone(err) {
		s.log.Debug("an old board stays", "channel", old.Channel, "message", old.Message, "error", err)
	}
}

// replaceable: the message cannot be edited, but another can be posted.
func replaceable(err error) bool { return wire.IsOld(err) || isMessageGone(err) }

// Codes of Discord's that say what exactly is gone.
const (
	codeUnknownChannel = 10003
	codeUnknownMessage = 10008
)

func isMessageGone(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && e.Code == codeUnknownMessage
}

// troubled marks the errors that trying again does not mend.
func troubled(err error) error {
	switch {
	case err == nil:
		return nil
	case wire.IsForbidden(err):
		return &bot.Trouble{Why: "forbidden", Err: err}
	case wire.IsGone(err):
		return &bot.Trouble{Why: "gone", Err: err}
	}
	var refused *wire.Error
	if errors.As(err, &refused) && refused.Status >= 400 && refused.Status < 500 && !wire.IsTemporary(err) && !wire.IsOld(err) {
		return &bot.Trouble{Why: "refused", Err: err} // the same again would be refused again
	}
	return err
}

// boardLink leads to the board message, or to its channel while there is none.
func boardLink(m storage.Match) string {
	server := m.Server
	if server == "" {
		server = "@me"
	}
	if m.Shown.Message == "" {
		return fmt.Sprintf("https://discord.com/channels/%s/%s", server, m.Place())
	}
	return fmt.Sprintf("https://discord.com/channels/%s/%s/%s", server, m.Shown.Channel, m.Shown.Message)
}

// tapScreen shows a match through the tap that changed it: one request instead of two, and no wait for the channel's
// turn to be edited.
type tapScreen struct{ *request }

// errOtherMessage: the tap was on a message that is not the board, or the board has to move.
var errOtherMessage = errors.New("the tap's message is not the board to show")

// Show updates the message that was tapped, if it is the board and still serves.
func (s tapScreen) Show(ctx context.Context, m storage.Match) (storage.Shown, error) {
	if s.in.Message != m.Shown.Message || (screen{s.Bot}).outdated(ctx, m) {
		return storage.Shown{}, errOtherMessage
	}
	message, err := s.boardMessage(ctx, m, s.words.In())
	if err != nil {
		return storage.Shown{}, err
	}
	if err := s.answer.Update(ctx, message); err != nil {
		return storage.Shown{}, err
	}
	shown := m.Shown
	shown.Revision = m.Revision
	return shown, nil
}
