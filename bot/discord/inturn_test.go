package discord

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"kraal/render"
)

// slowPainter draws until it is let go.
type slowPainter struct {
	Painter
	begun chan struct{}
	done  chan struct{}
	drawn *atomic.Int64
}

func (p slowPainter) PNG(io.Writer, render.Scene) error {
	p.drawn.Add(1)
	p.begun <- struct{}{}
	<-p.done
	return nil
}

// TestWhoIsGoneWaitsForNoPicture: a request that ends while others draw leaves the queue without a picture being drawn for
// it, and keeps nobody waiting.
func TestWhoIsGoneWaitsForNoPicture(t *testing.T) {
	t.Parallel()
	slow := slowPainter{begun: make(chan struct{}, 2), done: make(chan struct{}), drawn: &atomic.Int64{}}
	queue := inTurn{Painter: slow, turn: make(chan struct{}, 1)}
	first, answer := make(chan error), make(chan error)
	go func() { first <- inQueue(t.Context(), queue).PNG(io.Discard, render.Scene{}) }()
	<-slow.begun
	gone, leave := context.WithCancel(t.Context())
	go func() { answer <- inQueue(gone, queue).PNG(io.Discard, render.Scene{}) }()
	leave()
	if err := <-answer; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that the request has ended", err)
	}
	close(slow.done)
	if err := <-first; err != nil {
		t.Error(err)
	}
	if err := inQueue(t.Context(), queue).PNG(io.Discard, render.Scene{}); err != nil {
		t.Error(err)
	}
	if n := slow.drawn.Load(); n != 2 {
		t.Errorf("%d pictures are drawn, want 2", n)
	}
}
