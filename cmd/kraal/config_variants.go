package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kraal/bot"
	"kraal/rules"
)

// variantsConfig is the house rules of whoever runs the bot, by their keys: [variants.KEY] with a name, the key of the
// game that it is made from, and the columns that differ.
type variantsConfig map[string]map[string]any

// list is the house rules in the order of their keys. The error is a *variantError.
func (c variantsConfig) list() (made []rules.Variant, err error) {
	for _, key := range slices.Sorted(maps.Keys(c)) {
		v, err := variantOf(key, c[key])
		if err != nil {
			return nil, err
		}
		made = append(made, v)
	}
	return made, nil
}

// check names the line of a house rule that cannot be.
func (c variantsConfig) check(path, text string) error {
	_, err := c.list()
	var wrong *variantError
	if errors.As(err, &wrong) {
		return &configError{Where: at(path, wrong.line(text)), Key: wrong.key(), Why: wrong.Why}
	}
	return err
}

// variantError is what is wrong with a house rule.
type variantError struct {
	Variant, Field string // no Field: it is the house rule as a whole
	Why            string
}

func (e *variantError) Error() string { return e.key() + ": " + e.Why }

func (e *variantError) key() string {
	return strings.TrimSuffix("variants."+e.Variant+"."+e.Field, ".")
}

// line is where the field is set, else where the house rule begins.
func (e *variantError) line(text string) int {
	if line := lineOf(text, e.key()); e.Field != "" && line > 1 {
		return line
	}
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "[variants."+e.Variant+"]") {
			return i + 1
		}
	}
	return 1
}

func variantOf(key string, fields map[string]any) (rules.Variant, error) {
	wrong := func(field, why string) (rules.Variant, error) {
		return rules.Variant{}, &variantError{Variant: key, Field: field, Why: why}
	}
	name, _ := fields["name"].(string)
	if name == "" {
		return wrong("name", "it needs a name, as a text")
	}
	of, _ := fields["base"].(string)
	base, known := rules.Lookup(of)
	if !known {
		return wrong("base", "it needs the key of the game that it is made from: "+strings.Join(builtin(), ", "))
	}
	var changes []string
	for _, column := range slices.Sorted(maps.Keys(fields)) {
		if column == "name" || column == "base" {
			continue
		}
		value := fmt.Sprint(fields[column])
		if _, err := base.Set(column, value); err != nil {
			return wrong(column, whyNot(err))
		}
		changes = append(changes, column+"="+value)
	}
	v, err := bot.House(key, name, base, strings.Join(changes, " "))
	switch {
	case errors.Is(err, bot.ErrHouseName):
		return wrong("", "a key is made of lower-case letters, digits and hyphens, and a name of at most 32 characters")
	case errors.Is(err, bot.ErrHouseTaken):
		return wrong("", "that key is one of the six games'")
	case err != nil:
		return wrong("", err.Error())
	}
	return v, nil
}

// whyNot says what a column can be.
func whyNot(err error) string {
	var column *rules.ColumnError
	if errors.As(err, &column) {
		return fmt.Sprintf("%q cannot be; allowed is %s", column.Value, column.Allowed)
	}
	return err.Error()
}

func builtin() (keys []string) {
	for _, v := range rules.Variants() {
		keys = append(keys, v.Key)
	}
	return keys
}

// variantNamed is the row of the table with that key.
func variantNamed(key string) (rules.Variant, error) {
	v, known := rules.Lookup(key)
	if known {
		return v, nil
	}
	var keys []string
	for _, row := range rules.Variants() {
		keys = append(keys, row.Key)
	}
	return v, fmt.Errorf("variant %q: there are %s", key, strings.Join(keys, ", "))
}
