package sandbox

import "net/http"

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
		"id": srv.ID, "name": srv.Name, "owner_id": srv.Owner, "features": []string{}, "roles": []any{}, "emojis": []any{}, "stickers": []any{},
		"region": "deprecated", "afk_timeout": 300, "system_channel_flags": 0, "widget_enabled": false, "verification_level": 0,
		"default_message_notifications": 0, "mfa_level": 0, "explicit_content_filter": 0, "max_members": 500_000,
		"max_stage_video_channel_users": 50, "max_video_channel_users": 25, "premium_tier": 0, "premium_subscription_count": 0,
		"preferred_locale": defaultLocale, "premium_progress_bar_enabled": false, "nsfw": false, "nsfw_level": 0,
	}
	for _, field := range []string{
		"icon", "description", "home_header", "splash", "discovery_splash", "banner", "application_id", "afk_channel_id",
		"system_channel_id", "widget_channel_id", "max_presences", "vanity_url_code", "rules_channel_id", "safety_alerts_channel_id",
		"public_updates_channel_id", "incidents_data",
	} {
		o[field] = nil
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

func (s *Sandbox) getApplication(*call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return http.StatusOK, s.applicationJSON(), nil
}
