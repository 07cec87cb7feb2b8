package wire

import "encoding/json"

// Place is a channel that was named.
type Place struct {
	ID     string
	Thread bool
	Told   bool  // Discord has said what the bot may do there
	App    int64 // that
	Member int64 // what the person who named it may do there
}

// MayWrite tells whether the person who named the place may see it and write there.
func (p Place) MayWrite() bool {
	needed := int64(permViewChannel | permSendMessages)
	if p.Thread {
		needed = permViewChannel | permSendInThreads
	}
	return p.Member&permAdministrator != 0 || p.Member&needed == needed
}

// Place is the channel that was given for a channel option, with what may be done there as far as Discord has said it.
func (in Interaction) Place(option string) (Place, bool) {
	id, ok := in.ChannelID(option)
	if !ok {
		return Place{}, false
	}
	raw := in.people.Channels[id]
	return Place{ID: id, Thread: threadTypes[raw.Type], Told: len(raw.App) > 0, App: bits(raw.App), Member: bits(raw.Member)}, true
}

type rawPlace struct {
	Type   int             `json:"type"`
	Member json.RawMessage `json:"permissions"`
	App    json.RawMessage `json:"app_permissions"`
}
