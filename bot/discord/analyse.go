package discord

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/render"
	"kraal/rules/study"
	"kraal/storage"
)

// errGameOn: a game that is not over is not analysed: it would be advice.
var errGameOn = errors.New("the game is still played")

// errUnplayed: nothing can be looked at of a game that has not begun, or was called off.
var errUnplayed = errors.New("the game was not played")

// progressEvery is how often whoever waits for an analysis is told how far it is.
const progressEvery = 3 * time.Second

// analyse is /analyse: how a finished game went and where it turned.
func (r *request) analyse(ctx context.Context) error {
	t, err := r.finishedGame(ctx)
	if err != nil {
		return err
	}
	a, err := r.analysed(ctx, t)
	if err != nil {
		return err
	}
	message, err := r.analysisMessage(ctx, t, a)
	if err != nil {
		return err
	}
	return r.answer.Revise(ctx, message)
}

// finishedGame is the game meant, or the member's last; it has to be over.
func (r *request) finishedGame(ctx context.Context) (match.Table, error) {
	id, named := r.in.Text("game")
	m, err := storage.Match{}, error(nil)
	if named {
		m, err = r.app.Visible(ctx, r.asker(), id)
	} else {
		m, err = r.lastGame(ctx)
	}
	r.game = m
	if err != nil {
		return match.Table{}, err
	}
	switch m.State {
	case storage.Playing:
		return match.Table{}, errGameOn
	case storage.Finished:
		return match.Look(m)
	}
	return match.Table{}, errUnplayed
}

// analysed is what is known of a game, worked out if it is not remembered.
func (r *request) analysed(ctx context.Context, t match.Table) (study.Analysis, error) {
	key := fmt.Sprintf("%s %d", t.Match.ID, len(t.Match.Deeds))
	if a, ok := r.thinking.analyses.get(key); ok {
		return a, nil
	}
	leave, err := r.thinking.enter(ctx, r.in.User.ID)
	if err != nil {
		return study.Analysis{}, err
	}
	defer leave()
	if a, ok := r.thinking.analyses.get(key); ok { // somebody else has asked meanwhile
		return a, nil
	}
	a, err := r.thinking.Adviser().Analyse(ctx, study.Inquiry{
		Game: t.Game, Result: t.Match.Result, Time: r.thinking.AnalysisTime, Nodes: uint64(r.thinking.AnalysisNodes),
		Progress: r.tellProgress(ctx, t.Match.ID),
	})
	if err == nil && !a.Partial { // on a day with less to do there may be time for all of it
		r.thinking.analyses.put(key, a)
	}
	return a, err
}

// tellProgress says now and then how far an analysis is.
func (r *request) tellProgress(ctx context.Context, game string) func(done, all int) {
	last := r.app.Clock.Now()
	return func(done, all int) {
		if r.app.Clock.Since(last) < progressEvery || done == all {
			return
		}
		last = r.app.Clock.Now()
		said := r.Say("AnalysisProgress", args{"Game": game, "Done": done, "Count": all})
		if err := r.answer.Revise(ctx, private(said)); err != nil {
			r.logger().Debug("progress not told", "error", err)
		}
	}
}

// analysisMessage is an analysis in words and pictures: a chart, and what would have been better at each swing.
func (r *request) analysisMessage(ctx context.Context, t match.Table, a study.Analysis) (wire.Message, error) {
	lines := []string{r.Say("AnalysisTitle", args{
		"Game": t.Match.ID, "Variant": variantName(t.Match.Variant, r.phrases), "Count": len(a.Chances) - 1,
	}), r.seatsLine(t.Match, r.phrases), r.result(t.Match)}
	if a.Partial {
		lines = append(lines, r.Say("AnalysisPartial", nil))
	}
	if len(a.Swings) == 0 {
		lines = append(lines, r.Say("AnalysisNoSwing", nil))
	}
	member, err := r.app.Member(ctx, r.in.User.ID)
	if err != nil {
		return wire.Message{}, err
	}
	painter, err := r.ownPainter(ctx)
	if err != nil {
		return wire.Message{}, err
	}
	chart, err := r.chart(painter, t.Match.ID, a)
	if err != nil {
		return wire.Message{}, err
	}
	files := []wire.File{chart}
	for i, s := range a.Swings {
		lines = append(lines, r.swingLine(t.Match, i+1, s))
		file, err := r.swingPicture(painter, t, i+1, s)
		if err != nil {
			return wire.Message{}, err
		}
		files = append(files, file)
	}
	if member.Words {
		lines = append(lines, chart.Description)
	}
	return wire.Message{Content: wholeLines(lines, r.phrases), Files: files, Ephemeral: true, Suppress: true}, nil
}

