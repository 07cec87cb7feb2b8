package main

import (
	"errors"
	"io"
	"testing"
	"time"
)

// TestGrows: growth is told from caches that fill at first, and from a moment that needs much.
func TestGrows(t *testing.T) {
	const mb = 1 << 20
	for name, c := range map[string]struct {
		heap       func(second int) uint64
		goroutines func(second int) int
		grows      bool
	}{
		"level":            {func(int) uint64 { return 30 * mb }, func(int) int { return 100 }, false},
		"fills caches":     {func(s int) uint64 { return uint64(min(s, 25)) * mb }, func(int) int { return 100 }, false},
		"a moment":         {func(s int) uint64 { return []uint64{30 * mb, 500 * mb}[b2i(s == 95)] }, func(int) int { return 100 }, false},
		"memory leaks":     {func(s int) uint64 { return uint64(30+s) * mb }, func(int) int { return 100 }, true},
		"goroutines leaks": {func(int) uint64 { return 30 * mb }, func(s int) int { return 100 + s }, true},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			var samples []sample
			for s := range 100 {
				samples = append(samples, sample{At: began.Add(time.Duration(s) * time.Second), Heap: c.heap(s), Goroutines: c.goroutines(s)})
			}
			err := grows(io.Discard, samples, began, began.Add(100*time.Second))
			if got := errors.Is(err, errGrows); got != c.grows || err != nil && !got {
				t.Errorf("got %v, want that it grows: %v", err, c.grows)
			}
		})
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
