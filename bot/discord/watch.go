package discord

import (
	"context"
	"errors"

	"github.com/bwmarrin/discordgo"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/storage"
)

// Why a game is not followed somewhere.
var (
	errNoSuchPlace = errors.New("the channel is not known")
	errNotYours    = errors.New("whoever asks may not write in the channel")
	errElsewhere   = errors.New("the game is of another server")
)

// watchCommands are the commands of those who look on.
func watchCommands() []command {
	return []command{{name: "watch", options: []option{
		{name: "game", kind: discordgo.ApplicationCommandOptionString, complete: true},
		{name: "channel", kind: discordgo.ApplicationCommandOptionChannel},
	}}}
}

// watchRefusals are the sentences of those commands.
func watchRefusals() []sentence {
	return []sentence{
		{bot.ErrShownHere, "RefuseShownHere"},
		{bot.ErrMirrors, "RefuseMirrors"},
		{errNoSuchPlace, "RefuseNoSuchPlace"},
		{errNotYours, "RefuseNotYours"},
		{errElsewhere, "RefuseElsewhere"},
	}
}

// watch is /watch: a game is followed in a channel, or no more.
func (r *request) watch(ctx context.Context) error {
	m, err := r.gameToWatch(ctx)
	if err != nil {
		return err
	}
	r.game = m
	if m.Server == "" || m.Server != r.in.Server { // a game stays in its server
		return errElsewhere
	}
	channel, err := r.placeToWatch()
	if err != nil {
		return err
	}
	watched, err := r.app.Watch(ctx, m, channel)
	if err != nil {
		return err
	}
	r.await(ctx, watched.Told)
	id := "WatchOff"
	if watched.On {
		id = "WatchOn"
	}
	return r.tellPrivately(ctx, id, args{"Game": m.ID, "Link": boardLink(m), "Channel": "<#" + channel + ">"})
}

// gameToWatch is the game meant: one's own as everywhere, and for somebody who has none, the only one in play here.
func (r *request) gameToWatch(ctx context.Context) (storage.Match, error) {
	m, err := r.find(ctx)
	if !errors.Is(err, bot.ErrNoGame) || r.in.Server == "" {
		return m, err
	}
	playing, listErr := r.serverGames(ctx)
	switch {
	case listErr != nil:
		return m, listErr
	case len(playing) == 0:
		return m, err
	case len(playing) == 1:
		return playing[0], nil
	}
	return m, &bot.WhichError{Matches: playing}
}

// placeToWatch is the channel named, where the bot can show a board and whoever asks may write; else the one in which
// they ask.
func (r *request) placeToWatch() (string, error) {
	if _, named := r.in.ChannelID("channel"); !named {
		if missing := r.missingPermissions(); len(missing) > 0 {
			return "", &permissionError{Missing: missing}
		}
		return r.in.Channel, nil
	}
	place, known := r.in.Place("channel")
	switch {
	case !known || !place.Told:
		return "", errNoSuchPlace
	case !place.MayWrite():
		return "", errNotYours
	}
	if missing := r.missing(place.App, place.Thread); len(missing) > 0 {
		return "", &permissionError{Missing: missing}
	}
	return place.ID, nil
}

// completeWatched lists the games in play in the server.
func (r *request) completeWatched(ctx context.Context, typed string) (choices []wire.Choice, err error) {
	playing, err := r.serverGames(ctx)
	for _, m := range playing {
		if choice := r.gameChoice(m); contains(choice.Name, typed) {
			choices = append(choices, choice)
		}
	}
	return choices, err
}
