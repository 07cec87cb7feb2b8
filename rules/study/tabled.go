package study

import (
	"context"
	"fmt"
	"slices"

	"kraal/rules"
	"kraal/rules/endgame"
)

// judge is what endgame tables say of the whole turns of a side. A search with enough time would say the same.
type judge struct {
	rules  *rules.Ruleset
	reader *endgame.Reader
	mover  rules.Side
}

// outlook is what a whole turn leads to for who made it, and in how many turns of both sides after it.
type outlook struct {
	value endgame.Value
	turns int
}

// after is what the tables say of the position behind a turn; false where they do not tell, or only until the next shot.
func (j judge) after(p *rules.Position) (outlook, bool) {
	if status := j.rules.Status(p); status.Over {
		winner, won := status.Result.Winner()
		switch {
		case !won:
			return outlook{value: endgame.Draw}, true
		case winner == j.mover:
			return outlook{value: endgame.Win}, true
		}
		return outlook{value: endgame.Loss}, true
	}
	f, ok := j.reader.Probe(p)
	return outlook{-f.Value, f.Turns}, ok && !f.Late
}

// outlooks are what the tables say of each option; false where they do not tell of all.
func (j judge) outlooks(options []option) ([]outlook, bool) {
	all := make([]outlook, 0, len(options))
	for i := range options {
		o, ok := j.after(&options[i].after)
		if !ok {
			return nil, false
		}
		all = append(all, o)
	}
	return all, true
}

// keptBy tells whether a turn with this outlook keeps the goal of a task.
func (t task) keptBy(o outlook) bool {
	switch t.goal {
	case Win:
		return o.value == endgame.Win && o.turns <= 2*(t.depth-1)
	case Save:
		return o.value != endgame.Loss || o.turns > 2*t.depth-1
	case Keep:
		return o.value == endgame.Win
	}
	return o.value != endgame.Loss
}

// kept are the options that keep a task's goal.
func (t task) kept(options []option, outlooks []outlook) (kept []option) {
	for i, o := range outlooks {
		if t.keptBy(o) {
			kept = append(kept, options[i])
		}
	}
	return kept
}

// tabled is the task that only tables set in a position, where there is one: to keep a win that is farther off than a
// search proves, or a draw where what is wrong is punished later than that.
func tabled(outlooks []outlook) (task, bool) {
	best, soonest, latest := endgame.Loss, 2*endgame.Longest, 0
	for _, o := range outlooks {
		switch best = max(best, o.value); o.value {
		case endgame.Win:
			soonest = min(soonest, o.turns)
		case endgame.Loss:
			latest = max(latest, o.turns)
		}
	}
	switch {
	case best == endgame.Win:
		t := task{Keep, soonest/2 + 1}
		return t, t.depth > provenWin
	case best == endgame.Draw:
		t := task{Hold, (latest + 1) / 2}
		return t, t.depth > provenSave
	}
	return task{}, false
}

// provenWin and provenSave are in how many turns a win, of the one side or the other, is looked for without tables.
const provenWin, provenSave = 3, 2

// ProveByTables looks for a puzzle in a position whose end the tables know and a search does not come to: for the one
// turn that keeps the win, or the draw. Its counts of turns are left out. ok is false where there is none, or where the
// tables do not know every turn's end.
func ProveByTables(v rules.Variant, p rules.Position, r *endgame.Reader) (z Puzzle, ok bool) {
	p.Counts = rules.Counts{}
	s := newProver(context.Background(), v)
	if p.Pending > 0 || p.Placing() || s.rules.Status(&p).Over {
		return Puzzle{}, false
	}
	options := s.options(p)
	outlooks, known := judge{s.rules, r, p.Turn}.outlooks(options)
	if !known {
		return Puzzle{}, false
	}
	t, set := tabled(outlooks)
	kept := t.kept(options, outlooks)
	if !set || !puzzling(t, kept, options) {
		return Puzzle{}, false
	}
	return s.puzzle(v, p, t, kept, options), true
}

// VerifyByTables holds a puzzle against tables. known is false where they do not tell: of more pieces than they have, of
// mills that are to be closed or stopped. The error says what does not hold.
func (z Puzzle) VerifyByTables(r *endgame.Reader) (known bool, err error) {
	if z.Goal.aim() == Piece || z.Position.Placing() {
		return false, nil
	}
	p, s := z.Position, newProver(context.Background(), z.Variant)
	p.Counts = rules.Counts{}
	options := s.options(p)
	outlooks, known := judge{s.rules, r, p.Turn}.outlooks(options)
	if !known {
		return false, nil
	}
	t := task{z.Goal, z.Depth}
	kept := t.kept(options, outlooks)
	same := func(o option, a rules.Turn) bool { return slices.Equal(o.turn, a) }
	if !slices.EqualFunc(kept, z.Accepted, same) {
		return true, fmt.Errorf("%w: of %s the tables accept %d turns, not %v", errPuzzle, z.Position, len(kept), z.Accepted)
	}
	saves := func(o outlook) bool { return o.value != endgame.Loss }
	if z.Goal == Save && !slices.ContainsFunc(outlooks, saves) {
		return true, fmt.Errorf("%w: %s cannot be saved", errPuzzle, z.Position)
	}
	sooner := t.sooner()
	if kept := sooner.kept(options, outlooks); sooner.settles(kept, options) {
		return true, fmt.Errorf("%w: %s takes fewer turns than %d", errPuzzle, z.Position, z.Depth)
	}
	if set, _ := tabled(outlooks); t.goal.byTable() && set != t {
		return true, fmt.Errorf("%w: the tables make %s %s in %d", errPuzzle, z.Position, set.goal, set.depth)
	}
	return true, nil
}

// sooner is the task with one turn fewer, which must not be one already; in none nobody reaches anything.
func (t task) sooner() task {
	if t.goal.byTable() {
		return task{Save, 0} // how many turns it takes is compared as a whole
	}
	t.depth--
	return t
}
