package discord

import "github.com/bwmarrin/discordgo"

// memberCommands are those by which a member chooses for themselves.
func memberCommands() []command {
	return []command{
		{name: "preferences", subs: preferenceCommands()},
		{name: "block", options: []option{
			{name: "user", kind: discordgo.ApplicationCommandOptionUser},
			{name: "remove", kind: discordgo.ApplicationCommandOptionBoolean},
		}},
	}
}

// preferenceCommands are the sub-commands: one shows what was chosen, two choose how pictures look, one speaks of
// languages, and each of the others switches one thing.
func preferenceCommands() []command {
	subs := []command{{name: "show"}}
	for _, p := range preferences() {
		subs = append(subs, command{name: p.name, options: []option{{
			name: "switch", kind: discordgo.ApplicationCommandOptionString, required: true,
			choices: []string{switchOn, switchOff},
		}}})
	}
	return append(subs, command{name: "theme", options: []option{{
		name: "theme", kind: discordgo.ApplicationCommandOptionString, required: true, choices: themeNames(),
	}}}, command{name: "pieces", options: []option{{
		name: "pieces", kind: discordgo.ApplicationCommandOptionString, required: true, choices: piecesNames(),
	}}}, command{name: "language"})
}
