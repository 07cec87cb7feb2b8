package bot

import (
	"context"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// Outcome is how a game went for one of those who played it.
type Outcome int

// The outcomes.
const (
	Lost  Outcome = -1
	Drawn Outcome = 0
	Won   Outcome = 1
)

// Past is how a member's last games went, in all servers. Games that counted for nobody, or were played
// against the engine, are not among them.
type Past struct {
	Form    []Outcome // newest first
	Streak  int       // games won one after the other up to the last; below zero: lost
	Longer  bool      // the streak may be longer: further back was not looked
	Against Score     // with one other
}

// Score counts how games between two went, for one of them.
type Score struct{ Won, Drawn, Lost int }

// Games is how many there were.
func (s Score) Games() int { return s.Won + s.Drawn + s.Lost }

// Bounds on what a past looks back on.
const (
	formGames  = 10
	pastGames  = 40  // read for form and streak
	againstAll = 100 // read for the score with one other
)

// Past reads how a member's last games went, and those with another; "" or the member: with nobody.
func (a *App) Past(ctx context.Context, member, other string) (p Past, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		last, err := readAll[storage.Match](a, r, storage.FinishedOf(member), pastGames)
		if err != nil {
			return err
		}
		outcomes := outcomesOf(last, member)
		p.Form = outcomes[:min(len(outcomes), formGames)]
		p.Streak, p.Longer = streakOf(outcomes)
		p.Longer = p.Longer && len(last) == pastGames
		if other == "" || other == member {
			return nil
		}
		with, err := readAll[storage.Match](a, r, storage.FinishedAgainst(member, other), againstAll)
		for _, o := range outcomesOf(with, member) {
			switch o {
			case Won:
				p.Against.Won++
			case Drawn:
				p.Against.Drawn++
			case Lost:
				p.Against.Lost++
			}
		}
		return err
	})
	return p, err
}

// outcomesOf is how the games went for a member, of those that counted for anybody.
func outcomesOf(games []storage.Match, member string) (outcomes []Outcome) {
	for _, m := range games {
		_, practice := match.EngineSide(m)
		if t, err := match.Look(m); practice || err != nil || match.Alone(m) || !t.BothMoved() || !m.Annulled.IsZero() {
			continue
		}
		winner, won := m.Result.Winner()
		switch {
		case !won:
			outcomes = append(outcomes, Drawn)
		case m.Seats[winner].ID == member:
			outcomes = append(outcomes, Won)
		default:
			outcomes = append(outcomes, Lost)
		}
	}
	return outcomes
}

// streakOf counts how many of the first outcomes are the same, draws apart; all tells whether it is all there are.
func streakOf(outcomes []Outcome) (streak int, all bool) {
	for i, o := range outcomes {
		if o == Drawn || o != outcomes[0] {
			return streak, false
		}
		streak = (i + 1) * int(o)
	}
	return streak, true
}

// Favourite is the side that a member has played more often in the games of some standings, and in how many of how many.
// ok is false where there are none, or as many of each.
func Favourite(standings []Standing) (side rules.Side, often, of int, ok bool) {
	white, black := 0, 0
	for _, s := range standings {
		white, black = white+s.Row.Kept.White, black+s.Row.Kept.Black
	}
	if white >= black {
		return rules.White, white, white + black, white > black
	}
	return rules.Black, black, white + black, true
}

// BestWin is the one over the opponent with the most points, of some standings; ok is false where there is none.
func BestWin(standings []Standing) (best Standing, ok bool) {
	for _, s := range standings {
		if s.Row.Kept.Best.Match != "" && (!ok || s.Row.Kept.Best.Points > best.Row.Kept.Best.Points) {
			best, ok = s, true
		}
	}
	return best, ok
}
