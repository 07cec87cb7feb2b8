package render

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"kraal/rules"
)

// Games whose moments the tests show. Each is played, so that position, last
// turn and status agree.
const (
	nineGame = "e4 g7 d3 d6 f2 f6 c3 b6 xd3 d1 c4 b2 d5 g1 d7 xf2 a7 a1 e5 a4 e4-e3 b6-b4 xc3 g1-g4 d6-b6 " +
		"g4-f4 d5-c5 d1-d2 d7-d6 xa7 f4-f2 xg7 c5-d5 d2-d1 c4-c3 b2-d2 b4-b2 e3-d3 xb2 d6-d7 d1-g1 b6-d6 xd3 " +
		"f2-f4 c3-c4 d2-b2 c4-c3 f4-g4 d7-a7 xb2 e5-g7 xd6 d5-e5 g4-b6 a1-d1 b6-g4 xe5 d1-a1 xg1"
	morabarabaGame = "d1 a1 d3 b4 g7 d6 e4 d5 f2 f4 c4 b6 g1 g4 e3 xd6 b2 xc4 a4 c3 xd1 d7 a7 d1 d2 f6 d6 f6-e5 xg4"
)

var players = [2]Seat{{"Naledi Mokoena", "1623", "4:32"}, {"Thabo wa Ga-Ramaphošwane", "1500?", ""}}

// moment is the game after its first n actions.
func moment(t testing.TB, variant, game string, n int) Scene {
	t.Helper()
	v, ok := rules.Lookup(variant)
	if !ok {
		t.Fatalf("no variant %q", variant)
	}
	g := rules.NewGame(v)
	for _, text := range strings.Fields(game)[:n] {
		a, err := rules.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Play(a); err != nil {
			t.Fatal(err)
		}
	}
	s := sceneOf(g)
	s.Seats, s.ID = players, "0k7m2x9w"
	return s
}

// sceneOf shows a game as it stands, without players.
func sceneOf(g *rules.Game) Scene {
	s := Scene{Variant: g.Variant(), Position: g.Position(), Status: g.Status()}
	if turns := g.Turns(); len(turns) > 0 {
		last := turns[len(turns)-1]
		s.Last, s.LastBy = last.Turn, last.Side
	}
	return s
}

// at is a scene of a position that was not reached by play.
func at(t testing.TB, variant, position string) Scene {
	t.Helper()
	v, ok := rules.Lookup(variant)
	if !ok {
		t.Fatalf("no variant %q", variant)
	}
	p, err := v.ParsePosition(position)
	if err != nil {
		t.Fatal(err)
	}
	return Scene{Variant: v, Position: p, Status: v.Status(p)}
}

// standard is a Renderer of the default size, made once: it changes no more.
var standard = sync.OnceValues(func() (*Renderer, error) { return New(Options{}) })

func renderer(t testing.TB) *Renderer {
	t.Helper()
	r, err := standard()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pictured are the scenes whose pictures are kept in testdata.
func pictured(t testing.TB) map[string]Scene {
	drawn := moment(t, "nine", nineGame, 25)
	drawn.Status = rules.Status{Over: true, Result: rules.Drawn, Reason: rules.Agreement}
	resigned := moment(t, "morabaraba", morabarabaGame, 20)
	resigned.Status = rules.Status{Over: true, Result: rules.WhiteWins, Reason: rules.Resignation}
	odd := moment(t, "koti", morabarabaGame, 24)
	odd.Seats = [2]Seat{{Name: "مرحبا 你好"}, {Name: "👨‍👩‍👧🏽 𝓐𝓵𝓮𝔁 Ệ Ωж", Rating: "1500"}}
	bare := moment(t, "mhele", morabarabaGame, 13)
	bare.Seats, bare.ID = [2]Seat{}, ""
	unnamed := moment(t, "morabaraba", morabarabaGame, 20)
	unnamed.Seats, unnamed.Bars = [2]Seat{}, true
	turned := moment(t, "morabaraba", morabarabaGame, 29)
	turned.Turned = true
	picked := destined(t)
	picked.Seats, picked.ID = players, "0k7m2x9w"
	return map[string]Scene{
		"turned":   turned,
		"unnamed":  unnamed,
		"opening":  moment(t, "nine", nineGame, 0),
		"shot":     moment(t, "morabaraba", morabarabaGame, 21),
		"moved":    moment(t, "morabaraba", morabarabaGame, 29),
		"pending":  moment(t, "morabaraba", morabarabaGame, 20),
		"flying":   moment(t, "nine", nineGame, 57),
		"finished": moment(t, "nine", nineGame, 59),
		"drawn":    drawn,
		"resigned": resigned,
		"names":    odd,
		"bare":     bare,
		"picked":   picked,
	}
}

// Turned, everything stands where the opposite point stood, and the bars change places; the words stay the same.
func TestTurned(t *testing.T) {
	r := renderer(t)
	straight, turned := &r.layouts[1], &r.layouts[3]
	for p := range rules.Point(rules.PointCount) {
		name := p.String()
		opposite := rulesPoint(t, string([]byte{'a' + 'g' - name[0], '1' + '7' - name[1]}))
		if got, want := turned.Points[p], straight.Points[opposite]; got != want {
			t.Errorf("%v is at %v, want %v", p, got, want)
		}
	}
	for side := range straight.Bars {
		if got, want := turned.Bars[side], straight.Bars[1-side]; got != want {
			t.Errorf("bar %d is at %+v, want %+v", side, got, want)
		}
	}
	s := moment(t, "morabaraba", morabarabaGame, 20)
	s.Turned = true
	im := r.draw(s)
	if s.Position.Pieces[rules.White].Len() == 0 {
		t.Fatal("nothing to be seen")
	}
	s.Turned = false
	there := r.draw(s)
	for p := range s.Position.Pieces[rules.White].All() {
		if a, b := pixel(r, im, turned.Points[p]), pixel(r, there, straight.Points[p]); contrast(a, b) > 1.1 {
			t.Errorf("the piece on %v looks different: contrast %.2f", p, contrast(a, b))
		}
	}
}

// TestPiecesOfAScene: what pieces a scene wants goes before what its Renderer usually draws, in films too; what there is not
// is as if nothing were wanted.
func TestPiecesOfAScene(t *testing.T) {
	of := func(o Options) *Renderer {
		r, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	usual, stones := of(Options{Size: MinSize}), of(Options{Size: MinSize, Pieces: Stones})
	s := moment(t, "morabaraba", morabarabaGame, 20)
	wants := func(p Pieces) Scene {
		s.Pieces = p
		return s
	}
	cowsDrawn, stonesDrawn := picture(t, usual, wants(Suited)), picture(t, stones, wants(Suited))
	if bytes.Equal(cowsDrawn, stonesDrawn) {
		t.Fatal("cows look like stones")
	}
	for _, tt := range []struct {
		r     *Renderer
		wants Pieces
		want  []byte
	}{
		{usual, Stones, stonesDrawn}, {usual, Cows, cowsDrawn}, {stones, Cows, cowsDrawn}, {usual, "goats", cowsDrawn},
	} {
		if !bytes.Equal(picture(t, tt.r, wants(tt.wants)), tt.want) {
			t.Errorf("options %q, scene %q: other pieces are drawn", tt.r.options.Pieces, tt.wants)
		}
	}
	p := replay(t, 6)
	film := func(r *Renderer, of Pieces) []byte {
		p.Pieces = of
		var b bytes.Buffer
		if _, err := r.GIF(&b, p); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if !bytes.Equal(film(usual, Stones), film(stones, Suited)) {
		t.Error("a film that wants stones shows others")
	}
}
