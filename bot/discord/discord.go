// Package discord is Discord in and out: commands and taps come in, boards and words go out. It decides nothing about the
// game: package bot does, and what people are told is said in words of the catalogue.
package discord

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"sync"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/discord/words"
	"kraal/render"
	"kraal/rules/study"
)

// Painter draws scenes, charts and cards as PNGs, and games as films.
type Painter interface {
	PNG(w io.Writer, s render.Scene) error
	Chart(w io.Writer, c render.Chart) error
	Card(w io.Writer, c render.Card) error
	Ratings(w io.Writer, c render.Ratings) error
	GIF(w io.Writer, p render.Replay) (render.Film, error)
}

// Config is what a Bot is made of.
type Config struct {
	App     *bot.App
	Wire    wire.Config // its Handle, Oops, Ready, Cut, Mended, Arrived and Left are set here
	Words   *words.Catalogue
	Painter Painter
	Themes  map[string]Painter // others that members can choose for what they alone see, by name
	Log     *slog.Logger
	Greet   bool // post one message in every server that has not had it, with the ways in

	// TestServer is the id of the only server that gets the commands; empty: all of Discord gets them.
	TestServer string
	Study      Study
	Puzzles    study.Set // those that come with the program if it has none
}

// Bot is the application as Discord sees it.
type Bot struct {
	app     *bot.App
	wire    *wire.Client
	words   *words.Catalogue
	painter Painter
	themes  map[string]Painter
	log     *slog.Logger

	commands    map[string]handler
	taps        map[string]tapHandler
	completions map[string]completer

	puzzles  study.Set
	poster   *poster
	thinking *thinking

	choices  choices    // of those who are asked before they act
	greeter  *greeter   // nil: nobody is greeted
	register sync.Mutex // one registration at a time
	only     string     // server that gets the commands; empty: all of Discord
}

// New is a Bot that is not connected yet.
func New(c Config) (*Bot, error) {
	b := &Bot{app: c.App, words: c.Words, log: c.Log, only: c.TestServer}
	b.painter, b.themes = takeTurns(c.Painter, c.Themes)
	b.commands, b.taps, b.completions = commandHandlers(), tapHandlers(), completers()
	maps.Copy(b.commands, studyHandlers())
	maps.Copy(b.taps, studyTaps())
	if err := b.learn(c); err != nil {
		return nil, err
	}
	c.Wire.Handle = b.handle
	c.Wire.Oops = wire.Message{Content: b.words.In().Say("Oops", nil), Ephemeral: true}
	c.Wire.Ready = b.registerCommands
	c.Wire.Cut, c.Wire.Mended = b.app.Cut, b.app.Mend
	if c.Greet {
		b.greeter = newGreeter(b)
		c.Wire.Arrived, c.Wire.Left = b.greeter.arrived, b.greeter.left
	}
	var err error
	b.wire, err = wire.New(c.Wire)
	if err != nil {
		return nil, fmt.Errorf("connect to Discord: %w", err)
	}
	return b, nil
}

// learn makes ready what study needs.
func (b *Bot) learn(c Config) (err error) {
	b.thinking, b.poster, b.puzzles = newThinking(c.Study), newPoster(b), c.Puzzles
	if b.puzzles.Len() == 0 {
		b.puzzles, err = study.Embedded()
	}
	return err
}

// Run connects, answers and tells until ctx ends, or until Discord refuses the bot for good.
func (b *Bot) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var telling sync.WaitGroup
	telling.Go(func() {
		select {
		case <-b.wire.Connected():
		case <-ctx.Done():
		}
		if err := b.app.Run(ctx, screen{b}); err != nil {
			cancel(err)
		}
	})
	if b.greeter != nil {
		telling.Go(func() { b.greeter.run(ctx) })
	}
	telling.Go(func() {
		select {
		case <-b.wire.Connected():
			b.poster.run(ctx)
		case <-ctx.Done():
		}
	})
	err := b.wire.Run(ctx)
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	cancel(nil)
	telling.Wait()
	return err
}

// Gateway tells how the connection to Discord stands.
func (b *Bot) Gateway() wire.Gateway { return b.wire.Gateway() }

// Health tells how each of the connections to Discord stands.
func (b *Bot) Health() []wire.Health { return b.wire.Health() }

// Connected is closed when the first session has begun.
func (b *Bot) Connected() <-chan struct{} { return b.wire.Connected() }

// registerCommands tells Discord which commands there are, if it does not know.
func (b *Bot) registerCommands(ctx context.Context) {
	b.register.Lock()
	defer b.register.Unlock()
	set := commandSet(b.words.In())
	if b.only != "" {
		set = forOneServer(set)
	}
	if err := b.wire.Register(ctx, b.only, set); err != nil && ctx.Err() == nil {
		b.log.Error("commands not registered", "server", b.only, "error", err)
	}
}

// handle answers one interaction.
func (b *Bot) handle(ctx context.Context, in wire.Interaction, a *wire.Answer) {
	r := &request{Bot: b, in: in, answer: a, phrases: b.words.In(in.Locale)}
	var err error
	switch in.Kind {
	case wire.Command:
		err = r.command(ctx)
	case wire.Component:
		err = r.tap(ctx)
	case wire.Autocomplete:
		err = r.complete(ctx)
	default:
		return
	}
	if err != nil {
		r.refuse(ctx, err)
	}
}
