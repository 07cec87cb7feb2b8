package gif

import "io"

// The codes of GIF's LZW for bytes.
const (
	leastBits = 2 // of a pixel
	lastCode  = 1<<12 - 1

	tableBits = 14
	tableSize = 1 << tableBits
)

// none is a prefix of no pixels.
const none = ^uint32(0)

// compressor is an LZW that knows which pixel comes in long runs. It keeps the codes of the runs it has met in a list, so a
// run is looked up by its length: a code takes one step, however many pixels it stands for. What is written is what an
// ordinary LZW would write.
type compressor struct {
	w     io.Writer
	err   error
	block [256]byte // a length and as many bytes
	used  int

	literal uint  // bits of a pixel
	clear   uint8 // the pixel that comes in runs

	bits     uint32
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
	if c.pending > 0 {
		c.byte(byte(c.bits))
	}
	c.flush()
	if c.err == nil {
		_, c.err = c.w.Write([]byte{0})
	}
	c.w = nil
	return c.err
}

// put appends a pixel that is not of the run.
func (c *compressor) put(pixel uint8) {
	c.run, c.prefix = 0, c.extend(pixel)
}

// extend is the prefix after one pixel more.
func (c *compressor) extend(pixel uint8) uint32 {
	if c.prefix == none {
		return uint32(pixel)
	}
	key := c.prefix<<8 | uint32(pixel)
	at := key * 0x9e3779b1 >> (32 - tableBits)
	for ; c.table[at] != 0; at = (at + 1) % tableSize {
		if c.table[at]>>12 == key {
			return c.table[at] & lastCode
		}
	}
	c.write(c.prefix)
	if c.next() {
		c.table[at] = key<<12 | c.high
	}
	return uint32(pixel)
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
			if c.prefix = c.extend(c.clear); c.prefix == uint32(c.clear) {
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
	c.bits |= code << c.pending
	c.pending += c.width
	for c.pending >= 8 {
		c.byte(byte(c.bits))
		c.bits >>= 8
		c.pending -= 8
	}
}

func (c *compressor) byte(b byte) {
	c.used++
	c.block[c.used] = b
	if c.used == len(c.block)-1 {
		c.flush()
	}
}

// flush writes the block as far as it is filled.
func (c *compressor) flush() {
	if c.used == 0 || c.err != nil {
		c.used = 0
		return
	}
	c.block[0] = byte(c.used)
	_, c.err = c.w.Write(c.block[:c.used+1])
	c.used = 0
}
