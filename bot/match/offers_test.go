package match_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// TestTakeback (O17): a whole turn goes, shots and all, and the board is the one before it.
func TestTakeback(t *testing.T) {
	for _, c := range []struct {
		name, variant string
		actions       []string
		asker         rules.Side
		left          int // actions that remain
	}{
		{"the only turn", "nine", []string{"a7"}, rules.Black, 0},
		{"the turn before the other's", "nine", []string{"a7", "d7"}, rules.Black, 0},
		{"the last turn", "nine", []string{"a7", "d7"}, rules.White, 1},
		{"a turn with its shot", "nine", []string{"a7", "a1", "d7", "d1", "g7", "xa1"}, rules.Black, 4},
		{"a turn whose shot is due", "nine", []string{"a7", "a1", "d7", "d1", "g7"}, rules.Black, 4},
		{"the other's, with a shot due", "nine", []string{"a7", "a1", "d7", "d1", "g7"}, rules.White, 3},
		{"the turn before a shot", "nine", []string{"a7", "a1", "d7", "d1", "g7", "xa1"}, rules.White, 3},
		{"a turn with two shots", "koti", []string{"a7", "b4", "d7", "e4", "g4", "d5", "g1", "c3", "g7", "xb4", "xe4"}, rules.White, 8},
		{"the first of two shots made", "koti", []string{"a7", "b4", "d7", "e4", "g4", "d5", "g1", "c3", "g7", "xb4"}, rules.White, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := game(t, variant(t, c.variant), "")
			m = play(t, m, c.actions...)
			want := position(t, play(t, game(t, m.Variant, ""), c.actions[:c.left]...))
			asked := do(t, m, m.Seats[c.asker].Person, match.Takeback{})
			if got := position(t, asked); got != position(t, m) || !match.Offered(asked, storage.OfferTakeback, c.asker) {
				t.Errorf("asking alone changed the board to %s, offers %v", got, asked.Offers)
			}
			back := do(t, asked, m.Seats[c.asker.Opponent()].Person, match.Takeback{})
			if got := position(t, back); got != want || len(back.Deeds) != c.left {
				t.Errorf("got %s, %d actions\nwant %s, %d", got, len(back.Deeds), want, c.left)
			}
		})
	}
}

// quiet is a position from which nobody need ever shoot, and the walk in it that repeats after sixteen turns.
const quiet = "w../w.b/b../.b..w./.../bw./... b 0,0 0 0,0 -,-"

var (
	blackWalk = []string{"c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5"}
	whiteWalk = []string{"a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"}
)

// walk is the turn that has this number, from 0, in the quiet position.
func walk(turn int) string {
	points := blackWalk
	if turn%2 == 1 {
		points = whiteWalk
	}
	at := turn / 2 % 8
	return points[at] + "-" + points[at+1]
}

func walks(from, to int) (actions []string) {
	for turn := from; turn < to; turn++ {
		actions = append(actions, walk(turn))
	}
	return actions
}

func TestTakebackTakesRepetitionBack(t *testing.T) {
	m := play(t, game(t, variant(t, "nine"), quiet), walks(0, 20)...)
	for range 5 { // the same turn, made and taken back: it has happened once
		m = play(t, takeBack(t, m, rules.White), walk(19))
	}
	m = play(t, m, walks(20, 31)...)
	m = play(t, takeBack(t, m, rules.Black), walk(30))
	if m.State != storage.Playing {
		t.Fatalf("%s by %s after 31 turns", m.Result, m.Reason)
	}
	m = play(t, m, walk(31))
	if m.Result != rules.Drawn || m.Reason != rules.RepetitionDraw || len(m.Deeds) != 32 {
		t.Errorf("%s by %q after %d turns, want a draw by repetition after 32", m.Result, m.Reason, len(m.Deeds))
	}
}

func TestTakebackOfABoardThatIsNoMoreLapses(t *testing.T) {
	m := play(t, game(t, variant(t, "nine"), ""), "a7", "d7")
	m = do(t, m, ben, match.Takeback{})
	m = play(t, m, "g7")
	if len(m.Offers) != 0 {
		t.Errorf("still asked for: %v", m.Offers)
	}
}

