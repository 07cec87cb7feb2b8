package match

import (
	"fmt"
	"time"

	"kraal/rules"
	"kraal/storage"
)

// Table is a match as it stands on the board: everything that is worked out from its record.
type Table struct {
	Match storage.Match
	Game  *rules.Game
}

// Look replays the record. The error is ErrDamaged with the reason: a record that was kept whole always replays.
func Look(m storage.Match) (Table, error) {
	g, err := begin(m)
	if err != nil {
		return Table{}, fmt.Errorf("match %s: %w: %w", m.ID, ErrDamaged, err)
	}
	for i, d := range m.Deeds {
		a, err := rules.ParseAction(d.Action)
		if err == nil {
			err = g.Play(a)
		}
		if err != nil {
			return Table{}, fmt.Errorf("match %s, action %d: %w: %w", m.ID, i+1, ErrDamaged, err)
		}
	}
	return Table{Match: m, Game: g}, nil
}

func begin(m storage.Match) (*rules.Game, error) {
	if err := m.Variant.Validate(); err != nil {
		return nil, err
	}
	if m.Position == "" {
		return rules.NewGame(m.Variant), nil
	}
	p, err := m.Variant.ParsePosition(m.Position)
	if err != nil {
		return nil, err
	}
	return rules.NewGameAt(m.Variant, p), nil
}

// ToMove is the side whose turn it is.
func (t Table) ToMove() rules.Side { return t.Game.Position().Turn }

// Status is the board's verdict, or the match's where people ended it.
func (t Table) Status() rules.Status {
	if t.Match.State == storage.Finished {
		return rules.Status{Over: true, Result: t.Match.Result, Reason: t.Match.Reason}
	}
	return t.Game.Status()
}

// SideOf tells which side a member plays. Who holds both seats plays whichever is to move.
func (t Table) SideOf(member string) (rules.Side, bool) {
	white, black := t.Match.Seats[rules.White].ID == member, t.Match.Seats[rules.Black].ID == member
	switch {
	case member == "" || !white && !black:
		return rules.White, false
	case white && black:
		return t.ToMove(), true
	case white:
		return rules.White, true
	}
	return rules.Black, true
}

// seated tells whether the match has players: a challenge has none yet, and one that came to nothing never has.
func seated(m storage.Match) bool { return m.State == storage.Playing || m.State == storage.Finished }

// Alone tells whether one member holds both seats.
func Alone(m storage.Match) bool {
	return seated(m) && m.Seats[rules.White].ID == m.Seats[rules.Black].ID
}

// After is the match as it stood after so many turns, or as it stands where it has no more. Offers, clocks and what came
// of it are not of that time and are left out.
func (t Table) After(turns int) (Table, error) {
	played := t.Game.Turns()
	if turns >= len(played) {
		return t, nil
	}
	m, n := t.Match, 0
	for _, turn := range played[:max(turns, 0)] {
		n += len(turn.Turn)
	}
	m.State, m.Deeds, m.Offers, m.Changes, m.Foretold = storage.Playing, m.Deeds[:n:n], nil, nil, storage.Forecast{}
	m.Pauses, m.Protests, m.Standing, m.Clock = nil, nil, time.Time{}, ""
	m.WarnAt, m.FlagAt = time.Time{}, time.Time{}
	return Look(m)
}

// LastTurn is the turn last made, or under way, with any pass that the bot made after it left out; ok is false before
// the first.
func (t Table) LastTurn() (last rules.PlayedTurn, ok bool) {
	turns := t.Game.Turns()
	for i := len(turns) - 1; i >= 0; i-- {
		if !isPass(turns[i].Turn) {
			return turns[i], true
		}
	}
	return rules.PlayedTurn{}, false
}

// Passed tells whether the side that was to move last had to pass.
func (t Table) Passed() bool {
	turns := t.Game.Turns()
	return len(turns) > 0 && isPass(turns[len(turns)-1].Turn)
}

// BothMoved tells whether each side has completed a turn, before which a game counts for nobody.
func (t Table) BothMoved() bool {
	var moved [2]bool
	for _, turn := range t.Game.Turns() {
		moved[turn.Side] = moved[turn.Side] || turn.Complete
	}
	return moved[rules.White] && moved[rules.Black]
}

func isPass(t rules.Turn) bool { return len(t) == 1 && t[0].Kind == rules.Pass }
