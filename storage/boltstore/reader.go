package boltstore

import (
	"bytes"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// reader is one read transaction. Nothing that it gives away points into the file.
type reader struct {
	tx     *bolt.Tx
	packer *packer
}

// Get is storage.Reader's.
func (r *reader) Get(k storage.Key) (stored storage.Stored, err error) {
	if r.tx == nil {
		return stored, storage.ErrClosed
	}
	err = guard(func() error {
		kept, err := lookup(r.tx, k)
		if err != nil {
			return err
		}
		if kept.version == 0 {
			return fmt.Errorf("%w: %v", storage.ErrNotFound, k)
		}
		data, err := r.packer.unpack(kept.data)
		if err != nil {
			return err
		}
		record, err := storage.Decode(k, data)
		stored = storage.Stored{Record: record, Version: kept.version}
		return err
	})
	if err != nil {
		return storage.Stored{}, ofRecord(k, err)
	}
	return stored, nil
}

// ofRecord says of which record it is that something is damaged.
func ofRecord(k storage.Key, err error) error {
	var said *storage.RecordError
	if !errors.Is(err, storage.ErrDamaged) || errors.As(err, &said) {
		return err
	}
	return &storage.RecordError{Key: k, Err: err}
}

// Range is storage.Reader's.
func (r *reader) Range(index storage.Index, from storage.Cursor, limit int) (hits []storage.Hit, err error) {
	if r.tx == nil {
		return nil, storage.ErrClosed
	}
	if limit < 1 {
		return nil, fmt.Errorf("%w: at most %d hits", storage.ErrInvalid, limit)
	}
	err = guard(func() error {
		if kind, ok := index.Records(); ok {
			hits = r.records(kind, from, limit)
			return nil
		}
		hits, err = r.entries(index, from, limit)
		return err
	})
	return hits, err
}

func (r *reader) records(kind storage.Kind, from storage.Cursor, limit int) (hits []storage.Hit) {
	if !kind.Known() {
		return nil
	}
	cursor := r.tx.Bucket([]byte(kind)).Cursor()
	for k, _ := cursor.Seek([]byte(from)); k != nil && len(hits) < limit; k, _ = cursor.Next() {
		if id := string(k); id != string(from) {
			hits = append(hits, storage.Hit{Key: storage.Key{Kind: kind, ID: id}, Cursor: storage.Cursor(id)})
		}
	}
	return hits
}

func (r *reader) entries(index storage.Index, from storage.Cursor, limit int) (hits []storage.Hit, err error) {
	prefix, after := []byte(index.Prefix()), []byte(index.After(from))
	cursor := r.tx.Bucket(indexBucket).Cursor()
	for k, _ := cursor.Seek(after); k != nil && bytes.HasPrefix(k, prefix) && len(hits) < limit; k, _ = cursor.Next() {
		if bytes.Equal(k, after) {
			continue
		}
		hit, err := index.Hit(storage.Entry(k))
		if err != nil {
			return nil, err
		}
		hits = append(hits, hit)
	}
	return hits, nil
}
