// Package gif writes films whose frames differ little from one another, faster and smaller than image/gif does. A frame
// holds the box in which anything changed, and in it what stayed as it was is transparent; the compressor takes such runs
// a code at a time and not a pixel at a time, with the same bytes as an ordinary LZW as the result. Pixels have as many bits
// as the palette needs, so 63 colours cost less than 64. For the replay of a game of 60 turns at 720 pixels that is a tenth
// of the time that image/gif takes for whole frames, and an eighth of the bytes; BenchmarkReplay in package render tells what
// it is today. Nothing else of GIF is here: one palette, no interlacing, no reading.
package gif

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"
	"math/bits"
)

// MostColours is how many colours a film can have: one of the 256 that a byte can name is kept for what is transparent.
const MostColours = 255

// ErrUnfit is returned for a frame that is not of the film's size, and for a palette or a size that no film can have.
var ErrUnfit = errors.New("a frame that does not fit the film")

// Encoder writes a film to a writer, each frame as soon as it is added. One goroutine may use it at a time. The zero value
// is ready for Begin.
type Encoder struct {
	w       io.Writer
	size    image.Point
	last    []uint8 // the frame before
	plain   []uint8 // a row of the commonest pixel of the first frame, whose runs are those of that pixel
	bits    uint    // of a pixel: so many that one colour more has room
	clear   uint8   // what stands for what is transparent: the last that a pixel can name
	scratch [3*256 + 64]byte
	lzw     compressor
}

// Begin writes the head of a film that is repeated for ever. The encoder may have written another film before.
func (e *Encoder) Begin(w io.Writer, size image.Point, colours color.Palette) error {
	if len(colours) > MostColours || size.X < 1 || size.Y < 1 || size.X > 0xffff || size.Y > 0xffff {
		return ErrUnfit
	}
	e.w, e.size, e.last = w, size, nil
	e.bits = max(leastBits, uint(bits.Len(uint(len(colours)))))
	e.clear = 1<<e.bits - 1
	b := append(e.scratch[:0], "GIF89a"...)
	b = binary.LittleEndian.AppendUint16(b, uint16(size.X))
	b = binary.LittleEndian.AppendUint16(b, uint16(size.Y))
	b = append(b, 0xf0|byte(e.bits-1), 0, 0) // a palette of as many colours as a pixel can name
	for i := range 1 << e.bits {
		var r, g, bl uint32
		if i < len(colours) {
			r, g, bl, _ = colours[i].RGBA()
		}
		b = append(b, byte(r>>8), byte(g>>8), byte(bl>>8))
	}
	b = append(b, "\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"...)
	_, err := w.Write(b)
	return err
}

// Add writes a frame, one byte a pixel and row upon row, that is seen for delay hundredths of a second. The slice must stay
// as it is until the next frame has been added.
func (e *Encoder) Add(pix []uint8, delay int) error {
	if len(pix) != e.size.X*e.size.Y {
		return ErrUnfit
	}
	box, run := image.Rectangle{Max: e.size}, e.clear
	if e.last != nil {
		box = e.changed(pix)
	} else {
		run = commonest(pix)
		e.plain = append(e.plain[:0], bytes.Repeat([]uint8{run}, e.size.X)...)
	}
	b := append(e.scratch[:0], 0x21, 0xf9, 4, 0x05) // it stays when the next comes; it has transparent pixels
	b = binary.LittleEndian.AppendUint16(b, uint16(min(max(delay, 0), 0xffff)))
	b = append(b, e.clear, 0, 0x2c)
	for _, v := range [...]int{box.Min.X, box.Min.Y, box.Dx(), box.Dy()} {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	b = append(b, 0, byte(e.bits))
	if _, err := e.w.Write(b); err != nil {
		return err
	}
	e.lzw.begin(e.w, e.bits, run)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		from, to := y*e.size.X+box.Min.X, y*e.size.X+box.Max.X
		was := e.plain
		if e.last != nil {
			was = e.last[from:to]
		}
		e.compress(pix[from:to], was)
	}
	e.last = pix
	return e.lzw.end()
}

// End writes what ends the film.
func (e *Encoder) End() error {
	_, err := e.w.Write([]byte{0x3b})
	e.w, e.last = nil, nil
	return err
}

// commonest is the pixel that is seen most often, as far as one in a hundred tells.
func commonest(pix []uint8) (most uint8) {
	var seen [256]int
	for i := 0; i < len(pix); i += 101 {
		if seen[pix[i]]++; seen[pix[i]] > seen[most] {
			most = pix[i]
		}
	}
	return most
}

// changed is the box in which pix differs from the frame before: one pixel where it does not, since each frame must have one.
func (e *Encoder) changed(pix []uint8) image.Rectangle {
	wide := e.size.X
	top, bottom := same(pix, e.last)/wide, e.size.Y
	if top == bottom {
		return image.Rect(0, 0, 1, 1)
	}
	for bytes.Equal(pix[(bottom-1)*wide:bottom*wide], e.last[(bottom-1)*wide:bottom*wide]) {
		bottom--
	}
	left, right := wide, 0
	for at := top * wide; at < bottom*wide; at += wide {
		now, was := pix[at:at+wide], e.last[at:at+wide]
		if !bytes.Equal(now[:left], was[:left]) {
			left = same(now, was)
		}
		if !bytes.Equal(now[right:], was[right:]) {
			right = wide - sameEnd(now, was)
		}
	}
	return image.Rect(left, top, right, bottom)
}

// stride is how many bytes are compared at once, where many are equal.
const stride = 128

// same is how many bytes at the beginning of a and b, which are of one length, are equal.
func same(a, b []uint8) int {
	n := 0
	for len(a)-n >= stride && bytes.Equal(a[n:n+stride], b[n:n+stride]) {
		n += stride
	}
	for ; len(a)-n >= 8; n += 8 {
		if d := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); d != 0 {
			return n + bits.TrailingZeros64(d)/8
		}
	}
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n
}

// sameEnd is how many bytes at the end of a and b, which are of one length, are equal.
func sameEnd(a, b []uint8) int {
	n := len(a)
	for n > 0 && a[n-1] == b[n-1] {
		n--
	}
	return len(a) - n
}

// compress hands a row to the compressor, in which what is as it was is part of a run.
func (e *Encoder) compress(now, was []uint8) {
	if bytes.Equal(now, was) {
		e.lzw.skip(len(now))
		return
	}
	for len(now) > 0 {
		n := same(now, was)
		e.lzw.skip(n)
		now, was = now[n:], was[n:]
		n = different(now, was)
		e.lzw.put(now[:n])
		now, was = now[n:], was[n:]
	}
}

// different is how many bytes at the beginning of a and b, which are of one length, are not equal.
func different(a, b []uint8) int {
	for i := range a {
		if a[i] == b[i] {
			return i
		}
	}
	return len(a)
}
