package render

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "renew the pictures in testdata; look at them before committing")

// Arithmetic is not the same on every processor, so a pixel may differ a little.
const (
	nearEnough = 24     // a channel of a pixel
	mostOff    = 0.0005 // part of the pixels that may be further off
)

func TestPictures(t *testing.T) {
	r := renderer(t)
	for name, scene := range pictured(t) {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := r.PNG(&got, scene); err != nil {
				t.Fatal(err)
			}
			if got.Len() > 60<<10 {
				t.Errorf("picture of %d bytes, want at most 60 KiB", got.Len())
			}
			path := filepath.Join("testdata", name+".png")
			if *update {
				write(t, path, got.Bytes())
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(got.Bytes(), want) {
				return
			}
			compare(t, filepath.Join("testdata", name), decode(t, got.Bytes()), decode(t, want))
		})
	}
}

// TestThemes draws one moment in each theme but the usual one, whose pictures are above; and knows no others.
func TestThemes(t *testing.T) {
	for _, theme := range Themes()[1:] {
		r, err := New(Options{Theme: theme})
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := r.PNG(&got, moment(t, "morabaraba", morabarabaGame, 20)); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", "theme-"+string(theme)+".png")
		if *update {
			write(t, path, got.Bytes())
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, filepath.Join("testdata", "theme-"+string(theme)), decode(t, got.Bytes()), decode(t, want))
	}
	if _, err := New(Options{Theme: "plaid"}); err == nil {
		t.Error("there is a theme of plaid")
	}
}

// compare fails when the pictures differ, and writes got and the difference
// beside the wanted one.
func compare(t *testing.T, stem string, got, want image.Image) {
	t.Helper()
	if got.Bounds() != want.Bounds() {
		t.Fatalf("picture is %v, want %v", got.Bounds(), want.Bounds())
	}
	b := got.Bounds()
	diff := image.NewGray(b)
	off := 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			d := apartness(got.At(x, y), want.At(x, y))
			diff.SetGray(x, y, color.Gray{Y: uint8(min(8*d, 255))})
			if d > nearEnough {
				off++
			}
		}
	}
	if float64(off) <= mostOff*float64(b.Dx()*b.Dy()) {
		return
	}
	write(t, stem+".got.png", encoded(t, got))
	write(t, stem+".diff.png", encoded(t, diff))
	t.Errorf("%d pixels differ; see %s.got.png and .diff.png", off, stem)
}

// apartness is the largest difference of a channel, of 255.
func apartness(a, b color.Color) int {
	ar, ag, ab, aa := a.RGBA()
	br, bg, bb, ba := b.RGBA()
	most := 0
	for _, d := range [...]int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb), int(aa) - int(ba)} {
		most = max(most, d>>8, -d>>8)
	}
	return most
}

func decode(t testing.TB, data []byte) image.Image {
	t.Helper()
	im, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return im
}

func encoded(t testing.TB, im image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, im); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
