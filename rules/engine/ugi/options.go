package ugi

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kraal/rules"
)

// variantOption is the option that chooses a row of the table.
const variantOption = "Variant"

// identify answers ugi: who this is, and every option with its value as it is now.
func (s *session) identify() []string {
	v := s.game.Variant()
	lines := []string{"id name " + s.opts.Name, "id author " + s.opts.Author}
	var keys []string
	for _, row := range rules.Variants() {
		keys = append(keys, row.Key)
	}
	lines = append(lines, comboOption(variantOption, v.Key, keys))
	for _, o := range s.player.options() {
		lines = append(lines, spinOption(o.name, strconv.Itoa(*o.value), o.lowest, o.highest))
	}
	lines = append(lines, fmt.Sprintf("option name %s type string default %s", tablesOption, s.player.tablePath))
	for _, name := range rules.Columns() {
		value, _ := v.Column(name)
		allowed, _ := rules.ColumnValues(name)
		lines = append(lines, columnOption(name, value, allowed))
	}
	return append(lines, "ugiok")
}

// columnOption describes a column in the terms of UGI.
func columnOption(name, value string, allowed rules.Values) string {
	switch {
	case slices.Equal(allowed.Words, []string{"true", "false"}):
		return fmt.Sprintf("option name %s type check default %s", name, value)
	case len(allowed.Words) > 0:
		return comboOption(name, value, allowed.Words)
	}
	return spinOption(name, value, allowed.Min, allowed.Max)
}

func spinOption(name, value string, lowest, highest int) string {
	return fmt.Sprintf("option name %s type spin default %s min %d max %d", name, value, lowest, highest)
}

func comboOption(name, value string, words []string) string {
	return fmt.Sprintf("option name %s type combo default %s var %s", name, value, strings.Join(words, " var "))
}

// setOption changes the player, or chooses a variant, or changes a column of the one chosen last. Those two begin a new
// game.
func (s *session) setOption(args []string) error {
	if len(args) < 4 || args[0] != "name" || args[2] != "value" {
		return errors.New("setoption: expected name, an option, value, its value")
	}
	name, value := args[1], strings.Join(args[3:], " ")
	if strings.EqualFold(name, variantOption) {
		v, known := rules.Lookup(strings.ToLower(value))
		if !known {
			return fmt.Errorf("no variant %.40q", value)
		}
		s.game = rules.NewGame(v)
		return nil
	}
	if known, err := s.player.setOption(name, value); known {
		return err
	}
	column := strings.ToLower(name)
	if !slices.Contains(rules.Columns(), column) {
		return fmt.Errorf("no option %.40q", name)
	}
	v, err := s.game.Variant().Set(column, strings.ToLower(value))
	if err != nil {
		return err
	}
	s.game = rules.NewGame(v)
	return nil
}
