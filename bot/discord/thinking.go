package discord

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"kraal/rules/study"
)

// Study bounds the thinking that is done for those who want to learn. Zero values stand for those of DefaultStudy.
type Study struct {
	Workers       int           // how many are thought for at once
	Hash          int           // MiB that each thinks with
	HintTime      time.Duration // for a hint
	AnalysisTime  time.Duration // for a whole game
	AnalysisNodes int           // positions that are looked at for each turn of it, if the time is enough
	MineTime      time.Duration // to find a puzzle in somebody's own games

	Adviser func() *study.Adviser // makes one for each that is thought for; nil: one with Hash and without endgame tables
}

// DefaultStudy is the bounds that suit a small machine.
func DefaultStudy() Study {
	return Study{
		Workers: 1, Hash: 16, HintTime: time.Second,
		AnalysisTime: 20 * time.Second, AnalysisNodes: 150_000, MineTime: 5 * time.Second,
	}
}

// Why nothing is thought about now.
var (
	errThinking = errors.New("something is being thought about for that person already")
	errCrowded  = errors.New("too many people wait to be thought for")
)

const (
	maxWaiting  = 8  // for each worker: those who are thought for among them
	maxAnalyses = 64 // that are remembered: a game of usual length takes some 4 KiB
)

// thinking is those bounds, who is thought for, and what was found out.
type thinking struct {
	Study
	places   chan struct{}
	mu       sync.Mutex
	members  map[string]struct{} // who waits or is thought for
	analyses analyses
}

func newThinking(s Study) *thinking {
	usual := DefaultStudy()
	s.Workers, s.Hash = cmp.Or(max(0, s.Workers), usual.Workers), cmp.Or(s.Hash, usual.Hash)
	s.HintTime, s.AnalysisTime = cmp.Or(s.HintTime, usual.HintTime), cmp.Or(s.AnalysisTime, usual.AnalysisTime)
	s.AnalysisNodes, s.MineTime = cmp.Or(s.AnalysisNodes, usual.AnalysisNodes), cmp.Or(s.MineTime, usual.MineTime)
	if s.Adviser == nil {
		s.Adviser = func() *study.Adviser { return study.NewAdviser(s.Hash, nil) }
	}
	return &thinking{Study: s, places: make(chan struct{}, s.Workers), members: map[string]struct{}{}}
}

// enter waits for a place and returns how to leave it. Each member has one at a time. The error is errThinking, errCrowded
// or the context's.
func (t *thinking) enter(ctx context.Context, member string) (leave func(), err error) {
	if err := t.queue(member); err != nil {
		return nil, err
	}
	select {
	case t.places <- struct{}{}:
		return func() {
			<-t.places
			t.forget(member)
		}, nil
	case <-ctx.Done():
		t.forget(member)
		return nil, ctx.Err()
	}
}

func (t *thinking) queue(member string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, waits := t.members[member]; waits {
		return errThinking
	}
	if len(t.members) >= maxWaiting*t.Workers {
		return errCrowded
	}
	t.members[member] = struct{}{}
	return nil
}

func (t *thinking) forget(member string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.members, member)
}

// analyses remember the last ones asked for. The zero value is ready.
type analyses struct {
	mu   sync.Mutex
	kept []remembered // the last asked for last
}

type remembered struct {
	key      string
	analysis study.Analysis
}

// get finds an analysis and makes it the last asked for.
func (a *analyses) get(key string) (study.Analysis, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.kept, func(r remembered) bool { return r.key == key })
	if i < 0 {
		return study.Analysis{}, false
	}
	found := a.kept[i]
	a.kept = append(slices.Delete(a.kept, i, i+1), found)
	return found.analysis, true
}

// put remembers an analysis in place of the one that nobody has asked for the longest, where there are too many.
func (a *analyses) put(key string, analysis study.Analysis) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept = append(a.kept, remembered{key, analysis})
	if over := len(a.kept) - maxAnalyses; over > 0 {
		a.kept = slices.Delete(a.kept, 0, over)
	}
}
