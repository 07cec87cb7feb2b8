package discord

import (
	"github.com/bwmarrin/discordgo"

	"kraal/bot/discord/wire"
)

// group is a slash command that does nothing itself: it has sub-commands, and groups of them.
type group struct {
	name   string
	manage bool // offered to those who may manage the server, unless the server decides otherwise
	subs   []command
	groups []group
}

// houseGroups lists the commands of those who keep a server's house.
func houseGroups() []group { return []group{settingsGroup(), refereeGroup()} }

func settingsGroup() group {
	const (
		text    = discordgo.ApplicationCommandOptionString
		channel = discordgo.ApplicationCommandOptionChannel
	)
	where, there := option{name: "channel", kind: channel}, option{name: "channel", kind: channel, required: true}
	return group{name: "settings", manage: true, subs: []command{
		{name: "show"},
		{name: "variant", options: []option{{name: "variant", kind: text, complete: true}}},
		{name: "clock", options: []option{{name: "clock", kind: text, choices: clocks()}}},
		{name: "threads", options: []option{{name: "on", kind: discordgo.ApplicationCommandOptionBoolean, required: true}}},
		{name: "theme", options: []option{{name: "theme", kind: text, required: true, choices: themeNames()}}},
		{name: "pieces", options: []option{{name: "pieces", kind: text, required: true, choices: piecesNames()}}},
		{name: "tv", options: []option{where}},
		{name: "announce", options: []option{where}},
		{name: "season", options: []option{
			{name: "length", kind: text, required: true, choices: seasonLengths()},
			{name: "role", kind: discordgo.ApplicationCommandOptionRole},
			{name: "games", kind: discordgo.ApplicationCommandOptionInteger, min: 1, max: 100},
		}},
		{name: "puzzles", options: []option{where}},
		{name: "referees", options: []option{{name: "role", kind: discordgo.ApplicationCommandOptionRole, required: true}, remove()}},
	}, groups: []group{
		{name: "channels", subs: []command{{name: "add", options: []option{there}}, {name: "remove", options: []option{there}}}},
		{name: "house", subs: []command{
			{name: "add", options: []option{
				{name: "name", kind: text, required: true},
				{name: "base", kind: text, required: true, complete: true},
				{name: "rules", kind: text, required: true, complete: true},
			}},
			{name: "remove", options: []option{{name: "house", kind: text, required: true, complete: true}}},
			{name: "show", options: []option{{name: "house", kind: text, complete: true}}},
		}},
	}}
}

func refereeGroup() group {
	const text = discordgo.ApplicationCommandOptionString
	game := option{name: "game", kind: text, required: true, complete: true}
	return group{name: "referee", subs: []command{
		{name: "end", options: []option{game, {name: "result", kind: text, required: true, choices: []string{"white", "black", "draw", "none"}}}},
		{name: "annul", options: []option{game}},
		{name: "move", options: []option{game, {name: "channel", kind: discordgo.ApplicationCommandOptionChannel, required: true}}},
		{name: "ban", options: []option{{name: "user", kind: discordgo.ApplicationCommandOptionUser, required: true}, remove()}},
		{name: "standing", options: []option{game, remove()}},
		{name: "log"},
	}}
}

// remove is the option with which a command takes back what it does.
func remove() option {
	return option{name: "remove", kind: discordgo.ApplicationCommandOptionBoolean}
}

// groupCommand is a group as Discord is told of it.
func groupCommand(g group, say phrases) *discordgo.ApplicationCommand {
	id := "Command" + title(g.name)
	made := &discordgo.ApplicationCommand{
		Type: discordgo.ChatApplicationCommand, Name: g.name, Description: say.Say(id, nil), Options: subOptions(g, id, say),
	}
	if g.manage {
		needed := wire.ManageServer
		made.DefaultMemberPermissions = &needed
	}
	return made
}

func subOptions(g group, id string, say phrases) (made []*discordgo.ApplicationCommandOption) {
	for _, c := range g.subs {
		own := id + title(c.name)
		sub := &discordgo.ApplicationCommandOption{
			Type: discordgo.ApplicationCommandOptionSubCommand, Name: c.name, Description: say.Say(own, nil),
		}
		for _, o := range c.options {
			made := commandOption(o, own, say)
			if o.kind == discordgo.ApplicationCommandOptionChannel {
				made.ChannelTypes = writtenIn()
			}
			sub.Options = append(sub.Options, made)
		}
		made = append(made, sub)
	}
	for _, inner := range g.groups {
		own := id + title(inner.name)
		made = append(made, &discordgo.ApplicationCommandOption{
			Type: discordgo.ApplicationCommandOptionSubCommandGroup, Name: inner.name, Description: say.Say(own, nil),
			Options: subOptions(inner, own, say),
		})
	}
	return made
}

// writtenIn are the types of channel in which games can be shown. In a forum or a category nobody can post.
func writtenIn() []discordgo.ChannelType {
	return []discordgo.ChannelType{
		discordgo.ChannelTypeGuildText, discordgo.ChannelTypeGuildNews, discordgo.ChannelTypeGuildNewsThread,
		discordgo.ChannelTypeGuildPublicThread, discordgo.ChannelTypeGuildPrivateThread,
	}
}

// settingsHandlers is the table of what each sub-command of /settings does, by its name after that of its group.
func settingsHandlers() map[string]handler {
	return map[string]handler{
		"show":            (*request).showSettings,
		"variant":         (*request).setVariant,
		"clock":           (*request).setClock,
		"channels/add":    (*request).addChannel,
		"channels/remove": (*request).removeChannel,
		"threads":         (*request).setThreads,
		"theme":           (*request).setTheme,
		"pieces":          (*request).setPieces,
		"tv":              (*request).setTV,
		"announce":        (*request).setAnnounce,
		"puzzles":         (*request).setPuzzles,
		"referees":        (*request).setReferees,
		"season":          (*request).setSeason,
		"house/add":       (*request).addHouse,
		"house/remove":    (*request).removeHouse,
		"house/show":      (*request).showHouse,
	}
}

// refereeHandlers is the table of what each sub-command of /referee does.
func refereeHandlers() map[string]handler {
	return map[string]handler{
		"end":      (*request).endGame,
		"annul":    (*request).annulGame,
		"move":     (*request).moveGame,
		"ban":      (*request).ban,
		"standing": (*request).orderCount,
		"log":      (*request).refereeLog,
	}
}
