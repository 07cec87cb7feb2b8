package bot

import (
	"strings"
	"time"
)

// alphabet is Crockford's base 32: no i, l, o or u, so that an id survives being read aloud and typed by hand.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// idEpoch is where the time in an id starts. Six letters of seconds last until 2060.
var idEpoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// newID is a match's id: six letters of time, so that ids sort, and two by chance. Two matches of one second that draw
// the same letters meet in the store, where the second is refused and draws again.
func (a *App) newID(now time.Time) string {
	seconds := uint64(max(0, now.Sub(idEpoch)/time.Second))
	var id [8]byte
	for i := 5; i >= 0; i-- {
		id[i] = alphabet[seconds%32]
		seconds /= 32
	}
	id[6], id[7] = alphabet[a.Random(32)], alphabet[a.Random(32)]
	return string(id[:])
}

// ReadID is the id that somebody typed: case, spaces, a leading # and letters that are taken for digits are forgiven.
func ReadID(typed string) string {
	typed = strings.ToLower(strings.TrimSpace(typed))
	typed = strings.TrimPrefix(typed, "#")
	return strings.NewReplacer("i", "1", "l", "1", "o", "0", "-", "", " ", "").Replace(typed)
}
