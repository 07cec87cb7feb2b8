package rules_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kraal/rules"
)

// drawVariant draws a row of the table with up to three columns changed.
func drawVariant(t *rapid.T) rules.Variant {
	v := rapid.SampledFrom(rules.Variants()).Draw(t, "variant")
	values := map[string][]string{
		"pieces": {"3", "4", "7", "12"}, "shots": {"one", "each"}, "blocked": {"loses", "passes"},
		"repetition": {"0", "2", "3"}, "no_shot": {"0", "5", "30"}, "three_against_three": {"0", "6"},
		"first": {"white", "black"}, "full_board": {"plays", "draws"},
	}
	for range rapid.IntRange(0, 3).Draw(t, "changes") {
		column := rapid.SampledFrom(rules.Columns()).Draw(t, "column")
		allowed := values[column]
		if allowed == nil {
			allowed = []string{"true", "false"}
		}
		var err error
		if v, err = v.Set(column, rapid.SampledFrom(allowed).Draw(t, "value")); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// drawGame draws a game of up to 160 actions. Shrinking shortens it; the actions come from a seed.
func drawGame(t *rapid.T) *rules.Game {
	g := rules.NewGame(drawVariant(t))
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	for range rapid.IntRange(0, 160).Draw(t, "actions") {
		legal := g.Legal()
		if len(legal) == 0 {
			break
		}
		if err := g.Play(legal[random.IntN(len(legal))]); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// drawSetup draws a position by edit: consistent, but perhaps never reached by play.
func drawSetup(t *rapid.T) (rules.Variant, rules.Position) {
	v := drawVariant(t)
	var s rules.Setup
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	for side := range s.Pieces {
		for n := rapid.IntRange(0, v.Pieces).Draw(t, "pieces"); s.Pieces[side].Len() < n; {
			p := rules.Point(random.IntN(rules.PointCount))
			if s.Pieces[1-side].Has(p) {
				n--
				continue
			}
			s.Pieces[side] = s.Pieces[side].With(p)
		}
		s.Hand[side] = rapid.IntRange(0, 1).Draw(t, "placing") * (v.Pieces - s.Pieces[side].Len())
		s.Forbidden[side].Set = v.NoReturn && rapid.Bool().Draw(t, "forbidden")
		if s.Forbidden[side].Set {
			s.Forbidden[side].From = rules.Point(random.IntN(rules.PointCount))
			s.Forbidden[side].To = rules.Point(random.IntN(rules.PointCount))
		}
	}
	s.Turn = rules.Side(rapid.IntRange(0, 1).Draw(t, "turn"))
	if s.Pieces[s.Turn.Opponent()] != 0 {
		s.Pending = rapid.IntRange(0, 3).Draw(t, "shots")
	}
	if s.Hand == [2]int{} {
		s.NoShot = rapid.IntRange(0, 120).Draw(t, "no-shot")
		s.ThreeAgainstThree = rapid.IntRange(0, 30).Draw(t, "three")
	}
	p, err := v.Position(s)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return v, p
}

func TestLawPrintedPositionsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, p := drawSetup(t)
		again, err := v.ParsePosition(p.String())
		if err != nil || again != p {
			t.Errorf("%s read as %s, %v", p, again, err)
		}
	})
}

// everyAction is each action there can be, and some that cannot.
func everyAction() []rules.Action {
	actions := []rules.Action{{Kind: rules.Pass}, {Kind: 9}, {Kind: rules.Place, To: 24}, {Kind: rules.Move, From: 77}}
	for to := range rules.Point(rules.PointCount) {
		actions = append(actions, rules.Action{Kind: rules.Place, To: to}, rules.Action{Kind: rules.Shoot, To: to})
		for from := range rules.Point(rules.PointCount) {
			actions = append(actions, rules.Action{Kind: rules.Move, From: from, To: to})
		}
	}
	return actions
}

func TestLawLegalActionsPlayAndOthersAreRefused(t *testing.T) {
	every := everyAction()
	rapid.Check(t, func(t *rapid.T) {
		v, p := drawSetup(t)
		legal := v.Legal(p)
		if over := v.Status(p).Over; over && len(legal) > 0 {
			t.Fatalf("%s: over, yet legal are %v", p, legal)
		}
		stuck := p.Placing() && p.Pending == 0 && p.Hand[p.Turn] == 0
		for _, a := range every {
			after, err := v.Play(p, a)
			if slices.Contains(legal, a) {
				checkPlayed(t, v, p, a, after, err)
				continue
			}
			var illegal *rules.IllegalError
			if !errors.As(err, &illegal) || after != p || !slices.Equal(illegal.Legal, legal) {
				t.Fatalf("%s: %s: %s, %v", p, a, after, err)
			}
			if len(illegal.Legal) == 0 && !v.Status(p).Over && !stuck {
				t.Fatalf("%s: %s refused and nothing legal in a game that is not over", p, a)
			}
		}
	})
}

// checkPlayed checks what a legal action led to: a position that can be set up, in a game that goes on or is over.
func checkPlayed(t *rapid.T, v rules.Variant, p rules.Position, a rules.Action, after rules.Position, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %s is legal, yet %v", p, a, err)
	}
	if again, err := v.ParsePosition(after.String()); err != nil || again != after {
		t.Fatalf("%s: after %s: %s read as %s, %v", p, a, after, again, err)
	}
	stuck := after.Placing() && after.Pending == 0 && after.Hand[after.Turn] == 0
	if over := v.Status(after).Over; over != (len(v.Legal(after)) == 0) && !stuck {
		t.Fatalf("%s: after %s: over %t, legal %v", p, a, over, v.Legal(after))
	}
}

