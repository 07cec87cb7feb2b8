package endgame

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// What can be wrong with a table's file; a *FileError wraps one of them, or an error of the system.
var (
	ErrNotATable = errors.New("it is no endgame table")
	ErrVersion   = errors.New("it is in a format that this version does not know")
	ErrDamaged   = errors.New("it is damaged: its checksum is wrong")
	ErrCutShort  = errors.New("it is not as long as it should be")
)

// FileError is a table's file that cannot be used.
type FileError struct {
	Path   string
	Reason error
}

// Error names the file, what is wrong, and what to do. What the system refuses is no fault of the file.
func (e *FileError) Error() string {
	advice := ""
	switch {
	case errors.Is(e.Reason, ErrTaken):
		advice = "; move it elsewhere"
	case errors.Is(e.Reason, ErrNotATable), errors.Is(e.Reason, ErrVersion), errors.Is(e.Reason, ErrDamaged),
		errors.Is(e.Reason, ErrCutShort):
		advice = "; delete it and run kraal tables again"
	}
	return fmt.Sprintf("endgame table %s: %v%s", e.Path, e.Reason, advice)
}

// Unwrap gives the reason.
func (e *FileError) Unwrap() error { return e.Reason }

// A file is a header of headerSize bytes, least significant byte first, and then a byte for each slot.
const (
	headerSize = 64
	version    = 1
	extension  = ".table"

	// checkedAtOnce is up to how many bytes a file's contents are checked on opening. To read more would keep the bot from
	// starting; Tables.Check reads everything.
	checkedAtOnce = 64 << 20
)

// magic begins every table.
const magic = "KRAALEND"

// kind is what the bytes of a file count.
type kind uint8

const (
	turnsToEnd kind = iota
	turnsToShot
)

// header is what a file says of itself. Its fields are laid out one after the other.
type header struct {
	Magic                   [8]byte
	Version                 uint16
	Columns                 uint8 // the settings that the table depends on
	Kind                    kind
	Own, Other              uint8
	NoShot, Three           uint16 // the limits, in tables of turns to the next shot
	Slots                   uint64
	Positions, Wins, Losses uint64
	LongestWin, LongestLoss uint8 // turns
	Body                    uint32
	_                       [4]byte
	Header                  uint32 // checksum of what is before it
}

// checksum is a CRC with Castagnoli's polynomial, for which processors have an instruction.
func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// fileKey is what a table is of. Limits are none for turns to the end.
type fileKey struct {
	columns columns
	subspace
	limits limits
}

// name is the file's name.
func (k fileKey) name() string {
	name := fmt.Sprintf("%s-%d-%d", k.columns, k.own, k.other)
	if k.limits != (limits{}) {
		name += fmt.Sprintf("-limit-%d-%d", k.limits.noShot, k.limits.three)
	}
	return name + extension
}

func (h *header) key() fileKey {
	return fileKey{columnsFrom(h.Columns), subspace{int(h.Own), int(h.Other)}, limits{h.NoShot, h.Three}}
}

// newHeader describes a table.
func newHeader(k fileKey, found *solution, body []byte) header {
	h := header{
		Version: version, Columns: k.columns.code(), Own: uint8(k.own), Other: uint8(k.other),
		NoShot: k.limits.noShot, Three: k.limits.three,
		Slots: uint64(len(body)), Positions: uint64(found.positions), Body: checksum(body),
	}
	copy(h.Magic[:], magic)
	if k.limits != (limits{}) {
		h.Kind = turnsToShot
	}
	for slot, code := range body {
		switch value := valueOf(found.codes[slot]); {
		case code == 0:
		case value == Win:
			h.Wins++
			h.LongestWin = max(h.LongestWin, code-1)
		default:
			h.Losses++
			h.LongestLoss = max(h.LongestLoss, code-1)
		}
	}
	return h
}

// encode lays the header out and signs it.
func (h header) encode() ([]byte, error) {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, h); err != nil {
		return nil, err
	}
	out := b.Bytes()
	binary.LittleEndian.PutUint32(out[headerSize-4:], checksum(out[:headerSize-4]))
	return out, nil
}

// decode reads a header and judges it, but for the number of slots.
func decode(b []byte) (h header, err error) {
	if len(b) < headerSize || string(b[:len(magic)]) != magic {
		return h, ErrNotATable
	}
	if err := binary.Read(bytes.NewReader(b[:headerSize]), binary.LittleEndian, &h); err != nil {
		return h, ErrNotATable
	}
	switch {
	case h.Version != version:
		return h, ErrVersion
	case h.Header != checksum(b[:headerSize-4]):
		return h, ErrDamaged
	case h.Own < fewest || h.Own > most || h.Other < fewest || h.Other > most || h.Own+h.Other > 24 || h.Kind > turnsToShot,
		(h.Kind == turnsToShot) != (h.NoShot != 0 || h.Three != 0):
		return h, ErrDamaged
	}
	return h, nil
}

// write puts a table into a directory, whole or not at all.
func write(dir string, k fileKey, found *solution, body []byte) (err error) {
	head, err := newHeader(k, found, body).encode()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, k.name())
	part := path + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part)
		}
	}()
	_, err = io.Copy(f, io.MultiReader(bytes.NewReader(head), bytes.NewReader(body)))
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(part, path)
}
