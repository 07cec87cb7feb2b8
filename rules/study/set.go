package study

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// embedded are the puzzles that come with the program, as `kraal puzzles` wrote them.
//
//go:embed puzzles.jsonl
var embedded []byte

// ErrNoPuzzle: a set without puzzles.
var ErrNoPuzzle = errors.New("there is no puzzle")

// day is how long a puzzle is the day's. Days begin at midnight, UTC.
const day = 24 * time.Hour

// Set is puzzles in an order that nobody can guess and everybody shares: that of their ids, which are hashes. It may be
// shared between goroutines.
type Set struct{ puzzles []Puzzle }

// Embedded is the set that comes with the program.
func Embedded() (Set, error) {
	s, err := ReadSet(bytes.NewReader(embedded))
	if err != nil {
		return Set{}, fmt.Errorf("the embedded puzzles: %w", err)
	}
	return s, nil
}

// ReadSet reads a set as WritePuzzles writes it. Two puzzles with one id, and none at all, are errors.
func ReadSet(r io.Reader) (Set, error) {
	puzzles, err := ReadPuzzles(r)
	if err != nil {
		return Set{}, err
	}
	if len(puzzles) == 0 {
		return Set{}, ErrNoPuzzle
	}
	slices.SortFunc(puzzles, func(a, b Puzzle) int { return strings.Compare(a.ID, b.ID) })
	for i, z := range puzzles[1:] {
		if z.ID == puzzles[i].ID {
			return Set{}, fmt.Errorf("%w: id %s stands twice", errPuzzle, z.ID)
		}
	}
	return Set{puzzles}, nil
}

// Len is the number of puzzles.
func (s Set) Len() int { return len(s.puzzles) }

// All are the puzzles in their order. The slice is the caller's.
func (s Set) All() []Puzzle { return slices.Clone(s.puzzles) }

// Find is the puzzle with an id.
func (s Set) Find(id string) (Puzzle, bool) {
	i, ok := slices.BinarySearchFunc(s.puzzles, id, func(z Puzzle, id string) int { return strings.Compare(z.ID, id) })
	if !ok {
		return Puzzle{}, false
	}
	return s.puzzles[i], true
}

// Daily is the puzzle of the day that a moment lies in: each comes once before any comes again.
func (s Set) Daily(at time.Time) Puzzle { return s.at(DayNumber(at)) }

// Further is the n-th puzzle for somebody who wants more, from 0: the same order backwards, without end.
func (s Set) Further(n int) Puzzle { return s.at(-1 - n) }

// at is the puzzle at a place in the order, which has no end in either direction.
func (s Set) at(place int) Puzzle {
	n := len(s.puzzles)
	return s.puzzles[(place%n+n)%n]
}

// DayNumber counts days, UTC, so that neighbours differ by one.
func DayNumber(at time.Time) int { return int(at.Unix() / int64(day/time.Second)) }

// NextDay is when the next day begins.
func NextDay(at time.Time) time.Time { return at.UTC().Truncate(day).Add(day) }
