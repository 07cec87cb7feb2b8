package study

import (
	"context"
	"errors"
	"slices"
	"strings"

	"kraal/rules"
)

// ErrTooLarge: a proof that would have looked at more positions than it may.
var ErrTooLarge = errors.New("too large to be proven")

// maxLooks is how many positions a proof may look at. It is a number and not a time so that what can be proven on one
// machine can be on every other.
const maxLooks = 400_000

// prover answers whether a side can force something, by looking at every action of both sides. Repetition is not looked
// at: no position comes for the third time within so few turns.
type prover struct {
	rules *rules.Ruleset
	ctx   context.Context
	looks int // still allowed
	known map[question]bool
	err   error // once set, answers are worth nothing
}

// question is what was asked of a position. The other side's turns are no part of it: they follow.
type question struct {
	position rules.Position
	side     rules.Side
	aim      Goal
	turns    int
}

// newProver is a prover of a variant's positions.
func newProver(ctx context.Context, v rules.Variant) *prover {
	return &prover{rules: v.Compile(), ctx: ctx, looks: maxLooks, known: map[question]bool{}, err: ctx.Err()}
}

// look counts a position that is looked at, and is false when it was one too many.
func (s *prover) look() bool {
	if s.err != nil {
		return false
	}
	if s.looks--; s.looks < 0 {
		s.err = ErrTooLarge
	} else if s.looks%4096 == 0 {
		s.err = s.ctx.Err()
	}
	return s.err == nil
}

// forces tells whether the question's side reaches its aim within so many of its own turns, whatever the other side does.
func (s *prover) forces(q question) bool {
	switch done, reached := s.decided(&q.position, q); {
	case done:
		return reached
	case q.turns == 0 || !s.look():
		return false
	}
	if answer, ok := s.known[q]; ok {
		return answer
	}
	answer := s.every(q)
	if q.position.Turn == q.side {
		answer = s.some(q)
	}
	if s.err == nil {
		s.known[q] = answer
	}
	return answer
}

// decided tells whether a position answers the question by itself.
func (s *prover) decided(p *rules.Position, q question) (done, reached bool) {
	if q.aim == Piece && p.Pending > 0 {
		return true, p.Turn == q.side
	}
	if status := s.rules.Status(p); status.Over {
		winner, won := status.Result.Winner()
		return true, won && winner == q.side
	}
	return false, false
}

// some tells whether one action of the side leads to the aim. Mills are tried first.
func (s *prover) some(q question) bool {
	var room [72]rules.Action
	var quiet []question
	for _, a := range s.rules.AppendLegal(room[:0], &q.position) {
		next := s.after(q, a)
		if next.position.Pending == 0 && q.turns > 1 {
			quiet = append(quiet, next)
			continue
		}
		if s.forces(next) {
			return true
		}
	}
	return slices.ContainsFunc(quiet, s.forces)
}

// every tells whether all actions of the other side lead to the aim. Mills are tried first: they refute most often.
func (s *prover) every(q question) bool {
	var room [72]rules.Action
	var quiet []question
	for _, a := range s.rules.AppendLegal(room[:0], &q.position) {
		next := s.after(q, a)
		if next.position.Pending == 0 {
			quiet = append(quiet, next)
		} else if !s.forces(next) {
			return false
		}
	}
	return !slices.ContainsFunc(quiet, func(next question) bool { return !s.forces(next) })
}

// after is the question after an action: one turn fewer once a turn of the side is over.
func (s *prover) after(q question, a rules.Action) question {
	mover := q.position.Turn
	s.rules.Apply(&q.position, a)
	if mover == q.side && q.position.Turn != mover {
		q.turns--
	}
	return q
}

// option is a whole turn and what it leads to.
type option struct {
	turn  rules.Turn
	after rules.Position
}

// options are the turns of the side to move, sorted by text.
func (s *prover) options(p rules.Position) []option {
	made := s.extend(nil, option{after: p}, p.Turn)
	slices.SortFunc(made, func(a, b option) int { return strings.Compare(a.turn.String(), b.turn.String()) })
	return made
}

// extend appends every way to complete a turn.
func (s *prover) extend(made []option, begun option, mover rules.Side) []option {
	over := s.rules.Status(&begun.after).Over
	if len(begun.turn) > 0 && (over || begun.after.Turn != mover) {
		return append(made, begun)
	}
	for _, a := range s.rules.AppendLegal(nil, &begun.after) {
		next := option{turn: append(slices.Clone(begun.turn), a), after: begun.after}
		s.rules.Apply(&next.after, a)
		made = s.extend(made, next, mover)
	}
	return made
}

// closes tells whether a turn closed a mill.
func (o option) closes() bool { return len(o.turn) > 1 || len(o.turn) == 1 && o.after.Pending > 0 }
