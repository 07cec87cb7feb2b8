package bot_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"kraal/bot"
	"kraal/storage"
)

// gauged is a store that counts the matches read from it.
type gauged struct {
	storage.Store
	read *atomic.Int64
}

func (c gauged) View(ctx context.Context, read func(storage.Reader) error) error {
	return c.Store.View(ctx, func(r storage.Reader) error { return read(gaugedReader{r, c.read}) })
}

type gaugedReader struct {
	storage.Reader
	read *atomic.Int64
}

func (c gaugedReader) Get(k storage.Key) (storage.Stored, error) {
	if k.Kind == storage.KindMatch {
		c.read.Add(1)
	}
	return c.Reader.Get(k)
}

// TestRetentionReadsNoGamesThatStay: where challenges alone are bounded, finished games are read once after the start and
// not every day; what came to nothing goes when it is old, then and later.
func TestRetentionReadsNoGamesThatStay(t *testing.T) {
	onStage(t, func(s *stage) {
		s.stop()
		var games []storage.Key
		for i := range 300 {
			games = append(games, s.over(fmt.Sprintf("00%06d", i), storage.Finished, 400*day))
		}
		old, young := s.over("10000000", storage.Withdrawn, 40*day), s.over("20000000", storage.Withdrawn, 29*day)
		read := &atomic.Int64{}
		kept := s.store
		s.store, s.stays = gauged{kept, read}, bot.Retention{Challenges: 30 * day}
		s.start()
		s.pass(2 * time.Hour)
		if s.has(old) || !s.has(young) {
			t.Errorf("old is there: %v, young: %v", s.has(old), s.has(young))
		}
		read.Store(0)
		s.pass(2 * day)
		if n := read.Load(); n > 50 {
			t.Errorf("in two days %d matches are read", n)
		}
		if s.has(young) {
			t.Error("what has become old is still there")
		}
		for _, k := range games {
			if !s.has(k) {
				t.Fatalf("%v is gone", k)
			}
		}
	})
}

// TestRetentionOfBoth: games and challenges each go after a time of their own, whichever is the longer.
func TestRetentionOfBoth(t *testing.T) {
	for _, keep := range []bot.Retention{{Games: 300 * day, Challenges: 30 * day}, {Games: 30 * day, Challenges: 300 * day}} {
		onStage(t, func(s *stage) {
			s.stop()
			game := s.over("10000000", storage.Finished, keep.Games-day)
			challenge := s.over("20000000", storage.Withdrawn, keep.Challenges-day)
			s.stays = keep
			s.start()
			s.pass(2 * time.Hour)
			if !s.has(game) || !s.has(challenge) {
				t.Errorf("%v: gone too soon", keep)
			}
			s.pass(2 * day)
			if s.has(game) || s.has(challenge) {
				t.Errorf("%v: a game is there: %v, a challenge: %v", keep, s.has(game), s.has(challenge))
			}
		})
	}
}
