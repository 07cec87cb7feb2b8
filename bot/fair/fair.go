// Package fair shares a number of places among many parties, so that one that wants them all cannot keep the others out.
package fair

import (
	"context"
	"slices"
	"sync"
)

// Places are what is shared. Use New.
type Places struct {
	each int

	mu      sync.Mutex
	free    int
	held    map[string]int // by party
	waiting []*waiter      // the longest waiting first
}

type waiter struct {
	party string
	let   chan struct{} // closed when the place is theirs
}

// New shares a number of places, of which one party has a part at most.
func New(all, each int) *Places {
	return &Places{each: each, free: all, held: map[string]int{}}
}

// Enter waits for a place and takes it: whoever has waited longest is first, of those whose party has fewer than its part.
// The error is ctx's. Otherwise leave must be called, once.
func (p *Places) Enter(ctx context.Context, party string) (leave func(), err error) {
	p.mu.Lock()
	w := &waiter{party: party, let: make(chan struct{})}
	p.waiting = append(p.waiting, w)
	p.letIn()
	p.mu.Unlock()
	leave = func() { p.leave(party) }
	select {
	case <-w.let:
		return leave, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.waiting, w); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
		return nil, ctx.Err()
	}
	return leave, nil // it came in the same moment
}

func (p *Places) leave(party string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free++
	if p.held[party]--; p.held[party] == 0 {
		delete(p.held, party)
	}
	p.letIn()
}

// letIn gives the places that are free to those who may have them. The lock is held.
func (p *Places) letIn() {
	for i := 0; i < len(p.waiting) && p.free > 0; {
		w := p.waiting[i]
		if p.held[w.party] >= p.each {
			i++
			continue
		}
		p.free--
		p.held[w.party]++
		p.waiting = slices.Delete(p.waiting, i, i+1)
		close(w.let)
	}
}
