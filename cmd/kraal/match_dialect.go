package main

import (
	"fmt"
	"strconv"
	"strings"

	"kraal/rules"
)

// setting is an option of a program and the value it is to have.
type setting struct{ name, value string }

// dialect is what differs between the two languages of programs.
type dialect struct {
	hello, welcome, fresh string

	// rules is how a program is told what is played.
	rules func(v rules.Variant) ([]setting, error)
}

// dialects finds a language by its name. A program of either is asked for one action at a time, shots too, by the actions
// since the opening position. They name no colour, so it does not matter that in UCI white always begins.
func dialects() map[string]dialect {
	return map[string]dialect{
		"ugi": {"ugi", "ugiok", "uginewgame", ugiRules},
		"uci": {"uci", "uciok", "ucinewgame", uciRules},
	}
}

// ugiRules names a row of the table and the columns that a house rule changed.
func ugiRules(v rules.Variant) ([]setting, error) {
	row, ok := rules.Lookup(v.Base)
	if !ok {
		return nil, fmt.Errorf("%s comes from no row of the table", v.Key)
	}
	all := []setting{{"Variant", row.Key}}
	for _, column := range rules.Columns() {
		value, _ := v.Column(column)
		if usual, _ := row.Column(column); value != usual {
			all = append(all, setting{column, value})
		}
	}
	return all, nil
}

// uciOption is an option by which UCI programs for mill games are told a rule.
type uciOption struct {
	name  string
	value func(v rules.Variant) string
}

// uciOptions lists them. Their names and meaning are Sanmill's.
func uciOptions() []uciOption {
	return []uciOption{
		{"PiecesCount", func(v rules.Variant) string { return strconv.Itoa(v.Pieces) }},
		{"HasDiagonalLines", func(v rules.Variant) string { return strconv.FormatBool(v.Diagonals) }},
		{"MayFly", func(v rules.Variant) string { return strconv.FormatBool(v.Flies) }},
		{"MayRemoveMultiple", func(v rules.Variant) string { return strconv.FormatBool(v.Shots == rules.OneAMill) }},
		{"MayRemoveFromMillsAlways", func(v rules.Variant) string { return strconv.FormatBool(!v.Protected) }},
		{"StalemateAction", func(rules.Variant) string { return "0" }}, // whoever is blocked loses
		{"BoardFullAction", func(v rules.Variant) string {
			if v.FullBoard == rules.Draws {
				return "4"
			}
			return "0" // the player who began is blocked
		}},
		{"NMoveRule", uciNoShot},
		{"EndgameNMoveRule", uciNoShot}, // the same with three pieces left, for which ours has no rule of its own
		{"ThreefoldRepetitionRule", func(v rules.Variant) string { return strconv.FormatBool(v.Repetition > 0) }},
	}
}

// uciNoShot is the number of turns without a shot that draw, as far as UCI knows it. The referee's number holds: this one is
// what the program reckons with.
func uciNoShot(v rules.Variant) string {
	const least, most = 10, 200
	if v.NoShot == 0 {
		return strconv.Itoa(most)
	}
	return strconv.Itoa(min(max(v.NoShot, least), most))
}

// uciRules tells every rule. What those options cannot say would be played against a program that does not know it.
func uciRules(v rules.Variant) ([]setting, error) {
	for _, unknown := range []struct {
		column string
		set    bool
	}{
		{"no_return", v.NoReturn},
		{"blocked=passes", v.Blocked == rules.Passes},
	} {
		if unknown.set {
			return nil, fmt.Errorf("%s: UCI has no word for %s", v.Key, unknown.column)
		}
	}
	var all []setting
	for _, o := range uciOptions() {
		all = append(all, setting{o.name, o.value(v)})
	}
	return all, nil
}

// optionNamed reads the name from a line in which a program tells an option of its own; "" if it is another line.
func optionNamed(line string) string {
	rest, ok := strings.CutPrefix(line, "option name ")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, " type ")
	return strings.ToLower(strings.TrimSpace(name))
}
