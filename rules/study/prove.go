package study

import (
	"context"
	"slices"

	"kraal/rules"
)

// task is a goal within a number of turns of whoever forces.
type task struct {
	goal  Goal
	depth int
}

// Prove looks for a puzzle in a position: for the goal that is nearest, it sorts all turns of the side to move into those
// that keep the goal and those that do not, looking at every answer. ok is false where there is none, as where the goal
// can be reached in several ways or by any turn. The counts of quiet turns and the past of a game are left out of it.
// The error is ErrTooLarge or the context's.
func Prove(ctx context.Context, v rules.Variant, p rules.Position) (z Puzzle, ok bool, err error) {
	p.Counts = rules.Counts{}
	s := newProver(ctx, v)
	if p.Pending > 0 || s.rules.Status(&p).Over {
		return Puzzle{}, false, nil
	}
	options := s.options(p)
	if len(options) < 3 {
		return Puzzle{}, false, nil // nothing to choose
	}
	for _, t := range tasks() {
		kept := s.keeping(t, p, options)
		if s.err != nil {
			return Puzzle{}, false, s.err
		}
		if t.settles(kept, options) {
			if !puzzling(t, kept, options) {
				return Puzzle{}, false, nil
			}
			return s.puzzle(v, p, t, kept, options), true, s.err
		}
	}
	return Puzzle{}, false, nil
}

// tasks are the goals in the order in which they are looked for: who can win need not save anything.
func tasks() []task {
	return []task{
		{Win, 1}, {Win, 2}, {Piece, 1}, {Save, 1}, {Save, 2}, {Win, 3}, {Piece, 2}, {Block, 1}, {Piece, 3}, {Block, 2},
	}
}

// settles tells whether a task says what a position is about: something is forced, or would be after some turns.
func (t task) settles(kept, options []option) bool {
	if t.goal.forced() {
		return len(kept) > 0
	}
	return len(kept) < len(options)
}

// keeping are the options that keep the task's goal.
func (s *prover) keeping(t task, p rules.Position, options []option) (kept []option) {
	for _, o := range options {
		if s.keeps(t, p.Turn, o) {
			kept = append(kept, o)
		}
	}
	return kept
}

// keeps tells whether a turn of the mover keeps the goal.
func (s *prover) keeps(t task, mover rules.Side, o option) bool {
	if !t.goal.forced() {
		return !s.forces(question{o.after, mover.Opponent(), t.goal.aim(), t.depth})
	}
	if t.goal == Piece && o.closes() {
		return true
	}
	return s.forces(question{o.after, mover, t.goal, t.depth - 1})
}

// puzzling tells whether there is one thing to find, and several turns that are wrong: to force something, one place or
// move, whatever its shots; to keep the other side from it, one point that a piece has to come to, whichever piece does.
// A mill that can be closed at once needs no finding.
func puzzling(t task, kept, options []option) bool {
	switch {
	case len(kept) == 0 || len(options)-len(kept) < 2:
		return false
	case t.goal == Piece && t.depth == 1:
		return false
	}
	first := kept[0].turn[0]
	return !slices.ContainsFunc(kept, func(o option) bool {
		return o.turn[0] != first && (t.goal.forced() || o.turn[0].To != first.To)
	})
}

// puzzle is what was proven, with its grade.
func (s *prover) puzzle(v rules.Variant, p rules.Position, t task, kept, options []option) Puzzle {
	z := Puzzle{ID: identify(p, t.goal), Variant: v, Position: p, Goal: t.goal, Depth: t.depth}
	z.Grade = grade(t, kept, options)
	for _, o := range kept {
		z.Accepted = append(z.Accepted, o.turn)
	}
	return z
}

// grade is how hard a puzzle is: each turn that must be seen ahead makes it harder, and so do a quiet solution, a mill
// that tempts and is wrong, and the choice among shots; a mill to be stopped at once is the easiest.
//
// Where only tables see the end nobody sees it all: what counts is what misleads.
func grade(t task, kept, options []option) int {
	hard := 2*t.depth - 1
	switch {
	case t.goal.byTable():
		hard = 3
	case !t.goal.forced():
		hard = 2 * t.depth
	}
	if t.goal == Block {
		hard--
	}
	if !kept[0].closes() && (t.goal == Win || t.goal.byTable()) {
		hard++
	}
	accepted := func(o option) bool {
		return slices.ContainsFunc(kept, func(k option) bool { return k.turn[0] == o.turn[0] })
	}
	tempts := func(o option) bool { return o.closes() && !accepted(o) }
	if slices.ContainsFunc(options, tempts) {
		hard++
	}
	begun := 0
	for _, o := range options {
		if accepted(o) {
			begun++
		}
	}
	if begun > len(kept) {
		hard++
	}
	return min(hard, MaxGrade)
}
