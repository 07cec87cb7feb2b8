package sandbox

import (
	"net/http"
	"slices"
	"unicode/utf8"
)

// permManageRoles lets the bot give and take roles; those of the sandbox all stand below its own.
const permManageRoles uint64 = 1 << 28

// maxReason is how long a reason for the audit log may be (reference, Audit Logs).
const maxReason = 512

// ManageRoles grants the bot in a server the permission Manage Roles, which it does not come with, or takes it back.
func (s *Sandbox) ManageRoles(server string, may bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	srv := s.serverByID(server)
	if srv == nil {
		return errUnknownServer
	}
	srv.manages = may
	s.touch()
	return nil
}

// RolesOf lists the ids of a member's roles, without that of everyone.
func (s *Sandbox) RolesOf(server, person string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.serverByID(server).rolesOf(person)
}

// addRole gives a member a role (resources/guild, Add Guild Member Role). That they have it already is no error.
func (s *Sandbox) addRole(c *call) (int, any, error) {
	return s.changeRole(c, func(members []string, person string) []string {
		if slices.Contains(members, person) {
			return members
		}
		return append(members, person)
	})
}

// removeRole takes it (resources/guild, Remove Guild Member Role).
func (s *Sandbox) removeRole(c *call) (int, any, error) {
	return s.changeRole(c, func(members []string, person string) []string {
		return slices.DeleteFunc(members, func(id string) bool { return id == person })
	})
}

func (s *Sandbox) changeRole(c *call, change func(members []string, person string) []string) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	srv, person, id := s.serverByID(c.PathValue("guild")), c.PathValue("user"), c.PathValue("role")
	switch {
	case srv == nil || !srv.here:
		return 0, nil, errUnknownServer
	case utf8.RuneCountInString(reasonOf(c)) > maxReason:
		return 0, nil, invalid("reason", "Must be %d or fewer in length.", maxReason)
	case !srv.hasMember(person):
		return 0, nil, errUnknownMember
	case id == srv.ID:
		return 0, nil, errInvalidRole // everyone has it, and nobody can be given it
	case srv.role(id) == nil:
		return 0, nil, errUnknownRole
	case !srv.manages:
		return 0, nil, errMissingPermissions
	}
	at := slices.IndexFunc(srv.Roles, func(r Role) bool { return r.ID == id })
	srv.Roles = slices.Clone(srv.Roles) // what is being saved holds on to the old ones
	srv.Roles[at].Members = change(slices.Clone(srv.Roles[at].Members), person)
	s.touch()
	return http.StatusNoContent, nil, nil
}
