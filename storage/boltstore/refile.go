package boltstore

import (
	"slices"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// refileBatch is how many records one transaction of refile looks at.
const refileBatch = 1000

// refile gives the records that an older version kept the index entries that this one derives from them. It takes as many
// transactions as it needs: what was done before a crash is done again to no effect.
func refile(db *bolt.DB, p *packer) error {
	for _, kind := range []storage.Kind{storage.KindMatch, storage.KindRating} {
		from := []byte{}
		for from != nil {
			err := db.Update(func(tx *bolt.Tx) (err error) {
				from, err = refileFrom(tx, kind, from, p)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// refileFrom looks at some records of a kind and tells where to go on: nil where there are no more. What cannot be read
// stays as it is: whoever reads it will be told.
func refileFrom(tx *bolt.Tx, kind storage.Kind, from []byte, p *packer) (next []byte, err error) {
	bucket := tx.Bucket([]byte(kind))
	var ids [][]byte
	c := bucket.Cursor()
	id, _ := c.Seek(from)
	for ; id != nil && len(ids) < refileBatch; id, _ = c.Next() {
		ids = append(ids, slices.Clone(id))
	}
	next = slices.Clone(id)
	for _, id := range ids {
		v, ok := parse(bucket.Get(id))
		if !ok {
			continue
		}
		entries, ok := entriesOf(storage.Key{Kind: kind, ID: string(id)}, v, p)
		if !ok || slices.Equal(entries, v.entries) {
			continue
		}
		if err := file(tx.Bucket(indexBucket), v.entries, entries); err != nil {
			return nil, err
		}
		v.entries = entries
		if err := bucket.Put(id, v.bytes()); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// entriesOf derives the entries of a record that is kept.
func entriesOf(k storage.Key, v value, p *packer) ([]storage.Entry, bool) {
	plain, err := p.unpack(v.data)
	if err != nil {
		return nil, false
	}
	r, err := storage.Decode(k, plain)
	if err != nil {
		return nil, false
	}
	entries, err := storage.Entries(r)
	return entries, err == nil
}
