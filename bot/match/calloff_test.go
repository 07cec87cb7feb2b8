package match_test

import (
	"testing"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// TestCallOff (O27): resigning before both have made a turn calls the game off; after that it is a defeat. A turn whose
// shot is due is not made, and one that was taken back is none.
func TestCallOff(t *testing.T) {
	v := variant(t, "nine") // black, Ben, begins
	owing := play(t, game(t, v, "w.w/.../.../....../.../.../b.. b 7,8 0 0,0 -,-"), "g1", "d7")
	for _, c := range []struct {
		name string
		m    storage.Match
		by   storage.Person
		side rules.Side
		off  bool
	}{
		{"nobody has moved, white", game(t, v, ""), ann, rules.White, true},
		{"nobody has moved, black", game(t, v, ""), ben, rules.Black, true},
		{"one side has moved", play(t, game(t, v, ""), "a7"), ben, rules.Black, true},
		{"both have moved", play(t, game(t, v, ""), "a7", "d7"), ann, rules.White, false},
		{"a shot is due", owing, ann, rules.White, true},
		{"the shot is made", play(t, owing, "xg1"), ann, rules.White, false},
		{"the turns were taken back", takeBack(t, play(t, game(t, v, ""), "a7", "d7"), rules.White), ann, rules.White, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			over := do(t, c.m, c.by, match.Resign{})
			if !c.off {
				if over.State != storage.Finished || over.Result != rules.Win(c.side.Opponent()) {
					t.Errorf("%s %s, want a defeat", over.State, over.Result)
				}
				return
			}
			_, won := over.Result.Winner()
			if over.State != storage.Withdrawn || over.Ending != storage.CalledOff || won || match.Counts(look(t, over)) {
				t.Errorf("%s %s %s, want it called off", over.State, over.Ending, over.Result)
			}
			if got := match.CalledOffBy(over); got != c.side {
				t.Errorf("called off by %v, want %v", got, c.side)
			}
			checkRefused(t, over, match.Act{By: ann, Do: match.Rematch{}}, match.ErrNotFinished)
			checkRefused(t, over, match.Act{By: ben, Do: match.Resign{}}, match.ErrNotPlaying)
		})
	}
}

// TestCalledOffAlone: who plays both sides knows that the game was called off, and how: nobody is told.
func TestCalledOffAlone(t *testing.T) {
	alone := play(t, game(t, variant(t, "nine"), ""), "a7")
	two := alone
	alone.Seats[rules.Black].Person = alone.Seats[rules.White].Person
	for _, deed := range []match.Deed{match.Resign{}, match.Leave{}} {
		if over := do(t, alone, ann, deed); over.Ending != storage.CalledOff || !over.NoticeAt.IsZero() {
			t.Errorf("%T alone: %s, a notice at %v", deed, over.Ending, over.NoticeAt)
		}
		if over := do(t, two, ann, deed); over.Ending != storage.CalledOff || over.NoticeAt.IsZero() {
			t.Errorf("%T of two: %s, a notice at %v", deed, over.Ending, over.NoticeAt)
		}
	}
}
