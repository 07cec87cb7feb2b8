package rules

// ShotRule says how many shots closing mills earns.
type ShotRule uint8

// The two shot rules.
const (
	OneATurn ShotRule = iota // one, however many mills were closed at once
	OneAMill                 // one for each mill closed
)

// For is the number of shots earned by closing that many mills at once.
func (r ShotRule) For(closed uint8) uint8 {
	if r == OneATurn && closed > 1 {
		return 1
	}
	return closed
}

// BlockedRule says what becomes of a player who cannot move.
type BlockedRule uint8

// The two rules for a blocked player.
const (
	Loses  BlockedRule = iota // the game is lost
	Passes                    // the turn is passed; where neither side can move the game is drawn
)

// FullBoardRule says what becomes of a game in which placing fills the board.
type FullBoardRule uint8

// The two rules for a full board.
const (
	Plays FullBoardRule = iota // nothing special: the side to move is blocked
	Draws                      // the game is drawn
)

// Variant is a set of rules: a row of the table of games, or a house rule, which is such a row with some columns changed.
// It is a comparable value. The zero value is no variant; Validate tells.
type Variant struct {
	Key  string // what commands, files and code call it
	Name string // what people call it
	Base string // the key of the table row it was made from; a row's own key for the rows themselves

	Pieces    int  // of each side, 3 to 12
	Diagonals bool // the four corner diagonals are lines
	Flies     bool // a player with exactly three pieces may move to any empty point
	Protected bool // pieces in mills may be shot only when there are no others
	NoReturn  bool // a piece may not go straight back on its side's next turn
	Shots     ShotRule
	Blocked   BlockedRule
	FullBoard FullBoardRule

	Repetition        int // the occurrence of a position that draws; 0 is never
	NoShot            int // consecutive turns without a shot that draw; 0 is never
	ThreeAgainstThree int // consecutive turns at three against three that draw; 0 is never
	First             Side
}

// table is the one place where variants are told apart.
func table() [6]Variant {
	return [...]Variant{
		{Key: "nine", Name: "Nine Men's Morris", Pieces: 9, Flies: true, Protected: true,
			Repetition: 3, NoShot: 100, First: Black},
		{Key: "thinhama", Name: "Thinhama (Mills)", Pieces: 9, Flies: true, Protected: true,
			Repetition: 3, NoShot: 100},
		{Key: "mhele", Name: "Mhele", Pieces: 12, Diagonals: true, Flies: true, Protected: true, NoReturn: true,
			Repetition: 3, NoShot: 100},
		{Key: "morabaraba", Name: "Morabaraba, Traditional", Pieces: 12, Diagonals: true, Flies: true, Protected: true,
			Shots: OneAMill, Repetition: 3, NoShot: 50},
		{Key: "koti", Name: "Morabaraba, Koti", Pieces: 12, Diagonals: true, Flies: true,
			Shots: OneAMill, Blocked: Passes, Repetition: 3, NoShot: 50},
		{Key: "tournament", Name: "Morabaraba, Tournament (Classic South African)", Pieces: 12, Diagonals: true,
			Protected: true, Shots: OneAMill, Repetition: 3, NoShot: 20, ThreeAgainstThree: 20},
	}
}

// Variants lists the games of the table in its order. The slice is the caller's.
func Variants() []Variant {
	rows := table()
	for i := range rows {
		rows[i].Base = rows[i].Key
	}
	return rows[:]
}

// Lookup finds a game of the table by its key.
func Lookup(key string) (Variant, bool) {
	for _, v := range Variants() {
		if v.Key == key {
			return v, true
		}
	}
	return Variant{}, false
}

// geometry is the board the variant is played on.
func (v *Variant) geometry() *geometry {
	if v.Diagonals {
		return diagonalBoard
	}
	return plainBoard
}

// Lines lists the lines on which mills are made, 16 or 20 with diagonals, always in the same order. The slice is the
// caller's.
func (v Variant) Lines() []Line { return append([]Line(nil), v.geometry().lines...) }

// Neighbours is the points adjacent to p; none if p is no point.
func (v Variant) Neighbours(p Point) Points {
	if p >= PointCount {
		return 0
	}
	return v.geometry().near[p]
}
