package match_test

import (
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// TestAnyActsOfAnybody lets people do whatever they like to a match. Whatever comes of it can be replayed, a success is one
// revision more, a refusal leaves everything as it was, and what is over stays over.
func TestAnyActsOfAnybody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := match.Terms{
			ID: "first", Server: "s", Channel: "c", Colour: rapid.SampledFrom([]string{"white", "black", "random"}).Draw(t, "colour"),
			Variant:    rapid.SampledFrom(rules.Variants()).Draw(t, "variant"),
			Challenger: ann, Opponent: rapid.SampledFrom([]storage.Person{ben, ben, {}, ann}).Draw(t, "opponent"),
			Rated: true, Expires: noon.Add(time.Hour),
		}
		c := world()
		m := match.New(terms, c)
		for n := range rapid.IntRange(0, 80).Draw(t, "acts") {
			c.Now = c.Now.Add(rapid.SampledFrom([]time.Duration{0, time.Minute, 40 * time.Minute}).Draw(t, "wait"))
			c.NewID = "next" + strconv.Itoa(n)
			m = anyAct(t, m, c)
		}
	})
}

func anyAct(t *rapid.T, m storage.Match, c match.Circumstances) storage.Match {
	table, err := match.Look(m)
	if err != nil {
		t.Fatalf("%v", err)
	}
	act := match.Act{
		Request:  rapid.SampledFrom([]string{"", "", "q", "r"}).Draw(t, "request"),
		By:       rapid.SampledFrom([]storage.Person{ann, ben, ann, ben, cai, {}, m.Seats[table.ToMove()].Person}).Draw(t, "by"),
		Revision: rapid.SampledFrom([]int{0, m.Revision, m.Revision, m.Revision - 1}).Draw(t, "seen"),
		Do:       anyDeed(t, table),
	}
	before := printed(t, m)
	out, err := match.Apply(m, act, c)
	if printed(t, m) != before {
		t.Fatalf("%T changed the match given", act.Do)
	}
	if err != nil {
		if printed(t, out.Match) != before || out.New != nil {
			t.Fatalf("%T was refused (%v) and yet changed something", act.Do, err)
		}
		return m
	}
	if out.Match.Revision != m.Revision+1 {
		t.Fatalf("%T: revision %d after %d", act.Do, out.Match.Revision, m.Revision)
	}
	checkLaws(t, m, out)
	if out.New != nil {
		return *out.New
	}
	return out.Match
}

func checkLaws(t *rapid.T, before storage.Match, out match.Outcome) {
	m := out.Match
	table, err := match.Look(m)
	if err != nil {
		t.Fatalf("%v", err)
	}
	status := table.Game.Status()
	switch {
	case !before.Live() && (m.State != before.State || m.Result != before.Result || len(m.Deeds) != len(before.Deeds)):
		t.Fatalf("over, and played on: %s %s, %d actions", m.State, m.Result, len(m.Deeds))
	case status.Over && (m.State != storage.Finished || m.Result != status.Result || m.Reason != status.Reason):
		t.Fatalf("the board says %+v, the match %s %s %s", status, m.State, m.Result, m.Reason)
	case m.State == storage.Finished && (m.Result == "" || m.Result == rules.Undecided || m.Reason == rules.NoReason):
		t.Fatalf("finished with %q by %q", m.Result, m.Reason)
	case m.State == storage.Playing && len(table.Game.Legal()) == 0:
		t.Fatalf("in play with nothing to do in %s", table.Game.Position())
	case m.State == storage.Playing && table.Game.Legal()[0].Kind == rules.Pass:
		t.Fatalf("somebody is left to pass in %s", table.Game.Position())
	case match.Alone(m) && match.Counts(table) && m.State == storage.Finished:
		t.Fatal("a game against oneself counts")
	}
	if out.New != nil {
		if _, err := match.Look(*out.New); err != nil || out.New.ID != m.Next || len(out.New.Deeds) != 0 {
			t.Fatalf("rematch %q, next %q, %v", out.New.ID, m.Next, err)
		}
	}
}

// anyDeed is mostly a legal action, so that games get somewhere.
func anyDeed(t *rapid.T, table match.Table) match.Deed {
	deeds := []match.Deed{
		match.Accept{}, match.Accept{}, match.Decline{}, match.Cancel{}, match.Expire{}, match.Resign{}, match.Draw{}, match.Takeback{},
		match.Rematch{}, match.Play{Action: rules.Action{Kind: rules.Pass}}, match.Play{Action: rules.Action{Kind: rules.ActionKind(9)}},
		match.Play{Action: rules.Action{Kind: rules.Place, To: 99}}, match.Play{},
	}
	which := rapid.IntRange(0, 4*len(deeds)).Draw(t, "deed")
	if legal := table.Game.Legal(); which >= len(deeds) && len(legal) > 0 {
		return match.Play{Action: rapid.SampledFrom(legal).Draw(t, "action")}
	}
	return deeds[which%len(deeds)]
}
