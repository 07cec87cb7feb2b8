package sandbox

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
)

// Objects that have many fields which nobody here reads, with the values that a young server or a plain bot has.

// applicationJSON is the bot's own application. The lock is held.
func (st *state) applicationJSON() object {
	return object{
		"id": botID, "name": st.people[botID].Name, "icon": nil, "description": "", "type": nil, "bot": userJSON(st.people[botID]),
		"bot_public": true, "bot_require_code_grant": false, "verify_key": "00", "flags": 0, "flags_new": "0", "redirect_uris": []any{},
		"interactions_endpoint_url": nil, "role_connections_verification_url": nil, "owner": userJSON(st.people[botID]),
		"approximate_guild_count": len(st.servers), "approximate_user_install_count": 0, "approximate_user_authorization_count": 0,
		"explicit_content_filter": 0, "team": nil, "eligible_oauth2_scopes": []any{},
	}
}

// guildJSON is a server as GET shows it: without channels and members, which only the gateway tells of.
func guildJSON(srv *server) object {
	o := object{
		"id": srv.ID, "name": srv.Name, "owner_id": srv.Owner, "features": []string{}, "roles": srv.roles(), "emojis": []any{}, "stickers": []any{},
		"region": "deprecated", "afk_timeout": 300, "system_channel_flags": 0, "widget_enabled": false, "verification_level": 0,
		"default_message_notifications": 0, "mfa_level": 0, "explicit_content_filter": 0, "max_members": 500_000,
		"max_stage_video_channel_users": 50, "max_video_channel_users": 25, "premium_tier": 0, "premium_subscription_count": 0,
		"preferred_locale": defaultLocale, "premium_progress_bar_enabled": false, "nsfw": false, "nsfw_level": 0,
	}
	for _, field := range []string{
		"icon", "description", "home_header", "splash", "discovery_splash", "banner", "application_id", "afk_channel_id",
		"widget_channel_id", "max_presences", "vanity_url_code", "rules_channel_id", "safety_alerts_channel_id",
		"public_updates_channel_id", "incidents_data",
	} {
		o[field] = nil
	}
	o["system_channel_id"] = srv.system()
	return o
}

// system is the channel for what Discord itself says: the first one, as in a young server; nil where there is none.
func (srv *server) system() any {
	for _, c := range srv.Channels {
		if c.Parent == "" {
			return c.ID
		}
	}
	return nil
}

// roles are those of a server: first that of everyone, the only one of a young server (topics/permissions, Role Object).
func (srv *server) roles() []object {
	all := []object{roleJSON(srv.ID, "@everyone", memberPermissions, 0)}
	for i, r := range srv.Roles {
		all = append(all, roleJSON(r.ID, r.Name, 0, i+1))
	}
	return all
}

// role is the role with that id; nil if there is none.
func (srv *server) role(id string) object {
	for _, r := range srv.roles() {
		if r["id"] == id {
			return r
		}
	}
	return nil
}

// rolesOf are the ids of a member's roles, without that of everyone.
func (srv *server) rolesOf(person string) []string {
	ids := []string{}
	if srv == nil {
		return ids
	}
	for _, r := range srv.Roles {
		if slices.Contains(r.Members, person) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func roleJSON(id, name string, permissions uint64, position int) object {
	return object{
		"id": id, "name": name, "permissions": bits(permissions), "position": position,
		"color": 0, "colors": object{"primary_color": 0, "secondary_color": nil, "tertiary_color": nil}, "hoist": false,
		"managed": false, "mentionable": false, "icon": nil, "unicode_emoji": nil, "flags": 0,
	}
}

// bits is a set of permissions as the wire has it.
func bits(permissions uint64) string { return strconv.FormatUint(permissions, 10) }

// overwrites are what a channel changes of the members' permissions: for the bot to what it may do there, and for people
// who do not see it.
func (c *channel) overwrites() []object {
	made := []object{}
	for _, person := range slices.Sorted(maps.Keys(c.hidden)) {
		if c.hidden[person] {
			made = append(made, overwrite(person, 0, permViewChannel))
		}
	}
	if allow, deny := c.allow&^memberPermissions, defaultPermissions&^c.allow; allow|deny != 0 {
		made = append(made, overwrite(botID, allow, deny))
	}
	return made
}

// overwrite is one of a member's.
func overwrite(member string, allow, deny uint64) object {
	return object{"id": member, "type": 1, "allow": bits(allow), "deny": bits(deny)}
}

// tellChannel sends what has become of a channel of a server's; its overwrites are in it. The lock is held.
func (s *Sandbox) tellChannel(ch *channel) {
	if ch.server != nil && ch.Parent == "" {
		s.dispatchAll(intentGuilds, "CHANNEL_UPDATE", channelJSON(ch))
	}
}

// position is a channel's among those of its server.
func (c *channel) position() int {
	return max(0, slices.IndexFunc(c.server.Channels, func(one Channel) bool { return one.ID == c.ID }))
}

// placeJSON is a channel, and of direct messages also with whom.
func (st *state) placeJSON(ch *channel) object {
	o := channelJSON(ch)
	if p := st.people[ch.with]; p != nil {
		o["recipients"] = []object{userJSON(p)}
	}
	return o
}

func (s *Sandbox) getMe(*call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	me := userJSON(s.people[botID])
	me["mfa_enabled"], me["locale"], me["verified"], me["email"] = false, defaultLocale, true, nil
	return http.StatusOK, me, nil
}

// hereOf is the server that a route names, if the bot is in it. The lock is held.
func (s *Sandbox) hereOf(c *call) (*server, error) {
	srv := s.serverByID(c.PathValue("guild"))
	if srv == nil || !srv.here {
		return nil, errUnknownServer
	}
	return srv, nil
}

func (s *Sandbox) getServer(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	srv, err := s.hereOf(c)
	if err != nil {
		return 0, nil, err
	}
	o := guildJSON(srv)
	if c.URL.Query().Get("with_counts") == "true" {
		o["approximate_member_count"], o["approximate_presence_count"] = len(srv.Members)+1, len(srv.Members)+1
	}
	return http.StatusOK, o, nil
}

func (s *Sandbox) getRoles(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	srv, err := s.hereOf(c)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, srv.roles(), nil
}

// getChannels lists a server's channels, without threads (resources/guild, Get Guild Channels).
func (s *Sandbox) getChannels(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	srv, err := s.hereOf(c)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, serverJSON(srv, &s.state)["channels"], nil
}

func (s *Sandbox) getApplication(*call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return http.StatusOK, s.applicationJSON(), nil
}
