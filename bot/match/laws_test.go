package match_test

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// TestLaws has random people do random things to random matches. Whatever they do: nothing panics, the match given is
// left as it was, a success makes the next revision of a record that can be replayed, shown and kept, and a refusal
// changes nothing.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &wild{now: noon}
		m := w.begin(t)
		for range rapid.IntRange(1, 60).Draw(t, "acts") {
			m = w.step(t, m)
		}
	})
}

// wild is a world in which anything may be tried.
type wild struct {
	now  time.Time
	next int
}

func (w *wild) circumstances(t *rapid.T) match.Circumstances {
	w.next++
	return match.Circumstances{
		Now: w.now, Coin: rules.Side(rapid.IntRange(0, 1).Draw(t, "coin")), NewID: "m" + strconv.Itoa(w.next),
		NoticeAfter: 15 * time.Second, FirstTurn: 5 * time.Minute, AbandonedAfter: 72 * time.Hour,
		Strength: func(string) (float64, float64) { return 1500, 500 },
	}
}

// begin makes a challenge, or a game half way through: most of what is worth trying happens in play.
func (w *wild) begin(t *rapid.T) storage.Match {
	v := rapid.SampledFrom(rules.Variants()).Draw(t, "variant")
	opponent := rapid.SampledFrom([]storage.Person{ben, ben, ben, {}, ann, kraal}).Draw(t, "opponent")
	level := 0
	if opponent == kraal {
		level = rapid.IntRange(1, match.Levels).Draw(t, "level")
	}
	m := match.New(match.Terms{
		ID: "m0", Request: "begin", Server: rapid.SampledFrom([]string{"", "s"}).Draw(t, "server"), Channel: "c", Variant: v,
		Clock:  rapid.SampledFrom([]string{"none", "none", "5+3", "30+20", "1d"}).Draw(t, "clock"),
		Colour: rapid.SampledFrom([]string{"white", "black", "random"}).Draw(t, "colour"), Rated: rapid.Bool().Draw(t, "rated"),
		Challenger: ann, Opponent: opponent, Level: level, Expires: noon.Add(time.Hour),
	}, w.circumstances(t))
	if rapid.IntRange(0, 9).Draw(t, "waits") == 0 {
		return m
	}
	if m.State == storage.Challenged {
		m = w.apply(t, m, match.Act{By: ben, Do: match.Accept{}})
	}
	for range rapid.IntRange(0, 80).Draw(t, "played") {
		table, err := match.Look(m)
		if err != nil || m.State != storage.Playing {
			break
		}
		w.now = w.now.Add(time.Second)
		do := match.Play{Action: rapid.SampledFrom(table.Game.Legal()).Draw(t, "action")}
		m = w.apply(t, m, match.Act{By: m.Seats[table.ToMove()].Person, Do: do})
	}
	return m
}

// step tries something, likely or not.
func (w *wild) step(t *rapid.T, m storage.Match) storage.Match {
	w.now = w.now.Add(time.Duration(rapid.IntRange(0, 600).Draw(t, "seconds")) * time.Second)
	return w.apply(t, m, match.Act{
		Request:  rapid.SampledFrom([]string{"", "", "begin", "r" + strconv.Itoa(w.next), "r" + strconv.Itoa(w.next/2)}).Draw(t, "request"),
		By:       rapid.SampledFrom([]storage.Person{ann, ann, ben, ben, kraal, cai, {}}).Draw(t, "by"),
		Revision: rapid.SampledFrom([]int{0, 0, 0, m.Revision, m.Revision - 1, -1}).Draw(t, "revision"),
		Do:       w.deed(t, m),
	})
}

func (w *wild) deed(t *rapid.T, m storage.Match) match.Deed {
	switch rapid.IntRange(0, 35).Draw(t, "deed") {
	case 32, 33:
		return match.RefuseDraw{}
	case 34, 35:
		return match.Turn{Actions: w.turn(t, m), OfferDraw: rapid.Bool().Draw(t, "offer")}
	case 0:
		return match.Accept{}
	case 1:
		return match.Decline{}
	case 2:
		return match.Cancel{}
	case 3:
		return match.Expire{}
	case 4:
		return match.Resign{}
	case 5, 6:
		return match.Draw{}
	case 7, 8, 9:
		return match.Takeback{}
	case 10, 11:
		return match.Rematch{}
	case 12:
		return match.Tick{}
	case 13:
		gap := time.Duration(rapid.IntRange(-5, 90).Draw(t, "gap")) * time.Minute
		return match.GiveBack{From: w.now.Add(-gap), To: w.now, Tell: rapid.Bool().Draw(t, "tell")}
	case 14, 15:
		return match.Adjourn{}
	case 16:
		return match.Resume{}
	case 17, 18:
		return match.Protest{}
	case 19:
		return match.Claim{}
	case 20:
		return match.Standing{On: rapid.Bool().Draw(t, "on")}
	case 22:
		return match.Leave{}
	case 21:
		return match.Play{Action: rules.Action{
			Kind: rules.ActionKind(rapid.IntRange(0, 5).Draw(t, "kind")),
			From: rules.Point(rapid.IntRange(0, 30).Draw(t, "from")), To: rules.Point(rapid.IntRange(0, 30).Draw(t, "to")),
		}}
	}
	table, err := match.Look(m)
	if err != nil || len(table.Game.Legal()) == 0 {
		return match.Resign{}
	}
	return match.Play{Action: rapid.SampledFrom(table.Game.Legal()).Draw(t, "action")}
}

