package storage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Format is the format in which records are written. It grows when a record's fields change, so that an older program
// refuses what it would otherwise cut short when it writes it back; every older format stays readable.
const Format = 1

// Kinds lists the kinds of record, in the order of an export.
func Kinds() []Kind {
	return []Kind{
		KindMember, KindServer, KindLog, KindRating, KindMatch, KindAlive, KindWatch, KindPrediction, KindSeason, KindTally, KindFarewell,
	}
}

// Known tells whether k is one of Kinds.
func (k Kind) Known() bool { return slices.Contains(Kinds(), k) }

// envelope is how a record is written: JSON that says what it is.
type envelope[T any] struct {
	Kind   Kind `json:"kind"`
	Format int  `json:"format"`
	Data   T    `json:"data"`
}

// Row is a record ready to be kept, for those who write a Store.
type Row struct {
	Key     Key
	Data    []byte  // the encoded record
	Entries []Entry // all that lead to it, sorted
	Settled bool    // a match that is over: it will hardly change again, and is worth the work of making it small
}

// Encode makes a record ready to be kept. Errors: ErrInvalid, ErrTooLarge.
func Encode(r Record) (Row, error) {
	if err := check(r); err != nil {
		return Row{}, err
	}
	key := r.Key()
	entries, err := Entries(r)
	if err != nil {
		return Row{}, err
	}
	data, err := json.Marshal(envelope[Record]{key.Kind, Format, r})
	if err != nil {
		return Row{}, fmt.Errorf("%w: record %v: %w", ErrInvalid, key, err)
	}
	if len(data) > MaxRecord {
		return Row{}, fmt.Errorf("%w: record %v has %d bytes, allowed are %d", ErrTooLarge, key, len(data), MaxRecord)
	}
	m, ok := r.(Match)
	return Row{key, data, entries, ok && !m.Live()}, nil
}

// check refuses what could not be read again.
func check(r Record) error {
	switch r := r.(type) {
	case Match:
		if err := r.Variant.Validate(); err != nil {
			return fmt.Errorf("%w: match %s: %w", ErrInvalid, r.ID, err)
		}
	case Server:
		if err := r.check(); err != nil {
			return err
		}
	case Rating, Member, Log, Alive, Watch, Prediction, Season, Tally, Farewell:
	default:
		return fmt.Errorf("%w: %T is not a record that is kept", ErrInvalid, r)
	}
	return checkKey(r.Key())
}

func checkKey(k Key) error {
	switch {
	case !k.Kind.Known():
		return fmt.Errorf("%w: no kind of record is called %q", ErrInvalid, k.Kind)
	case k.ID == "":
		return fmt.Errorf("%w: a %s without id", ErrInvalid, k.Kind)
	case len(k.ID) > MaxID:
		return fmt.Errorf("%w: an id of %d bytes, allowed are %d", ErrTooLarge, len(k.ID), MaxID)
	case !utf8.ValidString(k.ID):
		return fmt.Errorf("%w: id %q is not UTF-8", ErrInvalid, k.ID)
	}
	return nil
}

// Decode reads what Encode wrote for that key. It keeps nothing of data. Every error is a *RecordError.
func Decode(k Key, data []byte) (Record, error) {
	r, err := decode(k.Kind, data)
	if err == nil && r.Key() != k {
		err = fmt.Errorf("%w: it holds %v", ErrDamaged, r.Key())
	}
	if err != nil {
		return nil, &RecordError{k, err}
	}
	return r, nil
}

func decode(kind Kind, data []byte) (Record, error) {
	switch kind {
	case KindMatch:
		return open[Match](kind, data)
	case KindRating:
		return open[Rating](kind, data)
	case KindMember:
		return open[Member](kind, data)
	case KindServer:
		return open[Server](kind, data)
	case KindLog:
		return open[Log](kind, data)
	case KindAlive:
		return open[Alive](kind, data)
	case KindWatch:
		return open[Watch](kind, data)
	case KindPrediction:
		return open[Prediction](kind, data)
	case KindSeason:
		return open[Season](kind, data)
	case KindTally:
		return open[Tally](kind, data)
	case KindFarewell:
		return open[Farewell](kind, data)
	}
	return nil, fmt.Errorf("%w: no kind of record is called %q", ErrDamaged, kind)
}

// open reads an envelope with a T in it. A field that is not known is an error: it would be lost when the record is
// written back.
func open[T Record](kind Kind, data []byte) (Record, error) {
	var e envelope[T]
	strict := json.NewDecoder(bytes.NewReader(data))
	strict.DisallowUnknownFields()
	err := strict.Decode(&e)
	if err == nil && e.Kind == kind && e.Format == Format && !strict.More() {
		return e.Data, nil
	}
	return nil, reject(kind, data, err)
}

// reject finds out why data is not a record of that kind in a format that is known.
func reject(kind Kind, data []byte, met error) error {
	var e envelope[json.RawMessage]
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	switch {
	case e.Kind != kind:
		return fmt.Errorf("%w: it is a %q", ErrDamaged, e.Kind)
	case e.Format > Format:
		return fmt.Errorf("%w: format %d, known up to %d", ErrNewer, e.Format, Format)
	case e.Format < 1:
		return fmt.Errorf("%w: format %d", ErrDamaged, e.Format)
	}
	return fmt.Errorf("%w: %w", ErrDamaged, met)
}

// Prepare checks changes and makes ready what they put, in the order of Put, for those who write a Store: it is all of
// Commit that does not depend on what is kept. Errors: ErrInvalid, ErrTooLarge.
func Prepare(c Changes) ([]Row, error) {
	if n := max(len(c.Expect), len(c.Put)+len(c.Delete)); n > MaxChanges {
		return nil, fmt.Errorf("%w: %d records at once, allowed are %d", ErrTooLarge, n, MaxChanges)
	}
	touched, expected := map[Key]bool{}, map[Key]bool{}
	var errs []error
	for _, e := range c.Expect {
		errs = append(errs, once(expected, e.Key))
	}
	for _, k := range c.Delete {
		errs = append(errs, once(touched, k))
	}
	rows := make([]Row, 0, len(c.Put))
	size := 0
	for _, r := range c.Put {
		row, err := Encode(r)
		if err != nil {
			return nil, err
		}
		errs = append(errs, once(touched, row.Key))
		rows, size = append(rows, row), size+len(row.Data)
	}
	if size > MaxCommit {
		return nil, fmt.Errorf("%w: %d bytes at once, allowed are %d", ErrTooLarge, size, MaxCommit)
	}
	return rows, errors.Join(errs...)
}

func once(seen map[Key]bool, k Key) error {
	if err := checkKey(k); err != nil {
		return err
	}
	if seen[k] {
		return fmt.Errorf("%w: %v is named twice", ErrInvalid, k)
	}
	seen[k] = true
	return nil
}
