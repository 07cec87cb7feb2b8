package sandbox

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

var slashName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// checkCommand holds a command to the rules that the API's description does not tell.
func checkCommand(c command) error {
	if err := c.checkKeys("", c.Type == commandSlash); err != nil {
		return err
	}
	switch c.Type {
	case commandUser, commandMessage:
		if n := utf8.RuneCountInString(c.Name); n < 1 || n > maxName {
			return invalid("name", "Must be between 1 and %d in length.", maxName)
		}
		if c.Description != "" || len(c.Options) > 0 {
			return invalid("description", "Context menu commands cannot have description or options.")
		}
		return nil
	case commandSlash:
	default:
		return invalid("type", "Value must be one of {1, 2, 3}.")
	}
	if err := checkNaming(c.Name, c.Description, ""); err != nil {
		return err
	}
	if c.text(c.Name, c.Description)+optionsText(c.Options) > maxCommandText {
		return invalid("_", "Command exceeds maximum size (%d)", maxCommandText)
	}
	return checkOptions(c.Options, "options", commandSlash)
}

// checkNaming holds a name and a description to their forms; at is the path of what has them, with its last dot.
func checkNaming(name, description, at string) error {
	if !isSlashName(name) {
		return invalid(at+"name", "Command name is invalid")
	}
	if n := utf8.RuneCountInString(description); n < 1 || n > maxDescription {
		return invalid(at+"description", "Must be between 1 and %d in length.", maxDescription)
	}
	return nil
}

func isSlashName(name string) bool {
	return slashName.MatchString(name) && name == strings.ToLower(name)
}

// isGroup tells the options that hold others: sub-commands and their groups.
func (o commandOption) isGroup() bool { return o.Type == optionSub || o.Type == optionGroup }

// checkOptions holds options to the rules; in is what holds them: a command, or an option that is a group or sub-command.
func checkOptions(options []commandOption, path string, in int) error {
	if len(options) > maxChoices {
		return invalid(path, "Must be %d or fewer in length.", maxChoices)
	}
	optional := false
	for i, o := range options {
		at := path + "." + strconv.Itoa(i) + "."
		switch {
		case o.Required && optional:
			return invalid(at+"required", "Required options must be placed before non-required options")
		case o.isGroup() != options[0].isGroup():
			return invalid(at+"type", "Sub-command and sub-command group option types are mutually exclusive to all other types")
		}
		if err := checkNaming(o.Name, o.Description, at); err != nil {
			return err
		}
		if err := o.checkKeys(at, true); err != nil {
			return err
		}
		if err := o.check(at, path, in); err != nil {
			return err
		}
		optional = optional || !o.Required
	}
	return checkClash(options, path)
}

// check holds one option to what its type allows where it stands.
func (o commandOption) check(at, path string, in int) error {
	nested := path != "options"
	switch {
	case o.Type < optionSub || o.Type > optionLast:
		return invalid(at+"type", "Value must be one of {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}.")
	case o.Type == optionGroup && nested, o.Type == optionSub && nested && in != optionGroup, !o.isGroup() && nested && in == optionGroup:
		return invalid(at+"type", "Groups hold sub-commands, and sub-commands hold other options.")
	case !o.isGroup() && len(o.Options) > 0:
		return invalid(at+"options", "Only groups and sub-commands have options.")
	case o.Autocomplete && len(o.Choices) > 0:
		return invalid(at+"autocomplete", "Choices and autocomplete exclude each other")
	case (o.Autocomplete || len(o.Choices) > 0) && o.Type != optionString && o.Type != optionInteger && o.Type != optionNumber:
		return invalid(at+"choices", "Texts and numbers alone have choices or autocomplete.")
	case o.isGroup():
		return checkOptions(o.Options, at+"options", o.Type)
	}
	return o.checkChoices(at + "choices")
}

func (o commandOption) checkChoices(path string) error {
	if len(o.Choices) > maxChoices {
		return invalid(path, "Must be %d or fewer in length.", maxChoices)
	}
	seen := map[string]bool{}
	for i, c := range o.Choices {
		at := path + "." + strconv.Itoa(i) + "."
		var value string
		isText := json.Unmarshal(c.Value, &value) == nil
		switch n := utf8.RuneCountInString(c.Name); {
		case n < 1 || n > maxChoiceText:
			return invalid(at+"name", "Must be between 1 and %d in length.", maxChoiceText)
		case isText != (o.Type == optionString):
			return invalid(at+"value", "The value is of another type than the option.")
		case utf8.RuneCountInString(value) > maxChoiceText:
			return invalid(at+"value", "Must be %d or fewer in length.", maxChoiceText)
		case seen[c.Name]:
			return invalid(at+"name", "Choice names must be unique")
		}
		seen[c.Name] = true
		if err := c.checkKeys(at, false); err != nil {
			return err
		}
	}
	return nil
}

// checkClash refuses two names alike, those of one language among them (Localization).
func checkClash(options []commandOption, path string) error {
	for i, o := range options {
		for _, other := range options[:i] {
			if o.Name == other.Name {
				return invalid(path+"."+strconv.Itoa(i)+".name", "Option names must be unique")
			}
		}
		for locale, name := range o.Names {
			if slices.ContainsFunc(options, func(other commandOption) bool {
				return other.Name != o.Name && (other.Name == name || other.Names[locale] == name)
			}) {
				return invalid(path+"."+strconv.Itoa(i)+".name_localizations", "Option names must be unique")
			}
		}
	}
	return nil
}

// optionsText counts the characters of names, descriptions and values.
func optionsText(options []commandOption) (n int) {
	for _, o := range options {
		n += o.text(o.Name, o.Description) + optionsText(o.Options)
		for _, c := range o.Choices {
			n += c.text(c.Name, "") + utf8.RuneCountInString(strings.Trim(string(c.Value), `"`))
		}
	}
	return n
}
