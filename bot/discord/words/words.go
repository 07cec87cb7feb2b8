// Package words is the catalogue of everything that people read, by message id and language.
package words

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/language"
)

// files are the catalogue, one language a file. A sentence that people see stands there and nowhere else.
//
//go:embed *.toml
var files embed.FS

// Args are what a message's placeholders stand for. Count or PluralCount, a whole number, also chooses the plural form.
type Args = map[string]any

// Catalogue holds the messages of every language.
type Catalogue struct{ bundle *i18n.Bundle }

// Load reads the embedded catalogue. It fails only if a file of it is malformed.
func Load() (*Catalogue, error) {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	names, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("read the catalogue: %w", err)
	}
	for _, f := range names {
		if _, err := bundle.LoadMessageFileFS(files, f.Name()); err != nil {
			return nil, fmt.Errorf("read the catalogue: %s: %w", f.Name(), err)
		}
	}
	return &Catalogue{bundle: bundle}, nil
}

// In gives the messages in the first of these languages that there is, else in English.
func (c *Catalogue) In(languages ...string) Phrases {
	return Phrases{i18n.NewLocalizer(c.bundle, languages...)}
}

// Phrases says things in one language.
type Phrases struct{ localizer *i18n.Localizer }

// Say is the message with that id. An id that the catalogue lacks is said as it is, in brackets: a reader sees that
// something is missing rather than nothing.
func (p Phrases) Say(id string, args Args) string {
	text, err := p.localize(id, args)
	if err != nil || text == "" {
		return "[" + id + "]"
	}
	return text
}

// localize takes the plural form that a number asks for, and the only form of a message that has one.
func (p Phrases) localize(id string, args Args) (string, error) {
	c := &i18n.LocalizeConfig{MessageID: id, TemplateData: args, PluralCount: plural(args)}
	text, err := p.localizer.Localize(c)
	if err != nil && c.PluralCount != nil {
		c.PluralCount = nil
		text, err = p.localizer.Localize(c)
	}
	return text, err
}

// plural is the number that chooses the plural form, under either of its names.
func plural(args Args) any {
	if n, ok := args["Count"]; ok {
		return n
	}
	return args["PluralCount"]
}

// Has tells whether the catalogue has the message.
func (p Phrases) Has(id string) bool {
	_, err := p.localize(id, Args{"Count": 2})
	return err == nil
}

// IDs lists the ids of a language's file, sorted, for the tests that hold code and catalogue together.
func IDs(lang string) ([]string, error) {
	raw, err := files.ReadFile(lang + ".toml")
	if err != nil {
		return nil, fmt.Errorf("no catalogue for %s: %w", strings.ToLower(lang), err)
	}
	var messages map[string]any
	if err := toml.Unmarshal(raw, &messages); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(messages)), nil
}
