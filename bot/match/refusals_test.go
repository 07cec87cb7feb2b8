package match_test

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

func isDamaged(err error) bool { return errors.Is(err, match.ErrDamaged) }

func TestRefusals(t *testing.T) {
	v := variant(t, "nine") // black, Ben, begins
	waits := challenge(v)
	open := waits
	open.Opponent = storage.Person{}
	late := waits
	late.Expires = noon
	declined := do(t, waits, ben, match.Decline{})
	cancelled := do(t, waits, ann, match.Cancel{})
	expired := do(t, late, storage.Person{}, match.Expire{})
	opening := game(t, v, "")
	one := play(t, opening, "a7")
	drawOffered := do(t, one, ann, match.Draw{})
	backOffered := do(t, one, ben, match.Takeback{})
	shot := play(t, opening, "a7", "a1", "d7", "d1", "g7")
	over := do(t, play(t, one, "d7"), ann, match.Resign{})
	rematchOffered := do(t, over, ann, match.Rematch{})
	rematched := do(t, rematchOffered, ben, match.Rematch{})
	asked := apply(t, one, match.Act{Request: "r", By: ann, Do: match.Draw{}}).Match

	for _, c := range []struct {
		name string
		m    storage.Match
		act  match.Act
		want error
	}{
		{"accept one's own challenge", waits, match.Act{By: ann, Do: match.Accept{}}, match.ErrOwnChallenge},
		{"accept one's own open challenge", open, match.Act{By: ann, Do: match.Accept{}}, match.ErrOwnChallenge},
		{"accept another's", waits, match.Act{By: cai, Do: match.Accept{}}, match.ErrNotChallenged},
		{"decline another's", waits, match.Act{By: cai, Do: match.Decline{}}, match.ErrNotChallenged},
		{"decline one's own", waits, match.Act{By: ann, Do: match.Decline{}}, match.ErrNotChallenged},
		{"decline an open one", open, match.Act{By: ben, Do: match.Decline{}}, match.ErrNotChallenged},
		{"cancel another's", waits, match.Act{By: ben, Do: match.Cancel{}}, match.ErrNotChallenger},
		{"accept a declined one", declined, match.Act{By: ben, Do: match.Accept{}}, match.ErrNotWaiting},
		{"accept a cancelled one", cancelled, match.Act{By: ben, Do: match.Accept{}}, match.ErrNotWaiting},
		{"accept an expired one", expired, match.Act{By: ben, Do: match.Accept{}}, match.ErrNotWaiting},
		{"accept one that ran out unnoticed", late, match.Act{By: ben, Do: match.Accept{}}, match.ErrNotWaiting},
		{"decline one that ran out unnoticed", late, match.Act{By: ben, Do: match.Decline{}}, match.ErrNotWaiting},
		{"cancel one that ran out unnoticed", late, match.Act{By: ann, Do: match.Cancel{}}, match.ErrNotWaiting},
		{"accept an accepted one", opening, match.Act{By: ben, Do: match.Accept{}}, match.ErrNotWaiting},
		{"cancel an accepted one", opening, match.Act{By: ann, Do: match.Cancel{}}, match.ErrNotWaiting},
		{"decline a cancelled one", cancelled, match.Act{By: ben, Do: match.Decline{}}, match.ErrNotWaiting},
		{"expire a game", opening, match.Act{Do: match.Expire{}}, match.ErrNotWaiting},
		{"expire too early", waits, match.Act{Do: match.Expire{}}, match.ErrNotExpired},
		{"accept an older state", waits, match.Act{By: ben, Revision: 7, Do: match.Accept{}}, match.ErrStale},

		{"nobody accepts", open, match.Act{Do: match.Accept{}}, match.ErrStranger},
		{"play a challenge", waits, match.Act{By: ann, Do: place(t, "a7")}, match.ErrNotPlaying},
		{"resign a challenge", waits, match.Act{By: ben, Do: match.Resign{}}, match.ErrNotPlaying},
		{"play what came to nothing", declined, match.Act{By: ann, Do: place(t, "a7")}, match.ErrNotPlaying},
		{"a rematch of a challenge", waits, match.Act{By: ann, Do: match.Rematch{}}, match.ErrNotFinished},
		{"a rematch of what came to nothing", expired, match.Act{By: ben, Do: match.Rematch{}}, match.ErrNotFinished},

		{"play in another's game", opening, match.Act{By: cai, Do: place(t, "a7")}, match.ErrStranger},
		{"play as nobody", opening, match.Act{Do: place(t, "a7")}, match.ErrStranger},
		{"resign another's game", opening, match.Act{By: cai, Do: match.Resign{}}, match.ErrStranger},
		{"offer a draw in another's game", opening, match.Act{By: cai, Do: match.Draw{}}, match.ErrStranger},
		{"take back in another's game", one, match.Act{By: cai, Do: match.Takeback{}}, match.ErrStranger},
		{"ask for another's rematch", over, match.Act{By: cai, Do: match.Rematch{}}, match.ErrStranger},
		{"play out of turn", opening, match.Act{By: ann, Do: place(t, "a7")}, match.ErrNotYourTurn},
		{"play while the other shoots", shot, match.Act{By: ann, Do: place(t, "a4")}, match.ErrNotYourTurn},
		{"play on an older board", one, match.Act{By: ann, Revision: one.Revision - 1, Do: place(t, "d7")}, match.ErrStale},
		{"play twice with one tap", one, match.Act{By: ben, Revision: one.Revision - 1, Do: place(t, "a7")}, match.ErrStale},
		{"resign on an older board", one, match.Act{By: ann, Revision: 1, Do: match.Resign{}}, match.ErrStale},
		{"draw on an older board", one, match.Act{By: ann, Revision: 1, Do: match.Draw{}}, match.ErrStale},
		{"take back on an older board", one, match.Act{By: ben, Revision: 1, Do: match.Takeback{}}, match.ErrStale},
		{"a request that was carried out", asked, match.Act{Request: "r", By: ann, Do: match.Draw{}}, match.ErrRepeated},
		{"play after the end", over, match.Act{By: ann, Do: place(t, "d7")}, match.ErrNotPlaying},
		{"resign after the end", over, match.Act{By: ann, Do: match.Resign{}}, match.ErrNotPlaying},
		{"draw after the end", over, match.Act{By: ann, Do: match.Draw{}}, match.ErrNotPlaying},
		{"take back after the end", over, match.Act{By: ben, Do: match.Takeback{}}, match.ErrNotPlaying},
		{"offer a draw twice", drawOffered, match.Act{By: ann, Do: match.Draw{}}, match.ErrOffered},
		{"ask twice to take back", backOffered, match.Act{By: ben, Do: match.Takeback{}}, match.ErrOffered},
		{"ask twice for a rematch", rematchOffered, match.Act{By: ann, Do: match.Rematch{}}, match.ErrOffered},
		{"take back at the opening", opening, match.Act{By: ben, Do: match.Takeback{}}, match.ErrNoTurn},
		{"take back without a turn of one's own", one, match.Act{By: ann, Do: match.Takeback{}}, match.ErrNoTurn},
		{"a rematch in mid-game", one, match.Act{By: ann, Do: match.Rematch{}}, match.ErrNotFinished},
		{"a rematch that has begun", rematched, match.Act{By: ann, Do: match.Rematch{}}, match.ErrRematched},

		{"place on a taken point", one, match.Act{By: ann, Do: place(t, "a7")}, rules.ErrOccupied},
		{"place with a shot due", shot, match.Act{By: ben, Do: place(t, "a4")}, rules.ErrShotRequired},
		{"shoot at nothing", shot, match.Act{By: ben, Do: place(t, "xe3")}, rules.ErrEmptyTarget},
		{"shoot one's own", shot, match.Act{By: ben, Do: place(t, "xa7")}, rules.ErrOwnPiece},
		{"move while placing", one, match.Act{By: ann, Do: place(t, "a7-a4")}, rules.ErrWrongPhase},
		{"pass where there is none", one, match.Act{By: ann, Do: place(t, "pass")}, rules.ErrPassNotAllowed},
	} {
		t.Run(c.name, func(t *testing.T) { checkRefused(t, c.m, c.act, c.want) })
	}
}

