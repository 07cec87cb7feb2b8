package engine

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"kraal/rules"
)

// TestShape compares the shifts with the lines and neighbours that the rules give, over random pieces on both boards.
func TestShape(t *testing.T) {
	for _, key := range []string{"nine", "morabaraba"} {
		v, _ := rules.Lookup(key)
		board := newRings(v.Diagonals)
		r := rand.New(rand.NewPCG(1, 2))
		for range 500 {
			own := rules.Points(r.Uint32() & r.Uint32() & (1<<rules.PointCount - 1))
			empty := rules.Points(r.Uint32()&(1<<rules.PointCount-1)) &^ own
			s := board.shape(board.set(own))
			want := countShape(v, own, empty)
			got := counted{
				closing: board.points(s.closing()), ready: board.points(s.ready) & empty,
				beside:   board.points(board.beside(board.set(own))),
				mobility: s.mobility(board.set(empty)),
			}
			for i, n := range got.mills.numbers() {
				var one Terms
				*one.numbers()[i] = 1
				*n = one.mills(&s, board.beside(board.set(empty)))
			}
			if got != want || s.milled() != (want.mills.Mill > 0) || board.points(board.set(own)) != own {
				t.Fatalf("%s, own %s, empty %s: %+v, want %+v", key, own, empty, got, want)
			}
		}
	}
}

// counted is what a shape tells, counted line by line.
type counted struct {
	closing, ready, beside rules.Points
	mobility               int
	mills                  Terms
}

func countShape(v rules.Variant, own, empty rules.Points) (c counted) {
	var milled [rules.PointCount]int
	for _, line := range v.Lines() {
		if own.Has(line[0]) && own.Has(line[1]) && own.Has(line[2]) {
			c.mills.Mill++
			for _, p := range line {
				milled[p]++
			}
		}
		for i, p := range line {
			if !own.Has(line[(i+1)%3]) || !own.Has(line[(i+2)%3]) {
				continue
			}
			c.closing = c.closing.With(p)
			comers := v.Neighbours(p) & own.Without(line[(i+1)%3]).Without(line[(i+2)%3])
			if empty.Has(p) && comers != 0 {
				c.ready = c.ready.With(p)
			}
		}
	}
	for p := range own.All() {
		c.mobility += (v.Neighbours(p) & empty).Len()
		c.beside |= v.Neighbours(p)
		if milled[p] > 1 {
			c.mills.Cross++
		}
		if milled[p] > 0 && v.Neighbours(p)&empty != 0 {
			c.mills.Swing++
		}
	}
	return c
}

// TestSymmetricJudge wants an evaluation to be the opposite for the other side, but for who is to move.
func TestSymmetricJudge(t *testing.T) {
	for _, v := range rules.Variants() {
		w := WeightsFor(v)
		for _, t := range [...]*Terms{&w.Opening, &w.Placing, &w.Moving, &w.Thinned, &w.Flying} {
			t.Shot, t.Turn = 0, 0
		}
		j := newJudge(v, w)
		for p := range walk(v, 3, 40) {
			if p.Pending > 0 {
				continue
			}
			here, _ := j.evaluate(&p)
			p.Turn = p.Turn.Opponent()
			if there, _ := j.evaluate(&p); here != -there {
				t.Fatalf("%s: %s: %d for one side, %d for the other", v.Key, p, here, there)
			}
		}
	}
}

// walk is the positions of so many random games.
func walk(v rules.Variant, games, length int) func(yield func(rules.Position) bool) {
	return func(yield func(rules.Position) bool) {
		r := rand.New(rand.NewPCG(7, uint64(v.Pieces)))
		for range games {
			p := v.Opening()
			for range length {
				legal := v.Legal(p)
				if !yield(p) {
					return
				}
				if len(legal) == 0 {
					break
				}
				p, _ = v.Play(p, legal[r.IntN(len(legal))])
			}
		}
	}
}

// TestPlacementKey wants different keys for different placements, and one for equal ones.
func TestPlacementKey(t *testing.T) {
	for _, v := range rules.Variants() {
		seen := make(map[uint64]rules.Placement)
		for p := range walk(v, 30, 120) {
			key := placementKey(&p)
			if before, known := seen[key]; known && before != p.Placement {
				t.Fatalf("%s: %+v and %+v share a key", v.Key, before, p.Placement)
			}
			seen[key] = p.Placement
		}
	}
}

