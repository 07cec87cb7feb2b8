package discord

import (
	"context"
	"fmt"
	"time"

	"kraal/bot/discord/wire"
	"kraal/storage"
)

// Mirror shows a match in the message of a watch, without controls and with a link to its board.
func (s screen) Mirror(ctx context.Context, m storage.Match, w storage.Watch) (storage.Watch, error) {
	if w.Over {
		if w.Message != "" {
			s.retire(ctx, storage.Shown{Channel: w.Channel, Message: w.Message})
		}
		w.Message, w.Posted = "", time.Time{}
		return w, nil
	}
	message, err := s.mirrorMessage(ctx, m, w)
	if err != nil {
		return w, err
	}
	if w.Message != "" && s.app.Clock.Now().Sub(w.Posted) <= boardLasts {
		err := s.edit(ctx, w.Channel, w.Message, message)
		if err == nil {
			return w, nil
		}
		// Whoever deletes a mirror wants no more of it. A tv is the server's wish, and stays.
		if !replaceable(err) || isMessageGone(err) && !w.TV {
			return w, troubled(err)
		}
	}
	id, err := s.wire.Post(ctx, w.Channel, message)
	if err != nil {
		return w, troubled(err)
	}
	if w.Message != "" && w.Message != id {
		s.retire(ctx, storage.Shown{Channel: w.Channel, Message: w.Message})
	}
	w.Message, w.Posted = id, s.app.Clock.Now().UTC()
	return w, nil
}

func (s screen) mirrorMessage(ctx context.Context, m storage.Match, w storage.Watch) (wire.Message, error) {
	say := s.words.In()
	message, err := s.boardMessage(ctx, m, say)
	if err != nil {
		return message, err
	}
	id := "MirrorLink"
	if w.TV {
		id = "MirrorLinkTV"
	}
	message.Content = cut(message.Content, maxContent-roomForMore) + "\n" + say.Say(id, args{"Link": boardLink(m)})
	message.Components, message.Mentions = nil, nil
	message.Nonce = fmt.Sprintf("m-%s-%d-%s-%s", m.ID, m.Revision%10_000, ending(w.Channel, 4), ending(w.Message, 4))
	return message, nil
}

// ending is the last n bytes of an id.
func ending(id string, n int) string { return id[max(0, len(id)-n):] }

// edit replaces what a message shows. A thread that was archived meanwhile is opened for that.
func (s screen) edit(ctx context.Context, channel, id string, message wire.Message) error {
	err := s.wire.Edit(ctx, channel, id, message)
	if !wire.IsArchived(err) {
		return err
	}
	if err := s.wire.Open(ctx, channel); err != nil {
		return err
	}
	return s.wire.Edit(ctx, channel, id, message)
}
