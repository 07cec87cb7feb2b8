package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

const (
	// saveEvery is how often the file is written at most. Who is killed loses no more.
	saveEvery = time.Second
	// revGap is by how much revisions jump at a start, so that none is given again that was lost unsaved: a page that is
	// still open may have seen it.
	revGap = 1 << 20
)

// saver writes what changes to the file.
type saver struct {
	db      *bolt.DB
	stop    chan struct{}
	ended   chan struct{}
	closing sync.Once
	closed  error

	mu       sync.Mutex // held while the file is written
	kept     map[string]keptAs
	world    []byte
	counters []byte
	broken   error // bbolt panicked: its locks may be held for ever
	ownToken bool  // nobody said which token the bot must have: the kept one goes on
}

// keptAs is what the file holds of a message.
type keptAs struct {
	rev   uint64
	files []string
}

// takeUp opens the file, and makes the sandbox what it was. Without a file the sandbox is as it was made.
func (s *Sandbox) takeUp(ownToken bool) error {
	if s.config.Keep == "" {
		return nil
	}
	db, err := openKeep(s.config.Keep, s.config.Fresh)
	if err != nil {
		return err
	}
	s.saver = &saver{
		db: db, ownToken: ownToken, stop: make(chan struct{}), ended: make(chan struct{}), kept: map[string]keptAs{},
	}
	err = guarded(func() error { return db.View(s.load) })
	if err == nil {
		err = s.save()
	}
	if err != nil {
		_ = guarded(db.Close)
		return explainKeep(s.config.Keep, err)
	}
	go s.keepSaving()
	return nil
}

// load reads the whole file.
func (s *Sandbox) load(tx *bolt.Tx) error {
	world := tx.Bucket([]byte(worldBucket))
	all, counted := world.Get([]byte(allKey)), world.Get([]byte(countersKey))
	if all == nil {
		return nil // nothing was kept yet
	}
	var w keptWorld
	var n keptCounters
	if json.Unmarshal(all, &w) != nil || json.Unmarshal(counted, &n) != nil {
		return errDamagedWorld
	}
	var err error
	if s.state, err = w.restore(n, s.config.Now); err != nil {
		return err
	}
	s.key = w.Key
	if s.saver.ownToken {
		s.config.Token = w.Token
	}
	data := map[string][]byte{}
	err = tx.Bucket([]byte(fileBucket)).ForEach(func(id, raw []byte) error {
		data[string(id)] = bytes.Clone(raw)
		return nil
	})
	if err != nil {
		return err
	}
	return s.loadMessages(tx.Bucket([]byte(messageBucket)), data)
}

func (s *Sandbox) loadMessages(from *bolt.Bucket, data map[string][]byte) error {
	var all []keptMessage
	err := from.ForEach(func(_, raw []byte) error {
		var k keptMessage
		if json.Unmarshal(raw, &k) != nil {
			return errDamagedWorld
		}
		all = append(all, k)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b keptMessage) int { return compareIDs(a.ID, b.ID) })
	for _, k := range all {
		if err := s.restoreMessage(k, data); err != nil {
			return fmt.Errorf("%w: message %s", err, k.ID)
		}
		s.saver.kept[k.ID] = k.as()
	}
	return nil
}

func (k keptMessage) as() keptAs {
	as := keptAs{rev: k.Rev}
	for _, f := range k.Files {
		as.files = append(as.files, f.ID)
	}
	return as
}

// keepSaving writes what has changed, until it is told to stop. What could not be written is tried again.
func (s *Sandbox) keepSaving() {
	defer close(s.saver.ended)
	failed := false
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		err := s.save()
		if err != nil && !failed {
			s.config.Log.Error("the sandbox's world cannot be saved", "path", s.config.Keep, "error", err)
		}
		if failed = err != nil; !failed {
			select {
			case <-changed:
			case <-s.saver.stop:
				return
			}
		}
		select {
		case <-time.After(saveEvery):
		case <-s.saver.stop:
			return
		}
	}
}

// endSaving writes what is left, and closes the file.
func (s *Sandbox) endSaving() error {
	k := s.saver
	if k == nil {
		return nil
	}
	k.closing.Do(func() {
		close(k.stop)
		<-k.ended
		if k.closed = s.save(); k.broken == nil {
			k.closed = errors.Join(k.closed, k.db.Close())
		}
	})
	return k.closed
}

// change is what has changed since the file was written.
type change struct {
	world, counters []byte
	newWorld        bool // the file holds another one
	put             []keptMessage
	data            map[string][]byte // of new attachments
	gone            []string          // messages
	dropped         []string          // attachments
}

// save writes what has changed, all of it or nothing.
func (s *Sandbox) save() error {
	k := s.saver
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.broken != nil {
		return k.broken
	}
	c := s.changes()
	if c.isNone(k) {
		return nil
	}
	err := guarded(func() error { return k.db.Update(c.write) })
	if errors.Is(err, errDamagedWorld) {
		k.broken = err
	}
	if err != nil {
		return err
	}
	k.world, k.counters = c.world, c.counters
	for _, id := range c.gone {
		delete(k.kept, id)
	}
	for _, m := range c.put {
		k.kept[m.ID] = m.as()
	}
	return nil
}

// changes compares the world with what the file holds.
func (s *Sandbox) changes() *change {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.saver
	c := &change{
		world: encode(s.keptForm()), counters: encode(keptCounters{s.lastID, s.rev}), data: map[string][]byte{},
	}
	c.newWorld = !bytes.Equal(c.world, k.world)
	for id, m := range s.messages {
		had, ok := k.kept[id]
		if !m.isKept() || ok && had.rev == m.rev {
			continue
		}
		c.put = append(c.put, m.kept())
		for _, a := range m.Attachments {
			if !slices.Contains(had.files, a.ID) {
				c.data[a.ID] = a.Data
			}
		}
		for _, id := range had.files {
			if !slices.ContainsFunc(m.Attachments, func(a Attachment) bool { return a.ID == id }) {
				c.dropped = append(c.dropped, id)
			}
		}
	}
	for id, had := range k.kept {
		if s.messages[id] == nil {
			c.gone, c.dropped = append(c.gone, id), append(c.dropped, had.files...)
		}
	}
	return c
}

// isNone tells whether the file holds all that already.
func (c *change) isNone(k *saver) bool {
	return len(c.put) == 0 && len(c.gone) == 0 && !c.newWorld && bytes.Equal(c.counters, k.counters)
}

// write puts the change into the file.
func (c *change) write(tx *bolt.Tx) error {
	world, messages, files := tx.Bucket([]byte(worldBucket)), tx.Bucket([]byte(messageBucket)), tx.Bucket([]byte(fileBucket))
	errs := []error{world.Put([]byte(countersKey), c.counters)}
	if c.newWorld {
		errs = append(errs, world.Put([]byte(allKey), c.world))
	}
	for _, m := range c.put {
		errs = append(errs, messages.Put([]byte(m.ID), encode(m)))
	}
	for id, raw := range c.data {
		errs = append(errs, files.Put([]byte(id), raw))
	}
	for _, id := range c.gone {
		errs = append(errs, messages.Delete([]byte(id)))
	}
	for _, id := range c.dropped {
		errs = append(errs, files.Delete([]byte(id)))
	}
	return errors.Join(errs...)
}
