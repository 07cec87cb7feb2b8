package bot_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

const day = 24 * time.Hour

// over keeps a match that ended before the test began, and is told of.
func (s *stage) over(id string, state storage.State, ago time.Duration) storage.Key {
	s.t.Helper()
	m := storage.Match{
		ID: id, State: state, Server: "s", Channel: "c", Variant: s.nine(), Challenger: ann, Opponent: ben,
		Created: opening.Add(-ago - time.Hour), Ended: opening.Add(-ago), Revision: 1,
	}
	m.Shown.Revision = 1
	if state == storage.Finished {
		m.Result, m.Reason = rules.WhiteWins, rules.Resignation
		m.Seats[rules.White].Person, m.Seats[rules.Black].Person = ann, ben
	}
	_, err := s.store.Commit(s.t.Context(), storage.Changes{Put: []storage.Record{m}})
	s.must(err)
	return m.Key()
}

func (s *stage) has(k storage.Key) bool {
	s.t.Helper()
	err := s.store.View(s.t.Context(), func(r storage.Reader) error {
		_, err := r.Get(k)
		return err
	})
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		s.t.Error(err)
	}
	return err == nil
}

// TestRetention: what is old goes, with what was said of it, an hour after the start and not before; what is young, is
// being played, or is of a kind that is kept for ever stays; and what becomes old goes later.
func TestRetention(t *testing.T) {
	onStage(t, func(s *stage) {
		s.stop()
		var old []storage.Key
		for i := range 120 { // more than two pages
			old = append(old, s.over(fmt.Sprintf("00%06d", i), storage.Finished, 400*day))
		}
		said := storage.Prediction{Game: old[7].ID, Server: "s", Member: "9", Said: rules.WhiteWins, Came: rules.WhiteWins, At: opening.Add(-401 * day)}
		_, err := s.store.Commit(t.Context(), storage.Changes{Put: []storage.Record{said}})
		s.must(err)
		challenge := s.over("10000000", storage.Withdrawn, 400*day)
		young := s.over("20000000", storage.Finished, 364*day)
		s.stays = bot.Retention{Games: 365 * day}
		s.start()
		played := s.game(ann, ben)
		s.pass(59 * time.Minute)
		if !s.has(old[0]) {
			t.Error("it was deleted before the clock could have been put right")
		}
		s.pass(2 * time.Minute)
		for _, k := range append(old, said.Key()) {
			if s.has(k) {
				t.Errorf("%v is still there", k)
			}
		}
		if !s.has(challenge) || !s.has(young) || !s.has(storage.MatchKey(played)) {
			t.Error("what was to stay is gone")
		}
		s.pass(2 * day)
		if s.has(young) {
			t.Error("what has become old is still there")
		}
		s.stop()
		s.stays = bot.Retention{Challenges: 30 * day}
		s.start()
		s.pass(time.Hour + time.Minute)
		if s.has(challenge) || !s.has(storage.MatchKey(played)) {
			t.Error("a challenge that came to nothing stays, or a game went")
		}
	})
}

// TestKeptForEver: without a setting nothing goes.
func TestKeptForEver(t *testing.T) {
	onStage(t, func(s *stage) {
		k := s.over("00000000", storage.Finished, 4000*day)
		id := s.game(ann, ben)
		s.do(id, ann, match.Resign{})
		s.pass(400 * day)
		if !s.has(k) || !s.has(storage.MatchKey(id)) {
			t.Error("something was deleted")
		}
	})
}

// TestWhatChangesIsNoHindrance: a match that somebody changes while it is being deleted stays, and the others go.
func TestWhatChangesIsNoHindrance(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		s.stop()
		first, second := s.over("00000000", storage.Finished, 400*day), s.over("10000000", storage.Finished, 400*day)
		store.commit = func(_ context.Context, c storage.Changes) error {
			if len(c.Delete) == 1 && c.Delete[0] == first {
				return &storage.ConflictError{Key: first, Want: 1, Have: 2}
			}
			return nil
		}
		s.stays = bot.Retention{Games: 365 * day}
		s.start()
		s.pass(time.Hour + time.Minute)
		if !s.has(first) || s.has(second) {
			t.Errorf("the one that was changed is there: %v; the other: %v", s.has(first), s.has(second))
		}
	})
}
