package boltstore

import (
	"strconv"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// since is the first schema that has a bucket for a kind.
func since(kind storage.Kind) int {
	switch kind {
	case storage.KindServer, storage.KindAlive, storage.KindLog, storage.KindWatch, storage.KindPrediction:
		return 2
	case storage.KindFarewell:
		return 3
	}
	return 1
}

// schemaOf reads which schema a file is of.
func schemaOf(tx *bolt.Tx) (int, error) {
	schema, err := strconv.Atoi(string(tx.Bucket(metaBucket).Get(schemaKey)))
	if err != nil || schema < 1 {
		return 0, storage.ErrDamaged
	}
	return schema, nil
}

// bringForward makes a file of an older schema one of the newest, and tells which it was. That it is so is said last. An older
// program refuses it from then on: it would take a kind of record that it does not know for damage.
func bringForward(db *bolt.DB) (was int, err error) {
	err = guard(func() error {
		if err := db.View(func(tx *bolt.Tx) (err error) {
			was, err = schemaOf(tx)
			return err
		}); err != nil || was == Schema {
			return err
		}
		if err := refile(db, &packer{}); err != nil {
			return err
		}
		return db.Update(func(tx *bolt.Tx) error {
			for _, kind := range storage.Kinds() {
				if _, err := tx.CreateBucketIfNotExists([]byte(kind)); err != nil {
					return err
				}
			}
			return tx.Bucket(metaBucket).Put(schemaKey, []byte(strconv.Itoa(Schema)))
		})
	})
	return was, err
}
