//go:build unix

package engine_test

import (
	"context"
	"runtime"
	"syscall"
	"testing"
	"time"

	"kraal/rules/engine"
)

// benchPosition is a position to search, reached by play.
type benchPosition struct{ name, variant, moves string }

func benchPositions() []benchPosition {
	return []benchPosition{
		{"nine-start", "nine", ""},
		{"nine-A", "nine", "c5 f4 a7 c4 b4 d6 a1 a4 g1 f6 d1 xf6 f6 g7 f2 xb4 d7 xa4 a4 g4 xa4 b6 xc5 d1-d2"},
		{"nine-B", "nine", "f6 d6 e3 f2 b4 e4 d2 g4 f4 d3 d7 d1 a7 g7 g1 a4 c5 c4 " +
			"c5-d5 e4-e5 e3-e4 d3-e3 d5-c5 e3-d3 c5-d5 d3-e3"},
		{"nine-C", "nine", "f2 g7 e5 c4 d6 a7 d7 a1 d5 xa1"},
		{"morabaraba-start", "morabaraba", ""},
		{"morabaraba-D", "morabaraba", "c5 f4 a7 c4 b6 xf4 a4 b4 b2 g7"},
		{"morabaraba-E", "morabaraba", "f6 d6 e3 f2 e5 g7 c5 d5 e4 xd5 d5 d7 b2 d2 d3 g4"},
		{"morabaraba-F", "morabaraba", "f2 g7 e5 c4 e3 g1 e4 xg1 g1 g4 f4 b2 a7 d2 xg1 a4 a1 c3"},
	}
}

// BenchmarkThink searches with an empty table for a second of CPU time, as near as the nodes of a first, shorter search
// tell, and reports nodes a CPU second and the depth reached.
func BenchmarkThink(b *testing.B) {
	for _, p := range benchPositions() {
		b.Run(p.name, func(b *testing.B) {
			g := game(b, p.variant, p.moves)
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			think := func(nodes uint64) (engine.Result, time.Duration) {
				e := engine.New(engine.Options{Hash: 64})
				before := cpuTime(b)
				r, err := e.Think(context.Background(), g, engine.Limits{Nodes: nodes}, nil)
				if err != nil {
					b.Fatal(err)
				}
				return r, cpuTime(b) - before
			}
			r, spent := think(1_000_000)
			budget := uint64(float64(r.Nodes) / spent.Seconds())
			for b.Loop() {
				r, spent = think(budget)
			}
			b.ReportMetric(float64(r.Nodes)/1e6/spent.Seconds(), "Mnodes/cpu-s")
			b.ReportMetric(float64(r.Depth), "depth")
			b.ReportMetric(spent.Seconds(), "cpu-s")
		})
	}
}

// cpuTime is the CPU time that the process has used, user and system.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
