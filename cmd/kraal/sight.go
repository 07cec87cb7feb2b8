package main

import (
	"context"
	"math/rand/v2"

	"kraal/rules"
)

// sighted is a player who sees what its own next action does and nothing behind it: it ends a game that it can win at once,
// else closes a mill where it can, and plays by chance otherwise. The lowest level is measured against it.
type sighted struct{ chance *rand.Rand }

func (s sighted) choose(_ context.Context, g *rules.Game) (rules.Action, error) {
	v, p := g.Variant(), g.Position()
	var best []rules.Action
	worth := 0
	for _, a := range g.Legal() {
		next, err := v.Play(p, a)
		if err != nil {
			return rules.Action{}, err
		}
		seen := 0
		if winner, decided := v.Status(next).Result.Winner(); decided && winner == p.Turn {
			seen = 2
		} else if a.Kind != rules.Shoot && next.Pending > 0 {
			seen = 1
		}
		if seen > worth {
			best, worth = best[:0], seen
		}
		if seen == worth {
			best = append(best, a)
		}
	}
	return best[s.chance.IntN(len(best))], nil // a game that is not over has an action
}
