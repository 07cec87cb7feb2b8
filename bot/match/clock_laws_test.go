package match_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// race is a game against a clock, with what its clock showed at the start of each turn.
type race struct {
	m     storage.Match
	now   time.Duration // since noon
	stood map[int][2]time.Duration
}

// TestClockLaws races random games through time. Whatever happens, no time goes below zero, the deadline is as far off as
// the clock of the player to move says, time without the bot moves the deadline by just that, and a turn that is taken
// back has the time that it had.
func TestClockLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SampledFrom(rules.Variants()).Draw(t, "variant")
		m := match.New(match.Terms{
			ID: "m", Channel: "c", Variant: v, Colour: "white", Challenger: ann, Opponent: ben, Expires: noon.Add(time.Hour),
			Clock: rapid.SampledFrom(match.Controls()[1:]).Draw(t, "clock").Word,
		}, at(0))
		r := &race{m: m, stood: map[int][2]time.Duration{}}
		r.act(t, ben, match.Accept{})
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			if r.m.State != storage.Playing {
				return
			}
			r.step(t)
		}
	})
}

func (r *race) step(t *rapid.T) {
	left := r.m.FlagAt.Sub(noon) - r.now
	if left <= 0 {
		t.Fatalf("in play with %v left", left)
	}
	table, err := match.Look(r.m)
	if err != nil {
		t.Fatal(err)
	}
	mover := r.m.Seats[table.ToMove()].Person
	switch rapid.IntRange(0, 9).Draw(t, "step") {
	case 0:
		r.giveBack(t)
	case 1:
		r.takeBack(t)
	case 2:
		r.now += left
		if _, err := match.Apply(r.m, match.Act{By: mover, Do: match.Resign{}}, at(r.now)); err == nil {
			t.Fatal("somebody acted after their time")
		}
		r.act(t, storage.Person{}, match.Tick{})
	default:
		r.now += time.Duration(rapid.Int64Range(0, int64(left)-1).Draw(t, "thought") / 8)
		r.act(t, mover, match.Play{Action: rapid.SampledFrom(table.Game.Legal()).Draw(t, "action")})
	}
}

// act does something that has to succeed, and looks at the clock.
func (r *race) act(t *rapid.T, by storage.Person, do match.Deed) {
	out, err := match.Apply(r.m, match.Act{By: by, Do: do}, at(r.now))
	if err != nil {
		t.Fatalf("%T: %v", do, err)
	}
	r.m = out.Match
	table, err := match.Look(r.m)
	if err != nil {
		t.Fatal(err)
	}
	reading := table.Reading()
	if reading.Left[0] < 0 || reading.Left[1] < 0 {
		t.Fatalf("left %v", reading.Left)
	}
	if r.m.State != storage.Playing {
		return
	}
	last, made := table.LastTurn()
	if made && !last.Complete {
		return
	}
	r.stood[len(r.m.Deeds)] = reading.Left
	if _, back := do.(match.GiveBack); back || reading.Runs != match.OnClock {
		return
	}
	if _, offer := do.(match.Takeback); offer && len(r.m.Offers) > 0 {
		return
	}
	if got := r.m.FlagAt.Sub(noon) - r.now; got != reading.Left[table.ToMove()] {
		t.Fatalf("after %T the deadline is %v off, the clock says %v", do, got, reading.Left[table.ToMove()])
	}
}

func (r *race) giveBack(t *rapid.T) {
	gap := time.Duration(rapid.IntRange(1, 600).Draw(t, "gap")) * time.Second
	from := noon.Add(r.now)
	r.now += gap
	flag := r.m.FlagAt
	r.act(t, storage.Person{}, match.GiveBack{From: from, To: from.Add(gap), Tell: true})
	if got := r.m.FlagAt.Sub(flag); got != gap {
		t.Fatalf("%v away moved the deadline by %v", gap, got)
	}
}

func (r *race) takeBack(t *rapid.T) {
	if _, err := match.Apply(r.m, match.Act{By: ann, Do: match.Takeback{}}, at(r.now)); err != nil {
		return // there is none
	}
	r.act(t, ann, match.Takeback{})
	r.act(t, ben, match.Takeback{})
	table, err := match.Look(r.m)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := table.Reading().Left, r.stood[len(r.m.Deeds)]; got != want {
		t.Fatalf("taken back to action %d: left %v, want %v", len(r.m.Deeds), got, want)
	}
}
