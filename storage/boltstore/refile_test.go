package boltstore

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// TestRefile: a file whose records were kept with fewer entries has all of them after it was opened, however many there
// are; a record that cannot be read is left as it is, and holds up no other.
func TestRefile(t *testing.T) {
	var ratings []storage.Record
	for i := range 2*refileBatch - 10 {
		ratings = append(ratings, storage.Rating{Pool: storage.GlobalPool, Variant: "nine", Member: fmt.Sprintf("m%05d", i), Points: 1500})
	}
	over := sample("over")
	over.State, over.Ended = storage.Finished, over.Created
	const unreadable = "global/nine/m00500"
	s, err := Open(keptOld(t, unreadable, put(ratings...), put(over)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.View(t.Context(), func(r storage.Reader) error {
		for _, rating := range ratings {
			want := 1
			if rating.Key().ID == unreadable {
				want = 0
			}
			if hits, err := r.Range(storage.RatingsOf(rating.(storage.Rating).Member), "", 2); err != nil || len(hits) != want {
				t.Errorf("%v: %d entries and error %v, want %d", rating.Key(), len(hits), err, want)
			}
		}
		hits, err := r.Range(storage.FinishedHere(over.Server, over.Challenger.ID), "", 2)
		if len(hits) != 1 {
			t.Errorf("the match: %d entries", len(hits))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// keptOld is a file with such changes, as an older version would have kept them.
func keptOld(t *testing.T, unreadable string, changes ...storage.Changes) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "kraal.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if _, err := s.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	err = s.db.Update(func(tx *bolt.Tx) error { return makeOld(tx, unreadable) })
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// makeOld takes every entry away, as if none had been derived, and says that the file is of schema 2. One record is made
// unreadable.
func makeOld(tx *bolt.Tx, unreadable string) error {
	for _, kind := range []storage.Kind{storage.KindRating, storage.KindMatch} {
		bucket, old := tx.Bucket([]byte(kind)), map[string]value{}
		err := bucket.ForEach(func(id, data []byte) error {
			v, ok := parse(data)
			if !ok {
				return storage.ErrDamaged
			}
			old[string(id)] = value{v.version, nil, append([]byte(nil), v.data...)}
			return file(tx.Bucket(indexBucket), v.entries, nil)
		})
		if err != nil {
			return err
		}
		for id, v := range old {
			if id == unreadable {
				v.data = []byte("{")
			}
			if err := bucket.Put([]byte(id), v.bytes()); err != nil {
				return err
			}
		}
	}
	return tx.Bucket(metaBucket).Put(schemaKey, []byte(strconv.Itoa(2)))
}
