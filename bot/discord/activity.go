package discord

import (
	"context"
	"slices"
	"strings"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/storage"
)

// allVariants is the value of variant with which /leaderboard tells who plays most. A house rule of that name goes first.
const allVariants = "all"

// wantsActivity tells whether that is asked for.
func (r *request) wantsActivity(s storage.Server, variant string) bool {
	_, taken := r.app.Variant(s, allVariants)
	return !taken && strings.EqualFold(strings.TrimSpace(variant), allVariants)
}

// activityPage is one page of who plays most.
func (r *request) activityPage(ctx context.Context, s storage.Server, of ladderOf, page int) (wire.Message, error) {
	pool, said, err := r.pool(s, of)
	if err != nil {
		return wire.Message{}, err
	}
	all, err := r.app.Activity(ctx, bot.BoardPage{Pool: pool, Member: r.in.User.ID, Page: page, Rows: perPage})
	if err != nil {
		return wire.Message{}, err
	}
	if all.Members == 0 {
		return private(r.Say("ActivityEmpty", nil)), nil
	}
	said["Page"], said["Pages"] = all.Page, all.Pages
	lines := []string{r.Say("ActivityTitle"+poolWord(pool), said)}
	for _, b := range all.Rows {
		lines = append(lines, r.busyLine(b))
	}
	if own := all.Own; own == nil {
		lines = append(lines, r.Say("LeaderboardOwnNone", nil))
	} else if !slices.Contains(all.Rows, *own) {
		lines = append(lines, r.Say("LeaderboardOwn", nil), r.busyLine(*own))
	}
	message := private(strings.Join(lines, "\n"))
	message.Components = r.pageButtons(of, all.Page, all.Pages)
	return message, nil
}

func (r *request) busyLine(b bot.Busy) string {
	t := b.Tally
	return r.Say("ActivityLine", args{
		"Rank": b.Rank, "Name": r.nameOf(storage.Person{ID: t.Member, Name: t.Name}), "Count": t.Games(),
		"Wins": t.Wins, "Draws": t.Draws, "Losses": t.Losses,
	})
}

// completeLadder suggests what /leaderboard can tell of: each variant, and all of them.
func (r *request) completeLadder(ctx context.Context, typed string) ([]wire.Choice, error) {
	choices, err := r.completeVariant(ctx, typed)
	if all := r.Say("ChoiceActivity", nil); contains(all, strings.TrimSpace(typed)) {
		choices = append(choices, wire.Choice{Name: all, Value: allVariants})
	}
	return choices, err
}
