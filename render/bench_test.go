//go:build unix

package render

import (
	"bytes"
	"image"
	plan9 "image/color/palette"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"syscall"
	"testing"
	"time"
)

// BenchmarkPosition draws a position at 800x800 (a board without bars) and with its bars, in several ways, so that
// one run shows what each is worth: naively, that is, everything anew with gg and the default encoder; as it is done, with
// what earlier pictures left and with nothing but the empty board and the sprites; laying together alone; and copying a
// picture's memory, which nothing can be faster than.
func BenchmarkPosition(b *testing.B) {
	r := renderer(b)
	bars := moment(b, "morabaraba", morabarabaGame, 29)
	bare := bars
	bare.Seats = [2]Seat{}
	for _, c := range []struct {
		name  string
		scene Scene
	}{{"800x800", bare}, {"bars", bars}} {
		b.Run("naive/"+c.name, func(b *testing.B) {
			measure(b, func(w io.Writer) error { return png.Encode(w, r.naive(c.scene)) })
		})
		b.Run("sent/"+c.name, func(b *testing.B) {
			measure(b, func(w io.Writer) error { return r.PNG(w, c.scene) })
		})
		b.Run("forgetful/"+c.name, func(b *testing.B) {
			measure(b, func(w io.Writer) error { r.kit().forget(); return r.PNG(w, c.scene) })
		})
		b.Run("composed/"+c.name, func(b *testing.B) {
			measure(b, func(io.Writer) error { r.compose(c.scene).done(); return nil })
		})
		b.Run("copied/"+c.name, func(b *testing.B) {
			from := r.compose(c.scene).image.Pix
			to := make([]byte, len(from))
			measure(b, func(io.Writer) error { copy(to, from); return nil })
		})
	}
}

// forget drops what is kept for pictures to come.
func (k *kit) forget() {
	k.traces.Purge()
	k.texts.Purge()
	k.milled.Purge()
	k.bars.Purge()
}

// measure reports the CPU time and the bytes of a picture.
func measure(b *testing.B, draw func(io.Writer) error) {
	b.Helper()
	var out bytes.Buffer
	if err := draw(&out); err != nil { // what is made once is made now
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	before := cpuTime(b)
	n := 0
	for b.Loop() {
		out.Reset()
		if err := draw(&out); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64((cpuTime(b)-before).Nanoseconds())/float64(n)/1e6, "cpu-ms/op")
	b.ReportMetric(float64(out.Len())/1024, "KiB")
}

// cpuTime is the CPU time that the process has used, user and system.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkReplay makes a film of 60 turns in three ways: naively, every frame drawn anew and reduced to the palette of
// the Plan 9 project with its errors spread; as whole frames of our palette through image/gif; and as it is done.
func BenchmarkReplay(b *testing.B) {
	r, err := renderer(b).sized(FilmSize)
	if err != nil {
		b.Fatal(err)
	}
	p := replay(b, 60)
	scenes := p.scenes()
	b.Run("naive", func(b *testing.B) {
		measure(b, func(w io.Writer) error {
			g := &gif.GIF{}
			for _, s := range scenes {
				full := r.naive(s)
				im := image.NewPaletted(full.Rect, plan9.Plan9)
				draw.FloydSteinberg.Draw(im, im.Rect, full, image.Point{})
				g.Image, g.Delay = append(g.Image, im), append(g.Delay, usualDelay)
			}
			return gif.EncodeAll(w, g)
		})
	})
	b.Run("full", func(b *testing.B) {
		measure(b, func(w io.Writer) error {
			g := &gif.GIF{}
			for _, s := range scenes {
				g.Image, g.Delay = append(g.Image, r.compose(s).image), append(g.Delay, usualDelay)
			}
			return gif.EncodeAll(w, g)
		})
	})
	b.Run("sent", func(b *testing.B) {
		measure(b, func(w io.Writer) error { _, err := r.GIF(w, p); return err })
	})
}
