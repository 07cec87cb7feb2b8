package discord

import (
	"context"
	"errors"
	"log/slog"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/discord/words"
	"kraal/bot/match"
	"kraal/storage"
)

// request is one interaction on its way to an answer.
type request struct {
	*Bot
	phrases
	in     wire.Interaction
	answer *wire.Answer
	chosen *storage.Server // what the server has chosen, once it was read
	game   storage.Match   // the match that the request turned out to be about, for the log and for refusals
}

// phrases are the messages in the language of whoever reads them.
type phrases = words.Phrases

// handler carries out a command. What it returns as an error is told to the person, privately.
type handler func(*request, context.Context) error

// commandHandlers is the table of what each command does.
func commandHandlers() map[string]handler {
	return map[string]handler{
		"challenge":   (*request).challenge,
		challengeUser: (*request).challenge,
		"place":       (*request).place,
		"move":        (*request).move,
		"shoot":       (*request).shoot,
		"board":       (*request).board,
		"resign":      (*request).resign,
		"draw":        (*request).draw,
		"takeback":    (*request).takeback,
		"protest":     (*request).protest,
		"adjourn":     (*request).adjourn,
		"claim":       (*request).claim,
		"games":       (*request).games,
		"replay":      (*request).replay,
		"leaderboard": (*request).leaderboard,
		"profile":     (*request).profile,
		"rules":       (*request).rules,
		"help":        (*request).help,
		"preferences": (*request).preferences,
		"block":       (*request).block,
		"watch":       (*request).watch,
		"history":     (*request).history,
		"privacy":     (*request).privacy,
		"settings":    (*request).settings,
		"referee":     (*request).referee,
	}
}

func (r *request) command(ctx context.Context) error {
	h, ok := r.commands[r.in.Name]
	if !ok {
		return errUnknownCommand
	}
	return h(r, ctx)
}

// errUnknownCommand: a command of an older or newer version of the bot.
var errUnknownCommand = errors.New("unknown command")

// asker is who asks, and where.
func (r *request) asker() bot.Asker {
	return bot.Asker{Member: r.in.User.ID, Server: r.in.Server, Channel: r.in.Channel}
}

// person is whoever made the request.
func (r *request) person() storage.Person {
	return storage.Person{ID: r.in.User.ID, Name: r.in.User.Name}
}

// find is the game that the request means.
func (r *request) find(ctx context.Context) (storage.Match, error) {
	id, _ := r.in.Text("game")
	m, err := r.app.Find(ctx, r.asker(), id)
	r.game = m
	return m, err
}

// act is a deed of the person who asks, on the newest revision.
func (r *request) act(do match.Deed) match.Act {
	return match.Act{Request: r.in.ID, By: r.person(), Do: do}
}

// await waits until telling has been tried, or the request's time is over.
func (r *request) await(ctx context.Context, told <-chan struct{}) {
	select {
	case <-told:
	case <-ctx.Done():
	}
}

// tellPrivately answers the person alone, in a message of the catalogue.
func (r *request) tellPrivately(ctx context.Context, id string, args words.Args) error {
	return r.answer.Private(ctx, wire.Message{Content: r.Say(id, args), Ephemeral: true})
}

// logger is the log with what identifies the request.
func (r *request) logger() *slog.Logger {
	return r.log.With("interaction", r.in.ID, "game", r.game.ID, "server", r.in.Server)
}
