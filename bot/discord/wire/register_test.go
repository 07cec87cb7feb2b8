package wire

import (
	"testing"

	"github.com/bwmarrin/discordgo"
)

func someCommands() []*discordgo.ApplicationCommand {
	least, permissions := 0.0, int64(32)
	contexts := []discordgo.InteractionContextType{discordgo.InteractionContextBotDM, discordgo.InteractionContextGuild}
	return []*discordgo.ApplicationCommand{
		{
			Name: "challenge", Description: "ask for a game", Contexts: &contexts,
			NameLocalizations: &map[discordgo.Locale]string{discordgo.German: "fordern"},
			Options: []*discordgo.ApplicationCommandOption{
				{Name: "variant", Description: "which game", Type: discordgo.ApplicationCommandOptionString, Autocomplete: true},
				{
					Name: "level", Description: "how strong", Type: discordgo.ApplicationCommandOptionInteger, MinValue: &least, MaxValue: 7,
					Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "easy", Value: 0}, {Name: "hard", Value: 7}},
				},
			},
		},
		{Name: "settings", Description: "this server's", DefaultMemberPermissions: &permissions},
		{Name: "challenge", Type: discordgo.UserApplicationCommand},
	}
}

// TestRegister: what is there already is not written again, though Discord tells it with ids, defaults and in another
// order; a difference is.
func TestRegister(t *testing.T) {
	t.Parallel()
	for _, server := range []string{"", serverID} {
		r := newStub(t).start(nil).connected()
		writes := func(want int) {
			t.Helper()
			if all := r.matching("PUT", "/commands"); len(all) != want {
				t.Errorf("wrote %d times, want %d", len(all), want)
			}
		}
		for range 2 {
			check(t, r.client.Register(t.Context(), server, someCommands()))
			writes(1)
		}
		changed := someCommands()
		least := 1.0
		changed[0].Options[1].MinValue = &least
		check(t, r.client.Register(t.Context(), server, changed))
		writes(2)
		check(t, r.client.Register(t.Context(), server, changed[:2]))
		writes(3)
		check(t, r.client.Register(t.Context(), server, changed[:2]))
		writes(3)
	}
}

func TestCommandsDiffer(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func([]*discordgo.ApplicationCommand){
		"description": func(c []*discordgo.ApplicationCommand) { c[0].Description = "else" },
		"order":       func(c []*discordgo.ApplicationCommand) { o := c[0].Options; o[0], o[1] = o[1], o[0] },
		"required":    func(c []*discordgo.ApplicationCommand) { c[0].Options[0].Required = true },
		"choice":      func(c []*discordgo.ApplicationCommand) { c[0].Options[1].Choices[1].Value = 6 },
		"locale":      func(c []*discordgo.ApplicationCommand) { c[0].NameLocalizations = nil },
		"permissions": func(c []*discordgo.ApplicationCommand) { c[1].DefaultMemberPermissions = nil },
		"contexts":    func(c []*discordgo.ApplicationCommand) { *c[0].Contexts = (*c[0].Contexts)[:1] },
		"kind":        func(c []*discordgo.ApplicationCommand) { c[2].Type = discordgo.MessageApplicationCommand },
	} {
		there, err := encode(someCommands(), nil)
		check(t, err)
		wanted := someCommands()
		if !sameCommands(there.bytes, wanted) {
			t.Error("the same commands differ")
		}
		change(wanted)
		if sameCommands(there.bytes, wanted) {
			t.Errorf("%s: no difference seen", name)
		}
	}
}
