package match_test

import (
	"encoding/json"
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// The people of these tests. Ann challenges Ben; Cai has nothing to do with it.
var (
	ann = storage.Person{ID: "1", Name: "Ann"}
	ben = storage.Person{ID: "2", Name: "Ben"}
	cai = storage.Person{ID: "3", Name: "Cai"}
)

// noon is when these matches are played.
var noon = time.Date(2026, time.May, 4, 12, 0, 0, 0, time.UTC)

// world is what Apply is told of it.
func world() match.Circumstances {
	return match.Circumstances{
		Now: noon, Coin: rules.White, NewID: "next",
		NoticeAfter: 15 * time.Second, FirstTurn: 5 * time.Minute, AbandonedAfter: 72 * time.Hour,
	}
}

// variant is a row of the table.
func variant(t testing.TB, key string) rules.Variant {
	t.Helper()
	v, ok := rules.Lookup(key)
	if !ok {
		t.Fatalf("no variant %q", key)
	}
	return v
}

// challenge is one that Ann, who will be white, has made to Ben.
func challenge(v rules.Variant) storage.Match {
	return match.New(match.Terms{
		ID: "first", Server: "s", Channel: "c", Variant: v, Colour: "white", Rated: true,
		Challenger: ann, Opponent: ben, Expires: noon.Add(time.Hour),
	}, world())
}

// game is a game in play between Ann, white, and Ben, black. An empty position is the opening.
func game(t testing.TB, v rules.Variant, position string) storage.Match {
	t.Helper()
	m := challenge(v)
	m.Position = position
	return apply(t, m, match.Act{By: ben, Do: match.Accept{}}).Match
}

// apply carries out an act that has to succeed, and holds Apply to what it always promises.
func apply(t testing.TB, m storage.Match, a match.Act) match.Outcome {
	t.Helper()
	before := printed(t, m)
	out, err := match.Apply(m, a, world())
	if err != nil {
		t.Fatalf("%s does %T: %v", a.By.Name, a.Do, err)
	}
	if after := printed(t, m); after != before {
		t.Fatalf("%s does %T: the match given was changed\n got %s\nwant %s", a.By.Name, a.Do, after, before)
	}
	if out.Match.Revision != m.Revision+1 {
		t.Fatalf("%s does %T: revision %d after %d", a.By.Name, a.Do, out.Match.Revision, m.Revision)
	}
	return out
}

// do is apply for acts that begin no new match.
func do(t testing.TB, m storage.Match, by storage.Person, d match.Deed) storage.Match {
	t.Helper()
	return apply(t, m, match.Act{By: by, Do: d}).Match
}

// play makes actions, each by whoever is to move.
func play(t testing.TB, m storage.Match, actions ...string) storage.Match {
	t.Helper()
	for _, text := range actions {
		m = do(t, m, m.Seats[look(t, m).ToMove()].Person, match.Play{Action: action(t, text)})
	}
	return m
}

func action(t testing.TB, text string) rules.Action {
	t.Helper()
	a, err := rules.ParseAction(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func look(t testing.TB, m storage.Match) match.Table {
	t.Helper()
	table, err := match.Look(m)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// position is what stands on the board, in notation.
func position(t testing.TB, m storage.Match) string {
	t.Helper()
	return look(t, m).Game.Position().String()
}

// failer is what a test of either kind can do.
type failer interface {
	Helper()
	Fatal(...any)
}

// printed is everything that a match's record holds.
func printed(t failer, m storage.Match) string {
	t.Helper()
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLookRefusesWhatCannotBeReplayed(t *testing.T) {
	whole := play(t, game(t, variant(t, "nine"), ""), "a7", "d7")
	for _, damage := range []struct {
		name string
		do   func(*storage.Match)
	}{
		{"an action that is none", func(m *storage.Match) { m.Deeds = []storage.Deed{{Action: "castles"}} }},
		{"an action that is illegal", func(m *storage.Match) { m.Deeds = append(m.Deeds[:1:1], m.Deeds[0]) }},
		{"a position that is none", func(m *storage.Match) { m.Position = "somewhere" }},
		{"a variant that is none", func(m *storage.Match) { m.Variant = rules.Variant{} }},
	} {
		t.Run(damage.name, func(t *testing.T) {
			m := whole
			damage.do(&m)
			if _, err := match.Look(m); !isDamaged(err) {
				t.Errorf("Look: %v, want ErrDamaged", err)
			}
			if _, err := match.Apply(m, match.Act{By: ann, Do: match.Resign{}}, world()); !isDamaged(err) {
				t.Errorf("Apply: %v, want ErrDamaged", err)
			}
		})
	}
}

// TestStatus: the board's verdict while people play, and theirs where they ended the game.
func TestStatus(t *testing.T) {
	m := play(t, game(t, variant(t, "nine"), ""), "a7", "d7")
	if got := look(t, m).Status(); got.Over || got.Result != rules.Undecided {
		t.Errorf("in play: %+v", got)
	}
	want := rules.Status{Over: true, Result: rules.BlackWins, Reason: rules.Resignation}
	if got := look(t, do(t, m, ann, match.Resign{})).Status(); got != want {
		t.Errorf("resigned: %+v, want %+v", got, want)
	}
}
