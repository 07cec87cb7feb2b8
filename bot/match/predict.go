package match

import (
	"errors"

	"kraal/rules"
	"kraal/storage"
)

// Bounds of what others say of a game.
const (
	predictTurns   = 3   // until each side has made so many turns
	maxPredictions = 200 // all of them change together with the game when it ends
)

// Why somebody may not say what will come of a game.
var (
	ErrPlayer       = errors.New("who plays a game does not predict it")
	ErrPredicted    = errors.New("the game is too far on to be predicted")
	ErrManyPredict  = errors.New("enough people have predicted the game")
	ErrNoPrediction = errors.New("no result that can be predicted")
)

// Predict says what will come of a game, or now something else than before. The board's taps stay good.
type Predict struct {
	Before rules.Result // what the member said before; zero: nothing
	Say    rules.Result
}

func (d Predict) apply(l *life) error {
	t, err := Look(l.Match)
	if err != nil {
		return err
	}
	if err := t.MayPredict(l.act.By.ID); err != nil {
		return err
	}
	said := l.Foretold.Moved(d.Before, d.Say)
	switch {
	case (storage.Forecast{}).Moved("", d.Say).All() != 1:
		return ErrNoPrediction
	case said.All() > maxPredictions:
		return ErrManyPredict
	}
	l.Foretold, l.unseen = said, true
	l.Shown.Revision = min(l.Shown.Revision, l.Revision-1) // the board counts it, so it is to be shown anew
	return nil
}

// Predictable tells whether something can still be said of what will come of the match: it is a game of two people in a server,
// in play, and not both have made their third turn.
func (t Table) Predictable() bool {
	if _, engine := EngineSide(t.Match); engine || t.Match.State != storage.Playing || t.Match.Server == "" || Alone(t.Match) {
		return false
	}
	var made [2]int
	for _, turn := range t.Game.Turns() {
		if turn.Complete {
			made[turn.Side]++
		}
	}
	return min(made[rules.White], made[rules.Black]) < predictTurns
}

// MayPredict refuses a member who may not predict the match now: with ErrNotPlaying, ErrPlayer or ErrPredicted.
func (t Table) MayPredict(member string) error {
	_, plays := t.SideOf(member)
	switch {
	case t.Match.State != storage.Playing:
		return ErrNotPlaying
	case plays || member == "":
		return ErrPlayer
	case !t.Predictable():
		return ErrPredicted
	}
	return nil
}