// swingLine says what was played at a swing, what it cost, and what was better.
func (r *request) swingLine(m storage.Match, number int, s study.Swing) string {
	said := r.Say("AnalysisSwing", args{
		"Number": number, "Turn": s.Number, "Name": r.nameOf(m.Seats[s.Side].Person), "Side": sideWord(s.Side, r.phrases),
		"Played": s.Played.String(), "Before": percent(s.Before), "After": percent(s.After),
		"Better": s.Better.Turn.String(), "Why": r.why(s.Better),
	})
	if s.Slip != "" {
		said += " " + r.Say("AnalysisSlip"+title(string(s.Slip)), nil)
	}
	return said
}

// swingPicture shows what would have been better, as if it had been played.
func (r *request) swingPicture(painter Painter, t match.Table, number int, s study.Swing) (wire.File, error) {
	then, err := t.After(s.Number - 1)
	if err != nil {
		return wire.File{}, err
	}
	then.Match.State = storage.Playing // it was, then
	file, err := paint(painter, r.adviceScene(then, s.Better), r.phrases)
	file.Name = fmt.Sprintf("kraal-%s-%d.png", t.Match.ID, number)
	return file, err
}

// chart draws how the chances went, with what it shows in words.
func (r *request) chart(painter Painter, game string, a study.Analysis) (wire.File, error) {
	drawn := render.Chart{Chances: a.Chances}
	for _, s := range a.Swings {
		drawn.Swings = append(drawn.Swings, s.Number)
	}
	var png bytes.Buffer
	if err := painter.Chart(&png, drawn); err != nil {
		return wire.File{}, fmt.Errorf("draw the chart: %w", err)
	}
	return wire.File{
		Name: "kraal-" + game + "-chart.png", ContentType: "image/png", Data: png.Bytes(),
		Description: r.Say("AnalysisChart", args{"List": r.chancesInWords(a)}),
	}, nil
}

// mostChances is how many moments of a chart its words tell, those of its marks aside.
const mostChances = 25

// chancesInWords lists white's chances at the moments of an analysis that are told.
func (r *request) chancesInWords(a study.Analysis) string {
	var said []string
	for _, turn := range toldMoments(a) {
		said = append(said, r.Say("AnalysisChance", args{"Turn": turn, "Percent": percent(a.Chances[turn])}))
	}
	return strings.Join(said, ", ")
}

// toldMoments are the moments of an analysis whose chances are told: some that lie evenly over the game, the last, and
// those before and after each turn that the chart marks. Every second moment alone may always be after the same side's
// turn, and tell of a smooth game.
func toldMoments(a study.Analysis) (moments []int) {
	last := len(a.Chances) - 1
	if last < 0 {
		return nil
	}
	for turn := 0; turn < last; turn += (last + mostChances) / mostChances {
		moments = append(moments, turn)
	}
	for _, s := range a.Swings {
		moments = append(moments, s.Number-1, s.Number)
	}
	moments = append(moments, last)
	slices.Sort(moments)
	return slices.Compact(moments)
}

// completeFinished lists the member's finished games.
func (r *request) completeFinished(ctx context.Context, typed string) ([]wire.Choice, error) {
	last, err := r.app.NamedFinished(ctx, r.asker(), maxChoices)
	return r.gameChoices(last, typed), err
}

// adviceRefusals are the sentences of /hint and /analyse.
func adviceRefusals() []sentence {
	return []sentence{
		{bot.ErrRatedHint, "RefuseRatedHint"},
		{errGameOn, "RefuseGameOn"},
		{errUnplayed, "RefuseUnplayed"},
		{errThinking, "RefuseThinking"},
		{errCrowded, "RefuseCrowded"},
	}
}
