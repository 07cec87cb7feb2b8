package render

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"math/rand/v2"
	"testing"

	"kraal/rules"
)

// replay is a game of as many turns by chance, in which a mill is closed now and then where it can be.
func replay(t testing.TB, turns int) Replay {
	t.Helper()
	v, _ := rules.Lookup("morabaraba")
	v.NoShot, v.Repetition = 0, 0
	random := rand.New(rand.NewPCG(60, 720))
	g := rules.NewGame(v)
	for moves := 0; !g.Status().Over && (len(g.Turns()) < turns || g.Position().Pending > 0); moves++ {
		legal := g.Legal()
		choice := legal[random.IntN(len(legal))]
		for _, a := range legal {
			if next, err := v.Play(g.Position(), a); err == nil && next.Pending > 0 && moves%3 == 0 {
				choice = a
			}
		}
		if err := g.Play(choice); err != nil {
			t.Fatal(err)
		}
	}
	return Replay{Game: g, Status: g.Status(), Seats: players, ID: "0k7m2x9w"}
}

// shown are the frames of a film as a viewer shows them, one upon the other.
func shown(t testing.TB, data []byte) (frames []*image.RGBA, delays []int) {
	t.Helper()
	all, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	screen := image.NewRGBA(image.Rect(0, 0, all.Config.Width, all.Config.Height))
	for _, im := range all.Image {
		draw.Draw(screen, im.Rect, im, im.Rect.Min, draw.Over)
		frame := image.NewRGBA(screen.Rect)
		copy(frame.Pix, screen.Pix)
		frames = append(frames, frame)
	}
	return frames, all.Delay
}

// Each frame shows what the picture of its moment shows, to the pixel.
func TestFilmShowsTheGame(t *testing.T) {
	r := renderer(t)
	p := replay(t, 40)
	p.Size = FilmSize
	var out bytes.Buffer
	made, err := r.GIF(&out, p)
	if err != nil {
		t.Fatal(err)
	}
	turns := len(p.Game.Turns())
	if want := (Film{Turns: turns, Frames: turns + 1, Bytes: out.Len()}); made != want {
		t.Errorf("made %+v, want %+v", made, want)
	}
	frames, delays := shown(t, out.Bytes())
	film, err := r.sized(FilmSize)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range p.scenes() {
		want := film.compose(s)
		for j, at := range want.image.Pix {
			c := want.image.Palette[at].(color.NRGBA)
			if got := frames[i].Pix[4*j:]; got[0] != c.R || got[1] != c.G || got[2] != c.B {
				t.Fatalf("frame %d differs from its picture at %d,%d", i, j%FilmSize, j/FilmSize)
			}
		}
		want.done()
	}
	if last := len(delays) - 1; delays[last] <= delays[last-1] || delays[last-1] <= delays[last/2] {
		t.Errorf("the end is not slower: %v", delays)
	}
}

// A film to be sent has at most 6 KiB a frame.
func TestFilmIsSmall(t *testing.T) {
	r := renderer(t)
	p := replay(t, 60)
	p.Size = FilmSize
	made, err := r.GIF(new(bytes.Buffer), p)
	if err != nil {
		t.Fatal(err)
	}
	if most := 6 << 10 * made.Frames; made.Bytes > most {
		t.Errorf("%d bytes, want at most %d for %d frames", made.Bytes, most, made.Frames)
	}
}

// A film that would be too large has fewer frames, says so, and ends with the last turn.
func TestFilmKeepsToItsLimit(t *testing.T) {
	r, err := New(Options{Size: 240})
	if err != nil {
		t.Fatal(err)
	}
	p := replay(t, 90)
	whole, err := r.GIF(new(bytes.Buffer), p)
	if err != nil {
		t.Fatal(err)
	}
	p.Limit = whole.Bytes / 3
	var out bytes.Buffer
	made, err := r.GIF(&out, p)
	if err != nil {
		t.Fatal(err)
	}
	if out.Len() != made.Bytes || made.Bytes > p.Limit || made.Frames >= whole.Frames || made.Turns != whole.Turns {
		t.Errorf("within %d bytes: %+v in %d bytes; without a limit %+v", p.Limit, made, out.Len(), whole)
	}
	frames, _ := shown(t, out.Bytes())
	scenes := p.scenes()
	want := r.compose(scenes[len(scenes)-1])
	if psnr, _ := closeness(want.image, frames[len(frames)-1]); psnr < 100 {
		t.Errorf("the last frame is not the last turn: %.0f dB", psnr)
	}
}

// A game that has not begun, and one in the middle of a turn, are films too.
func TestFilmOfAnyGame(t *testing.T) {
	r, err := New(Options{Size: MinSize})
	if err != nil {
		t.Fatal(err)
	}
	v, _ := rules.Lookup("nine")
	for _, actions := range []string{"", "d7", "a7 b6 d7 d6 g7"} {
		g := rules.NewGame(v)
		for _, text := range bytes.Fields([]byte(actions)) {
			a, err := rules.ParseAction(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Play(a); err != nil {
				t.Fatal(err)
			}
		}
		var out bytes.Buffer
		made, err := r.GIF(&out, Replay{Game: g})
		if err != nil {
			t.Fatal(err)
		}
		if frames, _ := shown(t, out.Bytes()); len(frames) != len(g.Turns())+1 || made.Frames != len(frames) {
			t.Errorf("after %q: %d frames, want %d", actions, len(frames), len(g.Turns())+1)
		}
	}
}
