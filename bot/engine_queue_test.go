package bot

import (
	"slices"
	"strconv"
	"testing"

	"kraal/storage"
)

// awaited is a game in which the engine is awaited.
func awaited(server string, n int) storage.Match {
	return storage.Match{
		ID: server + strconv.Itoa(n), Server: server, Channel: "c", State: storage.Playing, EngineDue: true, Revision: 1,
	}
}

// TestQueueTakesTurns: servers take turns, games of one come in their order, and those in direct messages are each a
// queue of their own.
func TestQueueTakesTurns(t *testing.T) {
	q := newThinkers(1)
	for n := range 3 {
		q.note(awaited("a", n))
	}
	q.note(awaited("b", 0))
	for n := range 2 {
		m := awaited("", n)
		m.Channel += strconv.Itoa(n)
		q.note(m)
	}
	q.note(awaited("a", 0)) // waits already
	var got []string
	for range 6 {
		id, _, ok := q.next(t.Context())
		if !ok {
			t.Fatal("nothing waits")
		}
		got = append(got, id)
	}
	if want := []string{"a0", "b0", "0", "1", "a1", "a2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := q.waiting(); n != 0 {
		t.Errorf("%d still wait", n)
	}
}

// TestQueueIsBounded: what finds no room is looked for again when half of the room is free.
func TestQueueIsBounded(t *testing.T) {
	q := newThinkers(1)
	q.most = 4
	for n := range 6 {
		q.note(awaited("a", n))
	}
	if n := q.waiting(); n != 4 {
		t.Fatalf("%d wait, want 4", n)
	}
	for n, want := range []bool{false, true, false, false} {
		id, thought, _ := q.next(t.Context())
		if got := q.done(id, thought); got != want {
			t.Errorf("after %d: room for others %v, want %v", n+1, got, want)
		}
	}
}

// TestQueueKnowsWhatChanged: a thought about what a game no longer is ends, and comes again if the engine is awaited still.
func TestQueueKnowsWhatChanged(t *testing.T) {
	for _, c := range []struct {
		name  string
		alter func(*storage.Match)
		stops bool
		again bool
	}{
		{"the same", func(*storage.Match) {}, false, false},
		{"another turn", func(m *storage.Match) { m.Revision++ }, true, true},
		{"taken back", func(m *storage.Match) { m.Revision++; m.EngineDue = false }, true, false},
		{"over", func(m *storage.Match) { m.Revision++; m.State = storage.Finished }, true, false},
	} {
		q, m := newThinkers(1), awaited("a", 0)
		q.note(m)
		id, thought, _ := q.next(t.Context())
		q.reads(thought, m.Revision)
		c.alter(&m)
		q.note(m)
		if stopped := thought.ctx.Err() != nil; stopped != c.stops {
			t.Errorf("%s: stopped %v, want %v", c.name, stopped, c.stops)
		}
		q.done(id, thought)
		if again := q.waiting() == 1; again != c.again {
			t.Errorf("%s: waits again %v, want %v", c.name, again, c.again)
		}
	}
}
