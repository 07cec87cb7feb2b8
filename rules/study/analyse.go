package study

import (
	"cmp"
	"context"
	"slices"
	"time"

	"kraal/rules"
	"kraal/rules/engine"
)

// Bounds of an analysis.
const (
	maxSwings  = 3
	leastSwing = 0.12 // chances that a turn must have given away to be named; less may be the search's own noise
)

// Inquiry is a game that is to be analysed.
type Inquiry struct {
	Game     *rules.Game
	Result   rules.Result        // how it ended, where its last position does not say so itself
	Time     time.Duration       // for all of it
	Nodes    uint64              // positions that are looked at for each turn, if the time is enough
	Progress func(done, all int) // told after each turn; may be nil
}

// Analysis is how a game went.
type Analysis struct {
	Chances []float64 // white's, before the first turn and after each
	Swings  []Swing   // the turns that gave most away, the worst first
	Partial bool      // the time was over before every turn was thought about: the first ones were not
}

// Swing is a turn that gave chances away.
type Swing struct {
	Number        int // of the turn, from 1
	Side          rules.Side
	Played        rules.Turn
	Before, After float64 // the side's chances if it had played what was better, and after what it played
	Better        Advice
	Slip          Slip // what endgame tables say that it gave away
}

// analysis is an Analysis while it is worked out.
type analysis struct {
	*Adviser
	moments []*rules.Game // before the first turn and after each
	turns   []rules.PlayedTurn
	best    []Advice // by moment; none where the game was over
	chances []float64
	known   []bool
	certain []Certain // by moment, for the side to move
}

// Analyse thinks about every turn of a game within the time, from the end backwards, so that what comes later is known
// when what led to it is looked at. The error is the context's.
func (a *Adviser) Analyse(ctx context.Context, q Inquiry) (Analysis, error) {
	n, err := a.replay(q.Game)
	if err != nil {
		return Analysis{}, err
	}
	bounded, cancel := context.WithTimeout(ctx, q.Time)
	defer cancel()
	n.settle(q.Result)
	for i := len(n.moments) - 1; i >= 0; i-- {
		if n.known[i] {
			continue
		}
		if err := n.think(bounded, i, q.Nodes); err != nil {
			if ctx.Err() != nil {
				return Analysis{}, ctx.Err()
			}
			break
		}
		if q.Progress != nil {
			q.Progress(len(n.moments)-i, len(n.moments))
		}
	}
	return n.result(), nil
}

// replay lists the moments of a game at which a turn begins.
func (a *Adviser) replay(g *rules.Game) (*analysis, error) {
	n := &analysis{Adviser: a, turns: g.Turns()}
	at := rules.NewGameAt(g.Variant(), g.Start())
	n.moments = append(n.moments, at.Clone())
	for _, t := range n.turns {
		for _, played := range t.Turn {
			if err := at.Play(played); err != nil {
				return nil, err
			}
		}
		n.moments = append(n.moments, at.Clone())
	}
	reader := a.tables.For(g.Variant())
	for _, m := range n.moments {
		n.certain = append(n.certain, certain(reader, m.Position()))
	}
	n.best = make([]Advice, len(n.moments))
	n.chances, n.known = make([]float64, len(n.moments)), make([]bool, len(n.moments))
	return n, nil
}

// settle gives the last moment its chance where the board says how the game ended. Where people ended it, by resigning or
// by a clock, the position is thought about like any other, unless it was drawn.
func (n *analysis) settle(result rules.Result) {
	last := len(n.moments) - 1
	status := n.moments[last].Status()
	if !status.Over && result != rules.Drawn {
		return
	}
	n.known[last], n.chances[last] = true, 0.5
	if winner, won := status.Result.Winner(); won {
		n.chances[last] = float64(rules.Black - winner) // 1 for white
	}
}

// think works one moment out.
func (n *analysis) think(ctx context.Context, i int, nodes uint64) error {
	g := n.moments[i]
	advice, err := n.advise(ctx, g, engine.Limits{Nodes: nodes})
	if err != nil {
		return err
	}
	chance := advice.Chance()
	if i < len(n.turns) && n.known[i+1] && !advice.Certain.Known {
		chance = n.afterPlayed(i, advice, chance)
	}
	n.best[i], n.known[i] = advice, true
	n.chances[i] = forWhite(chance, g.Position().Turn)
	return nil
}

// afterPlayed is the mover's chance, given what came of the turn played. If that was the best, or turned out to be no
// worse, the later search has seen further.
func (n *analysis) afterPlayed(i int, best Advice, chance float64) float64 {
	played := forWhite(n.chances[i+1], n.turns[i].Side)
	if slices.Equal(best.Turn, n.turns[i].Turn) {
		return played
	}
	return max(chance, played)
}

// forWhite turns a chance of a side into white's, and back.
func forWhite(chance float64, side rules.Side) float64 {
	if side == rules.Black {
		return 1 - chance
	}
	return chance
}

// result is what was found out. Moments that were not come to are as the first that was.
func (n *analysis) result() Analysis {
	var r Analysis
	first := slices.Index(n.known, true)
	if first < 0 {
		return Analysis{Chances: slices.Repeat([]float64{0.5}, len(n.moments)), Partial: true}
	}
	r.Partial = first > 0
	for i := range n.chances {
		r.Chances = append(r.Chances, n.chances[max(i, first)])
	}
	for i := first; i < len(n.turns); i++ {
		if s, ok := n.swing(i); ok {
			r.Swings = append(r.Swings, s)
		}
	}
	slices.SortStableFunc(r.Swings, func(a, b Swing) int { return cmp.Compare(b.Before-b.After, a.Before-a.After) })
	r.Swings = r.Swings[:min(len(r.Swings), maxSwings)]
	return r
}

// swing tells whether a turn gave chances away.
func (n *analysis) swing(i int) (s Swing, ok bool) {
	t := n.turns[i]
	s = Swing{
		Number: i + 1, Side: t.Side, Played: t.Turn, Better: n.best[i],
		Before: forWhite(n.chances[i], t.Side), After: forWhite(n.chances[i+1], t.Side),
		Slip: slip(n.best[i].Certain, n.certain[i+1].turned()),
	}
	return s, t.Complete && s.Before-s.After >= leastSwing && !slices.Equal(s.Better.Turn, t.Turn)
}
