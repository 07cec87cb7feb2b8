package storage

import (
	"encoding/binary"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// ordered builds keys whose bytes sort as the values in them do, one value after the other.
type ordered struct {
	bytes   []byte
	foreign bool // a text was not UTF-8: JSON could not keep it as it is
}

// A text ends with a zero byte, which sorts before everything else. So that no text can hold one, bytes 0 and 1 are
// written as two: 1 2 and 1 3, which keeps their order and can be read back.
const (
	textEnd    = 0x00
	textEscape = 0x01
)

// text adds a string; it sorts by bytes.
func (o *ordered) text(s string) {
	o.foreign = o.foreign || !utf8.ValidString(s)
	for i := range len(s) {
		if s[i] <= textEscape {
			o.bytes = append(o.bytes, textEscape, s[i]+2)
		} else {
			o.bytes = append(o.bytes, s[i])
		}
	}
	o.bytes = append(o.bytes, textEnd)
}

// takeText reads back what text wrote at the start of s, and gives what follows. ok is false for what text cannot have
// written.
func takeText(s string) (text, rest string, ok bool) {
	coded, rest, ok := strings.Cut(s, string(rune(textEnd)))
	if !ok || !strings.Contains(coded, string(rune(textEscape))) {
		return coded, rest, ok
	}
	var b strings.Builder
	for i := 0; i < len(coded); i++ {
		if coded[i] == textEscape {
			i++
			if i == len(coded) || coded[i] < 2 || coded[i] > 3 {
				return "", "", false
			}
			b.WriteByte(coded[i] - 2)
			continue
		}
		b.WriteByte(coded[i])
	}
	return b.String(), rest, true
}

// momentSize is the number of bytes of a time.
const momentSize = 12

// rising adds a time; the earlier sorts first. The sign bit of the seconds is turned, so that times before 1970 come
// before those after.
func (o *ordered) rising(t time.Time) {
	o.bytes = binary.BigEndian.AppendUint64(o.bytes, uint64(t.Unix())^1<<63)
	o.bytes = binary.BigEndian.AppendUint32(o.bytes, uint32(t.Nanosecond()))
}

// moment reads back what rising wrote at the start of s, which is long enough.
func moment(s string) time.Time {
	b := []byte(s[:momentSize])
	seconds := int64(binary.BigEndian.Uint64(b) ^ 1<<63)
	return time.Unix(seconds, int64(binary.BigEndian.Uint32(b[8:]))).UTC()
}

// falling adds a time; the later sorts first.
func (o *ordered) falling(t time.Time) {
	start := len(o.bytes)
	o.rising(t)
	o.invert(start)
}

// numberSize is the number of bytes of a number.
const numberSize = 8

// fallingNumber adds a number; the greater sorts first. The bits of a float sort as integers do once the negative ones
// are inverted and the sign of the others is set (IEEE 754). -0 is written as 0, its equal.
func (o *ordered) fallingNumber(f float64) {
	if f == 0 {
		f = 0
	}
	bits := math.Float64bits(f)
	if bits>>63 == 1 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	start := len(o.bytes)
	o.bytes = binary.BigEndian.AppendUint64(o.bytes, bits)
	o.invert(start)
}

// takeFallingNumber reads back what fallingNumber wrote at the start of s, which is long enough.
func takeFallingNumber(s string) float64 {
	bits := ^binary.BigEndian.Uint64([]byte(s[:numberSize]))
	if bits>>63 == 1 {
		bits &^= 1 << 63
	} else {
		bits = ^bits
	}
	return math.Float64frombits(bits)
}

// invert turns the order of everything from start on.
func (o *ordered) invert(start int) {
	for i := start; i < len(o.bytes); i++ {
		o.bytes[i] = ^o.bytes[i]
	}
}
