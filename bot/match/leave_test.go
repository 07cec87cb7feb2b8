package match_test

import (
	"testing"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// TestLeave: whoever leaves loses what they would lose by resigning, and keeps nobody waiting; whoever has nothing to do
// with a match leaves it alone.
func TestLeave(t *testing.T) {
	v := variant(t, "nine")
	damaged := play(t, game(t, v, ""), "a7", "d7")
	damaged.Deeds[1].Action = "a7" // taken
	alone := play(t, game(t, v, ""), "a7", "d7")
	alone.Seats[rules.Black].Person = alone.Seats[rules.White].Person
	waiting := game(t, v, "")
	waiting.State, waiting.Seats = storage.Challenged, [2]storage.Seat{}
	for _, c := range []struct {
		name   string
		m      storage.Match
		by     storage.Person
		ending storage.Ending // "": it is finished
		loses  bool
	}{
		{"both have moved", play(t, game(t, v, ""), "a7", "d7"), ben, "", true},
		{"one has moved", play(t, game(t, v, ""), "a7"), ben, storage.CalledOff, false},
		{"alone", alone, ann, storage.CalledOff, false},
		{"it cannot be replayed", damaged, ben, storage.Voided, false},
		{"their challenge", waiting, ann, storage.Cancelled, false},
		{"a challenge to them", waiting, ben, storage.Declined, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := match.LosesByLeaving(c.m); got != c.loses {
				t.Errorf("loses by leaving: %v", got)
			}
			over := do(t, c.m, c.by, match.Leave{})
			if over.Live() || over.Ending != c.ending || over.Ticking() {
				t.Errorf("%s %s", over.State, over.Ending)
			}
			if c.loses && (over.Result != rules.WhiteWins || over.Reason != rules.Resignation) {
				t.Errorf("%s %s", over.Result, over.Reason)
			}
			checkRefused(t, over, match.Act{By: c.by, Do: match.Leave{}}, match.ErrNotPlaying)
		})
	}
	checkRefused(t, play(t, game(t, v, ""), "a7"), match.Act{By: cai, Do: match.Leave{}}, match.ErrStranger)
	checkRefused(t, waiting, match.Act{By: cai, Do: match.Leave{}}, match.ErrNotPlaying)
}

// TestNoRematchWithWhoLeft: nor with oneself as one was.
func TestNoRematchWithWhoLeft(t *testing.T) {
	over := do(t, play(t, game(t, variant(t, "nine"), ""), "a7", "d7"), ann, match.Resign{}).Renamed(ann.ID, storage.Alias("x"))
	checkRefused(t, over, match.Act{By: ben, Do: match.Rematch{}}, match.ErrLeft)
	checkRefused(t, over, match.Act{By: ann, Do: match.Rematch{}}, match.ErrStranger)
}
