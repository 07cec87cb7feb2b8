package discord

import (
	"context"
	"strings"

	"kraal/bot"
	"kraal/rules"
	"kraal/storage"
)

// profile is /profile.
func (r *request) profile(ctx context.Context) error {
	person := r.person()
	if user, ok := r.in.Person("user"); ok {
		person = storage.Person{ID: user.ID, Name: user.Name}
	}
	variants, err := r.profileVariants(ctx)
	if err != nil {
		return err
	}
	lines := []string{r.Say("ProfileTitle", args{"Name": r.nameOf(person)})}
	var pools []poolStandings // the nearest to the asker comes first
	for _, pool := range r.profilePools() {
		standings, err := r.app.Standings(ctx, pool, person.ID, variants)
		if err != nil {
			return err
		}
		pools = append(pools, poolStandings{pool, standings})
		lines = append(lines, r.standingLines(standings, pool)...)
	}
	past, err := r.app.Past(ctx, person.ID, r.in.User.ID)
	if err != nil {
		return err
	}
	lines = append(lines, r.habitLines(pools[0].all)...)
	lines = append(lines, r.pastLines(past)...)
	climbed, err := r.ascent(ctx, person.ID, variants)
	if err != nil {
		return err
	}
	if lines = append(lines, climbed...); len(lines) == 1 {
		lines = append(lines, r.Say("ProfileEmpty", nil))
	}
	message := private(strings.Join(lines, "\n"))
	message.Files = r.ratingsChart(ctx, person, pools)
	return r.answer.Private(ctx, message)
}

// profileVariants are the games that a profile tells of: the one asked for, or all that can be played here.
func (r *request) profileVariants(ctx context.Context) ([]rules.Variant, error) {
	if _, ok := r.in.Text("variant"); !ok {
		return r.variants(ctx)
	}
	v, err := r.variantOption(ctx)
	return []rules.Variant{v}, err
}

func (r *request) profilePools() []string {
	if r.in.Server == "" {
		return []string{storage.GlobalPool}
	}
	return []string{storage.ServerPool(r.in.Server), storage.GlobalPool}
}

func (r *request) standingLines(standings []bot.Standing, pool string) (lines []string) {
	for i, s := range standings {
		if i == 0 {
			lines = append(lines, r.Say("ProfilePool"+poolWord(pool), nil))
		}
		id := "ProfileLine"
		if s.Row.Rank == 0 {
			id = "ProfileLineProvisional"
		}
		lines = append(lines, r.Say(id, args{
			"Variant": variantName(s.Variant, r.phrases), "Points": r.shownRating(s.Row.Rating.Points, s.Row.Rating.Deviation),
			"Deviation": whole(s.Row.Rating.Deviation), "Rank": s.Row.Rank, "Of": s.Of, "Trend": r.trend(s.Row.Trend),
			"Wins": s.Row.Kept.Wins, "Draws": s.Row.Kept.Draws, "Losses": s.Row.Kept.Losses, "Count": s.Row.Lacks,
		}))
	}
	return lines
}

// habitLines tell what a member is known for: the best win, and the colour they play most.
func (r *request) habitLines(standings []bot.Standing) (lines []string) {
	if best, ok := bot.BestWin(standings); ok {
		win := best.Row.Kept.Best
		lines = append(lines, r.Say("ProfileBest", args{
			"Name": r.nameOf(win.Over), "Points": whole(win.Points), "Variant": variantName(best.Variant, r.phrases), "Game": win.Match,
		}))
	}
	if side, often, of, ok := bot.Favourite(standings); ok {
		lines = append(lines, r.Say("ProfileColour", args{"Side": sideWord(side, r.phrases), "Games": often, "Count": of}))
	}
	return lines
}

// pastLines tell how the last games went, and those with the asker.
func (r *request) pastLines(p bot.Past) (lines []string) {
	if len(p.Form) > 0 {
		var letters []string
		for _, o := range p.Form {
			id := map[bot.Outcome]string{bot.Won: "FormWin", bot.Drawn: "FormDraw", bot.Lost: "FormLoss"}[o]
			letters = append(letters, r.Say(id, nil))
		}
		lines = append(lines, r.Say("ProfileForm", args{"Form": strings.Join(letters, " ")}))
	}
	const worthTelling = 2
	more := either(p.Longer, r.Say("OrMore", nil), "")
	switch {
	case p.Streak >= worthTelling:
		lines = append(lines, r.Say("ProfileStreakWon", args{"Count": p.Streak, "More": more}))
	case p.Streak <= -worthTelling:
		lines = append(lines, r.Say("ProfileStreakLost", args{"Count": -p.Streak, "More": more}))
	}
	if score := p.Against; score.Games() > 0 {
		lines = append(lines, r.Say("ProfileAgainst", args{"Won": score.Won, "Drawn": score.Drawn, "Lost": score.Lost}))
	}
	return lines
}
