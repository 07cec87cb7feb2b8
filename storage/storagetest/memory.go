package storagetest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"kraal/storage"
)

// Memory gives an empty store that keeps everything in memory, as simply as the promises allow: for tests, and for the
// suite to compare others with. Nothing is durable, and every Commit copies what it changes.
func Memory() storage.Store {
	return &memory{now: &moment{records: map[storage.Kind][]kept{}}}
}

// memory replaces its moment with every change and never changes one, so that a View may hold on to it.
type memory struct {
	open   sync.RWMutex // read-locked while anything is under way, locked to close
	change sync.Mutex   // guards now and closed
	now    *moment
	closed bool
}

type moment struct {
	records map[storage.Kind][]kept // by id
	entries []storage.Entry
}

// kept is one record, encoded: nobody can change it from outside.
type kept struct {
	id      string
	version storage.Version
	data    []byte
	entries []storage.Entry
}

func (m *memory) look() (*moment, error) {
	m.change.Lock()
	defer m.change.Unlock()
	if m.closed {
		return nil, storage.ErrClosed
	}
	return m.now, nil
}

func (m *memory) View(ctx context.Context, read func(storage.Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.open.RLock()
	defer m.open.RUnlock()
	now, err := m.look()
	if err != nil {
		return err
	}
	r := &memoryReader{now}
	defer func() { r.moment = nil }()
	return read(r)
}

func (m *memory) Commit(ctx context.Context, c storage.Changes) (storage.Versions, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows, err := storage.Prepare(c)
	if err != nil {
		return nil, err
	}
	m.open.RLock()
	defer m.open.RUnlock()
	m.change.Lock()
	defer m.change.Unlock()
	if m.closed {
		return nil, storage.ErrClosed
	}
	for _, e := range c.Expect {
		if have := m.now.get(e.Key).version; have != e.Version {
			return nil, &storage.ConflictError{Key: e.Key, Want: e.Version, Have: have}
		}
	}
	next := &moment{maps.Clone(m.now.records), slices.Clone(m.now.entries)}
	for kind := range next.records {
		next.records[kind] = slices.Clone(next.records[kind])
	}
	versions := storage.Versions{}
	for _, row := range rows {
		versions[row.Key] = next.put(row)
	}
	for _, k := range c.Delete {
		next.remove(k)
	}
	m.now = next
	return versions, nil
}

func (m *memory) Close() error {
	m.open.Lock()
	defer m.open.Unlock()
	m.change.Lock()
	defer m.change.Unlock()
	m.closed, m.now = true, nil
	return nil
}

// find tells where a record is, or belongs.
func (m *moment) find(k storage.Key) (int, bool) {
	return slices.BinarySearchFunc(m.records[k.Kind], k.ID, func(have kept, id string) int {
		return strings.Compare(have.id, id)
	})
}

// get gives what is kept; the zero value when there is nothing.
func (m *moment) get(k storage.Key) kept {
	if i, ok := m.find(k); ok {
		return m.records[k.Kind][i]
	}
	return kept{}
}

func (m *moment) put(row storage.Row) storage.Version {
	version := m.get(row.Key).version + 1
	m.remove(row.Key)
	i, _ := m.find(row.Key)
	m.records[row.Key.Kind] = slices.Insert(m.records[row.Key.Kind], i, kept{row.Key.ID, version, row.Data, row.Entries})
	for _, e := range row.Entries {
		at, _ := slices.BinarySearch(m.entries, e)
		m.entries = slices.Insert(m.entries, at, e)
	}
	return version
}

func (m *moment) remove(k storage.Key) {
	i, ok := m.find(k)
	if !ok {
		return
	}
	for _, e := range m.records[k.Kind][i].entries {
		at, _ := slices.BinarySearch(m.entries, e)
		m.entries = slices.Delete(m.entries, at, at+1)
	}
	m.records[k.Kind] = slices.Delete(m.records[k.Kind], i, i+1)
}

type memoryReader struct{ moment *moment }

func (r *memoryReader) Get(k storage.Key) (storage.Stored, error) {
	if r.moment == nil {
		return storage.Stored{}, storage.ErrClosed
	}
	have := r.moment.get(k)
	if have.version == 0 {
		return storage.Stored{}, fmt.Errorf("%w: %v", storage.ErrNotFound, k)
	}
	record, err := storage.Decode(k, have.data)
	return storage.Stored{Record: record, Version: have.version}, err
}

func (r *memoryReader) Range(index storage.Index, from storage.Cursor, limit int) ([]storage.Hit, error) {
	if r.moment == nil {
		return nil, storage.ErrClosed
	}
	if limit < 1 {
		return nil, fmt.Errorf("%w: at most %d hits", storage.ErrInvalid, limit)
	}
	if kind, ok := index.Records(); ok {
		return r.records(kind, from, limit), nil
	}
	var hits []storage.Hit
	after := index.After(from)
	at, _ := slices.BinarySearch(r.moment.entries, after)
	for _, e := range r.moment.entries[at:] {
		if len(hits) == limit || !strings.HasPrefix(string(e), index.Prefix()) {
			break
		}
		if e == after {
			continue
		}
		hit, err := index.Hit(e)
		if err != nil {
			return nil, err
		}
		hits = append(hits, hit)
	}
	return hits, nil
}

func (r *memoryReader) Counts(index storage.Index) (counts storage.Counts, err error) {
	if r.moment == nil {
		return nil, storage.ErrClosed
	}
	if !index.Counts() {
		return nil, fmt.Errorf("%w: index %+q is not counted", storage.ErrInvalid, index.Prefix())
	}
	for _, e := range r.moment.entries { // which come by falling points
		key, counted := e.Counted()
		if !counted || !strings.HasPrefix(string(e), index.Prefix()) {
			continue
		}
		points, err := index.Points(key)
		if err != nil {
			return nil, err
		}
		if n := len(counts); n == 0 || counts[n-1].Points != points {
			counts = append(counts, storage.Count{Points: points})
		}
		counts[len(counts)-1].Entries++
	}
	return counts, nil
}

func (r *memoryReader) records(kind storage.Kind, from storage.Cursor, limit int) (hits []storage.Hit) {
	for _, have := range r.moment.records[kind] {
		if have.id > string(from) && len(hits) < limit {
			hits = append(hits, storage.Hit{Key: storage.Key{Kind: kind, ID: have.id}, Cursor: storage.Cursor(have.id)})
		}
	}
	return hits
}
