package discord

import (
	"strings"

	"kraal/bot/discord/wire"
)

// permissionError refuses to begin something that could not be shown.
type permissionError struct{ Missing []string }

func (e *permissionError) Error() string {
	return "missing permissions: " + strings.Join(e.Missing, ", ")
}

// missingPermissions are those that a board needs and that the bot lacks where the request was made. In direct messages
// none are needed.
func (r *request) missingPermissions() []string {
	if r.in.Server == "" {
		return nil
	}
	return r.missing(r.in.AppPermissions, r.in.Thread)
}

// missing names, of what a board needs, what is not among the permissions that the bot has somewhere.
func (r *request) missing(has int64, inThread bool) []string {
	var missing []string
	for _, name := range wire.MissingPermissions(has, inThread) {
		missing = append(missing, r.permissionWord(name))
	}
	return missing
}

// permissionWord is what Discord's settings call a permission.
func (r *request) permissionWord(name string) string {
	return r.Say("Permission"+strings.ReplaceAll(name, " ", ""), nil)
}

// permissionWarning says that what was done is kept but cannot be shown here, and who can mend it; "" when it can.
func (r *request) permissionWarning() string {
	missing := r.missingPermissions()
	if len(missing) == 0 {
		return ""
	}
	return r.Say("KeptNotShown", args{"Count": len(missing), "Permissions": strings.Join(missing, ", ")})
}