func TestDraw(t *testing.T) {
	m := play(t, game(t, variant(t, "nine"), ""), "a7", "d7")
	offered := do(t, m, ben, match.Draw{})
	t.Run("agreed", func(t *testing.T) {
		over := do(t, offered, ann, match.Draw{})
		if over.State != storage.Finished || over.Result != rules.Drawn || over.Reason != rules.Agreement || len(over.Offers) != 1 || over.Offers[0].By != rules.Black {
			t.Errorf("%s %s %s, offers %v", over.State, over.Result, over.Reason, over.Offers)
		}
	})
	t.Run("stands after one's own move, declined by the other's", func(t *testing.T) {
		moved := play(t, offered, "g1")
		if !match.Offered(moved, storage.OfferDraw, rules.Black) {
			t.Errorf("gone with one's own move: %v", moved.Offers)
		}
		if over := do(t, moved, ann, match.Draw{}); over.Reason != rules.Agreement {
			t.Errorf("agreed to after the move: %s %s", over.State, over.Reason)
		}
		answered := play(t, moved, "g7")
		if len(answered.Offers) != 0 {
			t.Errorf("not declined by playing on: %v", answered.Offers)
		}
		if again := do(t, answered, ann, match.Draw{}); again.State != storage.Playing {
			t.Errorf("a declined offer was agreed to: %s", again.State)
		}
	})
	t.Run("made before the end, gone after it", func(t *testing.T) {
		over := do(t, offered, ben, match.Resign{})
		if over.Result != rules.WhiteWins || over.Reason != rules.Resignation || len(over.Offers) != 0 {
			t.Errorf("%s %s, offers %v", over.Result, over.Reason, over.Offers)
		}
	})
}

// TestRematch begins one after a draw by repetition: nothing of the old game may reach the new one.
func TestRematch(t *testing.T) {
	v := variant(t, "nine")
	over := play(t, game(t, v, ""), "a7", "d7")
	over = do(t, over, ann, match.Draw{})
	over = do(t, over, ben, match.Draw{})
	out := apply(t, do(t, over, ben, match.Rematch{}), match.Act{Request: "r", By: ann, Do: match.Rematch{}})
	next := out.New
	if next == nil || out.Match.Next != "next" || len(out.Match.Offers) != 0 {
		t.Fatalf("new %v, next %q, offers %v", next, out.Match.Next, out.Match.Offers)
	}
	if next.ID != "next" || next.Last != over.ID || next.State != storage.Playing || next.Revision != 1 || !next.Untold() {
		t.Errorf("%s after %s: %s, revision %d, untold %v", next.ID, next.Last, next.State, next.Revision, next.Untold())
	}
	if next.Seats[rules.White].Person != ben || next.Seats[rules.Black].Person != ann {
		t.Errorf("colours not swapped: %v", next.Seats)
	}
	if next.Server != over.Server || next.Channel != over.Channel || next.Rated != over.Rated || next.Variant != over.Variant {
		t.Errorf("not under the same terms: %s", printed(t, *next))
	}
	if len(next.Deeds)+len(next.Offers)+len(next.Changes)+len(next.Handled) != 0 || next.Result != "" || next.Reason != "" ||
		!next.Ended.IsZero() || next.Shown != (storage.Shown{}) {
		t.Errorf("not fresh: %s", printed(t, *next))
	}
	if !next.Started.Equal(noon) || !next.NoticeAt.Equal(noon.Add(15*time.Second)) {
		t.Errorf("started %v, notice at %v", next.Started, next.NoticeAt)
	}
	if got, want := position(t, *next), v.Opening().String(); got != want {
		t.Errorf("begins at %s, want %s", got, want)
	}
}

func TestRematchAfterRepetitionStartsCountingAnew(t *testing.T) {
	over := play(t, game(t, variant(t, "nine"), quiet), walks(0, 32)...)
	if over.Reason != rules.RepetitionDraw {
		t.Fatalf("%s by %q", over.Result, over.Reason)
	}
	next := *apply(t, do(t, over, ann, match.Rematch{}), match.Act{By: ben, Do: match.Rematch{}}).New
	for turn := range 32 {
		g := look(t, next).Game
		if want := turn/16 + 1; g.Occurrences() != want || int(g.Position().Counts.NoShot) != turn {
			t.Fatalf("turn %d: occurrence %d, want %d; %d turns without a shot", turn, g.Occurrences(), want, g.Position().Counts.NoShot)
		}
		next = play(t, next, walk(turn))
	}
	if next.Reason != rules.RepetitionDraw {
		t.Errorf("%s by %q", next.Result, next.Reason)
	}
}

