package discord_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/bot/sandbox"
	"kraal/render"
	"kraal/rules"
)

// herd is what pieces a picture of a game's newest moment has, as white sees it: all that differs between a board with
// cows and one with stones has to be as with one of them.
func (s *stage) herd(m sandbox.Message, id string) render.Pieces {
	s.t.Helper()
	table, err := match.Look(s.kept(id))
	s.must(err)
	last, _ := table.LastTurn()
	drawn := map[render.Pieces]image.Image{}
	for _, pieces := range []render.Pieces{render.Cows, render.Stones} {
		var b bytes.Buffer
		s.must(s.painter.Renderer.PNG(&b, render.Scene{
			Variant: table.Match.Variant, Position: table.Game.Position(), Last: last.Turn, LastBy: last.Side, Bars: true, Pieces: pieces,
		}))
		drawn[pieces], err = png.Decode(&b)
		s.must(err)
	}
	got := s.pixels(m)
	if got.Bounds() != drawn[render.Cows].Bounds() {
		s.t.Fatalf("the picture is %v", got.Bounds())
	}
	apart, seen := 0, map[render.Pieces]int{}
	for y := range got.Bounds().Dy() {
		for x := range got.Bounds().Dx() {
			if drawn[render.Cows].At(x, y) == drawn[render.Stones].At(x, y) {
				continue
			}
			apart++
			for pieces, im := range drawn {
				if got.At(x, y) == im.At(x, y) {
					seen[pieces]++
				}
			}
		}
	}
	for pieces, n := range seen {
		if apart > 0 && n == apart {
			return pieces
		}
	}
	s.t.Fatalf("of %d places that tell pieces apart %v are as they should", apart, seen)
	return ""
}

// TestPieces: what a server chose is on its boards, what a member chose in what they alone see, and nothing else changes.
func TestPieces(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("nine", nil))
	s.act(id, rules.Black, "a7")
	s.act(id, rules.White, "d7")
	expect := func(when string, m sandbox.Message, want render.Pieces) {
		t.Helper()
		if got := s.herd(m, id); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
	}
	own := func() sandbox.Message { return s.press(s.white, s.board(id).ID, "View") }
	prefer := func(pieces string) sandbox.Message {
		return s.slash(s.white, "preferences pieces", map[string]any{"pieces": pieces})
	}
	expect("nobody chose", s.board(id), render.Stones)
	expect("nobody chose, alone", own(), render.Stones)

	s.expectPrivate(prefer("cows"), "are cows")
	s.expectPrivate(s.slash(s.white, "preferences show", nil), "Pieces in your own pictures: **cows**")
	expect("a member chose", own(), render.Cows)
	if about := s.slash(s.white, "privacy export", nil).Attachments[0].Data; !strings.Contains(string(about), `"pieces":"cows"`) {
		t.Errorf("what is kept about a member lacks the pieces that they chose: %.600s", about)
	}
	s.act(id, rules.Black, "g7")
	expect("a member chose, for all", s.board(id), render.Stones)

	s.expectPrivate(s.set("pieces", map[string]any{"pieces": "cows"}), "cows")
	s.expectPrivate(s.set("show", nil), "**Pieces** on the boards in this server's channels: cows")
	s.act(id, rules.White, "a1")
	expect("the server chose", s.board(id), render.Cows)
	s.expectPrivate(prefer("stones"), "are stones")
	expect("a member chose otherwise", own(), render.Stones)
	s.expectPrivate(prefer("suited"), "as everybody's do")
	expect("a member chose no more", own(), render.Cows)
	s.expectPrivate(s.set("pieces", map[string]any{"pieces": "suited"}), "what suits the game")
	expect("nobody chose any more", own(), render.Stones)
	if kept, server := s.choice(s.white).Pieces, s.settings().Pieces; kept != "" || server != "" {
		t.Errorf("kept are %q and %q, want no choice", kept, server)
	}
}

// TestFilmWithPieces: a film has the pieces that whoever asks for it chose.
func TestFilmWithPieces(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("nine", nil))
	s.act(id, rules.Black, "a7")
	film := func() []byte { return s.slash(s.white, "replay", map[string]any{"game": id}).Attachments[1].Data }
	stones := film()
	s.slash(s.white, "preferences pieces", map[string]any{"pieces": "cows"})
	cows := film()
	if bytes.Equal(stones, cows) {
		t.Error("a film with cows is as one with stones")
	}
	s.slash(s.white, "preferences pieces", map[string]any{"pieces": "stones"})
	if !bytes.Equal(film(), stones) {
		t.Error("stones look otherwise when they are chosen")
	}
}

