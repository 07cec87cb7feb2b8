package study

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kraal/rules"
)

// Standing is how an attempt at a puzzle stands.
type Standing uint8

// The standings.
const (
	Open   Standing = iota // the solver is to act
	Solved                 // the goal is reached, or kept for as long as was asked
	Missed                 // the last turn gave it away
)

// Attempt is somebody's attempt at a puzzle, with the other side's answers.
type Attempt struct {
	Position rules.Position
	Standing Standing
	Turns    []rules.PlayedTurn // both sides', the last perhaps not complete
	Left     int                // turns in which the goal is to be reached, the one begun included
}

// Last is the turn of either side that was completed last; false before the first.
func (a Attempt) Last() (rules.PlayedTurn, bool) {
	for _, t := range slices.Backward(a.Turns) {
		if t.Complete {
			return t, true
		}
	}
	return rules.PlayedTurn{}, false
}

// attempt is an Attempt while it is worked out.
type attempt struct {
	*prover
	z     Puzzle
	state Attempt
}

// Follow plays a solver's actions and answers each complete turn: one that keeps the goal with the defence that lasts
// longest, one that does not with what refutes it. The same actions always get the same answers. The error is that of an
// action that the rules do not allow or that comes after the end, ErrTooLarge, or the context's.
func (z Puzzle) Follow(ctx context.Context, actions []rules.Action) (Attempt, error) {
	a := attempt{newProver(ctx, z.Variant), z, Attempt{Position: z.Position, Left: z.Depth}}
	if !z.Goal.forced() {
		a.state.Left = 1
	}
	for _, played := range actions {
		if a.state.Standing != Open {
			return Attempt{}, &rules.IllegalError{Action: played, Reason: rules.ErrGameOver}
		}
		if err := a.act(played); err != nil {
			return Attempt{}, err
		}
	}
	return a.state, nil
}

// act plays one action of the solver, and judges and answers a turn that it completes.
func (a *attempt) act(played rules.Action) error {
	next, err := a.z.Variant.Play(a.state.Position, played)
	if err != nil {
		return err
	}
	a.state.Position = next
	a.note(a.z.Position.Turn, played)
	if next.Turn == a.z.Position.Turn && !a.rules.Status(&next).Over {
		return nil // the shot is due
	}
	turn := a.complete()
	a.judge(option{turn, next})
	return a.err
}

// note adds an action to the turns.
func (a *attempt) note(side rules.Side, played rules.Action) {
	last := len(a.state.Turns) - 1
	if last < 0 || a.state.Turns[last].Complete {
		a.state.Turns = append(a.state.Turns, rules.PlayedTurn{Side: side})
		last++
	}
	a.state.Turns[last].Turn = append(a.state.Turns[last].Turn, played)
}

// complete marks the last turn as complete.
func (a *attempt) complete() rules.Turn {
	last := &a.state.Turns[len(a.state.Turns)-1]
	last.Complete = true
	return last.Turn
}

// judge says what a complete turn of the solver is worth, and answers it.
func (a *attempt) judge(o option) {
	mover := a.z.Position.Turn
	t := task{a.z.Goal, a.z.Depth}
	if t.goal.forced() {
		t.depth = a.state.Left
	}
	a.state.Left--
	kept := a.z.Accepts(o.turn)
	if !t.goal.byTable() {
		kept = a.keeps(t, mover, o)
	}
	reached := a.rules.Status(&o.after).Over || t.goal == Piece && o.closes() || !t.goal.forced()
	switch {
	case !kept:
		a.state.Standing = Missed
	case reached:
		a.state.Standing = Solved
		return
	}
	if t.goal.byTable() {
		return // what refutes it is as far off as the end
	}
	if reply, ok := a.reply(o.after); ok {
		a.answer(reply)
	}
}

// answer plays the other side's turn.
func (a *attempt) answer(reply option) {
	for _, played := range reply.turn {
		a.note(a.z.Position.Turn.Opponent(), played)
	}
	a.complete()
	a.state.Position = reply.after
	if a.state.Standing == Open && a.rules.Status(&reply.after).Over {
		a.state.Standing = Solved // the other side had to end it
	}
}

// reply is the other side's turn: against what keeps the goal the one that holds out longest, against what does not one
// that proves it. Among equals it is what comes first by text.
func (a *attempt) reply(p rules.Position) (best option, ok bool) {
	most := -1
	for _, o := range a.options(p) {
		if worth := a.worth(o); worth > most {
			best, most, ok = o, worth, true
		}
	}
	return best, ok && a.err == nil
}

// worth is how much a turn of the other side has for it: how many turns the solver needs after it, or, where the other
// side forces something itself, how soon it has it.
func (a *attempt) worth(o option) int {
	side, turns := a.z.Position.Turn, a.state.Left
	if !a.z.Goal.forced() {
		side, turns = side.Opponent(), a.z.Depth-1
	}
	if a.z.Goal.aim() == Piece && o.closes() {
		return MaxDepth + 1
	}
	needed := 0
	for needed <= turns && !a.forces(question{o.after, side, a.z.Goal.aim(), needed}) {
		needed++
	}
	if a.z.Goal.forced() {
		return needed
	}
	return turns + 1 - needed
}

// Solution is a whole solution with the other side's answers: of the turns that keep the goal, always the first by text.
func (z Puzzle) Solution(ctx context.Context) (Attempt, error) {
	played := slices.Clone(z.Accepted[0])
	for {
		a, err := z.Follow(ctx, played)
		if err != nil || a.Standing != Open {
			return a, err
		}
		s := newProver(ctx, z.Variant)
		kept := s.keeping(task{z.Goal, a.Left}, z.Position, s.options(a.Position))
		if s.err != nil || len(kept) == 0 {
			return a, s.err
		}
		played = append(played, kept[0].turn...)
	}
}

// Accepts tells whether a turn is among those accepted first.
func (z Puzzle) Accepts(t rules.Turn) bool {
	return slices.ContainsFunc(z.Accepted, func(a rules.Turn) bool { return slices.Equal(a, t) })
}

// ErrNeedsTables: what only endgame tables can prove.
var ErrNeedsTables = errors.New("only endgame tables can prove it")

// Verify proves a puzzle afresh, without tables. The error says what does not hold; ErrNeedsTables, that
// VerifyByTables has to be asked.
func (z Puzzle) Verify(ctx context.Context) error {
	if z.Goal.byTable() {
		return ErrNeedsTables
	}
	proven, ok, err := Prove(ctx, z.Variant, z.Position)
	switch {
	case err != nil:
		return err
	case !ok:
		return fmt.Errorf("%w: nothing is proven of %s", errPuzzle, z.Position)
	case proven.ID != z.ID || proven.Goal != z.Goal || proven.Depth != z.Depth || proven.Grade != z.Grade:
		return fmt.Errorf("%w: %s is %s, %s in %d, grade %d", errPuzzle, z.Position, proven.ID, proven.Goal, proven.Depth,
			proven.Grade)
	}
	same := func(a, b rules.Turn) bool { return slices.Equal(a, b) }
	if !slices.EqualFunc(proven.Accepted, z.Accepted, same) {
		return fmt.Errorf("%w: %s accepts %v", errPuzzle, z.Position, proven.Accepted)
	}
	return nil
}
