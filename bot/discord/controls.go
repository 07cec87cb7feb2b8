package discord

import (
	"github.com/bwmarrin/discordgo"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// boardControls are what can be tapped on a board: the points where something can be done now, in a menu (flying has more
// moves than a message has room for buttons, so a piece is chosen first), and the rest as buttons.
func (b *Bot) boardControls(t match.Table, say phrases) []discordgo.MessageComponent {
	m := t.Match
	tap := func(verb string) string { return control{Game: m.ID, Revision: m.Revision, Verb: verb}.String() }
	if m.State == storage.Finished {
		if m.Next != "" || m.SomebodyLeft() {
			return row(b.looking(t, say)...)
		}
		rematch := button(say.Say("ButtonRematch", nil), tap(verbRematch), discordgo.PrimaryButton)
		return row(append([]discordgo.MessageComponent{rematch}, b.looking(t, say)...)...)
	}
	pos := t.Game.Position()
	var options []discordgo.SelectMenuOption
	placeholder := "MenuPlace"
	switch {
	case pos.Pending > 0:
		placeholder = "MenuShoot"
		options = pointOptions(m.Variant.Targets(pos), func(rules.Point) string { return "" })
	case pos.Placing():
		options = pointOptions(pos.Empty(), func(p rules.Point) string {
			return closesWord(m.Variant, pos, rules.Action{Kind: rules.Place, To: p}, say)
		})
	default:
		placeholder = "MenuMove"
		options = pointOptions(m.Variant.Mobile(pos), func(rules.Point) string { return "" })
	}
	rows := menu(tap(verbPoint), say.Say(placeholder, args{"Name": plainNameOf(m.Seats[pos.Turn].Person, say)}), options)
	if m.Seats[pos.Turn].Level > 0 {
		rows = nil // nobody can tap for the engine
	}
	buttons := []discordgo.MessageComponent{
		button(say.Say("ButtonDraw", nil), tap(verbDraw), discordgo.SecondaryButton),
		button(say.Say("ButtonTakeback", nil), tap(verbTakeback), discordgo.SecondaryButton),
		button(say.Say("ButtonResign", nil), tap(verbResign), discordgo.DangerButton),
		button(say.Say("ButtonHowTo", nil), tap(verbHowTo), discordgo.SecondaryButton),
	}
	if more, ok := clockControl(m, tap, say); ok {
		buttons = append(buttons, more) // a row holds five
	}
	return append(append(rows, row(buttons...)...), row(b.looking(t, say)...)...)
}

// destinationControls are the points that a chosen piece may go to.
func (r *request) destinationControls(m storage.Match, t match.Table, from rules.Point, to rules.Points) []discordgo.MessageComponent {
	id := control{Game: m.ID, Revision: m.Revision, Verb: verbTo, Arg: from.String()}.String()
	return menu(id, r.Say("MenuTo", args{"From": from.String()}), pointOptions(to, func(p rules.Point) string {
		return closesWord(m.Variant, t.Game.Position(), rules.Action{Kind: rules.Move, From: from, To: p}, r.phrases)
	}))
}

// closesWord says that an action would close a mill, or nothing.
func closesWord(v rules.Variant, p rules.Position, a rules.Action, say phrases) string {
	after, err := v.Play(p, a)
	if err != nil || after.Pending == 0 {
		return ""
	}
	return say.Say("ClosesMill", nil)
}

// pointOptions lists points in the order of their names; the value is the bare name, the label may say more.
func pointOptions(s rules.Points, more func(rules.Point) string) []discordgo.SelectMenuOption {
	options := make([]discordgo.SelectMenuOption, 0, s.Len())
	for _, p := range sortedPoints(s) {
		label := p.String()
		if m := more(p); m != "" {
			label += ", " + m
		}
		options = append(options, discordgo.SelectMenuOption{Label: label, Value: p.String()})
	}
	return options
}

// menu is a row with one menu; nothing where there is nothing to choose, since Discord refuses an empty one.
func menu(id, placeholder string, options []discordgo.SelectMenuOption) []discordgo.MessageComponent {
	if len(options) == 0 {
		return nil
	}
	return row(discordgo.SelectMenu{
		MenuType: discordgo.StringSelectMenu, CustomID: id, Placeholder: cut(placeholder, 150), Options: options,
	})
}

func button(label, id string, style discordgo.ButtonStyle) discordgo.MessageComponent {
	return discordgo.Button{Label: cut(label, 80), CustomID: id, Style: style}
}

func row(controls ...discordgo.MessageComponent) []discordgo.MessageComponent {
	return []discordgo.MessageComponent{discordgo.ActionsRow{Components: controls}}
}
