package discord

import (
	"context"
	"strings"

	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// games is /games: the games in play here, or the member's own everywhere.
func (r *request) games(ctx context.Context) error {
	scope, _ := r.in.Text("scope")
	list, title, empty := r.serverGames, "GamesTitle", "GamesNoneHere"
	if scope == "mine" || r.in.Server == "" {
		list, title, empty = r.myGames, "GamesTitleMine", "GamesNoneMine"
	}
	matches, err := list(ctx)
	if err != nil {
		return err
	}
	if len(matches) == 0 {
		return r.tellPrivately(ctx, empty, nil)
	}
	lines := []string{r.Say(title, args{"Count": len(matches)})}
	for _, m := range matches {
		lines = append(lines, r.gameLine(m))
	}
	return r.answer.Private(ctx, wire.Message{Content: wholeLines(lines, r.phrases), Ephemeral: true, Suppress: true})
}

func (r *request) serverGames(ctx context.Context) ([]storage.Match, error) {
	return r.app.InServer(ctx, r.in.Server)
}

func (r *request) myGames(ctx context.Context) ([]storage.Match, error) {
	return r.app.Mine(ctx, r.in.User.ID)
}

// gameLine is a game in a list: who plays, what, whose turn it is, and where.
func (r *request) gameLine(m storage.Match) string {
	a := args{"Game": m.ID, "Variant": variantName(m.Variant, r.phrases), "Link": boardLink(m)}
	if m.State == storage.Challenged {
		a["Challenger"] = r.nameOf(m.Challenger)
		return r.Say("GameLineChallenge", a)
	}
	a["White"], a["Black"] = r.nameOf(m.Seats[rules.White].Person), r.nameOf(m.Seats[rules.Black].Person)
	id := "GameLine"
	if t, err := match.Look(m); err == nil {
		a["Turn"] = r.nameOf(m.Seats[t.ToMove()].Person)
		if m.Seats[t.ToMove()].ID == r.in.User.ID {
			id = "GameLineYours"
		}
	}
	return r.Say(id, a)
}

// wholeLines joins as many lines as a message holds, and says how many did not fit.
func wholeLines(lines []string, say phrases) string {
	var b strings.Builder
	for i, line := range lines {
		if b.Len()+len(line)+1 > maxContent-roomForMore {
			b.WriteString(say.Say("ListMore", args{"Count": len(lines) - i}))
			break
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

// roomForMore is what the line takes that says how many more there are.
const roomForMore = 100