// TestTable wants an entry back as it was stored, and nothing for a key that was not.
func TestTable(t *testing.T) {
	tab := newTable(1)
	r := rand.New(rand.NewPCG(3, 3))
	for range 10_000 {
		key := r.Uint64()
		want := entry{
			score:  Score(r.IntN(2*int(won)+1)) - won,
			action: rules.Action{Kind: rules.ActionKind(r.IntN(4)), From: rules.Point(r.IntN(24)), To: rules.Point(r.IntN(24))},
			depth:  int8(r.IntN(maxPly)), bound: bound(1 + r.IntN(3)),
		}
		tab.store(key, want)
		if got := tab.load(key); got != want {
			t.Fatalf("stored %+v, loaded %+v", want, got)
		}
		if got := tab.load(key ^ 1); got.bound != 0 {
			t.Fatalf("loaded %+v for a key that was not stored", got)
		}
	}
}

func TestScores(t *testing.T) {
	tests := []struct {
		score Score
		want  string
	}{
		{0, "cp 0"}, {-25, "cp -25"}, {won - 5, "win 5"}, {4 - won, "loss 4"}, {decisive - 1, "cp 29487"},
		{won - maxPly, "win 128"},
	}
	for _, test := range tests {
		if got := test.score.String(); got != test.want {
			t.Errorf("%d: %q, want %q", test.score, got, test.want)
		}
		if got := test.score.stored(7).loaded(7); got != test.score {
			t.Errorf("%s came back as %s", test.score, got)
		}
	}
}

// TestNoAllocation searches on a worker that is made already.
func TestNoAllocation(t *testing.T) {
	v, _ := rules.Lookup("morabaraba")
	e := New(Options{Hash: 1})
	w := e.newWorker(context.Background(), rules.NewGame(v), root{}, new(atomic.Bool))
	p := v.Opening()
	allocs := testing.AllocsPerRun(2, func() {
		w.search(&p, -beyond, beyond, 7, 0)
	})
	if allocs != 0 || w.nodes < 10_000 {
		t.Errorf("%g allocations over %d nodes", allocs, w.nodes)
	}
}

// TestMinded wants what is worse than closing a mill to be out of the question, and nothing else.
func TestMinded(t *testing.T) {
	v, _ := rules.Lookup("nine")
	p, err := v.ParsePosition("ww./.../.../....../b../.../..b w 7,7 0 0,0 -,-")
	if err != nil {
		t.Fatal(err)
	}
	w := New(Options{Hash: 1}).newWorker(context.Background(), rules.NewGameAt(v, p), root{}, new(atomic.Bool))
	at := func(name string, score Score) candidate {
		a, err := rules.ParseAction(name)
		if err != nil {
			t.Fatal(err)
		}
		return candidate{action: a, score: score}
	}
	better, mill, as, worse := at("d3", 90), at("g7", 80), at("f2", 80), at("a1", 79)
	tests := []struct {
		in   []candidate
		want int
	}{
		{[]candidate{better, mill, as, worse}, 3},
		{[]candidate{mill, worse}, 1},
		{[]candidate{better, as, worse}, 3},
	}
	for i, test := range tests {
		if got := w.minded(p, test.in); len(got) != test.want {
			t.Errorf("%d: %v of %v, want %d", i, got, test.in, test.want)
		}
	}
}

// TestSymmetries wants sixteen different ways, each of which maps lines to lines on both boards, and one least image for
// all that a position can be turned into.
func TestSymmetries(t *testing.T) {
	s := newSymmetries()
	seen := make(map[[rules.PointCount]rules.Point]bool)
	for way := range s.to {
		seen[s.to[way]] = true
		for _, key := range []string{"nine", "morabaraba"} {
			v, _ := rules.Lookup(key)
			lines := make(map[rules.Points]bool)
			for _, line := range v.Lines() {
				lines[rules.Points(0).With(line[0]).With(line[1]).With(line[2])] = true
			}
			for line := range lines {
				if image := turned(&s.to[way], line); !lines[image] || turned(&s.back[way], image) != line {
					t.Fatalf("way %d turns %s into %s", way, line, image)
				}
			}
		}
	}
	if len(seen) != 16 {
		t.Errorf("%d ways, want 16", len(seen))
	}
	r := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		white := rules.Points(r.Uint32() & r.Uint32() & r.Uint32() & (1<<rules.PointCount - 1))
		black := rules.Points(r.Uint32()&r.Uint32()&r.Uint32()&(1<<rules.PointCount-1)) &^ white
		_, want := s.least([2]rules.Points{white, black})
		for way := range s.to {
			image := [2]rules.Points{turned(&s.to[way], white), turned(&s.to[way], black)}
			chosen, got := s.least(image)
			if got != want || turned(&s.to[chosen], image[0]) != got[0] || turned(&s.to[chosen], image[1]) != got[1] {
				t.Fatalf("%v turned by %d has the least image %v, want %v", image, way, got, want)
			}
		}
	}
}
