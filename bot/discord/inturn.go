package discord

import (
	"context"
	"io"
	"runtime"

	"kraal/render"
)

// inTurn is a painter that draws a few pictures at a time and lets the others wait. Drawn all at once, none is done before
// all are, and whatever else there is to do, answering first of all, waits behind them.
type inTurn struct {
	Painter
	turn chan struct{}   // shared by the painters of all themes
	ctx  context.Context // of the request that draws: one that has ended waits no more
}

// inQueue is a painter for one request.
func inQueue(ctx context.Context, p Painter) Painter {
	if one, ok := p.(inTurn); ok {
		one.ctx = ctx
		return one
	}
	return p
}

// enter waits for a turn.
func (p inTurn) enter() (leave func(), err error) {
	var ended <-chan struct{}
	if p.ctx != nil {
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
		ended = p.ctx.Done()
	}
	select {
	case p.turn <- struct{}{}:
		return func() { <-p.turn }, nil
	case <-ended:
		return nil, p.ctx.Err()
	}
}

// PNG is the painter's.
func (p inTurn) PNG(w io.Writer, s render.Scene) error {
	leave, err := p.enter()
	if err != nil {
		return err
	}
	defer leave()
	return p.Painter.PNG(w, s)
}

// Chart is the painter's.
func (p inTurn) Chart(w io.Writer, c render.Chart) error {
	leave, err := p.enter()
	if err != nil {
		return err
	}
	defer leave()
	return p.Painter.Chart(w, c)
}

// Card is the painter's.
func (p inTurn) Card(w io.Writer, c render.Card) error {
	leave, err := p.enter()
	if err != nil {
		return err
	}
	defer leave()
	return p.Painter.Card(w, c)
}

// Ratings is the painter's.
func (p inTurn) Ratings(w io.Writer, of render.Ratings) error {
	leave, err := p.enter()
	if err != nil {
		return err
	}
	defer leave()
	return p.Painter.Ratings(w, of)
}

// GIF is the painter's.
func (p inTurn) GIF(w io.Writer, of render.Replay) (render.Film, error) {
	leave, err := p.enter()
	if err != nil {
		return render.Film{}, err
	}
	defer leave()
	return p.Painter.GIF(w, of)
}

// takeTurns leaves a processor free of drawing, where there are two.
func takeTurns(one Painter, themes map[string]Painter) (Painter, map[string]Painter) {
	turn := make(chan struct{}, max(runtime.GOMAXPROCS(0)-1, 1))
	queued := make(map[string]Painter, len(themes))
	for name, p := range themes {
		queued[name] = inTurn{Painter: p, turn: turn}
	}
	return inTurn{Painter: one, turn: turn}, queued
}
