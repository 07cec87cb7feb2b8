package discord

import (
	"io"
	"runtime"

	"kraal/render"
)

// inTurn is a painter that draws a few pictures at a time and lets the others wait. Drawn all at once, none is done before
// all are, and whatever else there is to do, answering first of all, waits behind them.
type inTurn struct {
	Painter
	turn chan struct{} // shared by the painters of all themes
}

// PNG is the painter's.
func (p inTurn) PNG(w io.Writer, s render.Scene) error {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	return p.Painter.PNG(w, s)
}

// Chart is the painter's.
func (p inTurn) Chart(w io.Writer, c render.Chart) error {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	return p.Painter.Chart(w, c)
}

// Card is the painter's.
func (p inTurn) Card(w io.Writer, c render.Card) error {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	return p.Painter.Card(w, c)
}

// Ratings is the painter's.
func (p inTurn) Ratings(w io.Writer, of render.Ratings) error {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	return p.Painter.Ratings(w, of)
}

// GIF is the painter's.
func (p inTurn) GIF(w io.Writer, of render.Replay) (render.Film, error) {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	return p.Painter.GIF(w, of)
}

// takeTurns leaves a processor free of drawing, where there are two.
func takeTurns(one Painter, themes map[string]Painter) (Painter, map[string]Painter) {
	turn := make(chan struct{}, max(runtime.GOMAXPROCS(0)-1, 1))
	queued := make(map[string]Painter, len(themes))
	for name, p := range themes {
		queued[name] = inTurn{p, turn}
	}
	return inTurn{one, turn}, queued
}
