package match_test

import (
	"errors"
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// at is the world, so long after noon.
func at(d time.Duration) match.Circumstances {
	c := world()
	c.Now = noon.Add(d)
	return c
}

// clocked is a game in play that began at noon, with a clock: Ann is white, Ben black.
func clocked(t testing.TB, v rules.Variant, clock string) storage.Match {
	t.Helper()
	m := challenge(v)
	m.Clock = clock
	return apply(t, m, match.Act{By: ben, Do: match.Accept{}}).Match
}

// doAt is an act that has to succeed, so long after noon.
func doAt(t testing.TB, m storage.Match, d time.Duration, by storage.Person, deed match.Deed) storage.Match {
	t.Helper()
	out, err := match.Apply(m, match.Act{By: by, Do: deed}, at(d))
	if err != nil {
		t.Fatalf("%s does %T at %v: %v", by.Name, deed, d, err)
	}
	return out.Match
}

// playAt makes an action, by whoever is to move, so long after noon.
func playAt(t testing.TB, m storage.Match, d time.Duration, text string) storage.Match {
	t.Helper()
	return doAt(t, m, d, m.Seats[look(t, m).ToMove()].Person, place(t, text))
}

// refusedAt demands a refusal, so long after noon.
func refusedAt(t testing.TB, m storage.Match, d time.Duration, act match.Act, want error) {
	t.Helper()
	if _, err := match.Apply(m, act, at(d)); !errors.Is(err, want) {
		t.Errorf("%s does %T at %v: %v, want %v", act.By.Name, act.Do, d, err, want)
	}
}

// after is how long after noon something is set for; -1: it is not set.
func after(moment time.Time) time.Duration {
	if moment.IsZero() {
		return -1
	}
	return moment.Sub(noon)
}

func checkClock(t testing.TB, m storage.Match, flag, warn time.Duration) {
	t.Helper()
	if got := after(m.FlagAt); got != flag {
		t.Errorf("time is up after %v, want %v", got, flag)
	}
	if got := after(m.WarnAt); got != warn {
		t.Errorf("a warning after %v, want %v", got, warn)
	}
}

func TestControls(t *testing.T) {
	for _, c := range match.Controls() {
		got, ok := match.ControlOf(c.Word)
		if !ok || got != c {
			t.Errorf("%s: got %+v %v", c.Word, got, ok)
		}
		if c.Live() && c.Slow() || (c.Word == "none") == (c.Live() || c.Slow()) {
			t.Errorf("%s: live %v, slow %v", c.Word, c.Live(), c.Slow())
		}
	}
	for word, want := range map[string]bool{"": true, "2d": false, "5": false, "5+3 ": false} {
		if got, ok := match.ControlOf(word); ok != want || got != (match.Control{}) {
			t.Errorf("%q: %+v %v", word, got, ok)
		}
	}
}

// TestLiveClocks: they start when each side has made its first turn, and a completed turn earns its seconds.
func TestLiveClocks(t *testing.T) {
	const second = time.Second
	for word, c := range map[string]struct{ bank, increment time.Duration }{
		"5+3": {5 * minute, 3 * second}, "10+5": {10 * minute, 5 * second}, "30+20": {30 * minute, 20 * second},
	} {
		t.Run(word, func(t *testing.T) {
			m := clocked(t, variant(t, "nine"), word)
			checkClock(t, m, 5*minute, -1)
			m = playAt(t, m, 4*minute, "a7")
			checkClock(t, m, 9*minute, -1)
			m = playAt(t, m, 6*minute, "a1") // now it runs
			checkClock(t, m, 6*minute+c.bank, 6*minute+c.bank-30*second)
			m = playAt(t, m, 7*minute, "d7")
			checkClock(t, m, 7*minute+c.bank, 7*minute+c.bank-30*second)
			m = playAt(t, m, 7*minute+10*second, "d1")
			m = playAt(t, m, 8*minute, "g7") // closes a mill: the turn goes on
			checkClock(t, m, 7*minute+10*second+c.bank-minute+c.increment, 6*minute+40*second+c.bank-minute+c.increment)
			m = playAt(t, m, 9*minute, "xa1")
			left := look(t, m).Reading().Left
			want := [2]time.Duration{c.bank - 10*second + c.increment, c.bank - minute - 110*second + 2*c.increment}
			if left != want {
				t.Errorf("left %v, want %v", left, want)
			}
		})
	}
}

func TestSlowClocks(t *testing.T) {
	for word, turn := range map[string]time.Duration{"1d": 24 * time.Hour, "3d": 72 * time.Hour, "7d": 168 * time.Hour} {
		t.Run(word, func(t *testing.T) {
			m := clocked(t, variant(t, "nine"), word)
			checkClock(t, m, turn, turn-turn/5)
			m = playAt(t, m, turn-time.Second, "a7")
			checkClock(t, m, 2*turn-time.Second, 2*turn-time.Second-turn/5)
			m = playAt(t, m, turn, "a1")
			checkClock(t, m, 2*turn, 2*turn-turn/5)
		})
	}
}

func TestNoClock(t *testing.T) {
	for _, word := range []string{"", "none", "of sand"} {
		m := playAt(t, clocked(t, variant(t, "nine"), word), time.Hour, "a7")
		if m.Ticking() || look(t, m).Reading().Runs != match.Stopped {
			t.Errorf("%q: a clock runs until %v", word, m.FlagAt)
		}
	}
	alone := challenge(variant(t, "nine"))
	alone = match.New(match.Terms{ID: "x", Variant: alone.Variant, Clock: "5+3", Challenger: ann, Opponent: ann}, world())
	if alone.Ticking() || alone.Clock != "" {
		t.Errorf("against oneself: clock %q, running until %v", alone.Clock, alone.FlagAt)
	}
}

// TestFlag: time runs out at its last instant, for whoever is to act, and in the middle of a turn too.
func TestFlag(t *testing.T) {
	mill := []string{"a7", "a1", "d7", "d1", "g7"}
	for _, c := range []struct {
		name, clock string
		actions     []string
		winner      rules.Result
	}{
		{"a live clock", "5+3", mill[:2], rules.WhiteWins},
		{"the other's", "5+3", mill[:3], rules.BlackWins},
		{"with a shot due", "5+3", mill, rules.WhiteWins},
		{"days", "1d", mill[:1], rules.BlackWins},
		{"days, at the first turn", "3d", nil, rules.WhiteWins},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := play(t, clocked(t, variant(t, "nine"), c.clock), c.actions...)
			up := after(m.FlagAt)
			refusedAt(t, m, up-1, match.Act{Do: match.Tick{}}, match.ErrNotDue)
			mover := m.Seats[look(t, m).ToMove()].Person
			for _, late := range []match.Deed{place(t, "g1"), match.Resign{}, match.Draw{}, match.Takeback{}} {
				refusedAt(t, m, up, match.Act{By: mover, Do: late}, match.ErrTimeUp)
			}
			doAt(t, m, up-1, mover, match.Draw{})
			over := doAt(t, m, up, storage.Person{}, match.Tick{})
			if over.State != storage.Finished || over.Result != c.winner || over.Reason != rules.Timeout || over.Ticking() {
				t.Errorf("%s %s %s, want %s by timeout", over.State, over.Result, over.Reason, c.winner)
			}
			if counts := match.Counts(look(t, over)); counts != (len(c.actions) > 1) {
				t.Errorf("it counts: %v", counts)
			}
			refusedAt(t, over, up, match.Act{Do: match.Tick{}}, match.ErrNotPlaying)
		})
	}
}

