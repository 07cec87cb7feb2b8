package bot

import (
	"cmp"
	"context"
	"sync"

	"kraal/storage"
)

// maxThinking bounds the queue. What finds no room is looked for in the store when there is some.
const maxThinking = 10_000

// thinkers are the games in which the engine is awaited. They wait in a queue for each server, and the servers take
// turns, so that one with many games does not hold up the others.
type thinkers struct {
	running sync.WaitGroup // the workers, and the turns that are being made
	most    int            // games at the same time

	mu     sync.Mutex // guards what follows
	more   chan struct{}
	turns  []string            // the servers with games that wait, in the order of their turns
	queues map[string][]string // the ids of those games, by server
	of     map[string]*thought // every game that waits or is thought about, once
	queued int                 // how many those are together
	over   bool                // some found no room
	losing map[string]hopeless // by game
}

// thought is a game in the queue, or with a worker.
type thought struct {
	ctx    context.Context
	cancel context.CancelFunc // nil while it waits

	server   string
	revision int  // that is thought about, or will be as far as is known
	repeat   bool // it has changed since: think again
	failed   int  // how often in a row, of a game that is the same
}

// hopeless is for how many turns in a row a player has known that it loses, up to the last of them. A restart forgets it:
// the engine resigns a little later.
type hopeless struct{ turns, last int }

func newThinkers(workers int) *thinkers {
	return &thinkers{
		most: maxThinking, more: make(chan struct{}, max(1, workers)), queues: map[string][]string{}, of: map[string]*thought{},
		losing: map[string]hopeless{},
	}
}

// note looks at what a game has become: it is queued if the engine is awaited in it, and whoever thinks about what it was
// stops.
func (q *thinkers) note(m storage.Match) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !m.Live() {
		delete(q.losing, m.ID)
	}
	t := q.of[m.ID]
	switch {
	case t != nil && t.cancel != nil && t.revision != m.Revision:
		t.repeat, t.failed, t.revision = t.repeat || m.Thinking(), 0, m.Revision
		t.cancel()
	case t == nil && m.Thinking():
		q.push(m.ID, &thought{server: cmp.Or(m.Server, "in "+m.Channel), revision: m.Revision})
	}
}

// push queues a game, if there is room.
func (q *thinkers) push(id string, t *thought) {
	if len(q.of) >= q.most {
		q.over = true
		return
	}
	q.of[id] = t
	if len(q.queues[t.server]) == 0 {
		q.turns = append(q.turns, t.server)
	}
	q.queues[t.server] = append(q.queues[t.server], id)
	q.queued++
	select {
	case q.more <- struct{}{}:
	default: // so many are on their way that nobody who could come is idle
	}
}

// next waits for a game to think about; false: ctx has ended.
func (q *thinkers) next(ctx context.Context) (id string, t *thought, ok bool) {
	for {
		if ctx.Err() != nil {
			return "", nil, false
		}
		if id, t, ok = q.pop(ctx); ok {
			return id, t, true
		}
		select {
		case <-ctx.Done():
		case <-q.more:
		}
	}
}

// pop takes the game that has waited longest in the server whose turn it is.
func (q *thinkers) pop(ctx context.Context) (id string, t *thought, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.turns) == 0 {
		return "", nil, false
	}
	server := q.turns[0]
	q.turns = q.turns[1:]
	waiting := q.queues[server]
	id, waiting = waiting[0], waiting[1:]
	if q.queues[server] = waiting; len(waiting) > 0 {
		q.turns = append(q.turns, server)
	} else {
		delete(q.queues, server)
	}
	q.queued--
	t = q.of[id]
	t.ctx, t.cancel = context.WithCancel(ctx)
	return id, t, true
}

// reads says which revision is thought about. What was kept after that stops the thought.
func (q *thinkers) reads(t *thought, revision int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.revision = revision
}

// again has a game thought about once more when this thought is over.
func (q *thinkers) again(t *thought) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.repeat = true
}

// fails counts a failure and tells how many there were in a row before it.
func (q *thinkers) fails(t *thought) (before int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	before = t.failed
	t.failed++
	return before
}

// done ends a thought. It tells whether there is room again for games that found none.
func (q *thinkers) done(id string, t *thought) (room bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.cancel()
	delete(q.of, id)
	if t.repeat {
		q.push(id, &thought{server: t.server, revision: t.revision, failed: t.failed})
	}
	if room = q.over && len(q.of) <= q.most/2; room {
		q.over = false
	}
	return room
}

// lost notes whether a player knows, at its turn of that number, that it loses, and tells for how many turns it has known.
func (q *thinkers) lost(id string, turn int, loses bool) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !loses {
		delete(q.losing, id)
		return 0
	}
	known := q.losing[id]
	if known.turns == 0 || known.last != turn {
		known = hopeless{turns: known.turns + 1, last: turn}
		q.losing[id] = known
	}
	return known.turns
}

// waiting is how many games wait for a worker.
func (q *thinkers) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.queued
}
