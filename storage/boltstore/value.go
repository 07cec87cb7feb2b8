package boltstore

import (
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// value is what is kept under a record's id. It names the record's entries, so that they are found when they are to go:
// the record need not be read again for that, and a later version of this program, which may derive others, takes away
// those that are there.
type value struct {
	version storage.Version // 0: there is nothing
	entries []storage.Entry // sorted
	data    []byte          // as storage.Encode made it, packed or not
}

// bytes writes: the version in eight bytes; how many entries; each entry's length and bytes; the rest is data. Numbers
// are varints but for the version.
func (v value) bytes() []byte {
	size := 8 + binary.MaxVarintLen16 + len(v.data)
	for _, e := range v.entries {
		size += binary.MaxVarintLen16 + len(e)
	}
	b := binary.BigEndian.AppendUint64(make([]byte, 0, size), uint64(v.version))
	b = binary.AppendUvarint(b, uint64(len(v.entries)))
	for _, e := range v.entries {
		b = binary.AppendUvarint(b, uint64(len(e)))
		b = append(b, e...)
	}
	return append(b, v.data...)
}

// parse reads what bytes wrote. The data is b's own.
func parse(b []byte) (v value, ok bool) {
	if len(b) < 8 {
		return value{}, false
	}
	v.version, b = storage.Version(binary.BigEndian.Uint64(b)), b[8:]
	count, b, ok := number(b)
	if !ok {
		return value{}, false
	}
	for range count {
		var n int
		if n, b, ok = number(b); !ok {
			return value{}, false
		}
		v.entries, b = append(v.entries, storage.Entry(b[:n])), b[n:]
	}
	v.data = b
	return v, v.version > 0
}

// number reads a varint that counts some of the bytes which follow it.
func number(b []byte) (n int, rest []byte, ok bool) {
	u, size := binary.Uvarint(b)
	if size <= 0 || u > uint64(len(b)-size) {
		return 0, nil, false
	}
	return int(u), b[size:], true
}

// lookup gives what is kept for a key; the data is the file's own memory.
func lookup(tx *bolt.Tx, k storage.Key) (value, error) {
	if !k.Kind.Known() {
		return value{}, nil
	}
	b := tx.Bucket([]byte(k.Kind)).Get([]byte(k.ID))
	if b == nil {
		return value{}, nil
	}
	v, ok := parse(b)
	if !ok {
		return value{}, &storage.RecordError{Key: k, Err: fmt.Errorf("%w: %d bytes", storage.ErrDamaged, len(b))}
	}
	return v, nil
}
