package bot

import (
	"context"
	"errors"
	"testing"
)

// TestWhoIsGoneWaitsForNoLock: whoever waits leaves the queue when their request ends; those behind come in, and nothing is
// left of the lock.
func TestWhoIsGoneWaitsForNoLock(t *testing.T) {
	var k keyed
	unlock := k.lock("export")
	gone, leave := context.WithCancel(t.Context())
	answer := make(chan error)
	go func() {
		_, err := k.lockUntil(gone, "export")
		answer <- err
	}()
	leave()
	if err := <-answer; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that the request has ended", err)
	}
	in := make(chan error)
	go func() {
		behind, err := k.lockUntil(t.Context(), "export")
		if err == nil {
			behind()
		}
		in <- err
	}()
	unlock()
	if err := <-in; err != nil {
		t.Errorf("behind them: %v", err)
	}
	k.lock("export")()
	if len(k.held) != 0 {
		t.Errorf("%d locks are left", len(k.held))
	}
}
