package match_test

import (
	"errors"
	"strings"
	"testing"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// kraal is the bot where it plays itself.
var kraal = storage.Person{ID: "9", Name: "Kraal"}

// duel is a game of ann against the engine at a level.
func duel(t testing.TB, key, colour string, level int) storage.Match {
	t.Helper()
	rated := world()
	rated.Strength = func(string) (float64, float64) { return 1500, 500 }
	return match.New(match.Terms{
		ID: "m1", Server: "s", Channel: "c", Variant: variant(t, key), Colour: colour, Clock: "none", Rated: true,
		Challenger: ann, Opponent: kraal, Level: level,
	}, rated)
}

// turn is one act of several actions.
func turn(t testing.TB, text string) match.Turn {
	t.Helper()
	made, err := rules.ParseTurn(text)
	if err != nil {
		t.Fatal(err)
	}
	return match.Turn{Actions: made}
}

// TestEngineGame: it begins at once, does not count, and waits for whoever begins.
func TestEngineGame(t *testing.T) {
	for _, c := range []struct {
		colour string
		due    bool // black begins
	}{{"white", true}, {"black", false}} {
		m := duel(t, "nine", c.colour, 3)
		side, ok := match.EngineSide(m)
		if !ok || m.State != storage.Playing || m.Rated || m.Seats[side].Person != kraal || m.Seats[side].Level != 3 {
			t.Errorf("as %s: %s, rated %v, seats %+v", c.colour, m.State, m.Rated, m.Seats)
		}
		if m.Seats[side].Deviation != 0 || m.Seats[side.Opponent()].Deviation == 0 {
			t.Errorf("as %s: ratings %+v", c.colour, m.Seats)
		}
		if m.Thinking() != c.due {
			t.Errorf("as %s: thinking %v, want %v", c.colour, m.Thinking(), c.due)
		}
		if !m.WarnAt.IsZero() {
			t.Errorf("as %s: somebody is warned at %v that the bot could end the game", c.colour, m.WarnAt)
		}
	}
}

// TestTurn: several actions are one act and one revision, or none at all.
func TestTurn(t *testing.T) {
	m := play(t, duel(t, "nine", "white", 3), "a7", "a1", "d7", "d1")
	for _, c := range []struct {
		name, turn string
		want       error
	}{
		{"nothing", "", match.ErrNoTurn},
		{"a shot that is none", "g7 xg1", rules.ErrEmptyTarget},
		{"more than a turn", "b6 b4", match.ErrNotYourTurn},
	} {
		var made match.Turn
		if c.turn != "" {
			for _, text := range strings.Fields(c.turn) {
				made.Actions = append(made.Actions, action(t, text))
			}
		}
		out, err := match.Apply(m, match.Act{By: kraal, Do: made}, world())
		if !errors.Is(err, c.want) || printed(t, out.Match) != printed(t, m) {
			t.Errorf("%s: %v, want %v; deeds %v", c.name, err, c.want, texts(out.Match.Deeds))
		}
	}
	checkRefused(t, m, match.Act{By: kraal, Revision: m.Revision - 1, Do: turn(t, "b6")}, match.ErrStale)
	after := do(t, m, kraal, turn(t, "g7 xa1"))
	if after.Revision != m.Revision+1 || len(after.Deeds) != len(m.Deeds)+2 || after.Thinking() {
		t.Errorf("revision %d after %d, deeds %v, thinking %v", after.Revision, m.Revision, texts(after.Deeds), after.Thinking())
	}
}

// TestEngineTakeback: it is granted at once, back to the person's own last turn, and the engine is not awaited.
func TestEngineTakeback(t *testing.T) {
	m := duel(t, "nine", "black", 3)
	checkRefused(t, m, match.Act{By: ann, Do: match.Takeback{}}, match.ErrNoTurn)
	m = play(t, m, "a7")
	thinking := do(t, m, ann, match.Takeback{})
	if len(thinking.Deeds) != 0 || thinking.Thinking() {
		t.Errorf("while it thinks: deeds %v, thinking %v", texts(thinking.Deeds), thinking.Thinking())
	}
	m = play(t, m, "d7", "g7", "g1")
	back := do(t, m, ann, match.Takeback{})
	if got := len(back.Deeds); got != 2 || len(back.Offers) != 0 {
		t.Errorf("%d actions left, want 2; offers %v", got, back.Offers)
	}
}

// TestEngineRematch: it begins at once, with the colours changed and at the same level.
func TestEngineRematch(t *testing.T) {
	for _, colour := range []string{"white", "black"} {
		m := do(t, play(t, duel(t, "nine", colour, 5), "a7", "d7"), ann, match.Resign{})
		out := apply(t, m, match.Act{By: ann, Do: match.Rematch{}})
		if out.New == nil {
			t.Fatalf("as %s: no rematch", colour)
		}
		was, _ := match.EngineSide(m)
		side, ok := match.EngineSide(*out.New)
		if !ok || side == was || out.New.Seats[side].Level != 5 || out.New.Challenger != ann || out.New.Rated {
			t.Errorf("as %s: %+v", colour, out.New.Seats)
		}
		if want := side == rules.Black; out.New.Thinking() != want {
			t.Errorf("as %s: thinking %v, want %v", colour, out.New.Thinking(), want)
		}
	}
}

// TestEngineDraw: the engine is awaited for an answer. Refused, it is not asked again in the same position.
func TestEngineDraw(t *testing.T) {
	m := do(t, duel(t, "nine", "black", 3), ann, match.Draw{})
	if !m.Thinking() {
		t.Fatal("nobody is awaited to answer")
	}
	checkRefused(t, m, match.Act{By: ann, Do: match.RefuseDraw{}}, match.ErrNoOffer)
	refused := do(t, m, kraal, match.RefuseDraw{})
	if refused.Thinking() || len(refused.Offers) != 0 || !match.DrawRefused(refused) {
		t.Errorf("refused: thinking %v, offers %v, noted %v", refused.Thinking(), refused.Offers, match.DrawRefused(refused))
	}
	checkRefused(t, refused, match.Act{By: ann, Do: match.Draw{}}, match.ErrDrawRefused)
	onward := do(t, do(t, refused, ann, place(t, "a7")), ann, match.Draw{})
	played := do(t, onward, kraal, turn(t, "d7"))
	if !match.DrawRefused(played) || len(played.Offers) != 0 {
		t.Errorf("by playing on: noted %v, offers %v", match.DrawRefused(played), played.Offers)
	}
	agreed := do(t, m, kraal, match.Draw{})
	if agreed.Result != rules.Drawn || agreed.Reason != rules.Agreement {
		t.Errorf("agreed: %s by %s", agreed.Result, agreed.Reason)
	}
	offered := turn(t, "d7")
	offered.OfferDraw = true
	if own := do(t, play(t, duel(t, "nine", "black", 3), "a7"), kraal, offered); !match.Offered(own, storage.OfferDraw, rules.White) {
		t.Errorf("a draw offered along with a turn: offers %v", own.Offers)
	}
}

// TestNothingForTheEngine: what only people can be asked for is refused.
func TestNothingForTheEngine(t *testing.T) {
	m := play(t, duel(t, "tournament", "white", 3), "a7")
	for _, deed := range []match.Deed{match.Adjourn{}, match.Protest{}, match.Claim{}} {
		checkRefused(t, m, match.Act{By: ann, Do: deed}, match.ErrEngine)
	}
}

// TestAscent: which wins over the engine count.
func TestAscent(t *testing.T) {
	won := play(t, duel(t, "nine", "black", 4), "a7", "d7")
	won.State, won.Result, won.Reason = storage.Finished, rules.BlackWins, rules.Resignation
	change := func(alter func(*storage.Match)) storage.Match {
		m := won
		alter(&m)
		return m
	}
	for _, c := range []struct {
		name string
		m    storage.Match
		want bool
	}{
		{"won", won, true},
		{"lost", change(func(m *storage.Match) { m.Result = rules.WhiteWins }), false},
		{"drawn", change(func(m *storage.Match) { m.Result = rules.Drawn }), false},
		{"in play", change(func(m *storage.Match) { m.State = storage.Playing }), false},
		{"by a referee", change(func(m *storage.Match) { m.Reason = rules.Adjudication }), false},
		{"from a position", change(func(m *storage.Match) { m.Position = quiet }), false},
		{"a turn taken back", change(func(m *storage.Match) { m.Pauses = []storage.Pause{{Why: storage.PauseTakeback}} }), false},
		{"time given back", change(func(m *storage.Match) { m.Pauses = []storage.Pause{{Why: storage.PauseDowntime}} }), true},
		{"with a hint", change(func(m *storage.Match) { m.Hints = []storage.Hint{{By: rules.Black}} }), false},
		{"other rules", change(func(m *storage.Match) { m.Variant.Flies = false }), false},
		{"a house rule", change(func(m *storage.Match) { m.Variant.Key = "ours" }), false},
		{"a person", change(func(m *storage.Match) { m.Seats[rules.White].Level = 0 }), false},
	} {
		member, level, ok := match.Ascent(c.m)
		if ok != c.want || ok && (member != ann.ID || level != 4) {
			t.Errorf("%s: %q at level %d, %v; want %v", c.name, member, level, ok, c.want)
		}
	}
}

// TestEngineTakebackEverywhere (O17): against the engine both turns go, shots and the border between placing and moving
// included, and the position is the one before in all its fields.
func TestEngineTakebackEverywhere(t *testing.T) {
	for _, c := range []struct {
		name, variant, position string
		turns                   []string // of both sides, ann's first, and the engine's answers
		left                    int      // turns that remain
	}{
		{"the first turn", "nine", "", []string{"a7", "a1"}, 0},
		{"the second", "nine", "", []string{"a7", "a1", "d7", "d1"}, 2},
		{"after a shot of ann's", "nine", "", []string{"a7", "a1", "d7", "d1", "g7 xa1", "g1"}, 4},
		{"after a shot of the engine's", "nine", "", []string{"a7", "a1", "d7", "d1", "b6", "g1 xa7"}, 4},
		{"after two shots", "koti", "", []string{
			"a7", "b4", "d7", "e4", "g4", "d5", "g1", "c3", "g7 xb4 xe4", "e3",
		}, 8},
		{"from placing to moving", "nine", "w../w.b/b../.b..w./.../bw./... b 1,1 0 0,0 -,-", []string{"d6", "d7", "d6-d5", "d7-g7"}, 2},
		{"quiet turns", "nine", quiet, []string{"c5-d5", "a7-d7", "d5-e5", "d7-g7"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			colour := variant(t, c.variant).First.String()
			m := duel(t, c.variant, colour, 3)
			m.Position = c.position
			var want string
			for i, text := range c.turns {
				if i == c.left {
					want = position(t, m)
				}
				m = do(t, m, m.Seats[look(t, m).ToMove()].Person, turn(t, strings.ReplaceAll(text, " ", "")))
			}
			back := do(t, m, ann, match.Takeback{})
			if got := position(t, back); got != want || back.Thinking() {
				t.Errorf("got %s, thinking %v\nwant %s", got, back.Thinking(), want)
			}
		})
	}
}
