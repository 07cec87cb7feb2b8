package discord

import (
	"context"
	"strings"

	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// completer suggests values for an option, given what was typed so far.
type completer func(*request, context.Context, string) ([]wire.Choice, error)

const (
	maxChoices = 25  // suggestions that Discord takes
	maxChoice  = 100 // characters in one
)

// completers is the table of options that are completed, by command and option, or by option alone.
func completers() map[string]completer {
	return map[string]completer{
		"variant":             (*request).completeVariant,
		"leaderboard/variant": (*request).completeLadder,
		"game":                (*request).completeGame,
		"settings/base":       (*request).completeBase,
		"settings/rules":      (*request).completeRules,
		"settings/house":      (*request).completeHouse,
		"referee/game":        (*request).completeRefereed,
		"watch/game":          (*request).completeWatched,
		"analyse/game":        (*request).completeFinished,
		"place/point":         completePoints(rules.Place, func(a rules.Action) rules.Point { return a.To }),
		"shoot/point":         completePoints(rules.Shoot, func(a rules.Action) rules.Point { return a.To }),
		"move/from":           completePoints(rules.Move, func(a rules.Action) rules.Point { return a.From }),
		"move/to":             completePoints(rules.Move, func(a rules.Action) rules.Point { return a.To }),
	}
}

// complete answers with suggestions. It never errs: where nothing can be suggested, nothing is.
func (r *request) complete(ctx context.Context) error {
	option, typed := r.in.Focused()
	c := r.completions[r.in.Name+"/"+option]
	if c == nil {
		c = r.completions[option]
	}
	var choices []wire.Choice
	if c != nil {
		var err error
		if choices, err = c(r, ctx, typed); err != nil {
			r.logger().Debug("nothing to suggest", "option", option, "error", err)
		}
	}
	if err := r.answer.Choices(ctx, choices[:min(len(choices), maxChoices)]); err != nil {
		r.logger().Debug("suggestions not delivered", "error", err)
	}
	return nil
}

func (r *request) completeVariant(ctx context.Context, typed string) ([]wire.Choice, error) {
	offered, err := r.variants(ctx)
	return r.choicesOf(r.matchVariants(offered, typed, contains)), err
}

// completeGame lists the member's own games, as far as they can be named here.
func (r *request) completeGame(ctx context.Context, typed string) ([]wire.Choice, error) {
	mine, err := r.app.Named(ctx, r.asker())
	if err != nil {
		return nil, err
	}
	if r.in.Name == "replay" {
		last, err := r.app.NamedFinished(ctx, r.asker(), maxChoices)
		if err != nil {
			return nil, err
		}
		mine = append(mine, last...)
	}
	return r.gameChoices(mine, typed), nil
}

// gameChoices are games as suggestions, those that hold what was typed.
func (r *request) gameChoices(games []storage.Match, typed string) (choices []wire.Choice) {
	for _, m := range games {
		if m.State == storage.Challenged {
			continue
		}
		if choice := r.gameChoice(m); contains(choice.Name, typed) {
			choices = append(choices, choice)
		}
	}
	return choices
}

// gameChoice is a game as it is suggested.
func (r *request) gameChoice(m storage.Match) wire.Choice {
	name := r.Say("GameChoice", args{
		"Game": m.ID, "Variant": variantName(m.Variant, r.phrases),
		"White": plainSeatName(m.Seats[rules.White], r.phrases),
		"Black": plainSeatName(m.Seats[rules.Black], r.phrases),
	})
	return wire.Choice{Name: cut(name, maxChoice), Value: m.ID}
}

// completePoints suggests the points of the actions that are legal now.
func completePoints(kind rules.ActionKind, point func(rules.Action) rules.Point) completer {
	return func(r *request, ctx context.Context, typed string) ([]wire.Choice, error) {
		m, err := r.find(ctx)
		if err != nil {
			return nil, err
		}
		t, err := match.Look(m)
		if err != nil {
			return nil, err
		}
		if side, ok := t.SideOf(r.in.User.ID); !ok || side != t.ToMove() {
			return nil, match.ErrNotYourTurn
		}
		return r.pointChoices(t, r.legalPoints(t, kind, point), kind, typed), nil
	}
}

// legalPoints are the points of the legal actions of a kind; of moves, those of the piece chosen already.
func (r *request) legalPoints(t match.Table, kind rules.ActionKind, point func(rules.Action) rules.Point) (s rules.Points) {
	from, chosen := rules.Point(0), false
	if focused, _ := r.in.Focused(); focused == "to" {
		if text, ok := r.in.Text("from"); ok {
			p, err := readPoint(text)
			from, chosen = p, err == nil
		}
	}
	for _, a := range t.Game.Legal() {
		if a.Kind == kind && (!chosen || a.From == from) {
			s = s.With(point(a))
		}
	}
	return s
}

// pointChoices are points as suggestions, those that begin with what was typed.
func (r *request) pointChoices(t match.Table, s rules.Points, kind rules.ActionKind, typed string) (choices []wire.Choice) {
	typed = strings.ToLower(strings.TrimSpace(typed))
	for _, p := range sortedPoints(s) {
		if !strings.HasPrefix(p.String(), typed) {
			continue
		}
		name := p.String()
		if kind == rules.Place {
			if word := closesWord(t.Match.Variant, t.Game.Position(), rules.Action{Kind: kind, To: p}, r.phrases); word != "" {
				name += ", " + word
			}
		}
		choices = append(choices, wire.Choice{Name: cut(name, maxChoice), Value: p.String()})
	}
	return choices
}
