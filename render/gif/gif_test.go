package gif

import (
	"bytes"
	"compress/lzw"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"math/rand/v2"
	"testing"
)

// grays is a palette of so many colours.
func grays(colours int) (p color.Palette) {
	for i := range colours {
		p = append(p, color.Gray{Y: uint8(i)})
	}
	return p
}

// film writes frames, with the delays 1, 2, 3 and so on.
func film(t testing.TB, size image.Point, colours int, frames [][]uint8) []byte {
	t.Helper()
	var e Encoder
	var out bytes.Buffer
	if err := e.Begin(&out, size, grays(colours)); err != nil {
		t.Fatal(err)
	}
	for i, f := range frames {
		if err := e.Add(f, i+1); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.End(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// checkFilm shows a film with the standard decoder, as a viewer does, and compares what is seen with what was added.
func checkFilm(t testing.TB, size image.Point, colours int, frames [][]uint8) {
	t.Helper()
	all, err := gif.DecodeAll(bytes.NewReader(film(t, size, colours, frames)))
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Image) != len(frames) {
		t.Fatalf("%d frames, want %d", len(all.Image), len(frames))
	}
	seen := make([]uint8, size.X*size.Y)
	for i, im := range all.Image {
		if all.Delay[i] != i+1 {
			t.Errorf("frame %d is seen for %d, want %d", i, all.Delay[i], i+1)
		}
		for y := im.Rect.Min.Y; y < im.Rect.Max.Y; y++ {
			for x := im.Rect.Min.X; x < im.Rect.Max.X; x++ {
				if p := im.ColorIndexAt(x, y); int(p) < colours {
					seen[y*size.X+x] = p
				}
			}
		}
		if !bytes.Equal(seen, frames[i]) {
			t.Fatalf("frame %d shows something else than was added", i)
		}
	}
}

func TestFilmShowsWhatWasAdded(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for i, size := range []image.Point{{1, 1}, {7, 3}, {64, 64}, {300, 200}, {50, 50}, {51, 51}, {52, 52}, {53, 53}, {90, 90}, {91, 91}} {
		colours := [...]int{MostColours, 254, 63, 64, 1, 2, 3, 4, 127, 128}[i]
		now := make([]uint8, size.X*size.Y)
		frames := [][]uint8{bytes.Clone(now)}
		for range 12 {
			x, y, wide := random.IntN(size.X), random.IntN(size.Y), 1+random.IntN(size.X)
			for i := range random.IntN(40) {
				for j := range wide {
					if x+j < size.X && y+i < size.Y {
						now[(y+i)*size.X+x+j] = uint8(random.IntN(1 + random.IntN(colours)))
					}
				}
			}
			frames = append(frames, bytes.Clone(now))
		}
		checkFilm(t, size, colours, frames)
	}
}

// The codes are those of the standard library's LZW: taking runs at once changes the time alone.
func TestSameBytesAsPlainLZW(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 210 {
		bits := leastBits + i%7
		clear := 1<<bits - 1
		var pixels []uint8
		for len(pixels) < 20_000 {
			switch random.IntN(3) {
			case 0:
				pixels = append(pixels, bytes.Repeat([]uint8{uint8(clear)}, random.IntN(3000))...)
			case 1:
				pixels = append(pixels, bytes.Repeat([]uint8{uint8(random.IntN(clear))}, random.IntN(50))...)
			default:
				for range random.IntN(400) {
					pixels = append(pixels, uint8(random.IntN(clear)))
				}
			}
		}
		if got, want := codes(bits, pixels), plain(t, bits, pixels); !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, want the %d of the standard library", len(got), len(want))
		}
	}
}

// codes are the bytes of our compressor, without the lengths of blocks.
func codes(bits int, pixels []uint8) (made []byte) {
	var c compressor
	var out bytes.Buffer
	clear := uint8(1<<bits - 1)
	c.begin(&out, uint(bits), clear)
	for len(pixels) > 0 {
		n := 0
		for n < len(pixels) && pixels[n] == clear {
			n++
		}
		c.skip(n)
		pixels = pixels[n:]
		for n = 0; n < len(pixels) && pixels[n] != clear; n++ {
		}
		c.put(pixels[:n])
		pixels = pixels[n:]
	}
	if c.end() != nil {
		return nil
	}
	for b := out.Bytes(); len(b) > 1; {
		n := 1 + int(b[0])
		made, b = append(made, b[1:n]...), b[n:]
	}
	return made
}

func plain(t testing.TB, bits int, pixels []uint8) []byte {
	t.Helper()
	var out bytes.Buffer
	w := lzw.NewWriter(&out, lzw.LSB, bits)
	if _, err := w.Write(pixels); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func FuzzFilm(f *testing.F) {
	f.Add(uint8(3), []byte{1, 2, 3, 4, 5, 6}, []byte{1, 2, 9, 4, 5, 6})
	f.Add(uint8(1), []byte{255, 254}, []byte{})
	f.Add(uint8(200), bytes.Repeat([]byte{4}, 9000), append(bytes.Repeat([]byte{4}, 8999), 5))
	f.Fuzz(func(t *testing.T, wide uint8, a, b []byte) {
		w := int(wide) + 1
		rows := (max(len(a), len(b)) + w) / w
		fill := func(from []byte) []uint8 {
			frame := make([]uint8, w*rows)
			copy(frame, from)
			for i := range frame {
				frame[i] %= MostColours
			}
			return frame
		}
		one, two := fill(a), fill(b)
		checkFilm(t, image.Pt(w, rows), MostColours, [][]uint8{one, two, two, one})
		changes := bytes.Clone(two)
		for i := range changes {
			if changes[i] == one[i] {
				changes[i] = 255
			}
		}
		if !bytes.Equal(codes(8, changes), plain(t, 8, changes)) {
			t.Fatal("codes differ from those of the standard library")
		}
	})
}

func TestUnfit(t *testing.T) {
	var e Encoder
	var out bytes.Buffer
	for _, size := range []image.Point{{0, 1}, {1, 0}, {1 << 16, 1}, {-4, 4}} {
		if err := e.Begin(&out, size, grays(9)); !errors.Is(err, ErrUnfit) {
			t.Errorf("a film of %v: %v", size, err)
		}
	}
	if err := e.Begin(&out, image.Pt(2, 2), grays(MostColours+1)); !errors.Is(err, ErrUnfit) {
		t.Errorf("a palette of 256 colours: %v", err)
	}
	if err := e.Begin(&out, image.Pt(2, 2), grays(MostColours)); err != nil {
		t.Fatal(err)
	}
	if err := e.Add(make([]uint8, 3), 1); !errors.Is(err, ErrUnfit) {
		t.Errorf("a frame of 3 pixels: %v", err)
	}
}

// full takes so many bytes and no more.
type full int

var errFull = errors.New("full")

func (f *full) Write(b []byte) (int, error) {
	if *f -= full(len(b)); *f < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// What the writer refuses is told at once, wherever it happens.
func TestWriterFails(t *testing.T) {
	frames := [][]uint8{make([]uint8, 900), make([]uint8, 900)}
	random := rand.New(rand.NewPCG(3, 4))
	for i := range frames[1] {
		frames[1][i] = uint8(random.IntN(MostColours))
	}
	whole := len(film(t, image.Pt(30, 30), MostColours, frames))
	for room := range whole {
		w := full(room)
		var e Encoder
		err := e.Begin(&w, image.Pt(30, 30), grays(MostColours))
		for _, f := range frames {
			if err == nil {
				err = e.Add(f, 1)
			}
		}
		if err == nil {
			err = e.End()
		}
		if !errors.Is(err, errFull) {
			t.Fatalf("room for %d of %d bytes: %v", room, whole, err)
		}
	}
}
