package match_test

import (
	"errors"
	"testing"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

func predicts(m storage.Match, by storage.Person, before, say rules.Result) (storage.Match, error) {
	out, err := match.Apply(m, match.Act{By: by, Do: match.Predict{Before: before, Say: say}}, world())
	return out.Match, err
}

// TestPredict: what is said is counted, and once a member; taps made for the board stay good, and it is to be shown anew.
func TestPredict(t *testing.T) {
	m := play(t, game(t, variant(t, "nine"), ""), "a7")
	m.Shown.Revision = m.Revision
	said, err := predicts(m, cai, "", rules.BlackWins)
	if err != nil || said.Foretold != (storage.Forecast{Black: 1}) || said.Revision != m.Revision || !said.Untold() {
		t.Errorf("got %+v at revision %d of %d, untold %v, %v", said.Foretold, said.Revision, m.Revision, said.Untold(), err)
	}
	said, err = predicts(said, cai, rules.BlackWins, rules.Drawn)
	if err != nil || said.Foretold != (storage.Forecast{Draw: 1}) {
		t.Errorf("said anew: got %+v, %v", said.Foretold, err)
	}
}

// TestPredictRefusals: not by its players, not of practice, not outside servers, not too late, nothing that cannot come.
func TestPredictRefusals(t *testing.T) {
	m := game(t, variant(t, "nine"), "")
	direct, alone, full := m, m, m
	direct.Server = ""
	alone.Seats[rules.White].Person = alone.Seats[rules.Black].Person
	full.Foretold = storage.Forecast{White: 150, Black: 50}
	// Black has made three turns and white two: there is time; then white makes a third.
	third := play(t, m, "a7", "b6", "d7", "f6", "b4")
	late := play(t, third, "f4")
	for _, c := range []struct {
		name string
		m    storage.Match
		by   storage.Person
		say  rules.Result
		want error
	}{
		{"white", m, ann, rules.WhiteWins, match.ErrPlayer},
		{"black", m, ben, rules.WhiteWins, match.ErrPlayer},
		{"nobody", m, storage.Person{}, rules.WhiteWins, match.ErrPlayer},
		{"in direct messages", direct, cai, rules.WhiteWins, match.ErrPredicted},
		{"practice", alone, cai, rules.WhiteWins, match.ErrPredicted},
		{"too many", full, cai, rules.WhiteWins, match.ErrManyPredict},
		{"in time", third, cai, rules.WhiteWins, nil},
		{"late", late, cai, rules.WhiteWins, match.ErrPredicted},
		{"over", do(t, m, ann, match.Resign{}), cai, rules.WhiteWins, match.ErrNotPlaying},
		{"a challenge", challenge(variant(t, "nine")), cai, rules.WhiteWins, match.ErrNotPlaying},
		{"undecided", m, cai, rules.Undecided, match.ErrNoPrediction},
		{"nonsense", m, cai, "2-0", match.ErrNoPrediction},
	} {
		if _, err := predicts(c.m, c.by, "", c.say); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}
