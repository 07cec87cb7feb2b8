package gif

import (
	"encoding/binary"
	"io"
)

// The codes of GIF's LZW for bytes.
const (
	leastBits = 2 // of a pixel
	lastCode  = 1<<12 - 1

	tableBits = 13 // half full at most, and small enough for a processor's nearest cache
	tableSize = 1 << tableBits

	blockBytes = 255 // in one of GIF's blocks, before which the number of its bytes is written
	heldBlocks = 16
)

// none is a prefix of no pixels.
const none = ^uint32(0)

// compressor is an LZW that knows which pixel comes in long runs. It keeps the codes of the runs it has met in a list, so a
// run is looked up by its length: a code takes one step, however many pixels it stands for. What is written is what an
// ordinary LZW would write.
type compressor struct {
	w    io.Writer
	err  error
	held [heldBlocks*blockBytes + 8]byte // what waits to be put into blocks, and room for the last codes
	used int
	out  [(heldBlocks + 1) * (1 + blockBytes)]byte

	literal uint  // bits of a pixel
	clear   uint8 // the pixel that comes in runs

	bits     uint64
	pending  uint // bits that wait
	width    uint
	high     uint32 // the code given last
	overflow uint32 // where codes become one bit longer

	prefix  uint32 // the code of the pixels not yet written
	run     int    // as many pixels of the run as prefix is; 0: it is something else
	runs    [lastCode + 2]uint16
	longest int // run that has a code

	table [tableSize]uint32 // what follows which code: prefix, pixel, and the code of both; 0: free
}

// begin is told how many bits a pixel has, and which pixel comes in runs.
func (c *compressor) begin(w io.Writer, literal uint, clear uint8) {
	c.w, c.err, c.used = w, nil, 0
	c.literal, c.clear = literal, clear
	c.bits, c.pending = 0, 0
	c.reset()
	c.prefix, c.run = none, 0
	c.runs[1] = uint16(clear)
	c.write(c.resetCode())
}

// reset forgets all codes but those of single pixels.
func (c *compressor) reset() {
	c.width, c.high, c.overflow = c.literal+1, c.endCode(), c.resetCode()<<1
	c.longest = 1
	c.table = [tableSize]uint32{}
}

// What comes after the codes of single pixels.
func (c *compressor) resetCode() uint32 { return 1 << c.literal }
func (c *compressor) endCode() uint32   { return c.resetCode() + 1 }

// end writes what waits, and the end.
func (c *compressor) end() error {
	if c.prefix != none {
		c.write(c.prefix)
		c.next()
	}
	c.write(c.endCode())
	for ; c.pending > 0; c.pending -= min(8, c.pending) {
		c.held[c.used] = byte(c.bits)
		c.used++
		c.bits >>= 8
	}
	c.flush(c.used)
	if c.err == nil {
		_, c.err = c.w.Write([]byte{0})
	}
	c.w = nil
	return c.err
}

// put appends pixels none of which is of the run.
func (c *compressor) put(pixels []uint8) {
	if len(pixels) > 0 {
		c.run, c.prefix = 0, c.extend(c.prefix, pixels)
	}
}

// extend is what prefix has become after some pixels more.
func (c *compressor) extend(prefix uint32, pixels []uint8) uint32 {
	if prefix == none {
		prefix, pixels = uint32(pixels[0]), pixels[1:]
	}
	for _, pixel := range pixels {
		key := prefix<<8 | uint32(pixel)
		at := key * 0x9e3779b1 >> (32 - tableBits)
		known := c.table[at]
		for known != 0 && known>>12 != key {
			at = (at + 1) % tableSize
			known = c.table[at]
		}
		if known != 0 {
			prefix = known & lastCode
			continue
		}
		c.write(prefix)
		if c.next() {
			c.table[at] = key<<12 | c.high
		}
		prefix = uint32(pixel)
	}
	return prefix
}

// skip appends n pixels of the run.
func (c *compressor) skip(n int) {
	for n > 0 {
		switch {
		case c.prefix == none || c.run > 0 && c.run < c.longest:
			step := min(n, c.longest-c.run)
			c.run += step
			c.prefix = uint32(c.runs[c.run])
			n -= step
		case c.run > 0:
			c.write(c.prefix)
			if c.next() {
				c.longest = c.run + 1
				c.runs[c.longest] = uint16(c.high)
			}
			c.prefix, c.run = uint32(c.clear), 1
			n--
		default:
			if c.prefix = c.extend(c.prefix, []uint8{c.clear}); c.prefix == uint32(c.clear) {
				c.run = 1
			}
			n--
		}
	}
}

// next gives out a code. When there are no more, all are forgotten, and there is none to give.
func (c *compressor) next() bool {
	c.high++
	if c.high == c.overflow {
		c.width++
		c.overflow <<= 1
	}
	if c.high < lastCode {
		return true
	}
	c.write(c.resetCode())
	c.reset()
	return false
}

// write appends a code.
func (c *compressor) write(code uint32) {
	c.bits |= uint64(code) << (c.pending & 63)
	c.pending += c.width
	if c.pending < 32 {
		return
	}
	binary.LittleEndian.PutUint32(c.held[c.used:], uint32(c.bits))
	c.used += 4
	c.bits >>= 32
	c.pending -= 32
	if c.used >= heldBlocks*blockBytes {
		c.flush(heldBlocks * blockBytes)
	}
}

// flush writes the first n of the bytes that wait, in blocks.
func (c *compressor) flush(n int) {
	out, held := c.out[:0], c.held[:n]
	for len(held) > 0 {
		block := held[:min(len(held), blockBytes)]
		out = append(append(out, byte(len(block))), block...)
		held = held[len(block):]
	}
	c.used = copy(c.held[:], c.held[n:c.used])
	if len(out) > 0 && c.err == nil {
		_, c.err = c.w.Write(out)
	}
}
