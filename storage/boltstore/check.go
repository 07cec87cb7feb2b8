package boltstore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"

	"kraal/storage"
)

// Report is what Check found in a file.
type Report struct {
	Schema  int
	Size    int64 // bytes of the file
	Records map[storage.Kind]int
	Entries int      // of all indexes
	Faults  []string // what is wrong with it, the first maxFaults
}

// maxFaults is how many faults are told one by one: a file may hold as many as it has pages.
const maxFaults = 20

// All is the number of records of all kinds.
func (r Report) All() (n int) {
	for _, of := range r.Records {
		n += of
	}
	return n
}

// Check looks through all of the file at path without changing it: bbolt's own account of its pages, that every record
// can be read, that the indexes hold the entries which the records call for and no others, and that those are counted right. progress, which may be nil,
// is told now and then how many records have been read. Every error but ctx's is a *storage.UnusableError; a file with
// faults in it is one, and the report tells them.
func Check(ctx context.Context, path string, progress func(records int)) (Report, error) {
	db, err := openToRead(path)
	if err != nil {
		return Report{}, explain(path, err)
	}
	c := checker{ctx: ctx, progress: progress, report: Report{Records: map[storage.Kind]int{}}}
	err = guard(func() error { return db.View(c.file) })
	guard(db.Close)
	if err != nil && ctx.Err() != nil {
		return c.report, ctx.Err()
	}
	if err != nil {
		c.fault("%v", err)
	}
	if c.faults > 0 {
		met := fmt.Errorf("%w: %s", storage.ErrDamaged, c.report.Faults[0])
		return c.report, &storage.UnusableError{Path: path, Why: fmt.Sprintf("the file is damaged, %d faults were found", c.faults), Do: anew, Err: met}
	}
	return c.report, nil
}

// checker is one look through a file.
type checker struct {
	ctx      context.Context
	progress func(int)
	packer   packer
	report   Report
	faults   int
	current  bool // the file is wholly of the newest schema: its entries are those that records call for now
}

func (c *checker) fault(format string, args ...any) {
	c.faults++
	if len(c.report.Faults) < maxFaults {
		c.report.Faults = append(c.report.Faults, fmt.Sprintf(format, args...))
	}
}

func (c *checker) file(tx *bolt.Tx) (err error) {
	c.report.Size = tx.Size()
	if c.report.Schema, err = schemaOf(tx); err != nil {
		return err
	}
	c.current = c.report.Schema == Schema && tx.Bucket(metaBucket).Get(refileKey) == nil
	for fault := range tx.Check() {
		c.fault("%v", fault)
	}
	called := 0
	for _, kind := range storage.Kinds() {
		bucket := tx.Bucket([]byte(kind))
		if bucket == nil {
			continue // an older schema has fewer
		}
		err := bucket.ForEach(func(id, kept []byte) error {
			called += c.record(tx, storage.Key{Kind: kind, ID: string(id)}, kept)
			return c.ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	counts := map[storage.CountKey]int{}
	err = tx.Bucket(indexBucket).ForEach(func(e, _ []byte) error {
		c.report.Entries++
		if key, ok := storage.Entry(e).Counted(); ok {
			counts[key]++
		}
		return nil
	})
	if c.current {
		c.counts(tx, counts)
	}
	// Every entry that a record names was found, and no two records name the same: an entry more is nobody's.
	if called < c.report.Entries {
		c.fault("%d index entries lead to records that do not call for them", c.report.Entries-called)
	}
	return errors.Join(err, c.ctx.Err())
}

// counts holds the counts that are kept to those of the index entries.
func (c *checker) counts(tx *bolt.Tx, want map[storage.CountKey]int) {
	bucket, wrong := tx.Bucket(countsBucket), 0
	for key, n := range want {
		if have, ok := parseCount(bucket.Get([]byte(key))); !ok || have != n {
			wrong++
		}
	}
	_ = bucket.ForEach(func(key, _ []byte) error {
		if want[storage.CountKey(key)] == 0 {
			wrong++
		}
		return nil
	})
	if wrong > 0 {
		c.fault("%d counts of rated members are not what the index has", wrong)
	}
}

// progressEach is after how many records something is told.
const progressEach = 10_000

// record looks at one record, and tells how many entries it has.
func (c *checker) record(tx *bolt.Tx, k storage.Key, bytes []byte) int {
	c.report.Records[k.Kind]++
	if n := c.report.All(); c.progress != nil && n%progressEach == 0 {
		c.progress(n)
	}
	kept, ok := parse(bytes)
	if !ok {
		c.fault("%v: its %d bytes make no sense", k, len(bytes))
		return 0
	}
	for _, e := range kept.entries {
		if tx.Bucket(indexBucket).Get([]byte(e)) == nil {
			c.fault("%v: the index entry %q is missing", k, e)
		}
	}
	data, err := c.packer.unpack(kept.data)
	if err != nil {
		c.fault("%v: %v", k, err)
		return len(kept.entries)
	}
	record, err := storage.Decode(k, data)
	if err != nil {
		c.fault("%v", err)
		return len(kept.entries)
	}
	if entries, err := storage.Entries(record); err != nil || c.current && !slices.Equal(entries, kept.entries) {
		c.fault("%v: its index entries are not those that it calls for", k)
	}
	return len(kept.entries)
}
