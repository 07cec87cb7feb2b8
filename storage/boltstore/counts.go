package boltstore

import (
	"bytes"
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// How the entries of ranked indexes spread over whole points is kept in a bucket of its own, changed in the transaction
// that changes the entries: a place is then a sum over the numbers of points above it, not over the members.
var countsBucket = []byte("counts")

// count brings the counts from one record's old entries to its new ones.
func count(counts *bolt.Bucket, gone, come []storage.Entry) error {
	moves := map[storage.CountKey]int{}
	for _, e := range gone {
		if key, ok := e.Counted(); ok {
			moves[key]--
		}
	}
	for _, e := range come {
		if key, ok := e.Counted(); ok {
			moves[key]++
		}
	}
	for key, by := range moves {
		if err := move(counts, key, by); err != nil {
			return err
		}
	}
	return nil
}

func move(counts *bolt.Bucket, key storage.CountKey, by int) error {
	if by == 0 {
		return nil
	}
	have := 0
	if kept := counts.Get([]byte(key)); kept != nil {
		var ok bool
		if have, ok = parseCount(kept); !ok {
			return fmt.Errorf("%w: count %q", storage.ErrDamaged, key)
		}
	}
	switch now := have + by; {
	case now < 0:
		return fmt.Errorf("%w: %d entries less than the %d of count %q", storage.ErrDamaged, -by, have, key)
	case now == 0:
		return counts.Delete([]byte(key))
	default:
		return counts.Put([]byte(key), binary.AppendUvarint(nil, uint64(now)))
	}
}

func parseCount(kept []byte) (n int, ok bool) {
	u, size := binary.Uvarint(kept)
	return int(u), size == len(kept) && u > 0 && u < 1<<48
}

// Counts is storage.Reader's.
func (r *reader) Counts(index storage.Index) (spread storage.Counts, err error) {
	if r.tx == nil {
		return nil, storage.ErrClosed
	}
	if !index.Counts() {
		return nil, fmt.Errorf("%w: index %+q is not counted", storage.ErrInvalid, index.Prefix())
	}
	err = guard(func() error {
		spread, err = readCounts(r.tx.Bucket(countsBucket).Cursor(), index)
		return err
	})
	return spread, err
}

func readCounts(cursor *bolt.Cursor, index storage.Index) (spread storage.Counts, err error) {
	prefix := []byte(index.Prefix())
	for k, v := cursor.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, v = cursor.Next() {
		points, err := index.Points(storage.CountKey(k))
		if err != nil {
			return nil, err
		}
		n, ok := parseCount(v)
		if !ok {
			return nil, fmt.Errorf("count %q: %w", k, storage.ErrDamaged)
		}
		spread = append(spread, storage.Count{Points: points, Entries: n})
	}
	return spread, nil
}