// TestFirstTurnNotMade: a game that does not get going is aborted, whoever it is that does not come.
func TestFirstTurnNotMade(t *testing.T) {
	for made := range 2 {
		m := play(t, clocked(t, variant(t, "nine"), "10+5"), []string{"a7"}[:made]...)
		refusedAt(t, m, 5*time.Minute-1, match.Act{Do: match.Tick{}}, match.ErrNotDue)
		m = doAt(t, m, 5*time.Minute, storage.Person{}, match.Tick{})
		if m.State != storage.Withdrawn || m.Ending != storage.Aborted || m.Result != "" || m.Live() || m.Due() != m.Ended {
			t.Errorf("after %d turns: %s %s, result %q, due %v", made, m.State, m.Ending, m.Result, m.Due())
		}
		if match.Counts(look(t, m)) {
			t.Errorf("after %d turns it counts", made)
		}
		refusedAt(t, m, time.Hour, match.Act{By: ann, Do: match.Rematch{}}, match.ErrNotFinished)
		refusedAt(t, m, time.Hour, match.Act{By: ben, Do: place(t, "d7")}, match.ErrNotPlaying)
	}
}

// TestLowOnTimeOnce: a player who lives on their increment is not warned every turn.
func TestLowOnTimeOnce(t *testing.T) {
	m := play(t, clocked(t, variant(t, "nine"), "5+3"), "a7", "d7")
	m = playAt(t, m, 4*time.Minute+40*time.Second, "a1") // black has 20 s left, and 3 s more
	m = playAt(t, m, 4*time.Minute+41*time.Second, "g7")
	checkClock(t, m, 4*time.Minute+64*time.Second, -1)
	m = playAt(t, m, 4*time.Minute+42*time.Second, "g1")
	if m.WarnAt.IsZero() {
		t.Error("white, who has time, is not to be warned any more")
	}
}