// turn is a few actions that are legal one after the other, whoever is to make them.
func (w *wild) turn(t *rapid.T, m storage.Match) (turn rules.Turn) {
	table, err := match.Look(m)
	for range rapid.IntRange(0, 3).Draw(t, "actions") {
		if err != nil || len(table.Game.Legal()) == 0 {
			break
		}
		turn = append(turn, rapid.SampledFrom(table.Game.Legal()).Draw(t, "next"))
		err = table.Game.Play(turn[len(turn)-1])
	}
	return turn
}

// apply holds Apply to the laws, and returns the match after it; after a rematch, the new one.
func (w *wild) apply(t *rapid.T, m storage.Match, a match.Act) storage.Match {
	before := printed(t, m)
	out, err := match.Apply(m, a, w.circumstances(t))
	if after := printed(t, m); after != before {
		t.Fatalf("%T: the match given was changed\n got %s\nwant %s", a.Do, after, before)
	}
	if err != nil {
		if printed(t, out.Match) != before || out.New != nil {
			t.Fatalf("%T is refused (%v) and yet has changed something", a.Do, err)
		}
		if errors.Is(err, match.ErrDamaged) {
			t.Fatalf("%T: %v", a.Do, err)
		}
		return m
	}
	grown := 1
	if _, unseen := a.Do.(match.GiveBack); unseen {
		grown = 0
		out.Match.Shown.Revision = 0 // it is to be shown anew
	}
	if out.Match.Revision != m.Revision+grown {
		t.Fatalf("%T: revision %d after %d", a.Do, out.Match.Revision, m.Revision)
	}
	if out.Match.Shown != (storage.Shown{Channel: m.Shown.Channel, Message: m.Shown.Message}) {
		t.Fatalf("%T: shown became %+v", a.Do, out.Match.Shown)
	}
	w.sound(t, out.Match)
	if out.New == nil {
		return out.Match
	}
	w.sound(t, *out.New)
	if out.New.Revision != 1 || out.Match.Next != out.New.ID || out.New.Last != m.ID {
		t.Fatalf("rematch: %+v", out.New)
	}
	return *out.New
}

// sound checks a record: it replays, agrees with its board, and is kept as it is.
func (w *wild) sound(t *rapid.T, m storage.Match) {
	table, err := match.Look(m)
	if err != nil {
		t.Fatal(err)
	}
	begun := m.State == storage.Playing || m.State == storage.Finished || m.Ending == storage.Aborted || m.Ending == storage.CalledOff
	for _, seat := range m.Seats {
		if (seat.ID != "") != begun {
			t.Fatalf("%s with seats %v", m.State, m.Seats)
		}
	}
	board := table.Game.Status()
	if board.Over && (m.State != storage.Finished || m.Result != board.Result || m.Reason != board.Reason) {
		t.Fatalf("the board says %+v, the match %s %s %s", board, m.State, m.Result, m.Reason)
	}
	if (m.State == storage.Finished) != (m.Result != "") || m.Live() == !m.Ended.IsZero() {
		t.Fatalf("%s with result %q, ended %v", m.State, m.Result, m.Ended)
	}
	if m.State == storage.Playing && len(table.Game.Legal()) == 0 {
		t.Fatalf("nobody can act in %s", table.Game.Position())
	}
	if legal := table.Game.Legal(); m.State == storage.Playing && legal[0].Kind == rules.Pass {
		t.Fatalf("a pass was left to a player in %s", table.Game.Position())
	}
	if left := table.Reading().Left; left[0] < 0 || left[1] < 0 {
		t.Fatalf("time left: %v", left)
	}
	if m.State != storage.Playing && !(m.FlagAt.IsZero() && m.WarnAt.IsZero()) {
		t.Fatalf("%s, and a clock runs until %v", m.State, m.FlagAt)
	}
	w.engineSound(t, table)
	if match.Counts(table) && (match.Alone(m) || !m.Rated) {
		t.Fatalf("it counts: %+v", m)
	}
	if got, want := printed(t, reread(t, m)), printed(t, m); got != want {
		t.Fatalf("kept and read again\n got %s\nwant %s", got, want)
	}
}

// engineSound checks what a record says of the engine.
func (w *wild) engineSound(t *rapid.T, table match.Table) {
	m := table.Match
	side, engine := match.EngineSide(m)
	asked := match.Offered(m, storage.OfferDraw, side.Opponent())
	if due := engine && m.State == storage.Playing && (table.ToMove() == side || asked); m.Thinking() != due {
		t.Fatalf("the engine is awaited: %v, want %v in %+v", m.Thinking(), due, m)
	}
	if engine && (m.Rated || m.Seats[side].ID != kraal.ID || m.Seats[side.Opponent()].Level != 0) {
		t.Fatalf("a game with the engine: rated %v, seats %+v", m.Rated, m.Seats)
	}
}

// reread is a record after the store's codec, which shares nothing with what went in.
func reread(t *rapid.T, m storage.Match) storage.Match {
	row, err := storage.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := storage.Decode(row.Key, row.Data)
	if err != nil {
		t.Fatal(err)
	}
	return r.(storage.Match)
}
