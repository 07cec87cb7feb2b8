package discord

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"kraal/bot/discord/wire"
	"kraal/bot/discord/words"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// args are what a message's placeholders stand for.
type args = words.Args

// maxContent is how many characters a message may have.
const maxContent = 2000

// private is a line for one person.
func private(text string) wire.Message {
	return wire.Message{Content: cut(text, maxContent), Ephemeral: true}
}

// cut shortens a text to so many characters, with an ellipsis where something is missing.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// nameOf is a person's name, fit for a message.
func nameOf(p storage.Person, say phrases) string {
	if p.Left() {
		return say.Say("NameLeft", nil)
	}
	if name := words.Name(p.Name); name != "" {
		return name
	}
	return say.Say("NoName", nil)
}

// plainNameOf is a person's name where markdown does not count: labels, placeholders, pictures.
func plainNameOf(p storage.Person, say phrases) string {
	if p.Left() {
		return say.Say("NameLeft", nil)
	}
	if name := words.Plain(p.Name); name != "" {
		return name
	}
	return say.Say("NoName", nil)
}

// mentionOf is a mention of somebody, which is read like their name.
func mentionOf(p storage.Person) string { return words.Apart(memberMention(p.ID), p.Name) }

func (r *request) nameOf(p storage.Person) string { return nameOf(p, r.phrases) }

// variantName is what a variant is called: from the catalogue, and for house rules as the server named them.
func variantName(v rules.Variant, say phrases) string {
	if isBuiltin(v) {
		return say.Say("Variant"+title(v.Key), nil)
	}
	return words.Name(v.Name)
}

// plainVariantName is variantName where markdown does not count.
func plainVariantName(v rules.Variant, say phrases) string {
	if isBuiltin(v) {
		return variantName(v, say)
	}
	return words.Plain(v.Name)
}

// title is a key with a capital, as it ends a message's id.
func title(key string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(key, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

func sideWord(s rules.Side, say phrases) string { return say.Say("Side"+title(s.String()), nil) }

func reasonWord(reason rules.Reason, say phrases) string {
	return say.Say("Reason"+title(string(reason)), nil)
}

func ratedWord(m storage.Match, say phrases) string {
	if m.Rated {
		return say.Say("Rated", nil)
	}
	return say.Say("Unrated", nil)
}

func clockWord(clock string, say phrases) string {
	c, _ := match.ControlOf(clock)
	switch {
	case c.Slow():
		return say.Say("ClockDays", args{"Count": int(c.Turn / (24 * time.Hour))})
	case c.Live():
		return say.Say("ClockLive", args{"Minutes": int(c.Bank.Minutes()), "Seconds": int(c.Increment.Seconds())})
	}
	return say.Say("ClockNone", nil)
}

// relative is a moment as Discord shows it to each reader: in how long, or how long ago.
func relative(at time.Time) string { return fmt.Sprintf("<t:%d:R>", at.Unix()) }

// clockTime is a moment as Discord shows it to each reader: the date and the time of day.
func clockTime(at time.Time) string { return fmt.Sprintf("<t:%d:f>", at.Unix()) }

// span is a time as a clock shows it, rounded down: minutes and seconds.
func span(d time.Duration) string {
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

// sortedPoints are the points of a set in the order of their names.
func sortedPoints(s rules.Points) []rules.Point {
	return slices.SortedFunc(s.All(), func(a, b rules.Point) int { return strings.Compare(a.String(), b.String()) })
}

// pointList are points as they are listed to people.
func pointList(s rules.Points) string {
	names := make([]string, 0, s.Len())
	for _, p := range sortedPoints(s) {
		names = append(names, p.String())
	}
	return strings.Join(names, ", ")
}
