package match_test

import (
	"errors"
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// adjourned is a game of a day a turn, in which white had 22 hours left when both agreed to let the clock stand.
func adjourned(t testing.TB) storage.Match {
	t.Helper()
	m := playAt(t, clocked(t, variant(t, "nine"), "1d"), time.Hour, "a7")
	m = doAt(t, m, 2*time.Hour, ben, match.Adjourn{})
	return doAt(t, m, 3*time.Hour, ann, match.Adjourn{})
}

func TestAdjourn(t *testing.T) {
	m := adjourned(t)
	checkClock(t, m, -1, -1)
	if !match.Adjourned(m) || len(m.Offers) != 0 || !m.NoticeAt.IsZero() {
		t.Errorf("adjourned %v, offers %v, notice at %v", match.Adjourned(m), m.Offers, m.NoticeAt)
	}
	if got, want := look(t, m).Reading().Left[rules.White], 22*time.Hour; got != want {
		t.Errorf("white has %v, want %v", got, want)
	}
	const later = 500 * time.Hour
	refusedAt(t, m, later, match.Act{Do: match.Tick{}}, match.ErrNotDue)
	refusedAt(t, m, later, match.Act{By: ann, Do: match.Adjourn{}}, match.ErrAdjourned)
	refusedAt(t, m, later, match.Act{By: cai, Do: match.Resume{}}, match.ErrStranger)
	for name, by := range map[string]storage.Person{"by the one to move": ann, "by the other": ben} {
		t.Run(name, func(t *testing.T) {
			on := doAt(t, m, later, by, match.Resume{})
			checkClock(t, on, later+22*time.Hour, later+22*time.Hour-24*time.Hour/5)
			if match.Adjourned(on) || on.NoticeAt.IsZero() {
				t.Errorf("adjourned %v, notice at %v", match.Adjourned(on), on.NoticeAt)
			}
			refusedAt(t, on, later, match.Act{By: by, Do: match.Resume{}}, match.ErrNotAdjourned)
		})
	}
	on := playAt(t, m, later, "d7") // the turn itself goes on
	checkClock(t, on, later+24*time.Hour, later+24*time.Hour*4/5)
}

// TestAdjournedInMidTurn: a turn that goes on with a shot has its time again at once.
func TestAdjournedInMidTurn(t *testing.T) {
	m := play(t, clocked(t, variant(t, "nine"), "1d"), "a7", "a1", "d7", "d1")
	m = doAt(t, m, time.Hour, ann, match.Adjourn{})
	m = doAt(t, m, time.Hour, ben, match.Adjourn{})
	m = playAt(t, m, 100*time.Hour, "g7") // closes a mill
	checkClock(t, m, 123*time.Hour, 123*time.Hour-24*time.Hour/5)
}

func TestAdjourningIsForSlowGames(t *testing.T) {
	for _, clock := range []string{"none", "5+3"} {
		m := play(t, clocked(t, variant(t, "nine"), clock), "a7", "d7")
		refusedAt(t, m, 0, match.Act{By: ann, Do: match.Adjourn{}}, match.ErrNoAdjourning)
		refusedAt(t, m, 0, match.Act{By: ann, Do: match.Resume{}}, match.ErrNotAdjourned)
	}
	m := clocked(t, variant(t, "nine"), "1d")
	m = doAt(t, m, 0, ann, match.Adjourn{})
	refusedAt(t, m, 0, match.Act{By: ann, Do: match.Adjourn{}}, match.ErrOffered)
	refusedAt(t, m, 0, match.Act{By: ben, Revision: 1, Do: match.Adjourn{}}, match.ErrStale)
	m = playAt(t, m, time.Hour, "a7") // Ben plays on: declined
	if len(m.Offers) != 0 || match.Adjourned(m) {
		t.Errorf("offers %v, adjourned %v", m.Offers, match.Adjourned(m))
	}
}

// TestTakebackWhileAdjourned takes the turn back and leaves the clock standing.
func TestTakebackWhileAdjourned(t *testing.T) {
	m := adjourned(t)
	m = doAt(t, m, 10*time.Hour, ben, match.Takeback{})
	m = doAt(t, m, 20*time.Hour, ann, match.Takeback{})
	checkClock(t, m, -1, -1)
	m = playAt(t, m, 30*time.Hour, "a7")
	checkClock(t, m, 54*time.Hour, 54*time.Hour-24*time.Hour/5)
}

func TestClaim(t *testing.T) {
	m := playAt(t, clocked(t, variant(t, "nine"), "none"), time.Hour, "a7") // white is to move
	checkClock(t, m, -1, 73*time.Hour)
	early := match.Act{By: ben, Do: match.Claim{}}
	_, err := match.Apply(m, early, at(73*time.Hour-1))
	var when *match.EarlyError
	if !errors.As(err, &when) || !when.When.Equal(noon.Add(73*time.Hour)) || !errors.Is(err, match.ErrNotDue) {
		t.Errorf("too early: %v", err)
	}
	refusedAt(t, m, 80*time.Hour, match.Act{By: ann, Do: match.Claim{}}, match.ErrYourTurn)
	refusedAt(t, m, 80*time.Hour, match.Act{By: cai, Do: match.Claim{}}, match.ErrStranger)
	refusedAt(t, m, 80*time.Hour, match.Act{By: ben, Revision: 1, Do: match.Claim{}}, match.ErrStale)
	alive := doAt(t, m, 70*time.Hour, ann, match.Draw{}) // she says something
	refusedAt(t, alive, 100*time.Hour, early, match.ErrNotDue)
	over := doAt(t, alive, 142*time.Hour, ben, match.Claim{})
	if over.Result != rules.BlackWins || over.Reason != rules.Abandoned || over.State != storage.Finished {
		t.Errorf("%s %s %s", over.State, over.Result, over.Reason)
	}
	for _, clock := range []string{"5+3", "7d"} {
		timed := play(t, clocked(t, variant(t, "nine"), clock), "a7")
		refusedAt(t, timed, 0, match.Act{By: ben, Do: match.Claim{}}, match.ErrHasClock)
	}
}
