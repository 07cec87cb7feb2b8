package discord

import (
	"context"
	"errors"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/rules/study"
	"kraal/storage"
)

// maxOwnGames is how many of somebody's last games are looked through for turns that they missed.
const maxOwnGames = 20

// missedByMember is a turn that somebody's own games missed, the newest game first and in it from the first turn on;
// after one that they had already, the next. The search has a bounded time, and waits for its turn among those that
// think.
func (r *request) missedByMember(ctx context.Context, after quest) (quest, error) {
	games, err := r.app.LastFinished(ctx, r.in.User.ID, maxOwnGames)
	if err != nil {
		return quest{}, err
	}
	leave, err := r.thinking.enter(ctx, r.in.User.ID)
	if err != nil {
		return quest{}, err
	}
	defer leave()
	bounded, cancel := context.WithTimeout(ctx, r.thinking.MineTime)
	defer cancel()
	passed := after.game == "" || after.kind != puzzleMine
	for _, m := range games {
		from := 0
		if !passed && m.ID == after.game {
			passed, from = true, after.number+1
		}
		if !passed {
			continue
		}
		q, found, err := missedIn(bounded, m, r.in.User.ID, from)
		switch {
		case ctx.Err() != nil:
			return quest{}, ctx.Err()
		case err != nil:
			return quest{}, errNoneMissed
		case found:
			r.game = m
			return q, nil
		}
	}
	return quest{}, errNoneMissed
}

// missedIn is the first turn of a member's, from a turn of the game on, that was a puzzle which they did not solve.
func missedIn(ctx context.Context, m storage.Match, member string, from int) (q quest, found bool, err error) {
	t, err := match.Look(m)
	if err != nil {
		return q, false, nil // a game that cannot be replayed holds no puzzles
	}
	g := rules.NewGameAt(m.Variant, t.Game.Start())
	for number, turn := range t.Game.Turns() {
		if number >= from && m.Seats[turn.Side].ID == member && turn.Complete {
			z, ok, err := study.Prove(ctx, m.Variant, g.Position())
			if err != nil && !errors.Is(err, study.ErrTooLarge) {
				return q, false, err
			}
			if ok && !z.Accepts(turn.Turn) {
				return quest{kind: puzzleMine, number: number, game: m.ID, puzzle: z}, true, nil
			}
		}
		for _, a := range turn.Turn {
			if err := g.Play(a); err != nil {
				return q, false, nil
			}
		}
	}
	return q, false, nil
}

// questOfGame finds the puzzle of a control again: the turn of a game that its number says. It is proven afresh, which
// gives the same.
func (r *request) questOfGame(ctx context.Context, q quest, id string) (quest, error) {
	if err := r.look(ctx, control{Game: id}); err != nil {
		return quest{}, err
	}
	m := r.game
	if m.State != storage.Finished || !isPlayer(m, r.in.User.ID) {
		return quest{}, errOutdated // an unfinished game is nobody's puzzle
	}
	t, err := match.Look(m)
	if err != nil {
		return quest{}, err
	}
	then, err := t.After(q.number)
	if err != nil {
		return quest{}, errOutdated
	}
	z, ok, err := study.Prove(ctx, m.Variant, then.Game.Position())
	if err != nil {
		return quest{}, err
	}
	if !ok {
		return quest{}, errOutdated
	}
	q.game, q.puzzle = m.ID, z
	return q, nil
}