func TestLawReplayedRecordIsTheGame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t)
		record := g.Record()
		record.White = rapid.StringMatching(`[a-z"\\\] ]{0,12}`).Draw(t, "white")
		read, err := rules.ParseRecord(record.String())
		if err != nil {
			t.Fatalf("%v in\n%s", err, record)
		}
		if read.White != record.White || read.String() != record.String() || read.Variant != record.Variant {
			t.Fatalf("read as\n%s\nwritten as\n%s", read, record)
		}
		again, err := read.Game()
		if err != nil {
			t.Fatalf("%v in\n%s", err, record)
		}
		if again.Position() != g.Position() || again.Status() != g.Status() || again.Occurrences() != g.Occurrences() {
			t.Fatalf("replayed to %s %+v, was %s %+v", again.Position(), again.Status(), g.Position(), g.Status())
		}
	})
}

func TestLawVariantsReadBackFromJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawVariant(t)
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var again rules.Variant
		if err := json.Unmarshal(data, &again); err != nil || again != v {
			t.Errorf("%s read as %+v, %v", data, again, err)
		}
	})
}

// symmetries are the sixteen maps of the board onto itself: eight turns and reflections, each with the inner and the
// outer square in their places or exchanged.
func symmetries(t *testing.T) (maps [16][rules.PointCount]rules.Point) {
	for m := range maps {
		for p := range rules.Point(rules.PointCount) {
			x, y := int(p.String()[0]-'a')-3, int(p.String()[1]-'1')-3
			if m&1 != 0 {
				x = -x
			}
			if m&2 != 0 {
				y = -y
			}
			if m&4 != 0 {
				x, y = y, x
			}
			if ring := max(x, -x, y, -y); m&8 != 0 {
				x, y = x/ring*(4-ring), y/ring*(4-ring)
			}
			image, err := rules.ParsePoint(string([]byte{byte('a' + x + 3), byte('1' + y + 3)}))
			if err != nil {
				t.Fatal(err)
			}
			maps[m][p] = image
		}
	}
	return maps
}

// image is a position seen through one of the symmetries.
func image(p rules.Position, to [rules.PointCount]rules.Point) rules.Position {
	q := p
	for side := range q.Pieces {
		q.Pieces[side] = 0
		for at := range p.Pieces[side].All() {
			q.Pieces[side] = q.Pieces[side].With(to[at])
		}
		if q.Forbidden[side].Set {
			q.Forbidden[side].From = to[p.Forbidden[side].From]
			q.Forbidden[side].To = to[p.Forbidden[side].To]
		}
	}
	return q
}

func TestLawSymmetricImagesHaveTheSamePerft(t *testing.T) {
	maps := symmetries(t)
	rapid.Check(t, func(t *rapid.T) {
		v, p := drawSetup(t)
		want := v.Perft(p, 2)
		if leaves := v.PerftLeaves(p, 2); leaves != want {
			t.Fatalf("%s: %d counted, %d carried out", p, want, leaves)
		}
		for m, to := range maps {
			if got := v.Perft(image(p, to), 2); got != want {
				t.Fatalf("%s: perft 2 is %d, of image %d %s it is %d", p, want, m, image(p, to), got)
			}
		}
	})
}
