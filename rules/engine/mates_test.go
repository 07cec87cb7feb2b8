package engine_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kraal/rules"
	"kraal/rules/endgame"
	"kraal/rules/engine"
)

// wonByTables are positions that white, to move, wins in at most so many turns of both sides, drawn by lot from three
// against three, four against three and three against four.
func wonByTables(t *testing.T, r *rand.Rand, tables *endgame.Reader, turns, count int) (found []rules.Position) {
	t.Helper()
	for tried := 0; len(found) < count && tried < 1000*count; tried++ {
		p := scattered(r, 3+tried%3%2, 3+tried%3/2)
		if f, ok := tables.Probe(&p); ok && f.Value == endgame.Win && f.Turns <= turns {
			found = append(found, p)
		}
	}
	if len(found) < count {
		t.Fatalf("%d positions, want %d", len(found), count)
	}
	return found
}

// TestWinsTakeNoLongerThanTablesSay follows the whole continuation that the highest level announces: each turn of it brings
// the end nearer by one, the defence being the best there is, and the last wins.
func TestWinsTakeNoLongerThanTablesSay(t *testing.T) {
	v, _ := rules.Lookup("nine")
	tables := tablesOf(t, v, 7)
	reader, e := tables.For(v), engine.New(engine.Options{Hash: 1, Tables: tables})
	met := map[int]int{}
	for _, p := range wonByTables(t, rand.New(rand.NewPCG(13, 1)), reader, endgame.Longest, 3000) {
		f, _ := reader.Probe(&p)
		met[f.Turns]++
		result, err := e.Think(context.Background(), rules.NewGameAt(v, p), engine.Limits{Level: 7, Nodes: 100}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if g := follow(t, v, p, f.Turns, reader, result.PV); g.Status().Result != rules.WhiteWins {
			t.Errorf("%s: %v ends %+v, not with a win in %d turns", p, result.PV, g.Status(), f.Turns)
		}
	}
	if len(met) < 10 || met[1] == 3000 {
		t.Errorf("the positions are no test: %v", met)
	}
}

// follow plays a continuation and holds each position at the start of a turn against the tables.
func follow(
	t *testing.T, v rules.Variant, p rules.Position, turns int, reader *endgame.Reader, line []rules.Action,
) *rules.Game {
	t.Helper()
	g := rules.NewGameAt(v, p)
	for _, a := range line {
		if now := g.Position(); now.Pending == 0 {
			if f, ok := reader.Probe(&now); !ok || f.Turns != turns {
				t.Errorf("%s on the way from %s: %+v, want %d turns", now, p, f, turns)
			}
			turns--
		}
		if err := g.Play(a); err != nil {
			t.Fatalf("%s: %v", p, err)
		}
	}
	return g
}

// TestWinsAreSeenWithoutTables wants every win of three turns of the winner's or fewer announced, and begun with a turn
// that keeps it.
func TestWinsAreSeenWithoutTables(t *testing.T) {
	v, _ := rules.Lookup("nine")
	reader := tablesOf(t, v, 7).For(v)
	e := engine.New(engine.Options{Hash: 16})
	for _, p := range wonByTables(t, rand.New(rand.NewPCG(13, 2)), reader, 5, 60) {
		if announced, kept := searched(t, e, reader, v, p, engine.Limits{Level: 7, Nodes: 300_000}); !announced || !kept {
			f, _ := reader.Probe(&p)
			t.Errorf("%s, won in %d turns: announced %t, kept %t", p, f.Turns, announced, kept)
		}
	}
}

// searched tells whether an engine without tables announces a win, and whether its turn keeps it.
func searched(
	t testing.TB, e *engine.Engine, reader *endgame.Reader, v rules.Variant, p rules.Position, l engine.Limits,
) (announced, kept bool) {
	t.Helper()
	g := rules.NewGameAt(v, p)
	for first := true; !g.Status().Over && g.Position().Turn == p.Turn; first = false {
		r, err := e.Think(context.Background(), g, l, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, wins := r.Score.Win(); first {
			announced = wins
		}
		if err := g.Play(r.Action); err != nil {
			t.Fatal(err)
		}
	}
	if g.Status().Over {
		return announced, g.Status().Result == rules.Win(p.Turn)
	}
	after := g.Position()
	f, ok := reader.Probe(&after)
	return announced, ok && f.Value == endgame.Loss
}

// BenchmarkOverrun has the highest level think for 50 ms in positions of every variant, and reports by how many
// milliseconds it was late: half of the times, at worst one time in a hundred, and at worst.
func BenchmarkOverrun(b *testing.B) {
	const limit = 50 * time.Millisecond
	e := engine.New(engine.Options{Hash: 16})
	r := rand.New(rand.NewPCG(17, 1))
	var late []float64
	for i := range b.N {
		g := rules.NewGame(rules.Variants()[i%len(rules.Variants())])
		for range r.IntN(60) {
			if next := g.Clone(); next.Play(random(r, next)) == nil && !next.Status().Over {
				g = next
			}
		}
		began := time.Now()
		if _, err := e.Think(context.Background(), g, engine.Limits{Level: 7, Time: limit}, nil); err != nil {
			b.Fatal(err)
		}
		late = append(late, float64(time.Since(began)-limit)/float64(time.Millisecond))
	}
	slices.Sort(late)
	b.ReportMetric(late[len(late)/2], "ms-late-p50")
	b.ReportMetric(late[len(late)*99/100], "ms-late-p99")
	b.ReportMetric(late[len(late)-1], "ms-late-max")
}
