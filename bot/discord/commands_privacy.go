package discord

import (
	"errors"

	"kraal/bot"
	"kraal/bot/match"
)

// Why what is kept of somebody is not shown, or not deleted.
var (
	errNotOwnHistory = errors.New("somebody else's games in other servers")
	errNotAsked      = errors.New("the question was put to somebody else, or too long ago")
)

// recordCommands are those about what is kept of a member.
func recordCommands() []command {
	return []command{historyCommand(), {name: "privacy", subs: []command{{name: "show"}, {name: "export"}, {name: "delete"}}}}
}

// recordSentences are the refusals that come of those commands.
func recordSentences() []sentence {
	return []sentence{
		{errNotOwnHistory, "RefuseNotOwnHistory"},
		{errNotAsked, "RefuseNotAsked"},
		{bot.ErrLeaving, "RefuseLeaving"},
		{match.ErrLeft, "RefuseLeft"},
	}
}
