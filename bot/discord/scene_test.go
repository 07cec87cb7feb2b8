package discord

import (
	"context"
	"testing"

	"kraal/bot"
	"kraal/storage"
)

// unreadable is a store in which nothing can be read that is there.
type unreadable struct{ storage.Store }

func (unreadable) View(context.Context, func(storage.Reader) error) error {
	return &storage.RecordError{Key: storage.ServerKey("11"), Err: storage.ErrDamaged}
}

// TestPainterOfADamagedServer: a server whose record cannot be read has its boards in the usual theme.
func TestPainterOfADamagedServer(t *testing.T) {
	b := &Bot{app: bot.New(bot.Config{Store: unreadable{}}), painter: inTurn{}}
	if painter, err := b.serverPainter(t.Context(), "11"); err != nil || painter != inQueue(t.Context(), b.painter) {
		t.Errorf("got painter %v and error %v", painter, err)
	}
}
