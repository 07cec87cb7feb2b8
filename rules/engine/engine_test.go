package engine_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/rules"
	"kraal/rules/engine"
)

// game plays a variant's actions from the opening.
func game(t testing.TB, variant, moves string) *rules.Game {
	t.Helper()
	v, known := rules.Lookup(variant)
	if !known {
		t.Fatalf("no variant %s", variant)
	}
	g := rules.NewGame(v)
	for _, name := range strings.Fields(moves) {
		a, err := rules.ParseAction(name)
		if err == nil {
			err = g.Play(a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// variants is the table, and house rules that turn every column the other way somewhere.
func variants(t testing.TB) []rules.Variant {
	t.Helper()
	all := rules.Variants()
	for _, changes := range []string{
		"nine pieces=3 no_return=true no_shot=6", "nine flies=false blocked=passes first=white repetition=2",
		"mhele shots=each three_against_three=4 repetition=0", "koti pieces=12 full_board=draws no_return=true no_shot=9",
		"tournament flies=true protected=false diagonals=false pieces=7",
	} {
		words := strings.Fields(changes)
		v, _ := rules.Lookup(words[0])
		for _, change := range words[1:] {
			name, value, _ := strings.Cut(change, "=")
			var err error
			if v, err = v.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, v)
	}
	return all
}

// random is a player that takes any legal action.
func random(r *rand.Rand, g *rules.Game) rules.Action {
	legal := g.Legal()
	return legal[r.IntN(len(legal))]
}

// think searches with a new engine.
func think(t *testing.T, opts engine.Options, g *rules.Game, l engine.Limits) engine.Result {
	t.Helper()
	r, err := engine.New(opts).Think(context.Background(), g, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWholeGames plays every variant to its end, the engine against chance. No action may be illegal, no continuation
// unplayable, and chance does not win.
func TestWholeGames(t *testing.T) {
	e := engine.New(engine.Options{Hash: 1})
	for i, v := range variants(t) {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		g := rules.NewGame(v)
		side := rules.Side(i & 1)
		for !g.Status().Over && g.Len() < 2000 {
			a := random(r, g)
			if g.Position().Turn == side {
				result, err := e.Think(context.Background(), g, engine.Limits{Nodes: 3000}, nil)
				if err != nil {
					t.Fatalf("%s: %s: %v", v.Changes(), g.Position(), err)
				}
				playable(t, g, result.PV)
				a = result.Action
			}
			if err := g.Play(a); err != nil {
				t.Fatalf("%s %s: %v", v.Key, g.Position(), err)
			}
		}
		if winner, decided := g.Status().Result.Winner(); decided && winner != side || !g.Status().Over {
			t.Errorf("%s %s: the engine, %s, ended at %s: %+v", v.Key, v.Changes(), side, g.Position(), g.Status())
		}
	}
}

// playable wants the continuation to be legal, action by action.
func playable(t *testing.T, g *rules.Game, pv []rules.Action) {
	t.Helper()
	if len(pv) == 0 {
		t.Fatalf("%s: no continuation", g.Position())
	}
	g = g.Clone()
	for _, a := range pv {
		if err := g.Play(a); err != nil && !errors.Is(err, rules.ErrGameOver) {
			t.Fatalf("%v in %v: %v", a, pv, err)
		}
	}
}

func TestNothingToThinkAbout(t *testing.T) {
	v, _ := rules.Lookup("nine")
	tests := []struct {
		name, position string
		want           error
	}{
		{"over", "ww./.../.../....../.../.../bbb w 0,0 0 0,0 -,-", engine.ErrGameOver},
		{"nothing in hand while the other places", "www/.../.../....../.../.../bbb w 0,3 0 0,0 -,-", engine.ErrNoAction},
	}
	for _, test := range tests {
		p, err := v.ParsePosition(test.position)
		if err != nil {
			t.Fatal(err)
		}
		_, err = engine.New(engine.Options{Hash: 1}).Think(context.Background(), rules.NewGameAt(v, p), engine.Limits{}, nil)
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
}

// TestStoppedBefore wants a considered answer from a search that may not begin: one action deep, a mill is closed.
func TestStoppedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := game(t, "nine", "a7 b2 d7 f2")
	for _, limits := range []engine.Limits{{}, {Nodes: 1}, {Depth: 1}, {Time: 1}} {
		r, err := engine.New(engine.Options{Hash: 1, Threads: 2}).Think(ctx, g, limits, nil)
		if err != nil || r.Action.String() != "g7" || r.Depth != 1 {
			t.Errorf("%+v: %s at depth %d, %v; want g7 at depth 1", limits, r.Action, r.Depth, err)
		}
	}
}

// dated is a context whose deadline has passed but that has not ended: timers are late on a busy machine.
type dated struct{ context.Context }

func (dated) Deadline() (time.Time, bool) { return time.Unix(0, 0), true }

// TestDeadlineIsLookedAt wants the deadline kept by the clock, without waiting for the context to say so.
func TestDeadlineIsLookedAt(t *testing.T) {
	r, err := engine.New(engine.Options{Hash: 1}).Think(dated{context.Background()}, game(t, "nine", ""), engine.Limits{}, nil)
	if err != nil || r.Depth != 1 {
		t.Errorf("depth %d, %v; want 1", r.Depth, err)
	}
}

// TestStoppedMeanwhile ends the context between two depths and counts how much is still searched after that.
func TestStoppedMeanwhile(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var before uint64
	e := engine.New(engine.Options{Hash: 1})
	r, err := e.Think(ctx, game(t, "nine", ""), engine.Limits{}, func(i engine.Info) {
		if i.Depth == 5 {
			before = i.Nodes
			cancel()
		}
	})
	if err != nil || r.Depth != 5 {
		t.Fatalf("depth %d, %v; want 5", r.Depth, err)
	}
	// At three million nodes a second a thousand are a third of a millisecond.
	if late := r.Nodes - before; late > 1024 {
		t.Errorf("%d nodes were searched after the end", late)
	}
}

func TestNodeLimit(t *testing.T) {
	for _, nodes := range []uint64{2000, 12_345, 50_001} {
		if r := think(t, engine.Options{Hash: 1}, game(t, "koti", ""), engine.Limits{Nodes: nodes}); r.Nodes != nodes {
			t.Errorf("%d nodes, want %d", r.Nodes, nodes)
		}
	}
}

// TestDepths wants an account of each depth, up to the one asked for.
func TestDepths(t *testing.T) {
	var depths []int
	g := game(t, "nine", "a7 d6")
	e := engine.New(engine.Options{Hash: 1})
	r, err := e.Think(context.Background(), g, engine.Limits{Depth: 4}, func(i engine.Info) {
		depths = append(depths, i.Depth)
		playable(t, g, i.PV)
	})
	if err != nil || r.Depth != 4 || !slices.Equal(depths, []int{1, 2, 3, 4}) || r.PV[0] != r.Action {
		t.Errorf("%v, result %+v, %v", depths, r, err)
	}
}

// TestSameAgain wants equal engines to search alike, and leaves the game as it was.
func TestSameAgain(t *testing.T) {
	g := game(t, "mhele", "d6 f4 b4 d2 b2 f6")
	before := g.Position()
	var first engine.Result
	for i := range 3 {
		r := think(t, engine.Options{Hash: 2}, g, engine.Limits{Nodes: 30_000})
		if i == 0 {
			first = r
		}
		if r.Score != first.Score || r.Nodes != first.Nodes || r.Depth != first.Depth || !slices.Equal(r.PV, first.PV) {
			t.Errorf("%+v, then %+v", first, r)
		}
	}
	if g.Position() != before {
		t.Errorf("the game has come to %s", g.Position())
	}
}

// TestThreads wants several goroutines to find what one finds, and to have ended when Think returns: the race detector
// sees what they share.
func TestThreads(t *testing.T) {
	for _, row := range tactics(t) {
		if row.Actions > 3 {
			continue
		}
		r := think(t, engine.Options{Hash: 4, Threads: 3}, row.game(t), engine.Limits{Depth: 8})
		if !slices.Contains(row.Best, r.Action.String()) {
			t.Errorf("line %d: %s (%s), want one of %v", row.line, r.Action, r.Score, row.Best)
		}
	}
}

// TestRepetition lets a side that is far behind come to the third occurrence of a position, or not.
func TestRepetition(t *testing.T) {
	const there, back = "d1-g1 b4-a4 g1-d1 ", "a4-b4 "
	tests := []struct {
		name, moves string
		repetition  string
		draws       bool
	}{
		{"third time", there + back + there, "3", true},
		{"second time only", there, "3", false},
		{"second time is enough", there, "2", true},
		{"never", there + back + there, "0", false},
	}
	for _, test := range tests {
		v, _ := rules.Lookup("thinhama")
		v, err := v.Set("repetition", test.repetition)
		if err != nil {
			t.Fatal(err)
		}
		p, err := v.ParsePosition("w../.../.../.w..w./b.b/.bw/bb. b 0,0 0 0,0 -,-")
		if err != nil {
			t.Fatal(err)
		}
		g := rules.NewGameAt(v, p)
		for _, name := range strings.Fields(test.moves) {
			a, _ := rules.ParseAction(name)
			if err := g.Play(a); err != nil {
				t.Fatal(err)
			}
		}
		r := think(t, engine.Options{Hash: 1}, g, engine.Limits{Depth: 1})
		if drawn := r.Score == 0 && r.Action.String() == "a4-b4"; drawn != test.draws {
			t.Errorf("%s: %s (%s), want the draw taken: %t", test.name, r.Action, r.Score, test.draws)
		}
	}
}

// TestCounts wants the two counts of quiet turns to be seen coming: what lies beyond the draw is worth nothing.
func TestCounts(t *testing.T) {
	tests := []struct {
		variant, position string
		draws             bool
	}{
		{"thinhama", "w../.../.../w...w./b.b/.bw/bb. w 0,0 0 99,0 -,-", true},
		{"thinhama", "w../.../.../w...w./b.b/.bw/bb. w 0,0 0 90,0 -,-", false},
		{"tournament", "w../.../.../w...w./b.b/..w/bb. w 0,0 0 19,0 -,-", true},
		{"tournament", "w../b../.../w.b.w./b.b/.../... w 0,0 0 10,0 -,-", false},
	}
	for _, test := range tests {
		v, _ := rules.Lookup(test.variant)
		p, err := v.ParsePosition(test.position)
		if err != nil {
			t.Fatal(err)
		}
		r := think(t, engine.Options{Hash: 1}, rules.NewGameAt(v, p), engine.Limits{Depth: 2})
		if (r.Score == 0) != test.draws {
			t.Errorf("%s %s: %s, want a draw: %t", test.variant, test.position, r.Score, test.draws)
		}
	}
}
