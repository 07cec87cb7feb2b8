package sandbox

import (
	"encoding/json"
	"slices"
	"time"
)

// keptWorld is everything that is kept but the messages. Lists are in order of their ids, so that equal worlds have equal
// bytes.
type keptWorld struct {
	Key, Token string
	People     []Person
	Servers    []keptServer
	Channels   []keptChannel
	Commands   []keptCommand
	Creates    map[string][]time.Time
}

// keptCounters are apart, since they change with every message.
type keptCounters struct{ LastID, Rev uint64 }

type keptServer struct {
	Server
	Here    bool
	Manages bool
	Left    []string
	Joined  time.Time
}

type keptChannel struct {
	Channel
	Server, With, Owner string
	Allow               uint64
	Hidden              []string
	Hide                int
	Created             time.Time
	Archived, Locked    bool
}

type keptCommand struct {
	Server string // "": everywhere
	Raw    object
}

// keptMessage is a message without the bytes of its attachments.
type keptMessage struct {
	Message
	Rev         uint64
	Files       []keptFile
	Interaction string
	Kind        int
	Tapped      string
	Said        []string
	Once        string
	EditedAt    time.Time
	OldEdits    []time.Time
}

type keptFile struct{ ID, Filename, ContentType, Description string }

// keptForm is the world as it is kept. The lock is held.
func (s *Sandbox) keptForm() keptWorld {
	w := keptWorld{Key: s.key, Token: s.config.Token, Creates: s.creates, Commands: keptCommands("", s.commands)}
	for _, p := range s.people {
		w.People = append(w.People, *p)
	}
	slices.SortFunc(w.People, func(a, b Person) int { return compareIDs(a.ID, b.ID) })
	for _, srv := range s.servers {
		w.Servers = append(w.Servers, keptServer{srv.Server, srv.here, srv.manages, srv.left, srv.joined})
		w.Commands = append(w.Commands, keptCommands(srv.ID, s.serverCmds[srv.ID])...)
	}
	for _, ch := range s.channels {
		w.Channels = append(w.Channels, ch.kept())
	}
	slices.SortFunc(w.Channels, func(a, b keptChannel) int { return compareIDs(a.ID, b.ID) })
	return w
}

func keptCommands(server string, cmds []command) (kept []keptCommand) {
	for _, c := range cmds {
		kept = append(kept, keptCommand{server, c.raw})
	}
	return kept
}

func (c *channel) kept() keptChannel {
	k := keptChannel{
		Channel: c.Channel, With: c.with, Owner: c.owner, Allow: c.allow, Hide: c.hide, Created: c.created,
		Archived: c.archived, Locked: c.locked,
	}
	if c.server != nil {
		k.Server = c.server.ID
	}
	for person, hidden := range c.hidden {
		if hidden {
			k.Hidden = append(k.Hidden, person)
		}
	}
	slices.Sort(k.Hidden)
	return k
}

// isKept tells which messages outlive the process: those that everybody sees, once they say something.
func (m *message) isKept() bool { return !m.Ephemeral && !m.Loading }

// kept is a copy that may be read when the lock is no longer held.
func (m *message) kept() keptMessage {
	k := keptMessage{
		Message: m.Message, Rev: m.rev, Interaction: m.interaction, Kind: m.kind, Tapped: m.tapped, Said: m.said, Once: m.once,
		EditedAt: m.editedAt, OldEdits: slices.Clone(m.oldEdits),
	}
	k.Attachments = nil
	for _, a := range m.Attachments {
		k.Files = append(k.Files, keptFile{a.ID, a.Filename, a.ContentType, a.Description})
	}
	return k
}

// restore makes a state of what was kept. The error is errDamagedWorld where its parts do not fit together.
func (w keptWorld) restore(n keptCounters, now func() time.Time) (state, error) {
	st := newState(World{}, now)
	st.lastID, st.rev = n.LastID, n.Rev+revGap
	for _, p := range w.People {
		st.people[p.ID] = &p
	}
	for _, v := range w.Servers {
		st.servers = append(st.servers, &server{Server: v.Server, here: v.Here, manages: v.Manages, left: v.Left, joined: v.Joined})
	}
	for _, k := range w.Channels {
		ch, ok := st.restoreChannel(k)
		if !ok {
			return st, errDamagedWorld
		}
		st.channels[k.ID] = ch
	}
	for _, ch := range st.channels {
		ch.above = st.channels[ch.Parent]
		if ch.Parent != "" && ch.above == nil {
			return st, errDamagedWorld
		}
	}
	for server, times := range w.Creates {
		st.creates[server] = times
	}
	for _, k := range w.Commands {
		if err := st.restoreCommand(k); err != nil {
			return st, err
		}
	}
	return st, nil
}

func (st *state) restoreChannel(k keptChannel) (ch *channel, ok bool) {
	ch = &channel{
		Channel: k.Channel, server: st.serverByID(k.Server), with: k.With, owner: k.Owner, allow: k.Allow, hide: k.Hide,
		created: k.Created, archived: k.Archived, locked: k.Locked, hidden: map[string]bool{},
	}
	for _, person := range k.Hidden {
		ch.hidden[person] = true
	}
	return ch, ch.server != nil || st.people[k.With] != nil
}

func (st *state) restoreCommand(k keptCommand) error {
	c := command{server: k.Server, raw: k.Raw}
	if json.Unmarshal(encode(k.Raw), &c) != nil || c.ID == "" {
		return errDamagedWorld
	}
	if k.Server == "" {
		st.commands = append(st.commands, c)
	} else {
		st.serverCmds[k.Server] = append(st.serverCmds[k.Server], c)
	}
	return nil
}

// restoreMessage puts a message back. Messages come in order of their ids.
func (s *Sandbox) restoreMessage(k keptMessage, data map[string][]byte) error {
	ch := s.channels[k.Channel]
	if ch == nil || s.people[k.Author] == nil || k.Interaction != "" && s.people[k.By] == nil {
		return errDamagedWorld
	}
	m := &message{
		Message: k.Message, rev: k.Rev, interaction: k.Interaction, kind: k.Kind, tapped: k.Tapped, said: k.Said, once: k.Once,
		editedAt: k.EditedAt, oldEdits: k.OldEdits,
	}
	for _, f := range k.Files {
		bytes, ok := data[f.ID]
		if !ok {
			return errDamagedWorld
		}
		a := Attachment{ID: f.ID, Filename: f.Filename, ContentType: f.ContentType, Description: f.Description, Data: bytes}
		a.measure()
		a.URL = s.attachmentURL(a)
		m.Attachments = append(m.Attachments, a)
	}
	s.messages[m.ID] = m
	ch.order = append(ch.order, m.ID)
	if m.once != "" {
		s.nonces[m.once] = m.ID
	}
	return nil
}
