package wire_test

import (
	"context"
	"strings"
	"testing"

	"kraal/bot/discord/wire"
)

// TestThreadsInTheSandbox: a thread from a message, asked for twice, is one; archived it opens again, locked it does not.
func TestThreadsInTheSandbox(t *testing.T) {
	t.Parallel()
	s, c, _ := play(t, func(context.Context, wire.Interaction, *wire.Answer) {}, nil)
	ctx := t.Context()
	message, err := c.Post(ctx, games, board("challenge"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		thread, err := c.StartThread(ctx, games, message, strings.Repeat("long ", 40))
		if err != nil || thread != message {
			t.Fatalf("thread %q, %v, want %s", thread, err, message)
		}
	}
	inside, err := c.Post(ctx, message, board("inside"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Archive(ctx, message); err != nil {
		t.Error(err)
	}
	if err := c.Edit(ctx, message, inside, board("edited")); !wire.IsArchived(err) {
		t.Errorf("edit in an archived thread: %v", err)
	}
	if err := c.Open(ctx, message); err != nil {
		t.Error(err)
	}
	if err := c.Edit(ctx, message, inside, board("edited")); err != nil {
		t.Errorf("edit in a thread that is open again: %v", err)
	}
	if err := s.ArchiveThread(message, true); err != nil {
		t.Fatal(err)
	}
	if err := c.Open(ctx, message); !wire.IsForbidden(err) {
		t.Errorf("a locked thread is opened: %v", err)
	}
	if _, err := c.Post(ctx, message, board("inside")); !wire.IsArchived(err) {
		t.Errorf("post into a locked thread: %v", err)
	}
}
