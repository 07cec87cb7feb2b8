package discord

import (
	"context"
	"strings"

	"github.com/bwmarrin/discordgo"

	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// results are what can be predicted, in the order in which they are offered.
func results() []rules.Result { return []rules.Result{rules.WhiteWins, rules.BlackWins, rules.Drawn} }

// predictRefusals are the sentences about predictions.
func predictRefusals() []sentence {
	return []sentence{
		{match.ErrPlayer, "RefusePredictPlayer"},
		{match.ErrPredicted, "RefusePredictLate"},
		{match.ErrManyPredict, "RefusePredictMany"},
		{match.ErrNoPrediction, "RefuseOutdated"},
	}
}

// looking are the controls of a board for those who look on.
func (b *Bot) looking(t match.Table, say phrases) []discordgo.MessageComponent {
	m := t.Match
	tap := func(verb string) string { return control{Game: m.ID, Revision: m.Revision, Verb: verb}.String() }
	controls := []discordgo.MessageComponent{viewButton(m, say)}
	switch {
	case t.Predictable():
		controls = append(controls, button(say.Say("ButtonPredict", nil), tap(verbPredict), discordgo.SecondaryButton))
	case m.State == storage.Finished && m.Server != "":
		controls = append(controls, button(say.Say("ButtonPredictions", nil), tap(verbSeers), discordgo.SecondaryButton))
	}
	return controls
}

// foretoldLine is what was said of a game, and of one that is over how many were right; "" where nobody said anything.
func foretoldLine(m storage.Match, say phrases) string {
	f := m.Foretold
	switch {
	case f.All() == 0 || m.State != storage.Playing && m.State != storage.Finished:
		return ""
	case m.State == storage.Finished:
		return say.Say("BoardForetold", args{"Right": f.Of(m.Result), "Count": f.All()})
	}
	return say.Say("BoardPredictions", args{"White": f.White, "Black": f.Black, "Draw": f.Draw})
}

// tapPredict asks what somebody who looks on thinks, privately.
func (r *request) tapPredict(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	t, err := match.Look(r.game)
	if err != nil {
		return err
	}
	if err := t.MayPredict(r.in.User.ID); err != nil {
		return err
	}
	said, err := r.app.Prediction(ctx, r.in.User.ID, r.game.ID)
	if err != nil {
		return err
	}
	return r.answer.Private(ctx, r.predictMessage(r.game, said.Said))
}

// tapSay keeps what was chosen.
func (r *request) tapSay(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	m, err := r.app.Predict(ctx, c.Game, r.person(), rules.Result(c.Arg))
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, r.predictMessage(m, rules.Result(c.Arg)))
}

// predictMessage offers what can be said, and tells what has been.
func (r *request) predictMessage(m storage.Match, said rules.Result) wire.Message {
	id := "PredictAsk"
	if said != "" {
		id = "PredictSaid"
	}
	var controls []discordgo.MessageComponent
	for _, result := range results() {
		style := discordgo.SecondaryButton
		if result == said {
			style = discordgo.PrimaryButton
		}
		tap := control{Game: m.ID, Revision: m.Revision, Verb: verbSay, Arg: string(result)}
		controls = append(controls, button(r.Say("ButtonPredict"+resultWord(result), nil), tap.String(), style))
	}
	a := args{
		"Game": m.ID, "Said": "",
		"White": r.nameOf(m.Seats[rules.White].Person), "Black": r.nameOf(m.Seats[rules.Black].Person),
	}
	if said != "" {
		a["Said"] = r.Say("Predict"+resultWord(said), a)
	}
	return wire.Message{Content: r.Say(id, a), Components: row(controls...), Ephemeral: true}
}

// resultWord ends the id of a message about a result.
func resultWord(result rules.Result) string {
	winner, ok := result.Winner()
	if !ok {
		return "Draw"
	}
	return title(winner.String())
}

// tapSeers lists those of the server who were right most often.
func (r *request) tapSeers(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	best, err := r.app.Seers(ctx, r.in.Server)
	if err != nil {
		return err
	}
	if len(best) == 0 {
		return r.tellPrivately(ctx, "SeersNone", nil)
	}
	lines := []string{r.Say("SeersTitle", nil)}
	for i, s := range best {
		lines = append(lines, r.Say("SeersLine", args{
			"Rank": i + 1, "Name": r.nameOf(storage.Person{ID: s.Member, Name: s.Name}), "Right": s.Right, "Count": s.Of,
		}))
	}
	return r.answer.Private(ctx, private(strings.Join(lines, "\n")))
}
