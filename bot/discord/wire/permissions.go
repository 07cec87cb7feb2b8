package wire

// The permissions a board needs, by their bits (topics/permissions).
const (
	permAdministrator = 1 << 3
	permManageServer  = 1 << 5
	permViewChannel   = 1 << 10
	permSendMessages  = 1 << 11
	permAttachFiles   = 1 << 15
	permSendInThreads = 1 << 38
)

// MissingPermissions names what the bot lacks, of what showing and editing a board needs, as Discord's settings name it.
// app is what an interaction said the bot may do where it was made. In a thread Send Messages has no effect.
func MissingPermissions(app int64, inThread bool) []string {
	if app&permAdministrator != 0 {
		return nil
	}
	needed := []struct {
		bit  int64
		name string
	}{
		{permViewChannel, "View Channel"},
		{permSendMessages, "Send Messages"},
		{permAttachFiles, "Attach Files"},
	}
	if inThread {
		needed[1].bit, needed[1].name = permSendInThreads, "Send Messages in Threads"
	}
	var missing []string
	for _, n := range needed {
		if app&n.bit == 0 {
			missing = append(missing, n.name)
		}
	}
	return missing
}

// ManageServer is the permission Manage Server, as commands ask for it.
const ManageServer int64 = permManageServer

// MayManage tells whether the person may manage the server.
func (in Interaction) MayManage() bool {
	return in.Server != "" && in.MemberPermissions&(permManageServer|permAdministrator) != 0
}
