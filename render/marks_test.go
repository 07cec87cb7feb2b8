package render

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"sync"
	"testing"

	"kraal/rules"
)

// luminance is WCAG 2's relative luminance.
func luminance(c color.RGBA) float64 {
	part := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
}

func contrast(a, b color.RGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// grey is the colour as a black and white copy shows it.
func grey(c color.RGBA) color.RGBA {
	y := color.GrayModel.Convert(c).(color.Gray).Y
	return color.RGBA{y, y, y, 255}
}

// TestContrast: in every theme what has to be told apart differs by 3:1 at least, in grey too.
func TestContrast(t *testing.T) {
	for _, name := range Themes() {
		t.Run(string(name), func(t *testing.T) {
			th, ok := themed(name)
			if !ok {
				t.Fatal("there is no such theme")
			}
			checkContrast(t, th)
		})
	}
}

func checkContrast(t *testing.T, th theme) {
	t.Helper()
	white, black := th.Pieces[rules.White], th.Pieces[rules.Black]
	woods := map[string]color.RGBA{"light wood": th.Panel.Light, "dark wood": th.Panel.Dark}
	type pair struct {
		name string
		a, b color.RGBA
	}
	pairs := []pair{
		{"sides", white.Body, black.Body},
		{"white's outline", white.Rings[0].Colour, white.Body},
		{"white's ring", white.Rings[1].Colour, white.Body},
		{"black's rim", black.Rings[1].Colour, black.Body},
		{"last turn's edge", th.Last.Fill, th.Last.Edge},
		{"target's edge", th.Target.Fill, th.Target.Edge},
		{"cross's rim", th.Shot.Fill, th.Shot.Edge},
		{"coordinates, light frame", th.Letter, th.Frame.Light},
		{"coordinates, dark frame", th.Letter, th.Frame.Dark},
		{"name", th.Name, th.BarActive},
		{"rating", th.Rating, th.BarActive},
		{"shots owed", th.Owed.Fill, th.BarActive},
		{"destination's edge", th.Hint.Fill, th.Hint.Edge},
		{"result", th.Seal.Fill, th.Seal.Edge},
		{"turn marker", th.Turn.Fill, th.BarActive},
		{"draw", th.Turn.Fill, th.Bar},
	}
	// In a bar either the body stands out or the ring at its rim.
	for name, look := range map[string][2]color.RGBA{
		"white in a bar": {white.Body, white.Rings[0].Colour}, "black in a bar": {black.Body, black.Rings[1].Colour},
	} {
		c := look[0]
		if contrast(look[1], th.BarActive) > contrast(c, th.BarActive) {
			c = look[1]
		}
		pairs = append(pairs, pair{name, c, th.BarActive})
	}
	for wood, colour := range woods {
		pairs = append(pairs,
			pair{"white's outline on " + wood, white.Rings[0].Colour, colour},
			pair{"black on " + wood, black.Body, colour},
			pair{"line on " + wood, th.Line, colour},
			pair{"id on " + wood, th.Brand, colour},
			pair{"last turn's edge on " + wood, th.Last.Edge, colour},
			pair{"target's edge on " + wood, th.Target.Edge, colour},
			pair{"cross's rim on " + wood, th.Shot.Edge, colour},
			pair{"destination's edge on " + wood, th.Hint.Edge, colour},
		)
	}
	for _, p := range pairs {
		if got := contrast(p.a, p.b); got < 3 {
			t.Errorf("%s: contrast %.2f, want at least 3", p.name, got)
		}
		if got := contrast(grey(p.a), grey(p.b)); got < 3 {
			t.Errorf("%s in grey: contrast %.2f, want at least 3", p.name, got)
		}
	}
}

// pixel is the picture's colour at a spot.
func pixel(r *Renderer, im image.Image, at spot) color.RGBA {
	return color.RGBAModel.Convert(im.At(int(at.X*r.scale), int(at.Y*r.scale))).(color.RGBA)
}

// The picture shows what the numbers promise: sides, lines and coordinates.
func TestSidesDifferInThePicture(t *testing.T) {
	r := renderer(t)
	s := at(t, "nine", "w.b/.../.../....../.../.../... w 8,8 0 0,0 -,-")
	im := decode(t, picture(t, r, s))
	a7, g7, d7 := r.layouts[0].Points[0], r.layouts[0].Points[2], r.layouts[0].Points[1]
	body := func(p spot) color.RGBA { return pixel(r, im, spot{p.X + 0.4*pieceRadius, p.Y}) }
	wood := pixel(r, im, spot{d7.X + 30, d7.Y + 30})
	for _, c := range []struct {
		name string
		a, b color.RGBA
	}{
		{"white and black", body(a7), body(g7)}, {"white and wood", body(a7), wood}, {"black and wood", body(g7), wood},
		{"black's body and dot", body(g7), pixel(r, im, g7)},
		{"white's body and ring", body(a7), pixel(r, im, spot{a7.X + 0.61*pieceRadius, a7.Y})},
	} {
		if got := contrast(c.a, c.b); got < 3 {
			t.Errorf("%s: contrast %.2f, want at least 3", c.name, got)
		}
	}
	if got := contrast(body(a7), pixel(r, im, a7)); got > 1.3 {
		t.Errorf("white has a dot in the middle as black has: contrast %.2f", got)
	}
}

// Fault O8: a program drew diagonals that did not count.
func TestDiagonalsAreDrawnWhenTheyCount(t *testing.T) {
	r := renderer(t)
	for _, v := range rules.Variants() {
		for _, changed := range []bool{false, true} {
			v.Diagonals = v.Diagonals != changed
			im := decode(t, picture(t, r, Scene{Variant: v}))
			drawn := 0
			for _, ends := range [][2]string{{"a7", "b6"}, {"b6", "c5"}, {"g7", "f6"}, {"f6", "e5"},
				{"a1", "b2"}, {"b2", "c3"}, {"g1", "f2"}, {"f2", "e3"}} {
				a, b := point(t, r, ends[0]), point(t, r, ends[1])
				if contrast(pixel(r, im, spot{(a.X + b.X) / 2, (a.Y + b.Y) / 2}), r.theme.Panel.Light) > 3 {
					drawn++
				}
			}
			want := 0
			if v.Diagonals {
				want = 8
			}
			if drawn != want {
				t.Errorf("%s, diagonals %v: %d halves of diagonals drawn, want %d", v.Key, v.Diagonals, drawn, want)
			}
		}
	}
}

// Every line that the rules know is drawn, between every two neighbours on it.
func TestLinesAreDrawn(t *testing.T) {
	r := renderer(t)
	for _, v := range rules.Variants() {
		im := decode(t, picture(t, r, Scene{Variant: v}))
		for _, line := range v.Lines() {
			for i := range 2 {
				a, b := r.layouts[0].Points[line[i]], r.layouts[0].Points[line[i+1]]
				if contrast(pixel(r, im, spot{(a.X + b.X) / 2, (a.Y + b.Y) / 2}), r.theme.Panel.Light) < 3 {
					t.Errorf("%s: no line from %v to %v", v.Key, line[i], line[i+1])
				}
			}
		}
	}
}

func point(t testing.TB, r *Renderer, name string) spot {
	t.Helper()
	p, err := rules.ParsePoint(name)
	if err != nil {
		t.Fatal(err)
	}
	return r.layouts[0].Points[p]
}

func picture(t testing.TB, r *Renderer, s Scene) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.PNG(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Each mark changes the picture at its point and is gone without its cause.
func TestMarksStandWhereTheyBelong(t *testing.T) {
	r := renderer(t)
	s := moment(t, "morabaraba", morabarabaGame, 20)
	s.Seats = [2]Seat{}
	quiet := s
	quiet.Last, quiet.Position.Pending = nil, 0
	with, without := r.draw(s), r.draw(quiet)
	marked := s.targets().With(rulesPoint(t, "c3"))
	for p := range rules.Point(rules.PointCount) {
		middle := r.layouts[0].Points[p]
		changed := false
		for _, d := range [...]spot{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			rim := spot{middle.X + d.X*(markInner+markOuter)/2, middle.Y + d.Y*(markInner+markOuter)/2}
			changed = changed || contrast(pixel(r, with, rim), pixel(r, without, rim)) > 1.2
		}
		if want := marked.Has(p); changed != want {
			t.Errorf("%v is marked: %v, want %v", p, changed, want)
		}
	}
}

// A piece that is picked has a ring that is open where lines come in, as no other ring is, and the points to which it can go
// are dotted; what is said of points where that cannot be is not drawn.
func TestPickedAndDotted(t *testing.T) {
	r := renderer(t)
	s := destined(t)
	plain := s
	plain.Picked, plain.Hints = 0, 0
	with, without := r.draw(s), r.draw(plain)
	differ := func(p rules.Point, far, angle float64) bool {
		at := r.layouts[0].Points[p]
		at = spot{at.X + far*math.Cos(angle), at.Y + far*math.Sin(angle)}
		return contrast(pixel(r, with, at), pixel(r, without, at)) > 1.2
	}
	const ring = (markInner + markOuter) / 2
	dotted := s.Hints &^ s.Position.Occupied()
	for p := range rules.Point(rules.PointCount) {
		if got, want := differ(p, ring, math.Pi/4), p == rulesPoint(t, "b4"); got != want {
			t.Errorf("%v is picked: %v, want %v", p, got, want)
		}
		if differ(p, ring, 0) || differ(p, ring, math.Pi/2) {
			t.Errorf("the ring round %v is closed", p)
		}
		if got, want := differ(p, 0, 0), dotted.Has(p); got != want {
			t.Errorf("%v is dotted: %v, want %v", p, got, want)
		}
	}
}

func rulesPoint(t testing.TB, name string) rules.Point {
	t.Helper()
	p, err := rules.ParsePoint(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Faces, palette and woods are made on demand; that must not show when many draw
// at once.
func TestManyDrawAtOnce(t *testing.T) {
	r, err := New(Options{Size: 400})
	if err != nil {
		t.Fatal(err)
	}
	scenes := pictured(t)
	var wait sync.WaitGroup
	var lock sync.Mutex
	got := make(map[string][][]byte)
	for name, s := range scenes {
		for range 3 {
			wait.Go(func() {
				var b bytes.Buffer
				if err := r.PNG(&b, s); err != nil {
					t.Error(err)
				}
				lock.Lock()
				defer lock.Unlock()
				got[name] = append(got[name], b.Bytes())
			})
		}
	}
	wait.Wait()
	fresh, err := New(Options{Size: 400})
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range scenes {
		want := picture(t, fresh, s)
		for _, b := range got[name] {
			if !bytes.Equal(b, want) {
				t.Errorf("%s: bytes differ from a Renderer's that drew alone", name)
			}
		}
	}
}

func TestSizes(t *testing.T) {
	for _, size := range []int{-1, 1, MinSize - 1, MaxSize + 1} {
		if _, err := New(Options{Size: size}); err == nil {
			t.Errorf("size %d was taken", size)
		}
	}
	for _, size := range []int{MinSize, 350, 1024} {
		r, err := New(Options{Size: size})
		if err != nil {
			t.Fatal(err)
		}
		im := decode(t, picture(t, r, moment(t, "koti", morabarabaGame, 9)))
		if got := im.Bounds().Dx(); got != size {
			t.Errorf("picture is %d wide, want %d", got, size)
		}
		if !im.(interface{ Opaque() bool }).Opaque() {
			t.Errorf("size %d: picture is not opaque", size)
		}
	}
}

// What is sent, of one byte a pixel and laid together from sprites, may not be told from the same scene drawn in full
// colour: 48 dB at least, and no pixel further off than the soft edge of a mark hides.
func TestPaletteIsCloseToTrueColour(t *testing.T) {
	for _, theme := range Themes() {
		r, err := New(Options{Theme: theme})
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range pictured(t) {
			if theme != Wood && name != "moved" && name != "pending" && name != "finished" {
				continue // marks and pieces are all in these
			}
			sheet := r.compose(s)
			psnr, worst := closeness(sheet.image, r.draw(s))
			sheet.done()
			t.Logf("%s, %s: %.1f dB, worst %d", theme, name, psnr, worst)
			if psnr < 48 || worst > mostApart {
				t.Errorf("%s, %s: %.1f dB and a pixel %d off, want at least 48 dB and at most %d", theme, name, psnr, worst, mostApart)
			}
		}
	}
}

const mostApart = 24

// closeness is the peak signal-to-noise ratio of a picture in dB, and the largest difference of a channel.
func closeness(few *image.Paletted, full *image.RGBA) (psnr float64, worst int) {
	sum := 0.0
	for i, at := range few.Pix {
		c := few.Palette[at].(color.NRGBA)
		for k, v := range [...]uint8{c.R, c.G, c.B} {
			d := int(v) - int(full.Pix[4*i+k])
			sum += float64(d * d)
			worst = max(worst, d, -d)
		}
	}
	return 10 * math.Log10(255*255*float64(3*len(few.Pix))/sum), worst
}
