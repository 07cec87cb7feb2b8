package study

import (
	"context"
	"math"
	"time"

	"kraal/rules"
	"kraal/rules/endgame"
	"kraal/rules/engine"
)

// Why is a reason for a turn.
type Why string

// The reasons, the strongest first. A turn has one or more.
const (
	WhyWins     Why = "wins"     // it forces the end of the game
	WhyCloses   Why = "closes"   // a mill, for a shot
	WhyBlocks   Why = "blocks"   // the other side could have closed a mill
	WhyForks    Why = "forks"    // two mills or more can be closed next
	WhyPrepares Why = "prepares" // a mill that can be closed next
	WhyOnly     Why = "only"     // nothing else is legal
	WhyDelays   Why = "delays"   // the game is lost, and this holds out longest
	WhyFreedom  Why = "freedom"  // pieces have more room than after other turns: none of the reasons above
)

// Advice is what to play, and why.
type Advice struct {
	Turn    rules.Turn
	Score   engine.Score // for the side to move
	Depth   int          // actions that the search looked ahead
	Reasons []Why
	After   rules.Position
	Certain Certain // what endgame tables say of the position before the turn
}

// Adviser thinks about positions for people. It is not safe for concurrent use.
type Adviser struct {
	engine *engine.Engine
	tables *endgame.Tables
}

// NewAdviser is an adviser that thinks with so many MiB of memory, and with endgame tables unless they are nil. They must
// stay open as long as it is used.
func NewAdviser(hash int, tables *endgame.Tables) *Adviser {
	return &Adviser{engine.New(engine.Options{Hash: hash, Tables: tables}), tables}
}

// leastNodes is how many positions are looked at for a hint whatever the time, so that a machine that is busy gives no
// poor ones, and for a shot that the search for the turn did not come to.
const leastNodes = 20_000

// Hint is the best turn for the side to move, found within the limit, or what little more a short search takes; where
// shots are due, the shots alone. The error is engine.ErrGameOver, engine.ErrNoAction or the context's.
func (a *Adviser) Hint(ctx context.Context, g *rules.Game, limit time.Duration) (Advice, error) {
	least, err := a.advise(ctx, g, engine.Limits{Nodes: leastNodes})
	if err != nil {
		return Advice{}, err
	}
	more, err := a.advise(ctx, g, engine.Limits{Time: limit})
	if err != nil || more.Depth < least.Depth {
		return least, err
	}
	return more, nil
}

// advise finds the best turn and its reasons.
func (a *Adviser) advise(ctx context.Context, g *rules.Game, l engine.Limits) (Advice, error) {
	found, err := a.engine.Think(ctx, g, l, nil)
	if err != nil {
		return Advice{}, err
	}
	if err := ctx.Err(); err != nil {
		return Advice{}, err
	}
	advice := Advice{Score: found.Score, Depth: found.Depth}
	then, mover := g.Clone(), g.Position().Turn
	line := found.PV
	for !then.Status().Over && then.Position().Turn == mover {
		var next rules.Action
		if len(line) > 0 {
			next, line = line[0], line[1:]
		} else {
			more, err := a.engine.Think(ctx, then, engine.Limits{Nodes: leastNodes}, nil)
			if err != nil {
				return Advice{}, err
			}
			next = more.Action
		}
		if err := then.Play(next); err != nil {
			return Advice{}, err
		}
		advice.Turn = append(advice.Turn, next)
	}
	advice.After = then.Position()
	reader := a.tables.For(g.Variant())
	if advice.Certain = certain(reader, g.Position()); !advice.Certain.Known {
		advice.Certain = afterTurn(reader, advice.After)
	}
	advice.Reasons = reasons(g, advice)
	return advice, nil
}

// reasons are why a turn is good, the strongest first.
func reasons(g *rules.Game, a Advice) (why []Why) {
	r, before, after := g.Variant().Compile(), g.Position(), a.After
	mover := before.Turn
	add := func(is bool, w Why) {
		if is {
			why = append(why, w)
		}
	}
	_, wins := a.Score.Win()
	_, lost := a.Score.Loss()
	wins, lost = wins || a.Certain.Won(), lost || a.Certain.Lost()
	add(wins, WhyWins)
	add(before.Pending == 0 && len(a.Turn) > 1, WhyCloses)
	ready := mills(r, after, mover)
	threats, left := mills(r, before, mover.Opponent()), mills(r, after, mover.Opponent())
	add(before.Pending == 0 && left.Len() < threats.Len(), WhyBlocks)
	add(ready.Len() > 1, WhyForks)
	add(ready.Len() == 1, WhyPrepares)
	add(r.CountLegal(&before) == 1, WhyOnly)
	add(lost, WhyDelays)
	add(len(why) == 0, WhyFreedom)
	return why
}

// mills are the points where a side could close a mill with one action, were it to move.
func mills(r *rules.Ruleset, p rules.Position, side rules.Side) (points rules.Points) {
	p.Turn, p.Pending = side, 0
	var room [72]rules.Action
	for _, a := range r.AppendLegal(room[:0], &p) {
		next := p
		r.Apply(&next, a)
		if next.Pending > 0 && next.Turn == side {
			points = points.With(a.To)
		}
	}
	return points
}

// evenScale is by how many hundredths of a piece the odds change by a factor of e. A piece ahead wins two games of three.
const evenScale = 150

// Chance is what the turn promises its side: 0 is lost, 1 is won. What is certain is exact.
func (a Advice) Chance() float64 {
	if a.Certain.Known {
		return a.Certain.chance()
	}
	return Chance(a.Score)
}

// Chance is what a score promises its side: 0 is lost, 1 is won.
func Chance(s engine.Score) float64 {
	if _, wins := s.Win(); wins {
		return 1
	}
	if _, lost := s.Loss(); lost {
		return 0
	}
	return 1 / (1 + math.Exp(-float64(s)/evenScale))
}
