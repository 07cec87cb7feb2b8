package boltstore

import (
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// One goroutine makes all changes. It takes a request, and with it all that wait at that moment, makes them in one
// transaction, and answers each: alone, a request waits for nobody; when many come at once, they share the two
// fdatasync that a transaction costs.

// Bounds on what shares a transaction, so that a great many cannot make it a long one.
const (
	maxGroup     = 1024     // requests
	maxGroupSize = 32 << 20 // bytes of encoded records
)

// request is one Commit on its way. Only the committer touches it once it is in the queue.
type request struct {
	expect []storage.Expect
	rows   []storage.Row
	remove []storage.Key
	answer chan answer
}

type answer struct {
	versions storage.Versions
	err      error
}

func (r *request) size() (n int) {
	for _, row := range r.rows {
		n += len(row.Data)
	}
	return n
}

// commitAll is the committer.
func (s *Store) commitAll() {
	defer close(s.ended)
	for {
		select {
		case first := <-s.queue:
			s.commit(s.gather(first))
		case <-s.stop:
			return
		}
	}
}

// gather takes all that wait.
func (s *Store) gather(first *request) []*request {
	group, size := []*request{first}, first.size()
	for len(group) < maxGroup && size < maxGroupSize {
		select {
		case r := <-s.queue:
			group, size = append(group, r), size+r.size()
		default:
			return group
		}
	}
	return group
}

// commit makes a group's changes and answers every request of it. A request that fails half-way has left its traces in
// the transaction: that is given up, and made again without the request.
func (s *Store) commit(group []*request) {
	for len(group) > 0 {
		answers, spoilt, err := s.attempt(group)
		if spoilt >= 0 {
			s.log.Error("a commit failed half-way, and is left out", "error", answers[spoilt].err)
			group[spoilt].answer <- answers[spoilt]
			group = append(group[:spoilt:spoilt], group[spoilt+1:]...)
			continue
		}
		for i, r := range group {
			if err != nil {
				answers[i] = answer{err: err}
			}
			r.answer <- answers[i]
		}
		return
	}
}

var (
	errSpoilt    = errors.New("a request failed half-way")
	errUnchanged = errors.New("nothing to write")
)

// attempt makes a group's changes in one transaction. spoilt is the request because of which it was given up, or -1. An
// error is that of all: the store is broken.
func (s *Store) attempt(group []*request) (answers []answer, spoilt int, err error) {
	if broken := s.broken.Load(); broken != nil {
		return make([]answer, len(group)), -1, broken
	}
	spoilt = -1
	answers = make([]answer, len(group))
	err = guard(func() error {
		return s.db.Update(func(tx *bolt.Tx) error {
			changed := false
			for i, r := range group {
				var dirty bool
				answers[i], dirty = r.apply(tx)
				if dirty && answers[i].err != nil {
					spoilt = i
					return errSpoilt
				}
				changed = changed || dirty
			}
			if !changed {
				return errUnchanged
			}
			return nil
		})
	})
	if err == nil || errors.Is(err, errSpoilt) || errors.Is(err, errUnchanged) {
		return answers, spoilt, nil
	}
	return answers, -1, s.breakDown(err)
}

// apply makes the request's changes in the transaction. dirty tells whether it wrote to it. A refusal comes before the
// first write.
func (r *request) apply(tx *bolt.Tx) (a answer, dirty bool) {
	err := guard(func() error {
		if err := r.check(tx); err != nil {
			return err
		}
		dirty = len(r.rows)+len(r.remove) > 0
		var err error
		a.versions, err = r.write(tx)
		return err
	})
	if err != nil {
		return answer{err: err}, dirty
	}
	return a, dirty
}

// check holds the expectations to what is there, earlier changes of the same group included.
func (r *request) check(tx *bolt.Tx) error {
	for _, e := range r.expect {
		have, err := lookup(tx, e.Key)
		if err != nil {
			return err
		}
		if have.version != e.Version {
			return &storage.ConflictError{Key: e.Key, Want: e.Version, Have: have.version}
		}
	}
	return nil
}

func (r *request) write(tx *bolt.Tx) (storage.Versions, error) {
	versions := make(storage.Versions, len(r.rows))
	for _, fresh := range r.rows {
		was, err := replace(tx, fresh.Key, fresh.Entries)
		if err != nil {
			return nil, err
		}
		k, next := fresh.Key, value{was.version + 1, fresh.Entries, fresh.Data}
		versions[k] = next.version
		if err := tx.Bucket([]byte(k.Kind)).Put([]byte(k.ID), next.bytes()); err != nil {
			return nil, fmt.Errorf("storage: %v: %w", k, err)
		}
	}
	for _, k := range r.remove {
		if _, err := replace(tx, k, nil); err != nil {
			return nil, err
		}
		if err := tx.Bucket([]byte(k.Kind)).Delete([]byte(k.ID)); err != nil {
			return nil, fmt.Errorf("storage: %v: %w", k, err)
		}
	}
	return versions, nil
}

// replace brings the index from what a record's entries are to what they are to be, and tells what is there of it.
func replace(tx *bolt.Tx, k storage.Key, entries []storage.Entry) (was value, err error) {
	was, err = lookup(tx, k)
	if err != nil {
		return was, err
	}
	if err := file(tx, was.entries, entries); err != nil {
		return was, fmt.Errorf("storage: entries of %v: %w", k, err)
	}
	return was, nil
}

// file brings the entries of one record, and what counts them, from old to new.
func file(tx *bolt.Tx, old, new []storage.Entry) error {
	index := tx.Bucket(indexBucket)
	gone, come := storage.Difference(old, new)
	for _, e := range gone {
		if err := index.Delete([]byte(e)); err != nil {
			return err
		}
	}
	for _, e := range come {
		if err := index.Put([]byte(e), nil); err != nil {
			return err
		}
	}
	return count(tx.Bucket(countsBucket), gone, come)
}
