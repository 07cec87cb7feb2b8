package discord

import (
	"strconv"
	"strings"
)

// control is what a custom id says: what a tap is for, of which match, as it was at which revision. Everything that a tap
// needs is in it, so that a tap works after any restart.
type control struct {
	Verb     string
	Game     string
	Revision int
	Arg      string
}

// idVersion begins every custom id. Controls of a layout that is no longer understood are told apart by it.
const idVersion = "k1"

// String is the custom id: at most 100 characters, as Discord demands.
func (c control) String() string {
	return strings.Join([]string{idVersion, c.Game, strconv.Itoa(c.Revision), c.Verb, c.Arg}, "|")
}

// readControl understands a custom id; ok is false for one that is not ours.
func readControl(id string) (c control, ok bool) {
	parts := strings.SplitN(id, "|", 5)
	if len(parts) != 5 || parts[0] != idVersion {
		return control{}, false
	}
	revision, err := strconv.Atoi(parts[2])
	if err != nil || revision < 0 {
		return control{}, false
	}
	return control{Game: parts[1], Revision: revision, Verb: parts[3], Arg: parts[4]}, true
}
