package discord

import (
	"cmp"
	"context"
	"time"
)

// Study bounds the thinking that is done for those who want to learn. Zero values stand for the usual.
type Study struct {
	Workers      int           // how many are thought for at once; 2
	Hash         int           // MiB that each thinks with; 16
	HintTime     time.Duration // for a hint; a second
	AnalysisTime time.Duration // for a whole game; 20 seconds
	MineTime     time.Duration // to find a puzzle in somebody's own games; 5 seconds
}

// thinking is those bounds and the places there are.
type thinking struct {
	Study
	places chan struct{}
}

func newThinking(s Study) *thinking {
	s.Workers, s.Hash = cmp.Or(s.Workers, 2), cmp.Or(s.Hash, 16)
	s.HintTime, s.AnalysisTime = cmp.Or(s.HintTime, time.Second), cmp.Or(s.AnalysisTime, 20*time.Second)
	s.MineTime = cmp.Or(s.MineTime, 5*time.Second)
	return &thinking{s, make(chan struct{}, max(1, s.Workers))}
}

// enter waits for a place and returns how to leave it.
func (t *thinking) enter(ctx context.Context) (leave func(), err error) {
	select {
	case t.places <- struct{}{}:
		return func() { <-t.places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
