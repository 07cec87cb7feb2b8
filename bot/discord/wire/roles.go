package wire

import (
	"context"
	"net/http"
	"net/url"
)

// permManageRoles lets a bot give and take the roles that stand below its own (topics/permissions).
const permManageRoles = 1 << 28

// MayManageRoles tells whether the bot may give and take roles, as far as an interaction tells: where a role stands it
// does not.
func (in Interaction) MayManageRoles() bool {
	return in.AppPermissions&(permManageRoles|permAdministrator) != 0
}

// GiveRole gives a member of a server a role; that they have it already is no error. The reason stands in the server's
// audit log.
func (c *Client) GiveRole(ctx context.Context, server, member, role, reason string) error {
	return c.setRole(ctx, http.MethodPut, []string{server, member, role}, reason)
}

// TakeRole takes a role from a member of a server; that they do not have it is no error.
func (c *Client) TakeRole(ctx context.Context, server, member, role, reason string) error {
	return c.setRole(ctx, http.MethodDelete, []string{server, member, role}, reason)
}

func (c *Client) setRole(ctx context.Context, method string, of []string, reason string) error {
	_, err := c.rest.do(ctx, request{
		method: method, path: path("guilds", of[0], "members", of[1], "roles", of[2]), key: "member roles " + of[0],
		reason: reason, repeatable: true, within: requestTime,
	}, nil)
	return err
}

// IsNoMember reports that somebody is no member of the server (any more), or has no account.
func IsNoMember(err error) bool { return hasCode(err, codeUnknownMember, codeUnknownUser) }

// header is a reason as a header carries it: percent-encoded, and no longer than the audit log takes.
func header(reason string) string { return url.PathEscape(cut(reason, maxReason)) }

// maxReason is how many characters the audit log takes of a reason.
const maxReason = 512
