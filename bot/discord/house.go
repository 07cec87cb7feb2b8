package discord

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/discord/words"
	"kraal/rules"
	"kraal/storage"
)

// addHouse is /settings house add.
func (r *request) addHouse(ctx context.Context) error {
	name, _ := r.in.Text("name")
	typed, _ := r.in.Text("base")
	base, err := r.baseNamed(typed)
	if err != nil {
		return err
	}
	changes, _ := r.in.Text("rules")
	v, err := r.app.AddHouse(ctx, r.in.Server, strings.TrimSpace(name), base, changes)
	if err != nil {
		return err
	}
	return r.tellPrivately(ctx, "HouseAdded", args{
		"Variant": variantName(v, r.phrases), "Key": v.Key, "Changes": changedRules(v, r.phrases),
	})
}

// baseNamed is one of the six: house rules are not made of house rules, so that what differs can be said.
func (r *request) baseNamed(typed string) (rules.Variant, error) {
	found := r.matchVariants(rules.Variants(), typed, strings.EqualFold)
	if v, ok := rules.Lookup(strings.ToLower(strings.TrimSpace(typed))); ok {
		found = []rules.Variant{v}
	}
	if len(found) != 1 {
		return rules.Variant{}, &VariantError{Typed: words.Plain(typed), Offered: rules.Variants()}
	}
	return found[0], nil
}

// removeHouse is /settings house remove.
func (r *request) removeHouse(ctx context.Context) error {
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	v, err := r.houseNamed(s)
	if err != nil {
		return err
	}
	if v, err = r.app.RemoveHouse(ctx, r.in.Server, v.Key); err != nil {
		return err
	}
	return r.tellPrivately(ctx, "HouseRemoved", args{"Variant": variantName(v, r.phrases)})
}

// showHouse is /settings house show: one house rule, or all.
func (r *request) showHouse(ctx context.Context) error {
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	list := s.House
	if _, given := r.in.Text("house"); given {
		v, err := r.houseNamed(s)
		if err != nil {
			return err
		}
		list = []storage.HouseRule{{Key: v.Key, Variant: v}}
	}
	if len(list) == 0 {
		return r.tellPrivately(ctx, "SettingsHouseNone", nil)
	}
	var lines []string
	for _, h := range list {
		lines = append(lines, r.Say("HouseLine", args{
			"Variant": variantName(h.Variant, r.phrases), "Key": h.Key, "Base": baseName(h.Variant, r.phrases),
			"Changes": changedRules(h.Variant, r.phrases),
		}))
	}
	return r.answer.Private(ctx, private(wholeLines(lines, r.phrases)))
}

// houseNamed is the server's own game that was chosen or typed, by its key or its name.
func (r *request) houseNamed(s storage.Server) (rules.Variant, error) {
	typed, _ := r.in.Text("house")
	typed = strings.TrimSpace(typed)
	for _, h := range s.House {
		if strings.EqualFold(h.Key, typed) || strings.EqualFold(h.Variant.Name, typed) {
			return h.Variant, nil
		}
	}
	return rules.Variant{}, bot.ErrHouseUnknown
}

func (r *request) houseNames(s storage.Server) (names []string) {
	for _, h := range s.House {
		names = append(names, variantName(h.Variant, r.phrases))
	}
	return names
}

// baseName is what the game is called that a variant was made from.
func baseName(v rules.Variant, say phrases) string {
	base, _ := rules.Lookup(v.Base)
	return variantName(base, say)
}

// changedRules says in words what differs from the game that a variant was made from; "" if nothing does.
func changedRules(v rules.Variant, say phrases) string {
	var said []string
	for change := range strings.FieldsSeq(v.Changes()) {
		column, value, _ := strings.Cut(change, "=")
		said = append(said, ruleWord(column, value, say))
	}
	return strings.Join(said, "; ")
}

// ruleWord is one column in words: what holds, not what it is called.
func ruleWord(column, value string, say phrases) string {
	id := "Changed" + title(strings.ReplaceAll(column, "_", "-"))
	n, err := strconv.Atoi(value)
	switch {
	case err != nil:
		return say.Say(id+title(value), nil)
	case n == 0:
		return say.Say(id+"None", nil)
	}
	return say.Say(id, args{"Count": n})
}

func (r *request) completeBase(_ context.Context, typed string) (choices []wire.Choice, err error) {
	return r.choicesOf(r.matchVariants(rules.Variants(), typed, contains)), nil
}

func (r *request) completeHouse(ctx context.Context, typed string) ([]wire.Choice, error) {
	s, err := r.house(ctx)
	var own []rules.Variant
	for _, h := range s.House {
		own = append(own, h.Variant)
	}
	return r.choicesOf(r.matchVariants(own, typed, contains)), err
}

// completeRules suggests how a text of changed columns can go on: a column's name, or, after it, its values.
func (r *request) completeRules(_ context.Context, typed string) (choices []wire.Choice, err error) {
	kept, word := typed[:strings.LastIndexAny(typed, " ,;")+1], typed[strings.LastIndexAny(typed, " ,;")+1:]
	name, value, named := strings.Cut(word, "=")
	for _, column := range rules.Columns() {
		if !strings.HasPrefix(column, strings.ToLower(name)) || named && column != name || strings.Contains(kept, column+"=") {
			continue
		}
		for _, v := range suggestedValues(column) {
			if text := kept + column + "=" + v; strings.HasPrefix(v, value) && len(text) <= maxChoice {
				choices = append(choices, wire.Choice{Name: text, Value: text})
			}
			if !named {
				break // first the columns, so that all are seen
			}
		}
	}
	return choices, nil
}

// suggestedValues are values that a column takes: all words, and of numbers those that somebody is likely to want.
func suggestedValues(column string) (list []string) {
	values, _ := rules.ColumnValues(column)
	if len(values.Words) > 0 {
		return values.Words
	}
	for _, n := range []int{11, 10, 9, 8, 7, 6, 5, 4, 3, 12, 2, 0, 20, 30, 50, 100, 200} {
		if n >= values.Min && n <= values.Max && n != values.Except {
			list = append(list, strconv.Itoa(n))
		}
	}
	return list
}

// choicesOf are variants as suggestions.
func (r *request) choicesOf(variants []rules.Variant) (choices []wire.Choice) {
	for _, v := range variants {
		choices = append(choices, wire.Choice{Name: cut(plainVariantName(v, r.phrases), maxChoice), Value: v.Key})
	}
	return choices
}

// defaultGame is what is played in a server where nobody says which.
func (r *request) defaultGame(s storage.Server) rules.Variant {
	if v, ok := r.app.Variant(s, s.Variant); ok {
		return v
	}
	v, _ := rules.Lookup(defaultVariant) // the server's own game is offered no more
	return v
}

// isBuiltin tells whether a variant goes by the name of one of the six.
func isBuiltin(v rules.Variant) bool {
	return slices.ContainsFunc(rules.Variants(), func(row rules.Variant) bool { return row.Key == v.Key })
}
