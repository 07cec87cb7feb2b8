package png

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"testing"
)

// picture is one of as many colours, in runs of chance lengths.
func picture(random *rand.Rand, size image.Point, colours int) *image.Paletted {
	var p color.Palette
	for i := range colours {
		p = append(p, color.NRGBA{uint8(i), uint8(i * 7), uint8(255 - i), 255})
	}
	im := image.NewPaletted(image.Rectangle{Max: size}, p)
	for at := 0; at < len(im.Pix); {
		c := uint8(random.IntN(colours))
		for range 1 + random.IntN(30) {
			if at < len(im.Pix) {
				im.Pix[at] = c
				at++
			}
		}
	}
	return im
}

// What is written, the standard library reads: each pixel, and the palette with all its colours.
func TestReadBack(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 13))
	var e Encoder // one for all of them
	for _, size := range []image.Point{{1, 1}, {1, 300}, {257, 1}, {64, 64}, {800, 968}} {
		for _, colours := range []int{1, 2, 17, 256} {
			whole := picture(random, size, colours)
			part := whole.SubImage(image.Rect(size.X/3, size.Y/3, size.X, size.Y)).(*image.Paletted)
			for _, im := range []*image.Paletted{whole, part} {
				var out bytes.Buffer
				if err := e.Encode(&out, im); err != nil {
					t.Fatal(err)
				}
				check(t, out.Bytes(), im)
			}
		}
	}
}

func check(t *testing.T, data []byte, want *image.Paletted) {
	t.Helper()
	read, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	got, ok := read.(*image.Paletted)
	if !ok || got.Rect.Size() != want.Rect.Size() || len(got.Palette) != len(want.Palette) {
		t.Fatalf("%T of %v, want %v and %d colours", read, read.Bounds(), want.Rect, len(want.Palette))
	}
	for i, c := range want.Palette {
		if color.RGBAModel.Convert(got.Palette[i]) != color.RGBAModel.Convert(c) {
			t.Errorf("colour %d is %v, want %v", i, got.Palette[i], c)
		}
	}
	for y := range want.Rect.Dy() {
		if !bytes.Equal(got.Pix[y*got.Stride:][:got.Rect.Dx()], want.Pix[y*want.Stride:][:want.Rect.Dx()]) {
			t.Fatalf("row %d of %v differs", y, want.Rect)
		}
	}
}

// An encoder that has written other pictures writes the same bytes as a new one, and needs no memory for it.
func TestUsedAgain(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 34))
	var used Encoder
	for range 8 {
		im := picture(random, image.Pt(1+random.IntN(300), 1+random.IntN(300)), 1+random.IntN(256))
		var got, want bytes.Buffer
		if err := errors.Join(used.Encode(&got, im), new(Encoder).Encode(&want, im)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%v: a used encoder writes other bytes than a new one", im.Rect)
		}
	}
	im := picture(random, image.Pt(200, 200), 99)
	if got := testing.AllocsPerRun(20, func() { used.Encode(io.Discard, im) }); got > 0 {
		t.Errorf("%.0f allocations a picture, want none", got)
	}
}

func TestUnfit(t *testing.T) {
	for name, im := range map[string]*image.Paletted{
		"no pixels":    {Palette: color.Palette{color.Black}},
		"no rows":      {Palette: color.Palette{color.Black}, Rect: image.Rect(0, 0, 5, 0)},
		"no colours":   image.NewPaletted(image.Rect(0, 0, 5, 5), nil),
		"many colours": image.NewPaletted(image.Rect(0, 0, 5, 5), make(color.Palette, 257)),
		"upside down":  {Palette: color.Palette{color.Black}, Rect: image.Rectangle{Min: image.Pt(4, 4)}},
	} {
		if err := new(Encoder).Encode(io.Discard, im); !errors.Is(err, ErrUnfit) {
			t.Errorf("%s: %v, want %v", name, err, ErrUnfit)
		}
	}
}

// full takes nothing.
type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// What the writer refuses is told, and the next picture is none the worse for it.
func TestWriterFails(t *testing.T) {
	var e Encoder
	im := picture(rand.New(rand.NewPCG(1, 1)), image.Pt(30, 30), 12)
	if err := e.Encode(full{}, im); !errors.Is(err, errFull) {
		t.Errorf("%v, want %v", err, errFull)
	}
	var out bytes.Buffer
	if err := e.Encode(&out, im); err != nil {
		t.Fatal(err)
	}
	check(t, out.Bytes(), im)
}

func FuzzReadBack(f *testing.F) {
	f.Add(uint8(0), []byte{0})
	f.Add(uint8(16), []byte("a picture that is no picture, but has runs: aaaaaaaaaaaaaaaaaaaaaaaaa"))
	f.Fuzz(func(t *testing.T, wide uint8, pixels []byte) {
		w := int(wide) + 1
		rows := len(pixels) / w
		if rows == 0 {
			return
		}
		im := picture(rand.New(rand.NewPCG(0, 0)), image.Pt(w, rows), 256)
		copy(im.Pix, pixels)
		var out bytes.Buffer
		if err := new(Encoder).Encode(&out, im); err != nil {
			t.Fatal(err)
		}
		check(t, out.Bytes(), im)
	})
}