// TestTakebackRestoresTheClock (O40): the turn that is made anew has the time that it had at first.
func TestTakebackRestoresTheClock(t *testing.T) {
	m := play(t, clocked(t, variant(t, "nine"), "5+3"), "a7", "d7")
	m = playAt(t, m, minute, "a1")
	before := look(t, m).Reading().Left
	m = playAt(t, m, 3*minute, "g7")
	m = playAt(t, m, 4*minute, "g1")
	m = doAt(t, m, 5*minute, ann, match.Takeback{})
	m = doAt(t, m, 6*minute, ben, match.Takeback{})
	if got := look(t, m).Reading().Left; got != before {
		t.Errorf("left %v, want %v as before that turn", got, before)
	}
	checkClock(t, m, 6*minute+before[rules.White], 6*minute+before[rules.White]-30*time.Second)

	slow := playAt(t, clocked(t, variant(t, "nine"), "3d"), time.Hour, "a7")
	last := time.Hour + 72*time.Hour - minute // a minute before white's time is up
	slow = doAt(t, slow, last-minute, ben, match.Takeback{})
	slow = doAt(t, slow, last, ann, match.Takeback{})
	refusedAt(t, slow, last+2*minute, match.Act{Do: match.Tick{}}, match.ErrNotDue)
	checkClock(t, slow, last+72*time.Hour, last+72*time.Hour*4/5)
}

func TestGiveBack(t *testing.T) {
	m := playAt(t, clocked(t, variant(t, "nine"), "1d"), time.Hour, "a7") // up at 25 h
	away := match.GiveBack{From: noon.Add(24 * time.Hour), To: noon.Add(27 * time.Hour), Tell: true}
	m = doAt(t, m, 27*time.Hour, storage.Person{}, away)
	checkClock(t, m, 28*time.Hour, -1) // the warning, at 20:12, was before
	if p, ok := m.UntoldPause(); !ok || !p.To.Equal(away.To) {
		t.Errorf("noted %+v, want one to be told of", m.Pauses)
	}
	again := away
	again.To = noon.Add(27*time.Hour + time.Minute) // the bot had died before it was done
	m = doAt(t, m, 28*time.Hour-1, storage.Person{}, again)
	checkClock(t, m, 28*time.Hour+time.Minute, -1)
	if len(m.Pauses) != 1 {
		t.Errorf("noted %+v, want one pause", m.Pauses)
	}
	before := match.GiveBack{From: noon, To: noon.Add(time.Hour)}
	refusedAt(t, m, 28*time.Hour, match.Act{Do: before}, match.ErrNothingRuns)
	m = playAt(t, m, 28*time.Hour, "d7")
	checkClock(t, m, 52*time.Hour, 52*time.Hour-24*time.Hour/5)

	all := match.GiveBack{From: noon.Add(-time.Hour), To: noon.Add(time.Hour)}
	early := doAt(t, clocked(t, variant(t, "nine"), "5+3"), time.Hour, storage.Person{}, all)
	checkClock(t, early, time.Hour+5*time.Minute, -1)
	if early.Revision != 2 || !early.Untold() {
		t.Errorf("revision %d, untold %v: taps made before should stay good, and the board be shown anew", early.Revision, early.Untold())
	}
	days := clocked(t, variant(t, "nine"), "1d")
	days.Shown.Revision = days.Revision
	if days = doAt(t, days, time.Hour, storage.Person{}, all); days.Untold() {
		t.Error("a board of a slow game is to be shown anew for what nobody is told of")
	}
	checkClock(t, days, 25*time.Hour, 25*time.Hour-24*time.Hour/5)
	none := play(t, game(t, variant(t, "nine"), ""), "a7")
	refusedAt(t, none, 28*time.Hour, match.Act{Do: away}, match.ErrNothingRuns)
}

