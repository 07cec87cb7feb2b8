package boltstore

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// Load adds records with the versions that they had elsewhere; none of them may be there yet. It is for a store that is
// being made from an export, as Fresh does it: others take their versions from Commit. Errors are Commit's.
func (s *Store) Load(ctx context.Context, records []storage.Stored) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var c storage.Changes
	for _, r := range records {
		c.Put = append(c.Put, r.Record)
		c.Expect = append(c.Expect, storage.Expect{Key: r.Record.Key()})
	}
	rows, err := storage.Prepare(c)
	if err != nil {
		return err
	}
	for i, row := range rows {
		if row.Settled {
			rows[i].Data = s.packer.pack(row.Data)
		}
	}
	request := &request{expect: c.Expect, rows: rows}
	return guard(func() error {
		return s.db.Update(func(tx *bolt.Tx) error {
			if a, _ := request.apply(tx); a.err != nil {
				return a.err
			}
			return setVersions(tx, records)
		})
	})
}

// setVersions gives records that have just been put the versions that they had elsewhere: a value begins with its own.
func setVersions(tx *bolt.Tx, records []storage.Stored) error {
	for _, r := range records {
		k := r.Record.Key()
		bucket := tx.Bucket([]byte(k.Kind))
		kept := append([]byte(nil), bucket.Get([]byte(k.ID))...)
		binary.BigEndian.PutUint64(kept, uint64(r.Version))
		if err := bucket.Put([]byte(k.ID), kept); err != nil {
			return err
		}
	}
	return nil
}

// Fresh puts a new store, which load fills, in the place of the one at path, as Restore does with a copy. Nothing has
// changed if load fails. Every error is a *storage.UnusableError, load's or ctx's.
func Fresh(ctx context.Context, path string, now time.Time, load func(*Store) error) (Restored, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return Restored{}, explain(path, err)
	}
	unlock, err := hold(path)
	if err != nil {
		return Restored{}, err
	}
	defer unlock()
	folder, err := os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return Restored{}, explain(path, err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	temp := filepath.Join(folder, filepath.Base(path))
	if err := fillStore(temp, load); err != nil {
		return Restored{}, named(path, err)
	}
	return putInPlace(ctx, path, temp, now, unlock)
}

func fillStore(path string, load func(*Store) error) (err error) {
	s, err := Open(path, Options{})
	if err != nil {
		return err
	}
	if err := load(s); err != nil {
		_ = s.Close()
		return err
	}
	return s.Close()
}
