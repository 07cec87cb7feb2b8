// Package study is what search is good for besides playing: puzzles that are proven, hints with a reason, and where a
// game turned.
package study

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"kraal/rules"
	"kraal/rules/endgame"
)

// Goal is what is to be done in a puzzle.
type Goal string

// The goals. In the first two the side to move forces something within Puzzle.Depth turns of its own, whatever the other
// side does; in the last two it keeps the other side from forcing it within that many of the other's turns.
const (
	Win   Goal = "win"   // the game
	Piece Goal = "piece" // a mill, and so a shot, before the other side closes one
	Save  Goal = "save"  // the game: every other turn loses it
	Block Goal = "block" // every other turn lets the other side close a mill
)

// The goals that only endgame tables can prove, since the end is farther off than a search looks. One turn is asked for.
// Puzzle.Depth is in how many of its own turns the winning side wins.
const (
	Keep Goal = "keep" // the win: no other turn wins, however long one plays
	Hold Goal = "hold" // the draw: every other turn loses
)

// forced tells whether the goal is to force something, and not to keep the other side from it.
func (g Goal) forced() bool { return g == Win || g == Piece }

// byTable tells whether a search would not come to the end.
func (g Goal) byTable() bool { return g == Keep || g == Hold }

// aim is what is forced: by the side to move, or by the other where it is kept from it.
func (g Goal) aim() Goal {
	switch g {
	case Save, Keep, Hold:
		return Win
	case Block:
		return Piece
	}
	return g
}

// MaxDepth is the most turns that a solver may be asked for, MaxGrade the hardest grade; the easiest is 1.
const (
	MaxDepth = 4
	MaxGrade = 5
)

// deepest is the most turns that a puzzle's proof looks ahead.
func (g Goal) deepest() int {
	if g.byTable() {
		return endgame.Longest / 2
	}
	return MaxDepth
}

// Puzzle is a position in which exactly the accepted turns keep the goal: all others were proven not to.
type Puzzle struct {
	ID       string // the same for all images of the position, whoever is white
	Variant  rules.Variant
	Position rules.Position
	Goal     Goal
	Accepted []rules.Turn // at least one, sorted by text, and all of one idea: one place or move, or one point to be at
	Depth    int          // turns, of whoever forces: the fewest that do
	Grade    int          // 1 to 5, the hardest
}

// puzzleLine is a puzzle as a file has it, one a line.
type puzzleLine struct {
	ID       string   `json:"id"`
	Variant  string   `json:"variant"`
	Position string   `json:"position"`
	Goal     Goal     `json:"goal"`
	Accepted []string `json:"accepted"`
	Depth    int      `json:"depth"`
	Grade    int      `json:"grade"`
}

// errPuzzle: a line that can be read and is no puzzle.
var errPuzzle = errors.New("not a puzzle")

// MarshalJSON writes the puzzle with its variant's key alone: puzzles in files are of the table's games.
func (z Puzzle) MarshalJSON() ([]byte, error) {
	line := puzzleLine{
		ID: z.ID, Variant: z.Variant.Key, Position: z.Position.String(), Goal: z.Goal, Depth: z.Depth, Grade: z.Grade,
	}
	for _, t := range z.Accepted {
		line.Accepted = append(line.Accepted, t.String())
	}
	return json.Marshal(line)
}

// UnmarshalJSON reads what MarshalJSON writes. It does not prove the puzzle.
func (z *Puzzle) UnmarshalJSON(text []byte) error {
	var line puzzleLine
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	v, ok := rules.Lookup(line.Variant)
	if !ok {
		return fmt.Errorf("%w: variant %q is not known", errPuzzle, line.Variant)
	}
	p, err := v.ParsePosition(line.Position)
	if err != nil {
		return err
	}
	read := Puzzle{ID: line.ID, Variant: v, Position: p, Goal: line.Goal, Depth: line.Depth, Grade: line.Grade}
	for _, text := range line.Accepted {
		t, err := rules.ParseTurn(text)
		if err != nil {
			return err
		}
		read.Accepted = append(read.Accepted, t)
	}
	if err := read.check(); err != nil {
		return err
	}
	*z = read
	return nil
}

// check tells what is not in its bounds.
func (z Puzzle) check() error {
	switch {
	case z.ID == "":
		return fmt.Errorf("%w: it has no id", errPuzzle)
	case !slices.Contains([]Goal{Win, Piece, Save, Block, Keep, Hold}, z.Goal):
		return fmt.Errorf("%w: goal %q is not known", errPuzzle, z.Goal)
	case len(z.Accepted) == 0:
		return fmt.Errorf("%w: no turn is accepted", errPuzzle)
	case z.Depth < 1 || z.Depth > z.Goal.deepest():
		return fmt.Errorf("%w: depth %d is not 1 to %d", errPuzzle, z.Depth, z.Goal.deepest())
	case z.Grade < 1 || z.Grade > MaxGrade:
		return fmt.Errorf("%w: grade %d is not 1 to %d", errPuzzle, z.Grade, MaxGrade)
	}
	return nil
}

// WritePuzzles writes puzzles one a line.
func WritePuzzles(w io.Writer, puzzles []Puzzle) error {
	out := json.NewEncoder(w)
	for _, z := range puzzles {
		if err := out.Encode(z); err != nil {
			return err
		}
	}
	return nil
}

// ReadPuzzles reads what WritePuzzles writes. The error names the line.
func ReadPuzzles(r io.Reader) (puzzles []Puzzle, err error) {
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		var z Puzzle
		if err := json.Unmarshal(lines.Bytes(), &z); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		puzzles = append(puzzles, z)
	}
	return puzzles, lines.Err()
}
