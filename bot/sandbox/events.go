package sandbox

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxOptionLength is the most that a text of a command can have, in characters.
const maxOptionLength = 6000

// defaultLocale is that of servers, and of people who have no other.
const defaultLocale = "en-US"

// event is the INTERACTION_CREATE of a person in a channel, without its data. The lock is held.
func (a *Actor) event(kind int, ch *channel) (*interaction, error) {
	p := a.s.people[a.id]
	if p == nil {
		return nil, cannot("there is no such person")
	}
	if p.Bot {
		return nil, cannot("%s is a bot", p.Name)
	}
	if !a.s.sees(a.id, ch) {
		return nil, cannot("%s is not there", p.Name)
	}
	if ch.archived {
		return nil, cannot("the thread is archived")
	}
	id := a.s.newID()
	in := &interaction{
		id: id, token: newToken(id), kind: kind, by: a.id, channel: ch.ID, created: a.s.now(), began: time.Now(),
		done: make(chan struct{}),
	}
	in.payload = object{
		"id": in.id, "application_id": botID, "type": kind, "token": in.token, "version": 1,
		"channel_id": ch.ID, "channel": a.s.placeJSON(ch), "locale": cmp.Or(p.Locale, defaultLocale), "entitlements": []any{},
		"app_permissions": strconv.FormatUint(ch.effective(), 10), "attachment_size_limit": maxFile,
	}
	if ch.server == nil {
		in.payload["user"] = userJSON(p)
		in.payload["context"] = 1
		in.payload["authorizing_integration_owners"] = object{"0": "0"}
		return in, nil
	}
	in.payload["guild_id"] = ch.server.ID
	in.payload["guild"] = object{"id": ch.server.ID, "locale": defaultLocale, "features": []string{}}
	in.payload["guild_locale"] = defaultLocale
	member := memberJSON(p, a.s.mayHere(a.id, ch))
	member["roles"] = ch.server.rolesOf(a.id)
	in.payload["member"] = member
	in.payload["context"] = 0
	in.payload["authorizing_integration_owners"] = object{"0": ch.server.ID}
	return in, nil
}

// place is where a person acts.
func (a *Actor) place(channel string) (*channel, error) {
	ch := a.s.channels[channel]
	if ch == nil {
		return nil, cannot("there is no such channel")
	}
	if ch.server != nil && !ch.server.here {
		return nil, cannot("the bot is not in this server")
	}
	return ch, nil
}

// slash is a command as the app sends it: complete, or, with an option in focus, while it is typed.
func (a *Actor) slash(channelID, name string, options map[string]any, focused string) (*interaction, error) {
	ch, err := a.place(channelID)
	if err != nil {
		return nil, err
	}
	name, sub, _ := strings.Cut(name, " ")
	cmd, err := a.find(ch, name, commandSlash)
	if err != nil {
		return nil, err
	}
	kind := interactionCommand
	if focused != "" {
		kind = interactionComplete
	}
	in, err := a.event(kind, ch)
	if err != nil {
		return nil, err
	}
	in.label = "/" + name
	named := a.resolution(ch)
	filled, err := named.fillIn(cmd.Options, sub, options, focused)
	if err != nil {
		return nil, err
	}
	in.payload["data"] = cmd.data(filled, named.all)
	return in, nil
}

// data is a command as an event names it. What is empty is left out.
func (c command) data(options []object, resolved object) object {
	o := object{"id": c.ID, "name": c.Name, "type": c.Type}
	if c.server != "" {
		o["guild_id"] = c.server
	}
	if len(options) > 0 {
		o["options"] = options
	}
	if len(resolved) > 0 {
		o["resolved"] = resolved
	}
	return o
}

// find is a command that the person may use in a channel.
func (a *Actor) find(ch *channel, name string, kind int) (command, error) {
	for _, c := range a.s.available(ch) {
		if c.Name != name || c.Type != kind {
			continue
		}
		if ch.server != nil && !c.allows(a.id == ch.server.Owner, a.s.mayHere(a.id, ch)) {
			return c, cannot("%q is not for everyone", name)
		}
		return c, nil
	}
	return command{}, cannot("the bot has no command %q here", name)
}

// allows holds a person to a command's default_member_permissions: all of them are needed, and "0" is for those alone who
// may do everything.
func (c command) allows(owner bool, has uint64) bool {
	if absent(c.Permissions) || owner {
		return true
	}
	need, err := strconv.ParseUint(strings.Trim(string(c.Permissions), `"`), 10, 64)
	return err == nil && need != 0 && has&need == need
}

