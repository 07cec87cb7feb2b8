package main

import (
	"context"
	"encoding/json"
	"fmt"

	"kraal/bot/sandbox"
)

// form has the strangers do everything that can be done, for its events.
func (z *fuzzer) form(ctx context.Context) error {
	stranger := z.tables[strangersTable].people[0]
	z.alter.random, z.alter.self = z.random, stranger.ID()
	z.alter.words = []string{
		z.tables[3].channel, fmt.Sprint(firstServer), "a7", "d6", "xb4", "a7-d7", "nine", "koti", "5+3", "white", "on", z.sandbox.AppID(),
	}
	for _, t := range z.tables[:fuzzedTables] {
		z.alter.words = append(z.alter.words, t.id, t.board, t.channel, t.seats.people[0], t.seats.people[1])
		for _, verb := range []string{"point", "to", "draw", "takeback", "resign", "confirm", "make", "rematch", "accept", "claim", "protest", "adjourn"} {
			z.alter.words = append(z.alter.words, fmt.Sprintf("k1|%s|%d|%s|a7", t.id, t.from+t.game.Len(), verb))
		}
	}
	for _, raw := range z.sandbox.Commands() {
		var c formed
		if err := json.Unmarshal(raw, &c); err != nil {
			return err
		}
		z.formCommand(ctx, stranger, c)
	}
	for _, t := range z.tables[:fuzzedTables] {
		z.formControls(ctx, stranger, t)
	}
	if len(z.forms) < 30 {
		return fmt.Errorf("only %d interactions could be formed", len(z.forms))
	}
	return nil
}

// formed is a command as far as forming interactions needs it.
type formed struct {
	Type    int      `json:"type"`
	Name    string   `json:"name"`
	Options []formed `json:"options"`

	Autocomplete bool                  `json:"autocomplete"`
	Choices      []struct{ Value any } `json:"choices"`
	Min          *float64              `json:"min_value"`
}

func (z *fuzzer) formCommand(ctx context.Context, who *sandbox.Actor, c formed) {
	const sub, group, ofPeople = 1, 2, 2
	t := z.tables[0]
	switch {
	case c.Type == ofPeople:
		reply, err := who.UserCommand(ctx, z.tables[strangersTable].channel, c.Name, t.seats.people[0])
		z.keepForm(reply, err)
		return
	case len(c.Options) > 0 && (c.Options[0].Type == sub || c.Options[0].Type == group):
		for _, below := range c.Options {
			below.Name = c.Name + " " + below.Name
			if below.Type == group {
				below.Type = 0
			}
			z.formCommand(ctx, who, formed{Name: below.Name, Options: below.Options})
		}
		return
	}
	options := map[string]any{}
	for _, o := range c.Options {
		options[o.Name] = z.valueFor(o)
	}
	channel := z.tables[strangersTable].channel
	reply, err := who.Slash(ctx, channel, c.Name, options)
	z.keepForm(reply, err)
	for _, o := range c.Options {
		if o.Autocomplete {
			reply, err := who.Typing(ctx, channel, c.Name, map[string]any{o.Name: ""}, o.Name)
			z.keepForm(reply, err)
		}
	}
}

// valueFor is a value that an option takes.
func (z *fuzzer) valueFor(o formed) any {
	const integer, yesNo, person, place = 4, 5, 6, 7
	switch {
	case len(o.Choices) > 0:
		return o.Choices[0].Value
	case o.Type == integer:
		return 1
	case o.Type == yesNo:
		return true
	case o.Type == person:
		return z.tables[1].seats.people[0]
	case o.Type == place:
		return z.tables[strangersTable].channel
	case o.Name == "game":
		return z.tables[0].id
	case o.Name == "variant":
		return "nine"
	}
	return "a7"
}

// formControls uses every control that the stranger sees at a table.
func (z *fuzzer) formControls(ctx context.Context, who *sandbox.Actor, t *table) {
	for _, m := range who.Messages(t.channel) {
		for _, c := range m.Buttons() {
			if !c.Disabled && c.CustomID != "" {
				reply, err := who.Press(ctx, m.ID, c.CustomID)
				z.keepForm(reply, err)
			}
		}
		for _, c := range m.Selects() {
			if len(c.Options) > 0 {
				reply, err := who.Select(ctx, m.ID, c.CustomID, c.Options[0].Value)
				z.keepForm(reply, err)
			}
		}
	}
}

// keepForm keeps what an app would let somebody do; what it would not has no form.
func (z *fuzzer) keepForm(reply *sandbox.Reply, err error) {
	if err == nil {
		z.forms = append(z.forms, reply.Interaction)
	}
}
