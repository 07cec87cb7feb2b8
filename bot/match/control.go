package match

import "time"

// Control is a time control: how long the players have. The zero Control is no clock.
type Control struct {
	Word      string        // as the command and the record have it
	Bank      time.Duration // of a live clock, for the whole game
	Increment time.Duration // of a live clock, added after each completed turn
	Turn      time.Duration // of a slow clock, for each turn anew
}

const day = 24 * time.Hour

// controls is every clock there is, in the order in which they are offered.
func controls() [7]Control {
	return [...]Control{
		{Word: "none"},
		{Word: "5+3", Bank: 5 * time.Minute, Increment: 3 * time.Second},
		{Word: "10+5", Bank: 10 * time.Minute, Increment: 5 * time.Second},
		{Word: "30+20", Bank: 30 * time.Minute, Increment: 20 * time.Second},
		{Word: "1d", Turn: day},
		{Word: "3d", Turn: 3 * day},
		{Word: "7d", Turn: 7 * day},
	}
}

// Controls lists the clocks that a game can be played with. The slice is the caller's.
func Controls() []Control {
	all := controls()
	return all[:]
}

// ControlOf is the clock with that word; an empty one is none. ok is false where there is no such clock.
func ControlOf(word string) (c Control, ok bool) {
	for _, c := range controls() {
		if c.Word == word {
			return c, true
		}
	}
	return Control{}, word == ""
}

// Live tells whether the players have to be there all the while.
func (c Control) Live() bool { return c.Bank > 0 }

// Slow tells whether each turn has days of its own.
func (c Control) Slow() bool { return c.Turn > 0 }
