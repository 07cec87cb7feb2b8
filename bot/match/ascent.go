package match

import (
	"kraal/rules"
	"kraal/storage"
)

// Ascent tells who has beaten the engine, and at which level; ok is false where nobody has, or where the game is none
// that counts: under other rules than those of the six variants, from a position that was set up, with a turn taken back or
// a hint given, or decided by a referee.
func Ascent(m storage.Match) (member string, level int, ok bool) {
	side, engine := EngineSide(m)
	winner, won := m.Result.Winner()
	if !engine || m.State != storage.Finished || !won || winner == side || m.Reason == rules.Adjudication {
		return "", 0, false
	}
	if _, known := rules.Lookup(m.Variant.Key); !known || !HasLadder(m.Variant) || m.Position != "" || len(m.Hints) > 0 {
		return "", 0, false
	}
	for _, p := range m.Pauses {
		if p.Why == storage.PauseTakeback {
			return "", 0, false
		}
	}
	return m.Seats[winner].ID, m.Seats[side].Level, true
}
