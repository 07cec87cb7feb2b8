package bot

import (
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// How the engine deals with people. Scores are hundredths of a piece.
const (
	drawNotBefore = 20 // turns of both sides: nobody agrees to a draw before there has been a game
	drawNotBetter = 10 // it agrees to a draw as long as it is not better by more than this
	drawEven      = 15 // it offers one itself while neither side is better by more than this
	drawQuiet     = 30 // when so many turns brought no shot,
	drawEvery     = 20 // and again after so many more
	drawLevel     = 3  // from this level on
	resignLevel   = 5  // from this level on it gives up
	resignAfter   = 3  // when it has known for so many of its turns that it must lose
)

// deed is what the engine does: it answers a draw where it is not its turn, and else makes its turn.
func (a *App) deed(of *thought, p Player, t match.Table) (match.Deed, error) {
	side, _ := match.EngineSide(t.Match)
	offered := match.Offered(t.Match, storage.OfferDraw, side.Opponent())
	first, err := a.choose(of, p, t, t.Game)
	if err != nil {
		return nil, err
	}
	if t.ToMove() != side {
		if agreesToDraw(t, -first.Score) {
			return match.Draw{}, nil
		}
		return match.RefuseDraw{}, nil
	}
	switch {
	case offered && agreesToDraw(t, first.Score):
		return match.Draw{}, nil
	case a.givesUp(t, first):
		return match.Resign{}, nil
	}
	return a.turn(of, p, t, first)
}

// turn is the whole turn that begins with an action: with every shot that it earns.
func (a *App) turn(of *thought, p Player, t match.Table, first Choice) (match.Deed, error) {
	g, side := t.Game.Clone(), t.ToMove()
	made := match.Turn{OfferDraw: offersDraw(t, first.Score)}
	for next := first; ; {
		if err := g.Play(next.Action); err != nil {
			return nil, err
		}
		made.Actions = append(made.Actions, next.Action)
		if g.Status().Over || g.Position().Turn != side || g.Position().Pending == 0 {
			return made, nil
		}
		var err error
		if next, err = a.choose(of, p, t, g); err != nil {
			return nil, err
		}
	}
}

// agreesToDraw tells whether the engine, to whom the position is worth so much, takes a draw.
func agreesToDraw(t match.Table, score int) bool {
	return len(t.Game.Turns()) >= drawNotBefore && score <= drawNotBetter
}

// offersDraw tells whether the engine offers a draw along with its turn: nothing has happened for long, and nothing will.
func offersDraw(t match.Table, score int) bool {
	side, _ := match.EngineSide(t.Match)
	quiet := int(t.Game.Position().Counts.NoShot)
	due := quiet >= drawQuiet && (quiet-drawQuiet)%drawEvery < 2 // both sides' turns are counted: one of two is its own
	return due && t.Match.Seats[side].Level >= drawLevel && max(score, -score) <= drawEven
}

// givesUp tells whether the engine resigns: at the higher levels, when it has seen for some turns that it loses by force.
func (a *App) givesUp(t match.Table, c Choice) bool {
	side, _ := match.EngineSide(t.Match)
	if t.Match.Seats[side].Level < resignLevel {
		return false
	}
	return a.mind.lost(t.Match.ID, turnsOf(t, side), c.Lost) >= resignAfter && t.BothMoved()
}

// turnsOf is how many turns a side has made.
func turnsOf(t match.Table, side rules.Side) (made int) {
	for _, turn := range t.Game.Turns() {
		if turn.Side == side && turn.Complete {
			made++
		}
	}
	return made
}