// fillIn makes the options of a command, as far as they are given; a sub-command is an option that holds the others.
func (r *resolution) fillIn(offered []commandOption, sub string, given map[string]any, focused string) ([]object, error) {
	if sub != "" {
		name, rest, _ := strings.Cut(sub, " ")
		for _, o := range offered {
			if o.Name == name && o.isGroup() {
				inner, err := r.fillIn(o.Options, rest, given, focused)
				return []object{{"name": o.Name, "type": o.Type, "options": inner}}, err
			}
		}
		return nil, cannot("there is no sub-command %q", name)
	}
	if len(offered) > 0 && offered[0].isGroup() {
		return nil, cannot("one of its sub-commands must be named")
	}
	if err := names(offered, given, focused); err != nil {
		return nil, err
	}
	filled := []object{}
	for _, o := range offered {
		value, ok := given[o.Name]
		switch {
		case focused != "" && (ok || o.Name == focused):
			filled = append(filled, typed(o, value, focused))
		case ok:
			made, err := r.fill(o, value)
			if err != nil {
				return nil, err
			}
			filled = append(filled, made)
		case o.Required && focused == "":
			return nil, cannot("the option %q is required", o.Name)
		}
	}
	return filled, nil
}

// typed is an option of a command that is still being written: whatever stands there.
func typed(o commandOption, value any, focused string) object {
	if value == nil {
		value = ""
	}
	made := object{"name": o.Name, "type": o.Type, "value": value}
	if o.Name == focused {
		made["focused"] = true
	}
	return made
}

// names refuses options that the command does not have, and suggestions for one that has none.
func names(offered []commandOption, given map[string]any, focused string) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(offered, func(o commandOption) bool { return o.Name == name }) {
			return cannot("the command has no option %q", name)
		}
	}
	if focused != "" && !slices.ContainsFunc(offered, func(o commandOption) bool { return o.Name == focused && o.Autocomplete }) {
		return cannot("there are no suggestions for %q", focused)
	}
	return nil
}

// fill is one option with its value, which the app holds to what the command says.
func (r *resolution) fill(o commandOption, value any) (object, error) {
	made := object{"name": o.Name, "type": o.Type, "value": value}
	var err error
	switch v := value.(type) {
	case string:
		err = r.text(o, v)
	case bool:
		if o.Type != optionBoolean {
			err = cannot("the option %q takes no truth value", o.Name)
		}
	case int:
		err = o.takesNumber(float64(v), o.Type == optionInteger || o.Type == optionNumber)
	case float64:
		err = o.takesNumber(v, o.Type == optionNumber)
	default:
		err = cannot("the option %q takes no %T", o.Name, value)
	}
	if err != nil {
		return nil, err
	}
	if len(o.Choices) > 0 && !slices.ContainsFunc(o.Choices, func(c commandChoice) bool {
		return string(c.Value) == string(encode(value))
	}) {
		return nil, cannot("%v is no choice for %q", value, o.Name)
	}
	return made, nil
}

// text holds a text to its option: a length, or an id of what there is.
func (r *resolution) text(o commandOption, v string) error {
	switch {
	case o.Type == optionUser || o.Type == optionChannel || o.Type == optionRole || o.Type == optionMentionable:
		return r.option(o.Type, v)
	case o.Type != optionString:
		return cannot("the option %q takes no text", o.Name)
	}
	if n := utf8.RuneCountInString(v); n < max(o.MinLength, 1) || n > cmp.Or(o.MaxLength, maxOptionLength) {
		return cannot("a text of %d does not fit %q", n, o.Name)
	}
	return nil
}

// takesNumber holds a number to its option's bounds; fits tells whether the option takes its kind.
func (o commandOption) takesNumber(v float64, fits bool) error {
	switch {
	case !fits:
		return cannot("the option %q does not take the number %v", o.Name, v)
	case o.Min != nil && v < *o.Min || o.Max != nil && v > *o.Max:
		return cannot("%v is out of bounds for %q", v, o.Name)
	}
	return nil
}

// menuCommand is a command of a person's menu, or of a message's.
func (a *Actor) menuCommand(ch *channel, name, target string, kind int) (*interaction, error) {
	cmd, err := a.find(ch, name, kind)
	if err != nil {
		return nil, err
	}
	in, err := a.event(interactionCommand, ch)
	if err != nil {
		return nil, err
	}
	in.label = name
	named := a.resolution(ch)
	if kind == commandMessage {
		named.put("messages", target, a.s.wholeMessage(a.s.messages[target])) // which is for the bot to read, whoever wrote it
	} else if err := named.person(target); err != nil {
		return nil, err
	}
	data := cmd.data(nil, named.all)
	data["target_id"] = target
	in.payload["data"] = data
	return in, nil
}

// use is a tap on a control of a message.
func (a *Actor) use(id string, c Control, values []string) (*interaction, error) {
	m := a.s.seenMessage(a.id, id)
	if m == nil {
		return nil, cannot("there is no such message")
	}
	ch, err := a.place(m.Channel)
	if err != nil {
		return nil, err
	}
	in, err := a.event(interactionControl, ch)
	if err != nil {
		return nil, err
	}
	in.source, in.seen = m, m.rev
	data := object{"custom_id": c.CustomID, "component_type": c.Type}
	if c.Type != typeButton {
		named := a.resolution(ch)
		if err := named.menu(c.Type, values); err != nil {
			return nil, err
		}
		data["values"] = values
		if len(named.all) > 0 {
			data["resolved"] = named.all
		}
	}
	in.payload["data"] = data
	in.payload["message"] = a.s.messageJSON(m)
	return in, nil
}
