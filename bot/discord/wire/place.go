package wire

import "encoding/json"

// Place is a channel that was named.
type Place struct {
	ID     string
	Thread bool
	App    int64 // what the bot may do there
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

// Place is the channel that was given for a channel option, with what may be done there; false where Discord did not say
// what that channel is.
func (in Interaction) Place(option string) (Place, bool) {
	id, ok := in.ChannelID(option)
	raw, known := in.people.Channels[id]
	if !ok || !known {
		return Place{}, false
	}
	return Place{ID: id, Thread: threadTypes[raw.Type], App: bits(raw.App), Member: bits(raw.Member)}, true
}

type rawPlace struct {
	Type   int             `json:"type"`
	Member json.RawMessage `json:"permissions"`
	App    json.RawMessage `json:"app_permissions"`
}
