package discord

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/bwmarrin/discordgo"
)

// boardPermissions are what showing and editing a board takes, in a thread of its own where a server wants that, and
// seeing that people have talked it out of sight.
const boardPermissions = discordgo.PermissionViewChannel | discordgo.PermissionSendMessages |
	discordgo.PermissionCreatePublicThreads | discordgo.PermissionSendMessagesInThreads |
	discordgo.PermissionAttachFiles | discordgo.PermissionReadMessageHistory

// InviteLink is the address that adds the bot to a server, with the permissions that it needs and no more. app is the
// application's id.
func InviteLink(app string) (string, error) {
	if _, err := strconv.ParseUint(app, 10, 64); err != nil {
		return "", fmt.Errorf("%q is no application id; it is a number of 17 to 20 digits in Discord's developer portal", app)
	}
	query := url.Values{
		"client_id":   {app},
		"scope":       {"bot applications.commands"},
		"permissions": {strconv.FormatInt(boardPermissions, 10)},
	}
	return "https://discord.com/oauth2/authorize?" + query.Encode(), nil
}
