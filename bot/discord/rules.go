package discord

import (
	"context"
	"strings"
	"unicode/utf8"

	"kraal/bot/discord/wire"
	"kraal/render"
	"kraal/rules"
)

// rules is /rules.
func (r *request) rules(ctx context.Context) error {
	v, err := r.variantOption(ctx)
	if err != nil {
		return err
	}
	return r.explain(ctx, v)
}

// explain tells the rules of a variant, column by column, so that house rules are told as truly as the six: then tips and
// the mistakes that beginners make, with a picture of a mill and the shot that it earns.
func (r *request) explain(ctx context.Context, v rules.Variant) error {
	file, err := r.ownPicture(ctx, millScene(v))
	if err != nil {
		return err
	}
	return r.answer.Private(ctx, wire.Message{
		Content: cut(rulesText(v, r.phrases), maxContent), Files: []wire.File{file}, Ephemeral: true, Suppress: true,
		Components: row(lessonButton(v, r.phrases)),
	})
}

// rulesText is the rules of a variant in words: what holds, then as much advice as a message has room for.
func rulesText(v rules.Variant, say phrases) string {
	a := args{
		"Variant": variantName(v, say), "Count": v.Pieces, "First": sideWord(v.First, say), "Lines": len(v.Lines()),
		"NoShot": v.NoShot, "Three": v.ThreeAgainstThree, "Repetition": v.Repetition,
		"Base": baseName(v, say), "Changes": changedRules(v, say),
	}
	said := ""
	for i, ids := range append(ruleIDs(v), adviceIDs(v)...) {
		paragraph := ""
		for _, id := range ids {
			paragraph += " " + say.Say(id, a)
		}
		if more := strings.TrimSpace(said + "\n" + strings.TrimSpace(paragraph)); i < len(ruleIDs(v)) || utf8.RuneCountInString(more) <= maxContent {
			said = more
		}
	}
	return said
}

// ruleIDs are the messages about what holds, by paragraph.
func ruleIDs(v rules.Variant) [][]string {
	ids := [][]string{{"RulesTitle"}}
	if v.Changes() != "" {
		ids = append(ids, []string{"RulesChanged"})
	}
	ids = append(ids,
		[]string{"RulesAim"}, []string{"RulesPlacing"},
		[]string{"RulesMoving", either(v.Flies, "RulesFlies", "RulesNoFlying")},
		[]string{"RulesMill", either(v.Diagonals, "RulesDiagonals", "RulesNoDiagonals"),
			either(v.Shots == rules.OneAMill, "RulesShotEach", "RulesShotOne"), either(v.Protected, "RulesProtected", "RulesUnprotected")},
	)
	if v.NoReturn {
		ids = append(ids, []string{"RulesNoReturn"})
	}
	ids = append(ids, []string{"RulesLose", either(v.Blocked == rules.Passes, "RulesPass", "RulesBlocked")}, drawIDs(v))
	if v.TwoMinuteRule() {
		ids = append(ids, []string{"RulesTwoMinutes"})
	}
	return ids
}

// adviceIDs are the messages that help beginners, by paragraph.
func adviceIDs(v rules.Variant) [][]string {
	ids := [][]string{tipIDs(v), {"RulesMistakes"}}
	if v.Pieces > 3 {
		ids = append(ids, []string{either(v.Protected, "RulesPicture", "RulesPictureOpen")})
	}
	return ids
}

// drawIDs are the messages about the draws that a variant knows.
func drawIDs(v rules.Variant) []string {
	ids := []string{"RulesDraws"}
	if v.Repetition > 0 {
		ids = append(ids, "RulesRepetition")
	}
	if v.NoShot > 0 {
		ids = append(ids, "RulesNoShot")
	}
	if v.ThreeAgainstThree > 0 {
		ids = append(ids, "RulesThree")
	}
	if v.FullBoard == rules.Draws {
		ids = append(ids, "RulesFullBoard")
	}
	return ids
}

// tipIDs are the messages of the tips that hold for a variant.
func tipIDs(v rules.Variant) []string {
	ids := []string{"RulesTips"}
	if v.Blocked == rules.Loses {
		ids = append(ids, "RulesTipRoom")
	}
	if !v.NoReturn {
		ids = append(ids, "RulesTipSwing")
	}
	return append(ids, either(v.Diagonals, "RulesTipDiagonals", "RulesTipNoDiagonals"))
}

func either(yes bool, id, other string) string {
	if yes {
		return id
	}
	return other
}

// millScene is the moment after white has closed a mill by a move, late in a game: the move, the mill and what may be shot
// are marked.
func millScene(v rules.Variant) render.Scene {
	p := v.Opening()
	p.Hand = [2]uint8{}
	set := func(side rules.Side, names ...string) {
		for _, name := range names {
			if at, err := rules.ParsePoint(name); err == nil {
				p.Pieces[side] = p.Pieces[side].With(at)
			}
		}
	}
	set(rules.White, "a7", "d7", "g7")
	set(rules.Black, "b2", "d2", "f2")
	if v.Pieces > 3 {
		set(rules.Black, "e4")
	}
	p.Turn, p.Pending = rules.White, 1
	last, _ := rules.ParseTurn("g4-g7")
	return render.Scene{Variant: v, Position: p, Last: last, LastBy: rules.White}
}
