package sandbox

import (
	"strings"
	"unicode/utf8"
)

// locales are the languages that Discord speaks (reference, Locales): keys of any other are refused.
const locales = " id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko "

// localized is what commands, options and choices are called in other languages.
type localized struct {
	Names        map[string]string `json:"name_localizations"`
	Descriptions map[string]string `json:"description_localizations"`
}

// checkKeys holds localizations to the languages and forms that there are; slash names have the form of a command's.
func (l localized) checkKeys(at string, slash bool) error {
	for locale, name := range l.Names {
		n := utf8.RuneCountInString(name)
		switch {
		case !isLocale(locale):
			return invalid(at+"name_localizations", "This locale is not one of Discord's: %s", locale)
		case slash && !isSlashName(name), n < 1 || n > maxChoiceText:
			return invalid(at+"name_localizations."+locale, "Command name is invalid")
		}
	}
	for locale, description := range l.Descriptions {
		if !isLocale(locale) {
			return invalid(at+"description_localizations", "This locale is not one of Discord's: %s", locale)
		}
		if n := utf8.RuneCountInString(description); n < 1 || n > maxDescription {
			return invalid(at+"description_localizations."+locale, "Must be between 1 and %d in length.", maxDescription)
		}
	}
	return nil
}

func isLocale(key string) bool {
	return key != "" && !strings.Contains(key, " ") && strings.Contains(locales, " "+key+" ")
}

// text counts the characters of a name and a description, each in its longest language.
func (l localized) text(name, description string) int {
	return longest(name, l.Names) + longest(description, l.Descriptions)
}

func longest(text string, others map[string]string) int {
	n := utf8.RuneCountInString(text)
	for _, other := range others {
		n = max(n, utf8.RuneCountInString(other))
	}
	return n
}

// withoutDictionaries are commands as lists show them: without the words of other languages.
func withoutDictionaries(commands []object) (plain []object) {
	plain = []object{}
	for _, c := range commands {
		plain = append(plain, withoutDictionary(c).(object))
	}
	return plain
}

func withoutDictionary(value any) any {
	switch v := value.(type) {
	case object:
		o := object{}
		for key, inner := range v {
			if key != "name_localizations" && key != "description_localizations" {
				o[key] = withoutDictionary(inner)
			}
		}
		return o
	case []any:
		all := []any{}
		for _, inner := range v {
			all = append(all, withoutDictionary(inner))
		}
		return all
	}
	return value
}
