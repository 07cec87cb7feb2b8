package rules

import (
	"strconv"
	"strings"
)

// Step is a move that the no-return rule forbids. The zero value is none.
type Step struct {
	From, To Point
	Set      bool
}

// String is the two points run together, or "-" for none.
func (s Step) String() string {
	if !s.Set {
		return "-"
	}
	return s.From.String() + s.To.String()
}

// Placement is what repetition compares: two moments of a game with equal placements are the same position. Arrays are
// indexed by Side.
type Placement struct {
	Pieces    [2]Points // on the board
	Hand      [2]uint8  // pieces yet to be placed
	Turn      Side      // the side to move
	Pending   uint8     // shots that the side to move still has to make
	Forbidden [2]Step   // what each side may not do on its next turn
}

// Counts is how long the game has gone on quietly. Both stop at 65535.
type Counts struct {
	NoShot            uint16 // consecutive turns of the moving phase without a shot
	ThreeAgainstThree uint16 // those of them with three pieces on each side
}

// Position is one moment of a game. It is a comparable value; assignment copies it. It does not know its past: repetition
// is a Game's.
type Position struct {
	Placement
	Counts Counts
}

// rowLengths is the number of points on each row of the board, row 7 first.
const rowLengths = "\x03\x03\x03\x06\x03\x03\x03"

// String writes the position in its notation: six fields, one space between.
func (p Position) String() string {
	b := make([]byte, 0, 64)
	at := Point(0)
	for row := range len(rowLengths) {
		if row > 0 {
			b = append(b, '/')
		}
		for range rowLengths[row] {
			b = append(b, p.letter(at))
			at++
		}
	}
	b = append(b, ' ', p.Turn.String()[0], ' ')
	b = appendPair(b, int(p.Hand[White]), int(p.Hand[Black]))
	b = strconv.AppendUint(append(b, ' '), uint64(p.Pending), 10)
	b = appendPair(append(b, ' '), int(p.Counts.NoShot), int(p.Counts.ThreeAgainstThree))
	return string(b) + " " + p.Forbidden[White].String() + "," + p.Forbidden[Black].String()
}

// letter is how the notation shows a point.
func (p *Position) letter(at Point) byte {
	side, taken := p.At(at)
	if !taken {
		return '.'
	}
	return side.String()[0]
}

func appendPair(b []byte, x, y int) []byte {
	b = strconv.AppendInt(b, int64(x), 10)
	return strconv.AppendInt(append(b, ','), int64(y), 10)
}

// Occupied is the points with a piece on them.
func (p Position) Occupied() Points { return p.Pieces[White] | p.Pieces[Black] }

// Empty is the points without one.
func (p Position) Empty() Points { return allPoints &^ p.Occupied() }

// At tells whose piece stands on a point; false if none does.
func (p Position) At(at Point) (Side, bool) {
	switch {
	case p.Pieces[White].Has(at):
		return White, true
	case p.Pieces[Black].Has(at):
		return Black, true
	}
	return White, false
}

// Placing tells whether the placing phase lasts: any hand is not empty.
func (p Position) Placing() bool { return p.Hand[White]|p.Hand[Black] != 0 }

// Opening is the position in which the variant's games begin.
func (v Variant) Opening() Position {
	hand := uint8(v.Pieces)
	return Position{Placement: Placement{Hand: [2]uint8{hand, hand}, Turn: v.First & 1}}
}

// ParsePosition reads a position in its notation and judges it: ParseSetup, then Position.
func (v Variant) ParsePosition(line string) (Position, error) {
	s, err := ParseSetup(line)
	if err != nil {
		return Position{}, err
	}
	return v.Position(s)
}

// fieldNames are the six fields of the notation, in order.
var fieldNames = [...]string{"pieces", "turn", "hand", "shots", "counts", "forbidden"}

// splitFields cuts a position line into its six fields.
func splitFields(line string) (fields []string, err error) {
	fields = strings.Split(line, " ")
	if len(fields) != len(fieldNames) {
		return nil, &SyntaxError{Field: "position", Text: line,
			Want: "six fields with one space between: " + strings.Join(fieldNames[:], ", ")}
	}
	return fields, nil
}
