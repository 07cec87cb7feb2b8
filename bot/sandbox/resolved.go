package sandbox

// resolution is what the data of an interaction say of the people, roles and channels that they name by id
// (interactions/receiving-and-responding, Resolved Data Structure).
type resolution struct {
	s   *Sandbox
	by  string // who names them
	ch  *channel
	all object
}

func (a *Actor) resolution(ch *channel) *resolution { return &resolution{a.s, a.id, ch, object{}} }

func (r *resolution) put(kind, id string, o object) {
	if r.all[kind] == nil {
		r.all[kind] = object{}
	}
	r.all[kind].(object)[id] = o
}

// option resolves the value of an option or menu, whose type says what it names; others name nothing.
func (r *resolution) option(kind int, id string) error {
	switch kind {
	case optionUser:
		return r.person(id)
	case optionChannel:
		return r.channel(id)
	case optionRole:
		return r.role(id)
	case optionMentionable:
		if r.ch.server != nil && r.ch.server.role(id) != nil {
			return r.role(id)
		}
		return r.person(id)
	}
	return nil
}

// menu resolves what is chosen of a menu.
func (r *resolution) menu(kind int, ids []string) error {
	names := map[int]int{
		menuOfPeople: optionUser, menuOfRoles: optionRole, menuOfBoth: optionMentionable, typeChannelMenu: optionChannel,
	}
	for _, id := range ids {
		if err := r.option(names[kind], id); err != nil {
			return err
		}
	}
	return nil
}

// person adds somebody: the user always, the member if they are one. A resolved member lacks user, deaf and mute.
func (r *resolution) person(id string) error {
	p := r.s.people[id]
	if p == nil {
		return cannot("there is nobody with the id %q", id)
	}
	r.put("users", id, userJSON(p))
	if r.ch.server.hasMember(id) {
		m := memberJSON(p, r.s.mayHere(id, r.ch))
		m["roles"] = r.ch.server.rolesOf(id)
		delete(m, "user")
		delete(m, "deaf")
		delete(m, "mute")
		r.put("members", id, m)
	}
	return nil
}

// role adds a role of the server.
func (r *resolution) role(id string) error {
	if r.ch.server == nil || r.ch.server.role(id) == nil {
		return cannot("there is no role with the id %q", id)
	}
	r.put("roles", id, r.ch.server.role(id))
	return nil
}

// channel adds a channel that the person sees in the same server, with what they, and the app, may do there.
func (r *resolution) channel(id string) error {
	ch := r.s.channels[id]
	if ch == nil || ch.server == nil || ch.server != r.ch.server || !r.s.sees(r.by, ch) {
		return cannot("there is no channel with the id %q", id)
	}
	o := channelJSON(ch)
	delete(o, "permission_overwrites")
	o["permissions"], o["app_permissions"] = bits(r.s.mayHere(r.by, ch)), bits(ch.effective())
	r.put("channels", id, o)
	return nil
}
