package render

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"runtime"
	"sync"
	"testing"

	"kraal/rules"
)

// small draws quickly, for tests that draw much.
var small = sync.OnceValues(func() (*Renderer, error) { return New(Options{Size: MinSize}) })

// FuzzPicture: whatever is given, a picture comes of it that is as large as it should be, opaque, and decodes.
func FuzzPicture(f *testing.F) {
	r, err := small()
	if err != nil {
		f.Fatal(err)
	}
	f.Add("Naledi", "1500?", "4:32", "0k7m2x9w", uint32(7), uint32(7<<20), uint64(0), "1-0")
	f.Add("", "", "", "", uint32(0), uint32(0), uint64(math.MaxUint64), "")
	f.Add("👨‍👩‍👧 محمد \xff", "\u202e", "𝓐", "W", uint32(1<<24-1), uint32(1<<24-1), uint64(0x0102030405060708), "1/2-1/2")
	f.Add("\u200b", "z\u0353", "\n", "\x00", uint32(math.MaxUint32), uint32(math.MaxUint32), uint64(0xf0f0f0f0f0f0f0f0), "*")
	f.Fuzz(func(t *testing.T, name, rating, clock, id string, white, black uint32, bits uint64, result string) {
		byteOf := func(n int) uint8 { return uint8(bits >> (8 * n)) }
		v := rules.Variants()[int(byteOf(0))%6]
		s := Scene{
			Variant: v, ID: id, Hints: rules.Points(white ^ black), Picked: rules.Points(black), Turned: bits&1 != 0, Quiet: bits&2 != 0, LastBy: rules.Side(byteOf(1)),
			Seats: [2]Seat{{name, rating, clock}, {clock, name, rating}}, Caption: rating, Corner: clock,
			Status: rules.Status{Over: bits&4 != 0, Result: rules.Result(result)},
			Pieces: [...]Pieces{Suited, Cows, Stones, Pieces(name)}[byteOf(3)%4],
			Last: rules.Turn{
				{Kind: rules.ActionKind(byteOf(2) % 6), From: rules.Point(byteOf(3)), To: rules.Point(byteOf(4))},
				{Kind: rules.Shoot, To: rules.Point(byteOf(5))},
			},
		}
		s.Position.Pieces = [2]rules.Points{rules.Points(white), rules.Points(black)}
		s.Position.Hand, s.Position.Pending = [2]uint8{byteOf(6), byteOf(7)}, byteOf(5)
		s.Position.Turn = rules.Side(byteOf(6))
		var out bytes.Buffer
		if err := r.PNG(&out, s); err != nil {
			t.Fatal(err)
		}
		im, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := im.Bounds().Size(), r.frameSize(s); got != want || !im.(*image.Paletted).Opaque() {
			t.Fatalf("a picture of %v, opaque %v, want %v", got, im.(*image.Paletted).Opaque(), want)
		}
	})
}

// TestManyRenders draws from 32 goroutines, each scene with a name of its own, and looks at what is left of memory: caches
// are bounded. With -short a tenth of the pictures is drawn.
func TestManyRenders(t *testing.T) {
	r, err := small()
	if err != nil {
		t.Fatal(err)
	}
	pictures := 10_000
	if testing.Short() {
		pictures = 1000
	}
	scenes := []Scene{moment(t, "nine", nineGame, 25), moment(t, "morabaraba", morabarabaGame, 20), moment(t, "koti", morabarabaGame, 29)}
	draw := func(from, to int) {
		var wait sync.WaitGroup
		for g := range 32 {
			wait.Go(func() {
				for i := from + g; i < to; i += 32 {
					s := scenes[i%len(scenes)]
					s.Seats[0].Name = fmt.Sprintf("player %d", i)
					s.Turned = i%2 == 0
					if err := r.PNG(io.Discard, s); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
	}
	draw(0, pictures/5)
	before := heap()
	draw(pictures/5, pictures)
	if grown := int64(heap()) - int64(before); grown > 4<<20 {
		t.Errorf("%d pictures left %d KiB more than those before them", pictures*4/5, grown>>10)
	}
}

// heap is how much memory is in use after all that is not has been found.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// sights are ways to see colours, as matrices over linear light: the dichromats' from Viénot, Brettel and Mollon, "Digital
// video colourmaps for checking the legibility of displays by dichromats" (1999), which has none for tritanopia; that is from
// Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency" (2009); and a
// grey copy.
func sights() map[string][3][3]float64 {
	return map[string][3][3]float64{
		"protanopia":   {{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}},
		"deuteranopia": {{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}},
		"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
		"grey":         {{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}},
	}
}

// seen is a colour as somebody with that sight sees it.
func seen(c color.RGBA, m [3][3]float64) color.RGBA {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	in := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	var out [3]uint8
	for i, row := range m {
		l := min(max(row[0]*in[0]+row[1]*in[1]+row[2]*in[2], 0), 1)
		if l <= 0.0031308 {
			l *= 12.92
		} else {
			l = 1.055*math.Pow(l, 1/2.4) - 0.055
		}
		out[i] = uint8(math.Round(l * 255))
	}
	return color.RGBA{out[0], out[1], out[2], 255}
}

// Whoever sees few colours can tell the sides, and sees every mark by its edge.
func TestContrastForEverySight(t *testing.T) {
	for _, name := range Themes() {
		th, _ := themed(name)
		white, black := th.Pieces[rules.White], th.Pieces[rules.Black]
		for sight, m := range sights() {
			for what, pair := range map[string][2]color.RGBA{
				"sides":              {white.Body, black.Body},
				"white's outline":    {white.Rings[0].Colour, th.Panel.Light},
				"lines":              {th.Line, th.Panel.Dark},
				"last turn's edge":   {th.Last.Edge, th.Panel.Dark},
				"last turn":          {th.Last.Fill, th.Last.Edge},
				"target's edge":      {th.Target.Edge, th.Panel.Dark},
				"target":             {th.Target.Fill, th.Target.Edge},
				"cross":              {th.Shot.Fill, th.Shot.Edge},
				"destination":        {th.Hint.Fill, th.Hint.Edge},
				"destination's edge": {th.Hint.Edge, th.Panel.Light},
				"white's cow":        {white.Cow.Hide, white.Body},
				"black's cow":        {black.Cow.Hide, black.Body},
			} {
				if got := contrast(seen(pair[0], m), seen(pair[1], m)); got < 3 {
					t.Errorf("%s, %s: %s has a contrast of %.2f, want at least 3", name, sight, what, got)
				}
			}
		}
	}
}

// What a theme draws with soft edges has a class of its own: there are no more colours than classes.
func TestEdgesFit(t *testing.T) {
	for _, name := range Themes() {
		if th, _ := themed(name); len(th.edges()) > classes {
			t.Errorf("%s has %d edges, want at most %d", name, len(th.edges()), classes)
		}
	}
}