// TestBothSeats plays against oneself: one agrees with oneself at once, and nothing counts.
func TestBothSeats(t *testing.T) {
	m := match.New(match.Terms{
		ID: "first", Variant: variant(t, "nine"), Colour: "random", Rated: true, Challenger: ann, Opponent: ann,
		Expires: noon.Add(time.Hour),
	}, world())
	if m.State != storage.Playing || m.Rated || !match.Alone(m) || !m.NoticeAt.IsZero() {
		t.Fatalf("%s, rated %v, alone %v, notice at %v", m.State, m.Rated, match.Alone(m), m.NoticeAt)
	}
	m = play(t, m, "a7", "a1", "d7", "d1", "g7", "xa1")
	for _, want := range [][]string{{"a7", "a1", "d7", "d1"}, {"a7", "a1", "d7"}, {"a7", "a1"}, {"a7"}, {}} {
		m = do(t, m, ann, match.Takeback{})
		if got := texts(m.Deeds); !slices.Equal(got, want) {
			t.Fatalf("taken back to %v, want %v", got, want)
		}
	}
	checkRefused(t, m, match.Act{By: ann, Do: match.Takeback{}}, match.ErrNoTurn)
	over := do(t, play(t, m, "a7", "a1"), ann, match.Draw{})
	if over.Reason != rules.Agreement || match.Counts(look(t, over)) {
		t.Errorf("%s, counts %v", over.Reason, match.Counts(look(t, over)))
	}
	lost := do(t, play(t, m, "a7", "a1", "d7"), ann, match.Resign{})
	if lost.Result != rules.BlackWins { // white was to move
		t.Errorf("resigned with white to move: %s", lost.Result)
	}
	if next := apply(t, over, match.Act{By: ann, Do: match.Rematch{}}).New; next == nil || !match.Alone(*next) {
		t.Errorf("the rematch: %v", next)
	}
}

func texts(deeds []storage.Deed) []string {
	actions := []string{}
	for _, d := range deeds {
		actions = append(actions, d.Action)
	}
	return actions
}

func TestColours(t *testing.T) {
	for _, c := range []struct {
		colour string
		coin   rules.Side
		want   rules.Side
	}{
		{"white", rules.Black, rules.White}, {"black", rules.White, rules.Black},
		{"random", rules.White, rules.White}, {"random", rules.Black, rules.Black},
	} {
		circumstances := world()
		circumstances.Coin = c.coin
		m := challenge(variant(t, "nine"))
		m.Colour = c.colour
		out, err := match.Apply(m, match.Act{By: ben, Do: match.Accept{}}, circumstances)
		if err != nil || out.Match.Seats[c.want].Person != ann || out.Match.Seats[c.want.Opponent()].Person != ben {
			t.Errorf("%s, the coin says %s: %v, seats %v", c.colour, c.coin, err, out.Match.Seats)
		}
	}
}

// TestOpenChallengeGoesToWhoeverAccepts also checks that the seats carry what their people are worth.
func TestOpenChallengeGoesToWhoeverAccepts(t *testing.T) {
	m := challenge(variant(t, "nine"))
	m.Opponent = storage.Person{}
	c := world()
	c.Strength = func(member string) (float64, float64) { return map[string]float64{"1": 1600, "3": 1400}[member], 80 }
	out, err := match.Apply(m, match.Act{By: cai, Do: match.Accept{}}, c)
	if err != nil {
		t.Fatal(err)
	}
	want := [2]storage.Seat{
		{Person: ann, Points: 1600, Deviation: 80, Acted: noon}, {Person: cai, Points: 1400, Deviation: 80, Acted: noon},
	}
	if out.Match.Seats != want || out.Match.Opponent != cai {
		t.Errorf("seats %v, opponent %v", out.Match.Seats, out.Match.Opponent)
	}
	if _, err := match.Apply(out.Match, match.Act{By: ben, Do: match.Accept{}}, c); !errors.Is(err, match.ErrNotWaiting) {
		t.Errorf("the next to accept: %v", err)
	}
}

func TestNamesAreThoseOfTheLastAct(t *testing.T) {
	m := game(t, variant(t, "nine"), "")
	renamed := storage.Person{ID: ben.ID, Name: "Benjamin"}
	m = do(t, m, renamed, place(t, "a7"))
	if m.Seats[rules.Black].Person != renamed || m.Seats[rules.White].Person != ann {
		t.Errorf("seats %v", m.Seats)
	}
}
