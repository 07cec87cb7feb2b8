package discord

import (
	"context"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// perPage is how many members a page of the leaderboard shows.
const perPage = 10

// leaderboard is /leaderboard.
func (r *request) leaderboard(ctx context.Context) error {
	v, err := r.variantOption(ctx)
	if err != nil {
		return err
	}
	scope, _ := r.in.Text("scope")
	page, _ := r.in.Int("page")
	message, err := r.leaderboardPage(ctx, v, scope, int(page))
	if err != nil {
		return err
	}
	return r.answer.Private(ctx, message)
}

// tapPage turns to another page.
func (r *request) tapPage(ctx context.Context, c control) error {
	key, scope, _ := strings.Cut(c.Arg, "/")
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	v, ok := r.app.Variant(s, key)
	if !ok {
		return errOutdated
	}
	message, err := r.leaderboardPage(ctx, v, scope, c.Revision)
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, message)
}

// leaderboardPage is one page: those ranked, then, below the line, those whose ratings are provisional.
func (r *request) leaderboardPage(ctx context.Context, v rules.Variant, scope string, page int) (wire.Message, error) {
	pool := r.pool(scope)
	board, err := r.app.Leaderboard(ctx, pool, v.Key)
	if err != nil {
		return wire.Message{}, err
	}
	rows := slices.Concat(board.Ranked, board.Provisional)
	if len(rows) == 0 {
		return private(r.Say("BoardEmpty"+poolWord(pool), args{"Variant": variantName(v, r.phrases)})), nil
	}
	pages := (len(rows) + perPage - 1) / perPage
	page = min(max(page, 1), pages)
	lines := []string{r.Say("LeaderboardTitle"+poolWord(pool), args{"Variant": variantName(v, r.phrases), "Page": page, "Pages": pages})}
	from, to := (page-1)*perPage, min(page*perPage, len(rows))
	for i, row := range rows[from:to] {
		if row.Rank == 0 && (i == 0 || rows[from+i-1].Rank != 0) {
			lines = append(lines, r.Say("LeaderboardLine", nil))
		}
		lines = append(lines, r.rankLine(row))
	}
	if own, ok := ownRow(rows, r.in.User.ID, from, to); ok {
		lines = append(lines, r.Say("LeaderboardOwn", nil), r.rankLine(own))
	}
	message := private(strings.Join(lines, "\n"))
	message.Components = r.pageButtons(v, scope, page, pages)
	return message, nil
}

// pool is the pool that a scope names.
func (r *request) pool(scope string) string {
	if scope == "global" || r.in.Server == "" {
		return storage.GlobalPool
	}
	return storage.ServerPool(r.in.Server)
}

func poolWord(pool string) string {
	if pool == storage.GlobalPool {
		return "Global"
	}
	return "Server"
}

// ownRow is the asker's row, if the page does not show it.
func ownRow(rows []bot.Row, member string, from, to int) (bot.Row, bool) {
	for i, row := range rows {
		if row.Kept.Member == member {
			return row, i < from || i >= to
		}
	}
	return bot.Row{}, false
}

func (r *request) rankLine(row bot.Row) string {
	id := "RankLine"
	if row.Rank == 0 {
		id = "RankLineProvisional"
	}
	return r.Say(id, args{
		"Rank": row.Rank, "Name": nameOf(storage.Person{ID: row.Kept.Member, Name: row.Kept.Name}, r.phrases),
		"Points": r.shownRating(row.Rating.Points, row.Rating.Deviation), "Deviation": bot.Whole(row.Rating.Deviation),
		"Wins": row.Kept.Wins, "Draws": row.Kept.Draws, "Losses": row.Kept.Losses,
	})
}

func (r *request) pageButtons(v rules.Variant, scope string, page, pages int) []discordgo.MessageComponent {
	if pages == 1 {
		return nil
	}
	turn := func(label string, to int) discordgo.MessageComponent {
		id := control{Revision: to, Verb: verbPage, Arg: v.Key + "/" + scope}.String()
		return discordgo.Button{
			Label: r.Say(label, nil), CustomID: id, Style: discordgo.SecondaryButton, Disabled: to < 1 || to > pages,
		}
	}
	return row(turn("ButtonPrevious", page-1), turn("ButtonNext", page+1))
}

// profile is /profile.
func (r *request) profile(ctx context.Context) error {
	person := r.person()
	if user, ok := r.in.Person("user"); ok {
		person = storage.Person{ID: user.ID, Name: user.Name}
	}
	variants, err := r.variants(ctx)
	if err != nil {
		return err
	}
	if _, ok := r.in.Text("variant"); ok {
		v, err := r.variantOption(ctx)
		if err != nil {
			return err
		}
		variants = []rules.Variant{v}
	}
	lines := []string{r.Say("ProfileTitle", args{"Name": r.nameOf(person)})}
	for _, pool := range r.profilePools() {
		p, err := r.app.Profile(ctx, pool, person.ID, variants)
		if err != nil {
			return err
		}
		lines = append(lines, r.profileLines(p, pool)...)
		if form := r.form(p.Last, person.ID); pool == storage.GlobalPool && form != "" {
			lines = append(lines, r.Say("ProfileForm", args{"Form": form}))
		}
	}
	climbed, err := r.ascent(ctx, person.ID, variants)
	if err != nil {
		return err
	}
	if lines = append(lines, climbed...); len(lines) == 1 {
		lines = append(lines, r.Say("ProfileEmpty", nil))
	}
	return r.answer.Private(ctx, private(strings.Join(lines, "\n")))
}

func (r *request) profilePools() []string {
	if r.in.Server == "" {
		return []string{storage.GlobalPool}
	}
	return []string{storage.ServerPool(r.in.Server), storage.GlobalPool}
}

func (r *request) profileLines(p bot.Profile, pool string) (lines []string) {
	for i, s := range p.Standings {
		if i == 0 {
			lines = append(lines, r.Say("ProfilePool"+poolWord(pool), nil))
		}
		id := "ProfileLine"
		if s.Row.Rank == 0 {
			id = "ProfileLineProvisional"
		}
		lines = append(lines, r.Say(id, args{
			"Variant": variantName(s.Variant, r.phrases), "Points": r.shownRating(s.Row.Rating.Points, s.Row.Rating.Deviation),
			"Deviation": bot.Whole(s.Row.Rating.Deviation), "Rank": s.Row.Rank, "Of": s.Of,
			"Wins": s.Row.Kept.Wins, "Draws": s.Row.Kept.Draws, "Losses": s.Row.Kept.Losses,
		}))
	}
	return lines
}

// form is how the last games went, newest first, a letter each.
func (r *request) form(last []storage.Match, member string) string {
	var letters []string
	for _, m := range last {
		if t, err := match.Look(m); err != nil || match.Alone(m) || !t.BothMoved() || !m.Annulled.IsZero() {
			continue // it counted for nobody
		}
		id := "FormDraw"
		if winner, ok := m.Result.Winner(); ok {
			id = "FormLoss"
			if m.Seats[winner].ID == member {
				id = "FormWin"
			}
		}
		letters = append(letters, r.Say(id, nil))
	}
	return strings.Join(letters, " ")
}

// whole is a number of points as it is shown.
func whole(points float64) int { return bot.Whole(points) }
