package wire

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"
)

// Server is a server that the bot is in.
type Server struct {
	ID     string
	Joined time.Time // when the bot joined it, by Discord's clock; zero when that was not told

	// Writable are ids of the text channels in which the bot may write: the one for the server's own notices first, then
	// from top to bottom.
	Writable []string
}

// rawServer is what is read of a GUILD_CREATE.
type rawServer struct {
	ID          string          `json:"id"`
	Unavailable bool            `json:"unavailable"`
	Joined      json.RawMessage `json:"joined_at"`
	Owner       string          `json:"owner_id"`
	System      string          `json:"system_channel_id"`
	Roles       []rawRole       `json:"roles"`
	Channels    []rawChannel    `json:"channels"`
	Members     []struct {
		User  rawUser  `json:"user"`
		Roles []string `json:"roles"`
	} `json:"members"`
}

type rawRole struct {
	ID          string          `json:"id"`
	Permissions json.RawMessage `json:"permissions"`
}

type rawChannel struct {
	ID         string                `json:"id"`
	Type       discordgo.ChannelType `json:"type"`
	Position   int                   `json:"position"`
	Parent     string                `json:"parent_id"`
	Overwrites []rawOverwrite        `json:"permission_overwrites"`
}

type rawOverwrite struct {
	ID    string          `json:"id"` // of a role or a member; the two never share one
	Allow json.RawMessage `json:"allow"`
	Deny  json.RawMessage `json:"deny"`
}

func (c *Client) arrived(raw json.RawMessage) {
	g := part[rawServer](raw)
	if c.cfg.Arrived == nil || g.ID == "" || g.Unavailable {
		return
	}
	arrived := Server{ID: g.ID, Joined: part[time.Time](g.Joined), Writable: g.writable(c.SelfID())}
	c.places.Lock()
	defer c.places.Unlock()
	c.cfg.Arrived(arrived)
}

// left tells of a removal; a server that is unavailable for a while has not been left.
func (c *Client) left(raw json.RawMessage) {
	g := part[rawServer](raw)
	if c.cfg.Left != nil && g.ID != "" && !g.Unavailable {
		c.places.Lock()
		defer c.places.Unlock()
		c.cfg.Left(g.ID)
	}
}

// writable lists the text channels in which somebody may write.
func (g rawServer) writable(member string) (ids []string) {
	roles := []string{g.ID} // of everyone
	for _, m := range g.Members {
		if m.User.ID == member {
			roles = append(roles, m.Roles...)
		}
	}
	const needed = permViewChannel | permSendMessages
	for _, ch := range g.fromTheTop() {
		if ch.ID != "" && ch.Type == discordgo.ChannelTypeGuildText && g.may(member, roles, ch)&needed == needed {
			ids = append(ids, ch.ID)
		}
	}
	if at := slices.Index(ids, g.System); at > 0 {
		ids = slices.Insert(slices.Delete(ids, at, at+1), 0, g.System)
	}
	return ids
}

// fromTheTop sorts the channels as people see them: those of no category, then category by category.
func (g rawServer) fromTheTop() []rawChannel {
	category := map[string]int{"": -1}
	for _, ch := range g.Channels {
		if ch.Type == discordgo.ChannelTypeGuildCategory {
			category[ch.ID] = ch.Position
		}
	}
	return slices.SortedFunc(slices.Values(g.Channels), func(a, b rawChannel) int {
		return cmp.Or(
			cmp.Compare(category[a.Parent], category[b.Parent]), cmp.Compare(a.Position, b.Position),
			cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID),
		)
	})
}

// may is what somebody with those roles may do in a channel (topics/permissions, Permission Overwrites): what the
// roles give, changed by the overwrites for everyone, then by those of the other roles together, then by the member's.
func (g rawServer) may(member string, roles []string, ch rawChannel) int64 {
	var base int64
	known := false
	for _, r := range g.Roles {
		known = known || r.ID == g.ID
		if slices.Contains(roles, r.ID) {
			base |= bits(r.Permissions)
		}
	}
	if !known || member == g.Owner || base&permAdministrator != 0 {
		return ^int64(0) // where nothing was told, Discord's refusal is soon enough
	}
	base = ch.overwritten(base, func(id string) bool { return id == g.ID })
	base = ch.overwritten(base, func(id string) bool { return id != g.ID && slices.Contains(roles, id) })
	return ch.overwritten(base, func(id string) bool { return id == member })
}

// overwritten applies the overwrites of some together: what one of them allows is allowed although another denies it.
func (ch rawChannel) overwritten(base int64, of func(id string) bool) int64 {
	var allow, deny int64
	for _, o := range ch.Overwrites {
		if of(o.ID) {
			allow, deny = allow|bits(o.Allow), deny|bits(o.Deny)
		}
	}
	return base&^deny | allow
}
