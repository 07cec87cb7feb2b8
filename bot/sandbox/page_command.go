package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kraal/bot/sandbox/page"
)

// formCommand is a command that can be issued, as a form needs it: of a command with subcommands each is one.
type formCommand struct {
	key     string // in an address
	name    string // "settings show"
	kind    int
	about   string
	options []commandOption
}

// valueText is a JSON value as it stands in a form.
func valueText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// title is what a person calls the command.
func (c formCommand) title() string {
	if c.kind == commandSlash {
		return "/" + c.name
	}
	return c.name
}

// commands lists what can be issued in a place.
func (p *webPage) commands(at place) (all []formCommand) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	ch := p.s.channels[at.channel.ID]
	if ch == nil || ch.server != nil && !ch.server.here {
		return nil
	}
	for _, c := range p.s.available(ch) {
		switch c.Type {
		case commandSlash:
			all = append(all, slashForms(c.Name, c.Description, c.Options)...)
		case commandUser:
			all = append(all, formCommand{key: "@" + c.Name, name: c.Name, kind: c.Type})
		}
	}
	slices.SortStableFunc(all, func(a, b formCommand) int { return a.kind - b.kind })
	return all
}

func slashForms(name, description string, options []commandOption) (all []formCommand) {
	if len(options) == 0 || options[0].Type != optionSub && options[0].Type != optionGroup {
		return []formCommand{{key: name, name: name, kind: commandSlash, about: description, options: options}}
	}
	for _, sub := range options {
		all = append(all, slashForms(name+" "+sub.Name, sub.Description, sub.Options)...)
	}
	return all
}

// command finds a command by its key in an address.
func (p *webPage) command(at place, key string) (formCommand, bool) {
	all := p.commands(at)
	i := slices.IndexFunc(all, func(c formCommand) bool { return c.key == key })
	if i < 0 {
		return formCommand{}, false
	}
	return all[i], true
}

// field is an option's name in a form; the fields of the place have no prefix.
func field(option string) string { return "o." + option }

// personField is the field of a command that is used on a person.
const personField = "person"

// commandView is a command's form with what was filled in so far, and the bot's suggestions for it.
func (p *webPage) commandView(ctx context.Context, at place, c formCommand, form url.Values) *page.Command {
	view := &page.Command{
		Name: c.title(), About: c.about, Cancel: "/" + at.query(), Hidden: at.hidden(page.Pair{Name: "command", Value: c.key}),
	}
	if c.kind == commandUser {
		view.Fields = []page.Field{{
			Kind: page.Choose, Name: personField, Label: "person", About: "On whom to use it", Required: true,
			Value: form.Get(personField), Choices: p.peopleChoices(at),
		}}
		return view
	}
	given, _ := c.given(form)
	var asking sync.WaitGroup
	view.Fields = make([]page.Field, len(c.options))
	for i, o := range c.options {
		view.Fields[i] = p.fieldView(at, o, form.Get(field(o.Name)))
		if o.Autocomplete {
			view.Suggests = true
			asking.Go(func() { p.suggest(ctx, at, c, given, &view.Fields[i]) })
		}
	}
	asking.Wait()
	return view
}

func (p *webPage) fieldView(at place, o commandOption, value string) page.Field {
	f := page.Field{
		Kind: page.Text, Name: field(o.Name), Label: o.Name, About: o.Description, Value: value, Required: o.Required,
	}
	switch {
	case len(o.Choices) > 0:
		f.Kind = page.Choose
		for _, c := range o.Choices {
			f.Choices = append(f.Choices, page.Choice{Name: c.Name, Value: valueText(c.Value)})
		}
	case o.Type == optionBoolean:
		f.Kind, f.Choices = page.Choose, []page.Choice{{Name: "yes", Value: "true"}, {Name: "no", Value: "false"}}
	case o.Type == optionUser:
		f.Kind, f.Choices = page.Choose, p.peopleChoices(at)
	case o.Type == optionChannel:
		f.Kind = page.Choose
		for _, c := range at.server.Channels {
			f.Choices = append(f.Choices, page.Choice{Name: "#" + c.Name, Value: c.ID})
		}
	case o.Type == optionInteger && !o.Autocomplete:
		f.Kind, f.Min, f.Max = page.Number, bound(o.Min), bound(o.Max)
	}
	return f
}

// bound is a number's as a form has it.
func bound(b *float64) string {
	if b == nil {
		return ""
	}
	return strconv.FormatFloat(*b, 'f', -1, 64)
}

// suggest asks the bot what could stand in a field. That it does not answer leaves the field as it is.
func (p *webPage) suggest(ctx context.Context, at place, c formCommand, given map[string]any, f *page.Field) {
	options := make(map[string]any, len(given)+1)
	for name, value := range given {
		options[name] = value
	}
	if _, ok := options[f.Label]; !ok {
		options[f.Label] = f.Value
	}
	choices, err := p.s.As(at.as.ID).Complete(ctx, at.channel.ID, c.name, options, f.Label)
	if err != nil {
		p.log.Debug("page: no suggestions", "command", c.name, "option", f.Label, "err", err)
		return
	}
	f.Suggested = true
	for _, choice := range choices {
		f.Suggestions = append(f.Suggestions, page.Choice{Name: choice.Name, Value: choice.Value})
	}
}

// peopleChoices lists whom a person may name, the bot and themselves included.
func (p *webPage) peopleChoices(at place) []page.Choice {
	v := p.look(at.as.ID)
	var choices []page.Choice
	for _, one := range v.members(at.server) {
		choices = append(choices, page.Choice{Name: one.Name, Value: one.ID})
	}
	for _, one := range v.people {
		if one.Bot && (one.ID == botID || slices.Contains(at.server.Members, one.ID)) {
			choices = append(choices, page.Choice{Name: one.Name + " (a bot)", Value: one.ID})
		}
	}
	return choices
}

// given reads the values that were filled in, each as its option's type; empty ones are not given. The error names
// the options that have no such value.
func (c formCommand) given(form url.Values) (map[string]any, error) {
	given := map[string]any{}
	var wrong []string
	for _, o := range c.options {
		value := form.Get(field(o.Name))
		if value == "" {
			continue
		}
		switch o.Type {
		case optionInteger:
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil {
				wrong = append(wrong, o.Name+" takes a whole number")
				continue
			}
			given[o.Name] = n
		case optionNumber:
			n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				wrong = append(wrong, o.Name+" takes a number")
				continue
			}
			given[o.Name] = n
		case optionBoolean:
			given[o.Name] = value == "true"
		default:
			given[o.Name] = value
		}
	}
	if len(wrong) > 0 {
		return given, fmt.Errorf("%s", strings.Join(wrong, "; "))
	}
	return given, nil
}