// place is Play for an action of any kind.
func place(t testing.TB, text string) match.Play { return match.Play{Action: action(t, text)} }

func checkRefused(t *testing.T, m storage.Match, act match.Act, want error) {
	t.Helper()
	before := printed(t, m)
	out, err := match.Apply(m, act, world())
	if !errors.Is(err, want) {
		t.Fatalf("%v, want %v", err, want)
	}
	if got := printed(t, m); got != before {
		t.Errorf("the match given was changed\n got %s\nwant %s", got, before)
	}
	if got := printed(t, out.Match); got != before || out.New != nil {
		t.Errorf("refused, and yet the outcome differs\n got %s\nwant %s", got, before)
	}
	var illegal *rules.IllegalError
	if errors.As(err, &illegal) {
		if legal := look(t, m).Game.Legal(); len(legal) == 0 || !slices.Equal(illegal.Legal, legal) {
			t.Errorf("would be legal: %v, want %v", illegal.Legal, legal)
		}
	}
}

// TestRequestsAreRemembered checks that a request is known again after others, and that a match does not remember for ever.
func TestRequestsAreRemembered(t *testing.T) {
	m := game(t, variant(t, "nine"), "")
	requests := []string{"a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4"}
	for i, text := range requests {
		by := m.Seats[look(t, m).ToMove()].Person
		if look(t, m).Game.Position().Pending > 0 {
			t.Fatalf("%s: a shot is due, this walk should have none", text)
		}
		act := match.Act{Request: "r" + strconv.Itoa(i), By: by, Do: place(t, text)}
		m = apply(t, m, act).Match
		for _, again := range requests[:i+1] {
			act := match.Act{Request: "r" + strconv.Itoa(slices.Index(requests, again)), By: by, Do: place(t, again)}
			checkRefused(t, m, act, match.ErrRepeated)
		}
	}
	for i := range 100 {
		m = apply(t, m, match.Act{Request: "x" + strconv.Itoa(i), By: ann, Do: match.Draw{}}).Match
		m = play(t, m, "g4")
		m = takeBackAndForget(t, m)
	}
	if len(m.Handled) > 64 {
		t.Errorf("%d requests are remembered", len(m.Handled))
	}
}

// takeBackAndForget undoes the last turn and any offers.
func takeBackAndForget(t *testing.T, m storage.Match) storage.Match {
	t.Helper()
	last, _ := look(t, m).LastTurn()
	return takeBack(t, m, last.Side)
}

func TestChallengeRunsOutAtItsMoment(t *testing.T) {
	m := challenge(variant(t, "nine"))
	c := world()
	c.Now = m.Expires.Add(-time.Nanosecond)
	if _, err := match.Apply(m, match.Act{By: ben, Do: match.Accept{}}, c); err != nil {
		t.Errorf("accepted just in time: %v", err)
	}
	c.Now = m.Expires
	out, err := match.Apply(m, match.Act{Do: match.Expire{}}, c)
	if err != nil || out.Match.State != storage.Withdrawn || out.Match.Ending != storage.Expired || !out.Match.Ended.Equal(c.Now) {
		t.Errorf("%v, %s %s at %v", err, out.Match.State, out.Match.Ending, out.Match.Ended)
	}
}
