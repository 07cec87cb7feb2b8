package discord

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// maxCustomID is how many characters Discord allows in a custom id.
const maxCustomID = 100

// everywhere is the scope of a member's own games in all servers.
const everywhere = "everywhere"

// historyCommand is /history.
func historyCommand() command {
	const text, person = discordgo.ApplicationCommandOptionString, discordgo.ApplicationCommandOptionUser
	return command{name: "history", options: []option{
		{name: "user", kind: person}, {name: "opponent", kind: person}, {name: "variant", kind: text, complete: true},
		{name: "scope", kind: text, choices: []string{"server", everywhere}},
		{name: "page", kind: discordgo.ApplicationCommandOptionInteger, min: 1, max: bot.MaxHistoryPage},
	}}
}

// history is /history: finished games of a member in this server, or of the asker's own everywhere.
func (r *request) history(ctx context.Context) error {
	past := bot.Search{Member: r.in.User.ID, Server: r.in.Server}
	if user, ok := r.in.Person("user"); ok {
		past.Member = user.ID
	}
	if user, ok := r.in.Person("opponent"); ok {
		past.Opponent = user.ID
	}
	if _, ok := r.in.Text("variant"); ok {
		v, err := r.variantOption(ctx)
		if err != nil {
			return err
		}
		past.Variant = v.Key
	}
	scope, _ := r.in.Text("scope")
	page, _ := r.in.Int("page")
	past.Anywhere, past.Page = scope == everywhere, int(page)
	message, err := r.historyPage(ctx, past)
	if err != nil {
		return err
	}
	return r.answer.Private(ctx, message)
}

// tapHistory turns to another page.
func (r *request) tapHistory(ctx context.Context, c control) error {
	past, ok := readPast(c.Arg)
	if !ok {
		return errOutdated
	}
	past.Server, past.Page = r.in.Server, c.Revision
	message, err := r.historyPage(ctx, past)
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, message)
}

// pastArg is what is looked for as a control carries it. The variant comes last, for its key may hold anything.
func pastArg(p bot.Search) string {
	scope := ""
	if p.Anywhere {
		scope = everywhere[:1]
	}
	return strings.Join([]string{p.Member, p.Opponent, scope, p.Variant}, "/")
}

func readPast(arg string) (p bot.Search, ok bool) {
	parts := strings.SplitN(arg, "/", 4)
	if len(parts) != 4 {
		return p, false
	}
	return bot.Search{Member: parts[0], Opponent: parts[1], Anywhere: parts[2] != "", Variant: parts[3]}, true
}

// historyPage is one page. What somebody has played in other servers is for nobody else to see.
func (r *request) historyPage(ctx context.Context, past bot.Search) (wire.Message, error) {
	own := past.Member == r.in.User.ID
	switch {
	case r.in.Server == "" && !own:
		return wire.Message{}, errNoServer
	case r.in.Server == "":
		past.Anywhere = true
	case past.Anywhere && !own:
		return wire.Message{}, errNotOwnHistory
	}
	h, err := r.app.History(ctx, past)
	if err != nil {
		return wire.Message{}, err
	}
	place := "Here"
	if past.Anywhere {
		place = "Everywhere"
	}
	if len(h.Matches) == 0 {
		if past.Opponent != "" || past.Variant != "" {
			return private(r.withUnread(h, r.Say("HistoryNone"+place, nil))), nil
		}
		return private(r.withUnread(h, r.Say("HistoryEmpty"+place, nil))), nil
	}
	last := h.Matches[0]
	name := r.nameOf(last.Seats[sideOf(last, past.Member)].Person)
	title := r.Say("HistoryTitle"+place, args{"Name": name, "Page": h.Page})
	message := private(r.withUnread(h, r.historyLines(title, h.Matches, past.Member)))
	message.Components, message.Suppress = r.historyButtons(past, h), true
	return message, nil
}

// withUnread says that older games were not looked through, where that is so.
func (r *request) withUnread(h bot.History, text string) string {
	if h.Unread && !h.More {
		text += "\n" + r.Say("HistoryUnread", nil)
	}
	return text
}

// historyLines are a line a game. Links are long: those of the last games give way where not all fit.
func (r *request) historyLines(title string, games []storage.Match, member string) string {
	for linked := len(games); ; linked-- {
		lines := []string{title}
		for i, m := range games {
			lines = append(lines, r.historyLine(m, member, i < linked))
		}
		if text := strings.Join(lines, "\n"); linked == 0 || utf8.RuneCountInString(text) <= maxContent-roomForMore {
			return text
		}
	}
}

// historyLine is a finished game as it went for a member.
func (r *request) historyLine(m storage.Match, member string, linked bool) string {
	side := sideOf(m, member)
	game := "`" + m.ID + "`"
	if linked && m.Shown.Message != "" {
		game = "[" + game + "](" + boardLink(m) + ")"
	}
	id := "HistoryLine"
	if match.Alone(m) {
		id = "HistoryLineAlone"
	}
	line := r.Say(id, args{
		"Result": r.Say("HistoryResult"+outcomeWord(m, side), nil), "Side": sideWord(side, r.phrases),
		"Name": seatName(m.Seats[side.Opponent()], r.phrases), "Variant": variantName(m.Variant, r.phrases),
		"Reason": reasonWord(m.Reason, r.phrases), "When": dateOf(m), "Game": game,
	})
	switch change, rated := pointsChange(m, member); {
	case !m.Annulled.IsZero():
		line += r.Say("HistoryAnnulled", nil)
	case rated:
		line += r.Say("HistoryPoints", args{"Change": fmt.Sprintf("%+d", change)})
	}
	return line
}

// dateOf is the day on which a game ended, as Discord shows it to each reader.
func dateOf(m storage.Match) string { return fmt.Sprintf("<t:%d:d>", m.Ended.Unix()) }

// sideOf is the side that a member played.
func sideOf(m storage.Match, member string) rules.Side {
	if m.Seats[rules.Black].ID == member {
		return rules.Black
	}
	return rules.White
}

func outcomeWord(m storage.Match, side rules.Side) string {
	winner, won := m.Result.Winner()
	switch {
	case !won:
		return "Drawn"
	case winner == side:
		return "Won"
	}
	return "Lost"
}

// pointsChange is what a game did to a member's rating in the pool of the server where it was played, in points as they
// are shown.
func pointsChange(m storage.Match, member string) (points int, rated bool) {
	i := slices.IndexFunc(m.Changes, func(c storage.Change) bool {
		return c.Member == member && c.Pool == storage.ServerPool(m.Server)
	})
	if i < 0 {
		return 0, false
	}
	return whole(m.Changes[i].After) - whole(m.Changes[i].Before), true
}

// historyButtons lead to the pages beside. A variant whose key is too long for a control can be paged by the option.
func (r *request) historyButtons(past bot.Search, h bot.History) []discordgo.MessageComponent {
	if h.Page == 1 && !h.More {
		return nil
	}
	turn := func(label string, to int, off bool) discordgo.Button {
		id := control{Revision: to, Verb: verbHistory, Arg: pastArg(past)}.String()
		return discordgo.Button{Label: r.Say(label, nil), CustomID: id, Style: discordgo.SecondaryButton, Disabled: off}
	}
	back := turn("ButtonPrevious", h.Page-1, h.Page == 1)
	on := turn("ButtonNext", h.Page+1, !h.More || h.Page == bot.MaxHistoryPage)
	if utf8.RuneCountInString(on.CustomID) > maxCustomID {
		return nil
	}
	return row(back, on)
}
