package match_test

import (
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

const minute = time.Minute

// played is a game of the tournament in which Ann, white, is to complete the turn that she began a minute after noon: she
// has closed a mill, and is to shoot.
func played(t testing.TB) storage.Match {
	t.Helper()
	m := play(t, game(t, variant(t, "tournament"), ""), "a7", "a1", "d7", "d1")
	return playAt(t, m, minute, "g7")
}

func TestProtestMet(t *testing.T) {
	m := doAt(t, played(t), 5*minute, ben, match.Protest{})
	checkClock(t, m, 7*minute, 5*minute)
	if got := look(t, m).Reading(); got.Runs != match.Counted || !m.NoticeAt.IsZero() {
		t.Errorf("%s runs, notice at %v", got.Runs, m.NoticeAt)
	}
	for _, c := range []struct{ after, next time.Duration }{
		{5 * minute, 6 * minute}, {6 * minute, 6*minute + 30*time.Second}, {7 * minute, -1},
	} {
		if got := after(look(t, m).NextWarning(noon.Add(c.after))); got != c.next {
			t.Errorf("after %v the next call is at %v, want %v", c.after, got, c.next)
		}
	}
	refusedAt(t, m, 6*minute, match.Act{By: ben, Do: match.Protest{}}, match.ErrCounted)
	m = playAt(t, m, 7*minute-1, "xa1")
	checkClock(t, m, -1, 7*minute-1+72*time.Hour)
	refusedAt(t, m, 8*minute, match.Act{By: ben, Do: match.Protest{}}, match.ErrYourTurn)
	m = playAt(t, m, 8*minute, "a1")
	m = doAt(t, m, 9*minute, ben, match.Protest{}) // afresh, on a later turn
	checkClock(t, m, 11*minute, 9*minute)
}

func TestProtestLost(t *testing.T) {
	m := doAt(t, played(t), 5*minute, ben, match.Protest{})
	refusedAt(t, m, 7*minute-1, match.Act{Do: match.Tick{}}, match.ErrNotDue)
	refusedAt(t, m, 7*minute, match.Act{By: ann, Do: place(t, "xa1")}, match.ErrTimeUp)
	over := doAt(t, m, 7*minute, storage.Person{}, match.Tick{})
	if over.Result != rules.BlackWins || over.Reason != rules.Timeout || !match.Counts(look(t, over)) {
		t.Errorf("%s %s", over.Result, over.Reason)
	}
}

// TestHalfATurnIsNone: a mill closed in time does not help when the shot comes too late.
func TestHalfATurnIsNone(t *testing.T) {
	m := play(t, game(t, variant(t, "tournament"), ""), "a7", "a1", "d7", "d1")
	m = doAt(t, m, minute, ben, match.Protest{})
	m = playAt(t, m, 2*minute, "g7")
	checkClock(t, m, 3*minute, minute)
	refusedAt(t, m, 3*minute, match.Act{By: ann, Do: place(t, "xa1")}, match.ErrTimeUp)
}

func TestProtestRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		m    storage.Match
		at   time.Duration
		by   storage.Person
		want error
	}{
		{"by the one to move", played(t), 2 * minute, ann, match.ErrYourTurn},
		{"by another", played(t), 2 * minute, cai, match.ErrStranger},
		{"against somebody who has left", played(t), 11*minute + 1, ben, match.ErrAbsent},
		{"in another game", play(t, game(t, variant(t, "morabaraba"), ""), "a7"), 2 * minute, ann, match.ErrNoCount},
		{"against a clock", play(t, clocked(t, variant(t, "tournament"), "30+20"), "a7"), 2 * minute, ann, match.ErrHasClock},
		{"before the game", challenge(variant(t, "tournament")), 0, ann, match.ErrNotPlaying},
	} {
		t.Run(c.name, func(t *testing.T) { refusedAt(t, c.m, c.at, match.Act{By: c.by, Do: match.Protest{}}, c.want) })
	}
	doAt(t, played(t), 11*minute, ben, match.Protest{}) // ten minutes after she acted
	refusedAt(t, played(t), minute, match.Act{By: ben, Revision: 1, Do: match.Protest{}}, match.ErrStale)
	alone := match.New(match.Terms{ID: "x", Variant: variant(t, "tournament"), Challenger: ann, Opponent: ann}, world())
	refusedAt(t, alone, minute, match.Act{By: ann, Do: match.Protest{}}, match.ErrYourTurn)
	house := variant(t, "tournament")
	house.Key = "club"
	doAt(t, play(t, game(t, house, ""), "a7"), minute, ann, match.Protest{})
}

// TestProtestAndTakeback: the turn that is made anew has not been protested against.
func TestProtestAndTakeback(t *testing.T) {
	m := doAt(t, played(t), 5*minute, ben, match.Protest{})
	m = doAt(t, m, 6*minute, ann, match.Takeback{})
	m = doAt(t, m, 6*minute, ben, match.Takeback{})
	checkClock(t, m, -1, 6*minute+72*time.Hour)
	doAt(t, m, 7*minute, ben, match.Protest{})
}

// TestCountWithoutTheBot: the arbiter's absence is given back too.
func TestCountWithoutTheBot(t *testing.T) {
	m := doAt(t, played(t), 5*minute, ben, match.Protest{})
	m = doAt(t, m, 65*minute, storage.Person{}, match.GiveBack{From: noon.Add(5*minute + 30*time.Second), To: noon.Add(65 * minute)})
	checkClock(t, m, 66*minute+30*time.Second, 65*minute+30*time.Second)
}

func TestStandingCount(t *testing.T) {
	m := play(t, game(t, variant(t, "tournament"), ""), "a7", "a1")
	refusedAt(t, m, minute, match.Act{By: cai, Do: match.Standing{}}, match.ErrNotCounted)
	m = doAt(t, m, minute, cai, match.Standing{On: true})
	checkClock(t, m, 3*minute, 2*minute)
	refusedAt(t, m, 2*minute, match.Act{By: cai, Do: match.Standing{On: true}}, match.ErrCounted)
	refusedAt(t, m, 2*minute, match.Act{By: ben, Do: match.Protest{}}, match.ErrCounted)
	m = playAt(t, m, 2*minute, "d7") // every turn has its own
	checkClock(t, m, 4*minute, 3*minute)
	refusedAt(t, m, 4*minute, match.Act{By: cai, Do: match.Standing{}}, match.ErrTimeUp)
	off := doAt(t, m, 3*minute, cai, match.Standing{})
	checkClock(t, off, -1, 2*minute+72*time.Hour)
	over := doAt(t, m, 4*minute, storage.Person{}, match.Tick{})
	if over.Result != rules.WhiteWins || over.Reason != rules.Timeout {
		t.Errorf("%s %s", over.Result, over.Reason)
	}
	refusedAt(t, over, 5*minute, match.Act{By: cai, Do: match.Standing{On: true}}, match.ErrNotPlaying)
	refusedAt(t, game(t, variant(t, "nine"), ""), 0, match.Act{By: cai, Do: match.Standing{On: true}}, match.ErrNoCount)
	timed := clocked(t, variant(t, "tournament"), "1d")
	refusedAt(t, timed, 0, match.Act{By: cai, Do: match.Standing{On: true}}, match.ErrHasClock)
}