// TestWhereCanItGo: the points where a chosen piece can go are shown on a board when that is asked for, or always for whoever
// prefers it; the words of the picture say them; and the piece is moved from there.
func TestWhereCanItGo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.setUp("nine", "w../w.w/b../..b..b/.w./.../b.. w 0,0 0 0,0 -,-")
	named := s.choose(s.white, s.board(id).ID, "a7")
	s.expectPrivate(named, "Where should **a7** go?")
	if len(named.Attachments) != 0 {
		t.Error("a picture comes unasked")
	}
	told := func(when string, m sandbox.Message, from, to string) {
		t.Helper()
		if len(m.Attachments) != 1 {
			t.Fatalf("%s: %d pictures", when, len(m.Attachments))
		}
		want := "The piece on " + from + " is marked. The dotted points, to which a piece can go, are " + to + "."
		if got := m.Attachments[0].Description; !strings.HasSuffix(got, want) {
			t.Errorf("%s: the words are %q, want at the end %q", when, got, want)
		}
		s.checkBoard(m, position(t, s.kept(id)))
	}
	shown := s.press(s.white, named.ID, "Where can it go?")
	s.expectPrivate(shown, "Where should **a7** go?")
	if shown.ID != named.ID {
		t.Error("the board comes as another message")
	}
	told("asked for", shown, "a7", "d7 a4")
	if n := s.deeds(id); n != 0 {
		t.Fatalf("%d actions are kept for a look", n)
	}

	unasked := s.choose(s.white, s.board(id).ID, "f6")
	s.prefer(s.white, "dots", "on")
	always := s.choose(s.white, s.board(id).ID, "b6")
	told("preferred", always, "b6", "d6 b4")
	done := s.choose(s.white, always.ID, "d6")
	s.expectPrivate(done, "You played `b6-d6`")
	if len(done.Attachments) != 0 {
		t.Error("the board of before the move stays")
	}
	s.expectPrivate(s.press(s.white, unasked.ID, "Where can it go?"), "moved on")
}

// TestWhereForOthers: a board with dots is shown to nobody but the player whose turn it is; black sees it from black's side.
func TestWhereForOthers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.setUp("nine", "w../w.w/b../..b..b/.w./.../b.. b 0,0 0 0,0 -,-")
	s.expectPrivate(s.choose(s.white, s.board(id).ID, "a1"), "not your turn")
	s.expectPrivate(s.choose(s.sb.As(s.server.Members[2]), s.board(id).ID, "a1"), "play here")
	s.prefer(s.black, "dots", "on")
	m := s.choose(s.black, s.board(id).ID, "a1")
	own := s.press(s.black, s.board(id).ID, "View")
	got, whole := s.pixels(m), s.pixels(own)
	straight := s.pixels(s.board(id))
	same, upright := 0, 0
	for y := range got.Bounds().Dy() {
		for x := range got.Bounds().Dx() {
			if got.At(x, y) == whole.At(x, y) {
				same++
			}
			if got.At(x, y) == straight.At(x, y) {
				upright++
			}
		}
	}
	if all := got.Bounds().Dx() * got.Bounds().Dy(); same < all*95/100 || upright >= same {
		t.Errorf("of %d places %d are as black sees the board, and %d as white does", all, same, upright)
	}
}

// pixels is a message's picture.
func (s *stage) pixels(m sandbox.Message) image.Image {
	s.t.Helper()
	if len(m.Attachments) != 1 {
		s.t.Fatalf("%d pictures beside %q", len(m.Attachments), m.Content)
	}
	im, err := png.Decode(bytes.NewReader(m.Attachments[0].Data))
	s.must(err)
	return im
}

// TestWhereOnABusyDay: a board with dots that takes long to draw comes all the same, asked for or unasked.
func TestWhereOnABusyDay(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.setUp("nine", "w../w.w/b../..b..b/.w./.../b.. w 0,0 0 0,0 -,-")
	named := s.choose(s.white, s.board(id).ID, "a7")
	s.prefer(s.white, "dots", "on")
	s.painter.mu.Lock()
	s.painter.slow = 2 * time.Second // longer than a tap goes unacknowledged
	s.painter.mu.Unlock()
	before := s.acknowledged()
	for when, m := range map[string]sandbox.Message{
		"asked for": s.press(s.white, named.ID, "Where can it go?"), "preferred": s.choose(s.white, s.board(id).ID, "b6"),
	} {
		s.expectPrivate(m, "Where should")
		if len(m.Attachments) != 1 {
			t.Errorf("%s: %d pictures", when, len(m.Attachments))
		}
	}
	if n := s.acknowledged() - before; n != 2 {
		t.Errorf("%d of two were acknowledged before their picture was drawn", n)
	}
}
