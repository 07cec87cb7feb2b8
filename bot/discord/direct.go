package discord

import (
	"slices"

	"github.com/bwmarrin/discordgo"
)

// directCommands are what can be used in direct messages with the bot too: whatever a game with the bot takes, and what is
// about oneself.
func directCommands() []string {
	return []string{
		"challenge", "place", "move", "shoot", "board", "resign", "draw", "takeback", "games", "replay", "profile", "history",
		"puzzle", "hint", "analyse", "rules", "help", "preferences", "privacy",
	}
}

// contextsOf are where a command can be used.
func contextsOf(command string) *[]discordgo.InteractionContextType {
	contexts := []discordgo.InteractionContextType{discordgo.InteractionContextGuild}
	if slices.Contains(directCommands(), command) {
		contexts = append(contexts, discordgo.InteractionContextBotDM)
	}
	return &contexts
}
