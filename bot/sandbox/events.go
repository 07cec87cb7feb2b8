package sandbox

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// event is the INTERACTION_CREATE of a person in a channel, without its data. The lock is held.
func (a *Actor) event(kind int, ch *channel) (*interaction, error) {
	p := a.s.people[a.id]
	if p == nil {
		return nil, cannot("there is no such person")
	}
	if !a.s.sees(a.id, ch) {
		return nil, cannot("%s is not there", p.Name)
	}
	if ch.archived {
		return nil, cannot("the thread is archived")
	}
	in := &interaction{
		id: a.s.newID(), token: secret() + secret(), kind: kind, by: a.id, channel: ch.ID, created: a.s.now(),
		done: make(chan struct{}),
	}
	in.payload = object{
		"id": in.id, "application_id": botID, "type": kind, "token": in.token, "version": 1,
		"channel_id": ch.ID, "channel": channelJSON(ch), "locale": "en-US", "entitlements": []any{},
		"app_permissions": strconv.FormatUint(ch.effective(), 10), "attachment_size_limit": maxFile,
	}
	if ch.server == nil {
		in.payload["user"] = userJSON(p)
		in.payload["context"] = 1
		in.payload["authorizing_integration_owners"] = object{"0": "0"}
		return in, nil
	}
	in.payload["guild_id"] = ch.server.ID
	in.payload["guild"] = object{"id": ch.server.ID, "locale": "en-US", "features": []string{}}
	in.payload["guild_locale"] = "en-US"
	in.payload["member"] = memberJSON(p, a.permissions(ch.server))
	in.payload["context"] = 0
	in.payload["authorizing_integration_owners"] = object{"0": ch.server.ID}
	return in, nil
}

func (a *Actor) permissions(srv *server) uint64 {
	if srv.Owner == a.id {
		return ownerPermissions
	}
	return memberPermissions
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
	cmd, err := a.s.find(ch, name, commandSlash)
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
	resolved := object{"users": object{}, "members": object{}}
	filled, err := a.s.fillIn(cmd.Options, sub, options, focused, ch, resolved)
	if err != nil {
		return nil, err
	}
	in.payload["data"] = object{"id": cmd.ID, "name": cmd.Name, "type": cmd.Type, "options": filled, "resolved": resolved}
	return in, nil
}

func (s *Sandbox) find(ch *channel, name string, kind int) (command, error) {
	for _, c := range s.available(ch) {
		if c.Name == name && c.Type == kind {
			return c, nil
		}
	}
	return command{}, cannot("the bot has no command %q here", name)
}

// fillIn makes the options of a command, as far as they are given; a sub-command is an option that holds the others.
func (s *Sandbox) fillIn(offered []commandOption, sub string, given map[string]any, focused string, ch *channel, resolved object) ([]object, error) {
	if sub != "" {
		name, rest, _ := strings.Cut(sub, " ")
		for _, o := range offered {
			if o.Name == name && (o.Type == optionSub || o.Type == optionGroup) {
				inner, err := s.fillIn(o.Options, rest, given, focused, ch, resolved)
				return []object{{"name": o.Name, "type": o.Type, "options": inner}}, err
			}
		}
		return nil, cannot("there is no sub-command %q", name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(offered, func(o commandOption) bool { return o.Name == name }) {
			return nil, cannot("the command has no option %q", name)
		}
	}
	filled := []object{}
	for _, o := range offered {
		value, ok := given[o.Name]
		if !ok {
			if o.Required && focused == "" {
				return nil, cannot("the option %q is required", o.Name)
			}
			continue
		}
		made, err := s.option(o, value, focused == o.Name, ch, resolved)
		if err != nil {
			return nil, err
		}
		filled = append(filled, made)
	}
	return filled, nil
}

// option is one option with its value, which the app holds to what the command says.
func (s *Sandbox) option(o commandOption, value any, focused bool, ch *channel, resolved object) (object, error) {
	made := object{"name": o.Name, "type": o.Type, "value": value}
	if focused {
		made["focused"] = true
		return made, nil
	}
	switch v := value.(type) {
	case string:
		if o.Type == optionUser {
			return made, s.resolve(v, ch, resolved)
		}
		if o.Type != optionString && o.Type != optionChannel {
			return nil, cannot("the option %q takes no text", o.Name)
		}
	case bool:
		if o.Type != optionBoolean {
			return nil, cannot("the option %q takes no truth value", o.Name)
		}
	case int:
		if o.Type != optionInteger && o.Type != optionNumber {
			return nil, cannot("the option %q takes no number", o.Name)
		}
		if o.Min != nil && float64(v) < *o.Min || o.Max != nil && float64(v) > *o.Max {
			return nil, cannot("%d is out of bounds for %q", v, o.Name)
		}
	default:
		return nil, cannot("the option %q takes no %T", o.Name, value)
	}
	if len(o.Choices) > 0 && !slices.ContainsFunc(o.Choices, func(c commandChoice) bool {
		return string(c.Value) == string(encode(value))
	}) {
		return nil, cannot("%v is no choice for %q", value, o.Name)
	}
	return made, nil
}

// resolve adds a person to what an event resolves: the user always, the member if they are one. A resolved member lacks
// user, deaf and mute.
func (s *Sandbox) resolve(id string, ch *channel, resolved object) error {
	p := s.people[id]
	if p == nil {
		return cannot("there is nobody with the id %q", id)
	}
	resolved["users"].(object)[id] = userJSON(p)
	if ch.server.hasMember(id) {
		m := memberJSON(p, memberPermissions)
		delete(m, "user")
		delete(m, "deaf")
		delete(m, "mute")
		resolved["members"].(object)[id] = m
	}
	return nil
}

// userCommand is a command of a person's menu.
func (a *Actor) userCommand(channelID, name, target string) (*interaction, error) {
	ch, err := a.place(channelID)
	if err != nil {
		return nil, err
	}
	cmd, err := a.s.find(ch, name, commandUser)
	if err != nil {
		return nil, err
	}
	in, err := a.event(interactionCommand, ch)
	if err != nil {
		return nil, err
	}
	in.label = name
	resolved := object{"users": object{}, "members": object{}}
	if err := a.s.resolve(target, ch, resolved); err != nil {
		return nil, err
	}
	in.payload["data"] = object{"id": cmd.ID, "name": cmd.Name, "type": cmd.Type, "target_id": target, "resolved": resolved}
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
	in.source = m
	data := object{"custom_id": c.CustomID, "component_type": c.Type}
	if c.Type != typeButton {
		data["values"] = values
	}
	in.payload["data"] = data
	in.payload["message"] = a.s.messageJSON(m)
	return in, nil
}
