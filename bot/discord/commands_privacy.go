package discord

import "errors"

// errNotOwnHistory: what somebody has played elsewhere is asked for by somebody else.
var errNotOwnHistory = errors.New("somebody else's games in other servers")

// recordCommands are those about what is kept of a member.
func recordCommands() []command {
	return []command{historyCommand()}
}

// recordSentences are the refusals of those commands.
func recordSentences() []sentence {
	return []sentence{
		{errNotOwnHistory, "RefuseNotOwnHistory"},
	}
}
