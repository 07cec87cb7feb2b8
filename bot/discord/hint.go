package discord

import (
	"context"
	"strings"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/render"
	"kraal/rules/study"
	"kraal/storage"
)

// hint is /hint: what to play in an unrated game, for whoever is to move in it. It is kept that a hint was given before it
// is, and the board tells the other side.
func (r *request) hint(ctx context.Context) error {
	m, err := r.find(ctx)
	if err != nil {
		return err
	}
	if err := bot.MayHint(m, r.in.User.ID); err != nil {
		return err
	}
	t, err := match.Look(m)
	if err != nil {
		return err
	}
	advice, err := r.advise(ctx, t)
	if err != nil {
		return err
	}
	if err := r.app.NoteHint(ctx, m, r.in.User.ID); err != nil {
		return err
	}
	lines := []string{r.Say("HintTurn", args{
		"Turn": advice.Turn.String(), "Why": r.why(advice), "Game": m.ID, "Chances": r.chances(advice),
	})}
	message, err := r.picturedMessage(ctx, lines, r.adviceScene(t, advice), false)
	if err != nil {
		return err
	}
	return r.answer.Private(ctx, message)
}

// advise thinks about a position, once it is the member's turn to be thought for.
func (r *request) advise(ctx context.Context, t match.Table) (study.Advice, error) {
	leave, err := r.thinking.enter(ctx, r.in.User.ID)
	if err != nil {
		return study.Advice{}, err
	}
	defer leave()
	return r.thinking.Adviser().Hint(ctx, t.Game, r.thinking.HintTime)
}

// adviceScene shows a position as it stands after what was advised, with the advice as the last turn.
func (b *Bot) adviceScene(t match.Table, a study.Advice) render.Scene {
	s := b.scene(t)
	s.Position, s.Status = a.After, t.Match.Variant.Status(a.After)
	s.Last, s.LastBy = a.Turn, t.ToMove()
	return s
}

// why says the reasons for a turn.
func (r *request) why(a study.Advice) string {
	said := make([]string, 0, len(a.Reasons))
	for _, why := range a.Reasons {
		said = append(said, r.Say("HintWhy"+title(string(why)), nil))
	}
	if last := len(said) - 1; last > 0 {
		return r.Say("HintWhyMore", args{"Why": strings.Join(said[:last], ", "), "Last": said[last]})
	}
	return strings.Join(said, ", ")
}

// chances says what a turn promises; where endgame tables tell, in exact words.
func (r *request) chances(a study.Advice) string {
	said := args{"Percent": percent(a.Chance()), "Count": a.Certain.Turns}
	switch {
	case a.Certain.Drawn():
		return r.Say("HintDrawn", said)
	case a.Certain.Known && a.Certain.Turns == 0:
		return r.Say("HintSure", said)
	case a.Certain.Won():
		return r.Say("HintWon", said)
	case a.Certain.Lost():
		return r.Say("HintLost", said)
	}
	return r.Say("HintChances", said)
}

// percent is a chance as people read it.
func percent(chance float64) int { return int(100*chance + 0.5) }

// hintsLine tells who has been told what to play, and how often; "" while nobody was.
func hintsLine(m storage.Match, say phrases) string {
	var lines []string
	for side, seat := range m.Seats {
		given := 0
		for _, h := range m.Hints {
			if int(h.By) == side {
				given++
			}
		}
		if given > 0 {
			lines = append(lines, say.Say("BoardHints", args{"Name": nameOf(seat.Person, say), "Count": given}))
		}
	}
	return strings.Join(lines, "\n")
}
