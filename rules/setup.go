package rules

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Setup is what a position line says, not yet judged: Variant.Position tells whether it can be. Arrays are indexed by
// Side.
type Setup struct {
	Pieces            [2]Points
	Turn              Side
	Hand              [2]int
	Pending           int // shots
	NoShot            int // turns
	ThreeAgainstThree int // turns
	Forbidden         [2]Step
}

// ParseSetup reads a position line: six fields, one space between, in the one way in which Position.String writes them.
// The error is a *SyntaxError whose Field is "position" or one of "pieces", "turn", "hand", "shots", "counts" and
// "forbidden".
func ParseSetup(line string) (Setup, error) {
	fields, err := splitFields(line)
	if err != nil {
		return Setup{}, err
	}
	var s Setup
	read := [...]func(*Setup, string) string{
		(*Setup).readPieces, (*Setup).readTurn, (*Setup).readHand,
		(*Setup).readShots, (*Setup).readCounts, (*Setup).readForbidden,
	}
	for i, field := range fields {
		if want := read[i](&s, field); want != "" {
			return Setup{}, &SyntaxError{Field: fieldNames[i], Text: field, Want: want}
		}
	}
	return s, nil
}

// readPieces reads the first field. Like its sisters it answers what was expected, or "" if the field is as it should be.
func (s *Setup) readPieces(field string) string {
	const want = "rows of 3, 3, 3, 6, 3, 3 and 3 points, each w, b or a full stop, with / between"
	rows := strings.Split(field, "/")
	if len(rows) != len(rowLengths) {
		return want
	}
	at := Point(0)
	for i, row := range rows {
		if len(row) != int(rowLengths[i]) {
			return want
		}
		for _, letter := range []byte(row) {
			switch letter {
			case 'w':
				s.Pieces[White] |= 1 << at
			case 'b':
				s.Pieces[Black] |= 1 << at
			case '.':
			default:
				return want
			}
			at++
		}
	}
	return ""
}

func (s *Setup) readTurn(field string) string {
	switch field {
	case "w":
		s.Turn = White
	case "b":
		s.Turn = Black
	default:
		return "w or b"
	}
	return ""
}

func (s *Setup) readHand(field string) string {
	return readPair(field, &s.Hand[White], &s.Hand[Black])
}

func (s *Setup) readShots(field string) string {
	if !readNumber(field, &s.Pending) {
		return "a number"
	}
	return ""
}

func (s *Setup) readCounts(field string) string {
	return readPair(field, &s.NoShot, &s.ThreeAgainstThree)
}

func (s *Setup) readForbidden(field string) string {
	white, black, found := strings.Cut(field, ",")
	if !found || !readStep(white, &s.Forbidden[White]) || !readStep(black, &s.Forbidden[Black]) {
		return "white's and black's forbidden move, each as d6d7 or -"
	}
	return ""
}

// readPair reads two numbers with a comma between.
func readPair(field string, x, y *int) string {
	first, second, found := strings.Cut(field, ",")
	if !found || !readNumber(first, x) || !readNumber(second, y) {
		return "two numbers up to 65535 with a comma between"
	}
	return ""
}

// readNumber reads a number in the one way in which it is written: no sign, no leading zero.
func readNumber(text string, n *int) bool {
	v, err := strconv.Atoi(text)
	*n = v
	return err == nil && v >= 0 && v <= math.MaxUint16 && strconv.Itoa(v) == text
}

// readStep reads a forbidden move or "-".
func readStep(text string, s *Step) bool {
	if text == "-" {
		*s = Step{}
		return true
	}
	if len(text) != 4 || text != strings.ToLower(text) {
		return false
	}
	from, errFrom := ParsePoint(text[:2])
	to, errTo := ParsePoint(text[2:])
	*s = Step{From: from, To: to, Set: true}
	return errFrom == nil && errTo == nil
}

// Position judges a setup under the variant. The error joins every reason against it, each a *SetupError.
func (v Variant) Position(s Setup) (Position, error) {
	var reasons []error
	refuse := func(when bool, field string, side Side, reason error) {
		if when {
			reasons = append(reasons, &SetupError{Field: field, Side: side, Reason: reason})
		}
	}
	s.Turn &= 1
	stray := s.Pieces[White]&s.Pieces[Black] | (s.Pieces[White]|s.Pieces[Black])&^allPoints
	refuse(stray != 0, "pieces", s.Turn, ErrNotOnBoard)
	for _, side := range [...]Side{White, Black} {
		hand, step := s.Hand[side], s.Forbidden[side]
		refuse(hand < 0 || hand > v.Pieces-s.Pieces[side].Len(), "hand", side, ErrTooManyPieces)
		refuse(step.Set && !v.NoReturn, "forbidden", side, ErrNoReturnUnused)
		refuse(step.Set && (step.From >= PointCount || step.To >= PointCount), "forbidden", side, ErrNotAPoint)
	}
	refuse(s.Pending < 0 || s.Pending > 3, "shots", s.Turn, ErrTooManyShots)
	refuse(s.Pending > 0 && s.Pieces[s.Turn.Opponent()] == 0, "shots", s.Turn, ErrNothingToShoot)
	counted := s.NoShot != 0 || s.ThreeAgainstThree != 0
	refuse(counted && (s.Hand[White] != 0 || s.Hand[Black] != 0), "counts", s.Turn, ErrCountInPlacing)
	if reasons != nil {
		return Position{}, errors.Join(reasons...)
	}
	return s.position(), nil
}

// position is the setup as a position; it must have been judged.
func (s *Setup) position() Position {
	return Position{
		Placement: Placement{
			Pieces:    s.Pieces,
			Hand:      [2]uint8{uint8(s.Hand[White]), uint8(s.Hand[Black])},
			Turn:      s.Turn,
			Pending:   uint8(s.Pending),
			Forbidden: s.Forbidden,
		},
		Counts: Counts{
			NoShot:            clampCount(s.NoShot),
			ThreeAgainstThree: clampCount(s.ThreeAgainstThree),
		},
	}
}

// clampCount brings a count into the range a position can hold.
func clampCount(n int) uint16 { return uint16(min(max(n, 0), math.MaxUint16)) }