// TestBegunBeforeClocksRan: a game with a clock that nobody ran does not lose anybody the time it took.
func TestBegunBeforeClocksRan(t *testing.T) {
	m := play(t, clocked(t, variant(t, "nine"), "5+3"), "a7", "d7")
	m.FlagAt, m.WarnAt = time.Time{}, time.Time{}
	m = playAt(t, m, 48*time.Hour, "a1")
	want := [2]time.Duration{5 * time.Minute, 5*time.Minute + 3*time.Second}
	if got := look(t, m).Reading().Left; got != want {
		t.Errorf("left %v, want %v", got, want)
	}
	checkClock(t, m, 48*time.Hour+5*time.Minute, 48*time.Hour+5*time.Minute-30*time.Second)
}

// TestSystemClockSetBack: nobody gains or loses more than what the deeds' times say, and nothing goes below zero.
func TestSystemClockSetBack(t *testing.T) {
	m := play(t, clocked(t, variant(t, "nine"), "5+3"), "a7", "d7")
	m = playAt(t, m, -time.Hour, "a1")
	if got, want := look(t, m).Reading().Left[rules.Black], 5*time.Minute+3*time.Second; got != want {
		t.Errorf("black has %v, want %v", got, want)
	}
	checkClock(t, m, -time.Hour+5*time.Minute, -time.Hour+5*time.Minute-30*time.Second)
}

// TestRematchBeginsAnew: nothing of the clock, nor of the arbiter, goes on in the next game.
func TestRematchBeginsAnew(t *testing.T) {
	m := playAt(t, playAt(t, clocked(t, variant(t, "nine"), "1d"), time.Hour, "a7"), time.Hour, "d7")
	away := match.GiveBack{From: noon.Add(2 * time.Hour), To: noon.Add(3 * time.Hour), Tell: true}
	m = doAt(t, m, 3*time.Hour, storage.Person{}, away)
	counted := doAt(t, played(t), 2*minute, ben, match.Protest{})
	counted = doAt(t, counted, 3*minute, cai, match.Standing{On: true})
	for _, old := range []storage.Match{m, counted} {
		old = doAt(t, old, 3*minute, ann, match.Resign{})
		old = doAt(t, old, 4*time.Hour, ann, match.Rematch{})
		out, err := match.Apply(old, match.Act{By: ben, Do: match.Rematch{}}, at(5*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		next := out.New
		if len(next.Pauses)+len(next.Protests) > 0 || !next.Standing.IsZero() || next.Clock != old.Clock {
			t.Errorf("the rematch has %v, %v, %v, clock %q", next.Pauses, next.Protests, next.Standing, next.Clock)
		}
		if begins := look(t, *next); next.Ticking() && after(next.FlagAt) != 29*time.Hour || begins.Reading().Began != next.Started {
			t.Errorf("it begins at %v, time is up after %v", begins.Reading().Began, after(next.FlagAt))
		}
		for _, seat := range next.Seats {
			if want := map[string]time.Duration{"Ann": 4 * time.Hour, "Ben": 5 * time.Hour}[seat.Name]; after(seat.Acted) != want {
				t.Errorf("%s acted last after %v, want %v", seat.Name, after(seat.Acted), want)
			}
		}
	}
}
