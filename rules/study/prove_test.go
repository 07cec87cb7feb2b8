package study

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"kraal/rules"
)

// plain is the same question asked of the rules' slow door, without memory, order or bounds.
func plain(v rules.Variant, p rules.Position, side rules.Side, aim Goal, turns int) bool {
	if aim == Piece && p.Pending > 0 {
		return p.Turn == side
	}
	if status := v.Status(p); status.Over {
		winner, won := status.Result.Winner()
		return won && winner == side
	}
	if turns == 0 {
		return false
	}
	for _, a := range v.Legal(p) {
		next, err := v.Play(p, a)
		if err != nil {
			panic(err)
		}
		left := turns
		if p.Turn == side && next.Turn != side {
			left--
		}
		if plain(v, next, side, aim, left) == (p.Turn == side) {
			return p.Turn == side
		}
	}
	return p.Turn != side
}

// TestProofsAgreeWithAPlainSearch holds puzzles of two turns and fewer to a search that shares no code with the prover.
func TestProofsAgreeWithAPlainSearch(t *testing.T) {
	checked := 0
	for i, z := range set(t).All() {
		if z.Depth > 2 || i%9 != 0 {
			continue
		}
		checked++
		s := newProver(context.Background(), z.Variant)
		for _, o := range s.options(z.Position) {
			side, turns := z.Position.Turn, z.Depth-1
			if !z.Goal.forced() {
				side, turns = side.Opponent(), z.Depth
			}
			forced := z.Goal == Piece && o.closes() || plain(z.Variant, o.after, side, z.Goal.aim(), turns)
			if want := forced == z.Goal.forced(); z.Accepts(o.turn) != want {
				t.Errorf("%s: %s accepted: %t, want %t", z.Position, o.turn, !want, want)
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d puzzles were checked", checked)
	}
}

func TestProveFindsWhatThePositionIsAbout(t *testing.T) {
	tests := []struct {
		name, key, line string
		want            task
		turns           []string
	}{
		{"a mill to stop", "nine", ".w./.w./.../....../.../.b./b.. b 6,6 0 0,0 -,-", task{Block, 1}, []string{"d5"}},
		{"a win to force", "nine", "..b/.w./.../www.ww/.../bwb/... w 0,0 0 0,0 -,-", task{Win, 2}, []string{"b4-b6"}},
		{"a flight to be found", "nine", ".w./.b./.w./.bw.../b../.../... b 0,0 0 0,0 -,-", task{Win, 2}, []string{"c3-b6"}},
		{"two mills at once", "nine", "wbb/.w./w../..w.bw/..w/.../.wb w 0,0 0 0,0 -,-", task{Piece, 2}, []string{"e3-d3"}},
		{"one way to live on", "mhele", "w.b/bww/wbb/bwbbw./.wb/bwb/wbw w 1,1 0 0,0 -,-", task{Save, 2}, []string{"c3"}},
		{"a mill at once", "nine", "w.w/.../.../w...../.../b../bb. w 5,5 0 0,0 -,-", task{}, nil},
	}
	for _, test := range tests {
		v, p := position(t, test.key, test.line)
		z, ok := prove(t, v, p)
		var got []string
		for _, turn := range z.Accepted {
			got = append(got, turn.String())
		}
		if ok != (test.turns != nil) || (task{z.Goal, z.Depth}) != test.want || !slices.Equal(got, test.turns) {
			t.Errorf("%s: got %s in %d by %v, want %v by %v", test.name, z.Goal, z.Depth, got, test.want, test.turns)
		}
	}
}

func TestProveFindsNothingWhereThereIsNothing(t *testing.T) {
	v, opening := position(t, "nine", ".../.../.../....../.../.../... b 9,9 0 0,0 -,-")
	if z, ok := prove(t, v, opening); ok {
		t.Errorf("the opening is %s in %d", z.Goal, z.Depth)
	}
	v, pending := position(t, "nine", "www/.../.../....../.../.../bb. w 6,7 1 0,0 -,-")
	if z, ok := prove(t, v, pending); ok {
		t.Errorf("a shot that is due is %s in %d", z.Goal, z.Depth)
	}
}

func TestProveEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v, p := position(t, "morabaraba", "w.b/.w./b../..w.b./..w/.b./b.w w 5,5 0 0,0 -,-")
	if _, _, err := Prove(ctx, v, p); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// TestImagesAreOnePuzzle turns puzzles and changes their colours: each image is proven to be the same puzzle.
func TestImagesAreOnePuzzle(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	ways := images()
	for i, z := range set(t).All() {
		if i%12 != 0 {
			continue
		}
		image := turned(z.Position, &ways[chance.IntN(len(ways))])
		if z.Goal.byTable() {
			if id := identify(image, z.Goal); id != z.ID {
				t.Errorf("%s is %s, its image %s is %s", z.Position, z.ID, image, id)
			}
			continue
		}
		got, ok := prove(t, z.Variant, image)
		if !ok || got.ID != z.ID || got.Goal != z.Goal || got.Depth != z.Depth || len(got.Accepted) != len(z.Accepted) {
			t.Errorf("%s is %s, %s in %d; its image %s is %s, %s in %d",
				z.Position, z.ID, z.Goal, z.Depth, image, got.ID, got.Goal, got.Depth)
		}
	}
}

// turned is an image of a position with the colours exchanged.
func turned(p rules.Position, way *[rules.PointCount]rules.Point) rules.Position {
	image := p
	image.Turn = p.Turn.Opponent()
	for _, side := range []rules.Side{rules.White, rules.Black} {
		other := side.Opponent()
		image.Pieces[other], image.Hand[other], image.Forbidden[other] = 0, p.Hand[side], p.Forbidden[side]
		for at := range p.Pieces[side].All() {
			image.Pieces[other] = image.Pieces[other].With(way[at])
		}
		if step := p.Forbidden[side]; step.Set {
			image.Forbidden[other] = rules.Step{From: way[step.From], To: way[step.To], Set: true}
		}
	}
	return image
}

func TestImagesKeepTheLines(t *testing.T) {
	v, _ := rules.Lookup("morabaraba")
	lines := map[rules.Points]bool{}
	for _, l := range v.Lines() {
		lines[rules.Points(0).With(l[0]).With(l[1]).With(l[2])] = true
	}
	different := map[[rules.PointCount]rules.Point]bool{}
	for _, way := range images() {
		different[way] = true
		for _, l := range v.Lines() {
			if !lines[rules.Points(0).With(way[l[0]]).With(way[l[1]]).With(way[l[2]])] {
				t.Errorf("%v is no line when turned by %v", l, way)
			}
		}
	}
	if len(different) != 16 {
		t.Errorf("%d ways are different, want 16", len(different))
	}
}

func TestGenerateIsRepeatable(t *testing.T) {
	v, _ := rules.Lookup("mhele")
	var first, second []string
	for _, ids := range []*[]string{&first, &second} {
		found := func(z Puzzle) { *ids = append(*ids, z.ID) }
		if _, err := Generate(context.Background(), Order{Variant: v, Count: 4, Seed: 3}, found); err != nil {
			t.Fatal(err)
		}
	}
	if len(first) != 4 || !slices.Equal(first, second) {
		t.Errorf("one seed gave %v and %v", first, second)
	}
	known := map[string]struct{}{first[0]: {}}
	others, err := Generate(context.Background(), Order{Variant: v, Count: 4, Seed: 3, Known: known}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(others, func(z Puzzle) bool { return z.ID == first[0] }) {
		t.Error("a puzzle that was known came again")
	}
}
