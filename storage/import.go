package storage

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ImportError says which line of an export cannot be taken, and why.
type ImportError struct {
	Line int
	Err  error
}

func (e *ImportError) Error() string { return fmt.Sprintf("import: line %d: %v", e.Line, e.Err) }

// Unwrap gives the reason.
func (e *ImportError) Unwrap() error { return e.Err }

// errNoExport: the first line is not an export's header.
var errNoExport = errors.New("this is no export of Kraal's")

// Bounds of what is handed over at once, and of a line: the record in it, and what stands around it.
const (
	importPage = 500
	importSize = MaxCommit / 2
	maxLine    = MaxRecord + 4<<10
)

// Import reads what Export wrote, in this format or an older one, and hands it to load, some records at a time, in their
// order. Load keeps them with the versions that they have: an export of what it then holds has the same bytes. Errors are
// load's, ctx's, or an *ImportError, which is ErrNewer where a newer version of this program wrote the export. What was
// handed over before an error is not all.
func Import(ctx context.Context, r io.Reader, load func(context.Context, []Stored) error) error {
	in := importer{lines: bufio.NewScanner(r)}
	in.lines.Buffer(nil, maxLine)
	if err := in.header(); err != nil {
		return in.at(err)
	}
	var page []Stored
	size := 0
	for in.next() {
		stored, err := in.record()
		if err != nil {
			return in.at(err)
		}
		page, size = append(page, stored), size+len(in.lines.Bytes())
		if len(page) < importPage && size < importSize {
			continue
		}
		if err := load(ctx, page); err != nil {
			return in.at(err)
		}
		page, size = nil, 0
	}
	if err := in.lines.Err(); err != nil {
		in.line++
		return in.at(err)
	}
	if len(page) == 0 {
		return ctx.Err()
	}
	return in.at(load(ctx, page))
}

type importer struct {
	lines  *bufio.Scanner
	line   int
	format int // of the records
}

func (in *importer) next() bool {
	ok := in.lines.Scan()
	if ok {
		in.line++
	}
	return ok
}

func (in *importer) at(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &ImportError{in.line, err}
}

func (in *importer) header() error {
	in.line = 1
	if !in.lines.Scan() {
		return errors.Join(errNoExport, in.lines.Err())
	}
	var h ExportHeader
	if json.Unmarshal(in.lines.Bytes(), &h) != nil || h.Export != "kraal" || h.Format < 1 || h.Record < 1 {
		return errNoExport
	}
	if h.Format > ExportFormat || h.Record > Format {
		return fmt.Errorf("%w: format %d with records of format %d, known up to %d and %d", ErrNewer, h.Format, h.Record, ExportFormat, Format)
	}
	in.format = h.Record
	return nil
}

// record reads one line, as strictly as what is kept is read.
func (in *importer) record() (Stored, error) {
	var line struct {
		Kind    Kind            `json:"kind"`
		Key     string          `json:"key"`
		Version Version         `json:"version"`
		Data    json.RawMessage `json:"data"`
	}
	strict := json.NewDecoder(bytes.NewReader(in.lines.Bytes()))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&line); err != nil {
		return Stored{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if line.Version < 1 || strict.More() {
		return Stored{}, fmt.Errorf("%w: a line is one record, with a version above zero", ErrDamaged)
	}
	data, err := json.Marshal(envelope[json.RawMessage]{line.Kind, in.format, line.Data})
	if err != nil {
		return Stored{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	record, err := Decode(Key{line.Kind, line.Key}, data)
	return Stored{record, line.Version}, err
}
