package discord

import (
	"github.com/bwmarrin/discordgo"
	"slices"
)

// option is a command's option: its name, what sort of value it takes, whether it must be given, and its choices. What
// people read about it stands in the catalogue, under the command's and the option's names.
type option struct {
	name     string
	kind     discordgo.ApplicationCommandOptionType
	required bool
	complete bool
	choices  []string
	min, max int
}

// command is a slash command with its options, or with sub-commands that have theirs.
type command struct {
	name    string
	options []option
	subs    []command
}

// commandTable lists every slash command but those that have files of their own. Names are those of the design; none is translated away.
func commandTable() []command {
	const (
		text    = discordgo.ApplicationCommandOptionString
		yesNo   = discordgo.ApplicationCommandOptionBoolean
		person  = discordgo.ApplicationCommandOptionUser
		integer = discordgo.ApplicationCommandOptionInteger
	)
	game := option{name: "game", kind: text, complete: true}
	variant := option{name: "variant", kind: text, complete: true}
	point := option{name: "point", kind: text, required: true, complete: true}
	return []command{
		{name: "challenge", options: []option{
			{name: "opponent", kind: person}, variant,
			{name: "colour", kind: text, choices: []string{"white", "black", "random"}},
			{name: "clock", kind: text, choices: clocks()},
			{name: "rated", kind: yesNo},
			{name: "level", kind: integer, min: 1, max: 7},
			{name: "flying", kind: yesNo},
		}},
		{name: "place", options: []option{point, game}},
		{name: "move", options: []option{
			{name: "from", kind: text, required: true, complete: true},
			{name: "to", kind: text, required: true, complete: true}, game,
		}},
		{name: "shoot", options: []option{point, game}},
		{name: "board", options: []option{game, {name: "words", kind: yesNo}}},
		{name: "resign", options: []option{game}},
		{name: "draw", options: []option{game}},
		{name: "takeback", options: []option{game}},
		{name: "protest", options: []option{game}},
		{name: "adjourn", options: []option{game}},
		{name: "claim", options: []option{game}},
		{name: "games", options: []option{{name: "scope", kind: text, choices: []string{"server", "mine"}}}},
		{name: "replay", options: []option{game}},
		{name: "rules", options: []option{variant}},
		{name: "help"},
	}
}

// commandSet is the commands as Discord is told of them.
func commandSet(say phrases) []*discordgo.ApplicationCommand {
	installs := []discordgo.ApplicationIntegrationType{discordgo.ApplicationIntegrationGuildInstall}
	set := []*discordgo.ApplicationCommand{{
		Type: discordgo.UserApplicationCommand, Name: challengeUser, Contexts: contextsOf(challengeUser), IntegrationTypes: &installs,
	}}
	for _, c := range slices.Concat(
		commandTable(), standingCommands(), memberCommands(), watchCommands(), recordCommands(), studyCommands(),
	) {
		id := "Command" + title(c.name)
		cmd := &discordgo.ApplicationCommand{
			Type: discordgo.ChatApplicationCommand, Name: c.name, Description: say.Say(id, nil),
			Contexts: contextsOf(c.name), IntegrationTypes: &installs,
		}
		cmd.Options = commandOptions(c, id, say)
		set = append(set, cmd)
	}
	for _, g := range houseGroups() {
		cmd := groupCommand(g, say)
		cmd.Contexts, cmd.IntegrationTypes = contextsOf(cmd.Name), &installs
		set = append(set, cmd)
	}
	return set
}

// forOneServer is the set as a server's own: where commands can be used is told only of those that all of Discord gets
// (Discord, Application Commands, contexts and integration_types).
func forOneServer(set []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	for _, c := range set {
		c.Contexts, c.IntegrationTypes = nil, nil
	}
	return set
}

// commandOptions are a command's options, its sub-commands among them.
func commandOptions(c command, id string, say phrases) (made []*discordgo.ApplicationCommandOption) {
	for _, sub := range c.subs {
		subID := id + title(sub.name)
		made = append(made, &discordgo.ApplicationCommandOption{
			Type: discordgo.ApplicationCommandOptionSubCommand, Name: sub.name, Description: say.Say(subID, nil),
			Options: commandOptions(sub, subID, say),
		})
	}
	for _, o := range c.options {
		made = append(made, commandOption(o, id, say))
	}
	return made
}

func commandOption(o option, id string, say phrases) *discordgo.ApplicationCommandOption {
	made := &discordgo.ApplicationCommandOption{
		Type: o.kind, Name: o.name, Description: optionText(id, o.name, say), Required: o.required, Autocomplete: o.complete,
	}
	if o.max > 0 {
		least := float64(o.min)
		made.MinValue, made.MaxValue = &least, float64(o.max)
	}
	for _, c := range o.choices {
		made.Choices = append(made.Choices, &discordgo.ApplicationCommandOptionChoice{Name: choiceText(o.name, c, say), Value: c})
	}
	return made
}

// optionText describes an option: in the command's own words where it has some, else in those that all share.
func optionText(command, option string, say phrases) string {
	if own := command + title(option); say.Has(own) {
		return say.Say(own, nil)
	}
	return say.Say("Option"+title(option), nil)
}

// choiceText is what a choice is called.
func choiceText(option, value string, say phrases) string {
	if option == "clock" {
		return clockWord(value, say)
	}
	return say.Say("Choice"+title(value), nil)
}
