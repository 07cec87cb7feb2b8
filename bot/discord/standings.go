package discord

import (
	"context"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/rules"
	"kraal/storage"
)

// perPage is how many members a page of the leaderboard shows.
const perPage = 10

// standingCommands lists the commands that tell who plays best.
func standingCommands() []command {
	const text = discordgo.ApplicationCommandOptionString
	variant := option{name: "variant", kind: text, complete: true}
	return []command{
		{name: "leaderboard", options: []option{
			variant, {name: "scope", kind: text, choices: []string{"server", "global"}},
			{name: "season", kind: text, choices: []string{seasonNow, seasonAll, seasonHall}},
			{name: "page", kind: discordgo.ApplicationCommandOptionInteger, min: 1, max: 1_000_000},
		}},
		{name: "profile", options: []option{{name: "user", kind: discordgo.ApplicationCommandOptionUser}, variant}},
	}
}

// The choices of season that /leaderboard takes.
const (
	seasonNow  = "now"
	seasonAll  = "all"
	seasonHall = "hall"
)

// ladderOf says which ladder is asked for. Without a season it is the one under way, where the server has one.
type ladderOf struct{ variant, scope, season string }

// leaderboard is /leaderboard.
func (r *request) leaderboard(ctx context.Context) error {
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	of := ladderOf{variant: allVariants}
	if typed, _ := r.in.Text("variant"); !r.wantsActivity(s, typed) {
		v, err := r.variantOption(ctx)
		if err != nil {
			return err
		}
		of.variant = v.Key
	}
	of.scope, _ = r.in.Text("scope")
	of.season, _ = r.in.Text("season")
	page, _ := r.in.Int("page")
	message, err := r.leaderboardPage(ctx, of, int(page))
	if err != nil {
		return err
	}
	return r.answer.Private(ctx, message)
}

// tapPage turns to another page.
func (r *request) tapPage(ctx context.Context, c control) error {
	parts := append(strings.Split(c.Arg, "/"), "", "")
	message, err := r.leaderboardPage(ctx, ladderOf{variant: parts[0], scope: parts[1], season: parts[2]}, c.Revision)
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, message)
}

// leaderboardPage is one page of what is asked for.
func (r *request) leaderboardPage(ctx context.Context, of ladderOf, page int) (wire.Message, error) {
	s, err := r.house(ctx)
	if err != nil {
		return wire.Message{}, err
	}
	v, ok := r.app.Variant(s, of.variant)
	switch {
	case of.season == seasonHall && r.in.Server != "":
		return r.hall(ctx)
	case r.wantsActivity(s, of.variant):
		return r.activityPage(ctx, s, of, page)
	case !ok:
		return wire.Message{}, errOutdated
	}
	return r.boardPage(ctx, s, v, of, page)
}

// boardPage is one page of a board: those ranked, then, below the line, those whose ratings are provisional, and the asker
// wherever they stand.
func (r *request) boardPage(ctx context.Context, s storage.Server, v rules.Variant, of ladderOf, page int) (wire.Message, error) {
	pool, said, err := r.pool(s, of)
	if err != nil {
		return wire.Message{}, err
	}
	board, err := r.app.Leaderboard(ctx, bot.BoardPage{
		Pool: pool, Variant: v.Key, Member: r.in.User.ID, Page: page, Rows: perPage,
	})
	if err != nil {
		return wire.Message{}, err
	}
	said["Variant"], said["Page"], said["Pages"] = variantName(v, r.phrases), board.Page, board.Pages
	if board.Ranked+board.Provisional == 0 {
		return private(r.Say("BoardEmpty"+poolWord(pool), said)), nil
	}
	lines := []string{
		r.Say("LeaderboardTitle"+poolWord(pool), said),
		r.Say("LeaderboardCount", args{"Ranked": board.Ranked, "Provisional": board.Provisional}),
	}
	lines = append(lines, r.rankLines(board)...)
	message := private(strings.Join(lines, "\n"))
	message.Components = r.pageButtons(of, board.Page, board.Pages)
	message.Files = r.boardCard(ctx, v, pool, said, board)
	return message, nil
}

// pool is the pool of a ladder, with what its title says of it.
func (r *request) pool(s storage.Server, of ladderOf) (pool string, said args, err error) {
	if of.scope == "global" || r.in.Server == "" {
		return storage.GlobalPool, args{}, nil
	}
	under, ok := r.app.Season(s)
	switch {
	case ok && of.season != seasonAll:
		return storage.SeasonPool(s.ID, under.Number), args{"Number": under.Number, "Until": relative(under.To)}, nil
	case of.season == seasonNow:
		return "", nil, errNoSeasons
	}
	return storage.ServerPool(r.in.Server), args{}, nil
}

// poolWord ends the id of a message about a pool.
func poolWord(pool string) string {
	switch {
	case pool == storage.GlobalPool:
		return "Global"
	case strings.HasPrefix(pool, "season:"):
		return "Season"
	}
	return "Server"
}

func (r *request) rankLines(board bot.Board) (lines []string) {
	for i, row := range board.Rows {
		if row.Rank == 0 && (i == 0 || board.Rows[i-1].Rank != 0) {
			lines = append(lines, r.Say("LeaderboardLine", nil))
		}
		lines = append(lines, r.rankLine(row))
	}
	return append(lines, r.ownLines(board)...)
}

// ownLines tell the asker where they stand, if no row of the page does.
func (r *request) ownLines(board bot.Board) []string {
	if board.Own == nil {
		return []string{r.Say("LeaderboardOwnNone", nil)}
	}
	if showsOwn(board) {
		return nil
	}
	return []string{r.Say("LeaderboardOwn", nil), r.rankLine(*board.Own)}
}

// showsOwn tells whether the asker is in one of a page's rows.
func showsOwn(board bot.Board) bool {
	return slices.ContainsFunc(board.Rows, func(row bot.Row) bool { return row.Kept.Member == board.Own.Kept.Member })
}

func (r *request) rankLine(row bot.Row) string {
	id := "RankLine"
	if row.Rank == 0 {
		id = "RankLineProvisional"
	}
	return r.Say(id, args{
		"Rank": row.Rank, "Name": nameOf(storage.Person{ID: row.Kept.Member, Name: row.Kept.Name}, r.phrases),
		"Points": r.shownRating(row.Rating.Points, row.Rating.Deviation), "Deviation": storage.Whole(row.Rating.Deviation),
		"Wins": row.Kept.Wins, "Draws": row.Kept.Draws, "Losses": row.Kept.Losses, "Count": row.Lacks, "Trend": r.trend(row.Trend),
	})
}

// trend is what this week did to a rating.
func (r *request) trend(by int) string {
	switch {
	case by > 0:
		return r.Say("TrendUp", args{"Points": by})
	case by < 0:
		return r.Say("TrendDown", args{"Points": -by})
	}
	return ""
}

func (r *request) pageButtons(of ladderOf, page, pages int) []discordgo.MessageComponent {
	if pages == 1 {
		return nil
	}
	turn := func(label string, to int) discordgo.MessageComponent {
		id := control{Revision: to, Verb: verbPage, Arg: strings.Join([]string{of.variant, of.scope, of.season}, "/")}.String()
		return discordgo.Button{
			Label: r.Say(label, nil), CustomID: id, Style: discordgo.SecondaryButton, Disabled: to < 1 || to > pages,
		}
	}
	return row(turn("ButtonPrevious", page-1), turn("ButtonNext", page+1))
}

// whole is a number of points as it is shown.
func whole(points float64) int { return storage.Whole(points) }
