package boltstore

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// since is the first schema that has a bucket for a kind.
func since(kind storage.Kind) int {
	switch kind {
	case storage.KindServer, storage.KindAlive, storage.KindLog, storage.KindWatch, storage.KindPrediction:
		return 2
	case storage.KindSeason, storage.KindTally, storage.KindFarewell:
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

// refileKey tells in the meta bucket, while a file is being brought forward, behind which record to go on: its schema and
// key, with a line between.
var refileKey = []byte("refile")

// refileAtOnce is how many records a transaction files anew: few enough that it stays small.
const refileAtOnce = 2000

// bringForward makes a file of an older schema one of the newest, and tells which it was. The first transaction makes the
// buckets and says the new schema: an older program refuses the file from then on, as it would take what it does not know
// for damage. Further ones derive the entries of all records anew, some at a time; where that is interrupted, the next
// opening goes on. unread is how many records could not be read: they stay as they are.
func bringForward(db *bolt.DB) (was, unread int, err error) {
	err = guard(func() error {
		if err := db.View(func(tx *bolt.Tx) (err error) {
			was, err = schemaOf(tx)
			return err
		}); err != nil {
			return err
		}
		if was < Schema {
			if err := db.Update(beginForward); err != nil {
				return err
			}
		}
		unread, err = refileAll(db)
		return err
	})
	return was, unread, err
}

// refileAll files anew whatever is left of that.
func refileAll(db *bolt.DB) (unread int, err error) {
	var p packer
	for left := true; left && err == nil; {
		err = db.View(func(tx *bolt.Tx) error {
			left = tx.Bucket(metaBucket).Get(refileKey) != nil
			return nil
		})
		if !left || err != nil {
			break
		}
		err = db.Update(func(tx *bolt.Tx) error {
			n, err := refileSome(tx, &p)
			unread += n
			return err
		})
	}
	return unread, err
}

func beginForward(tx *bolt.Tx) error {
	names := [][]byte{countsBucket}
	for _, kind := range storage.Kinds() {
		names = append(names, []byte(kind))
	}
	for _, name := range names {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	meta := tx.Bucket(metaBucket)
	if err := meta.Put(refileKey, []byte(storage.Kinds()[0]+"\n")); err != nil {
		return err
	}
	return meta.Put(schemaKey, []byte(strconv.Itoa(Schema)))
}

// refileSome files the next records anew, and notes how far it came.
func refileSome(tx *bolt.Tx, p *packer) (unread int, err error) {
	meta := tx.Bucket(metaBucket)
	at, behind, _ := strings.Cut(string(meta.Get(refileKey)), "\n")
	kind := storage.Kind(at)
	if !kind.Known() {
		return 0, storage.ErrDamaged
	}
	ids := idsBehind(tx, kind, behind)
	for _, id := range ids {
		err := refile(tx, p, storage.Key{Kind: kind, ID: id})
		var unreadable *storage.RecordError
		switch {
		case errors.As(err, &unreadable):
			unread++
		case err != nil:
			return unread, err
		}
	}
	if len(ids) == refileAtOnce {
		return unread, meta.Put(refileKey, []byte(at+"\n"+ids[len(ids)-1]))
	}
	if next := slices.Index(storage.Kinds(), kind) + 1; next < len(storage.Kinds()) {
		return unread, meta.Put(refileKey, []byte(storage.Kinds()[next]+"\n"))
	}
	return unread, meta.Delete(refileKey)
}

// idsBehind lists the next records of a kind. Their bucket is changed while they are filed, so it is read first.
func idsBehind(tx *bolt.Tx, kind storage.Kind, behind string) (ids []string) {
	cursor := tx.Bucket([]byte(kind)).Cursor()
	for k, _ := cursor.Seek([]byte(behind)); k != nil && len(ids) < refileAtOnce; k, _ = cursor.Next() {
		if string(k) != behind {
			ids = append(ids, string(k))
		}
	}
	return ids
}

// refile derives the entries of one record anew. Its version stays: nothing in it has changed.
func refile(tx *bolt.Tx, p *packer, k storage.Key) error {
	was, err := lookup(tx, k)
	if err != nil {
		return err
	}
	data, err := p.unpack(was.data)
	if err != nil {
		return ofRecord(k, err)
	}
	record, err := storage.Decode(k, data)
	if err != nil {
		return err
	}
	entries, err := storage.Entries(record)
	if err != nil {
		return &storage.RecordError{Key: k, Err: err}
	}
	gone, come := storage.Difference(was.entries, entries)
	if len(gone)+len(come) == 0 {
		return nil
	}
	next := value{was.version, entries, was.data}.bytes()
	if err := file(tx, was.entries, entries); err != nil {
		return err
	}
	return tx.Bucket([]byte(k.Kind)).Put([]byte(k.ID), next)
}
