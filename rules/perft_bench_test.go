//go:build unix

package rules_test

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"kraal/rules"
)

// perftBench is a position to count from. The moving one is reached by play, as all of them could be.
type perftBench struct {
	name    string
	variant string
	moves   string
	depth   int
	nodes   uint64 // perft(position, depth), as other programs count it; 0 where none is at hand
}

var perftBenches = []perftBench{
	{name: "nine-opening", variant: "nine", depth: 6, nodes: 96_223_680},
	{name: "nine-moving", variant: "nine", depth: 9,
		moves: "c5 f4 a7 c4 b4 d6 a1 a4 g1 f6 d1 xf6 f6 g7 f2 xb4 d7 xa4 a4 g4 xa4 b6 xc5 d1-d2"},
	{name: "morabaraba-opening", variant: "morabaraba", depth: 6, nodes: 96_052_320},
}

// BenchmarkPerftLeaves carries out every leaf.
func BenchmarkPerftLeaves(b *testing.B) { benchmarkPerft(b, rules.Variant.PerftLeaves) }

// BenchmarkPerft counts the last level.
func BenchmarkPerft(b *testing.B) { benchmarkPerft(b, rules.Variant.Perft) }

func benchmarkPerft(b *testing.B, perft func(rules.Variant, rules.Position, int) uint64) {
	for _, bench := range perftBenches {
		b.Run(bench.name, func(b *testing.B) {
			v, p := bench.position(b)
			b.ReportAllocs()
			var nodes uint64
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			before := cpuTime(b)
			for b.Loop() {
				n := perft(v, p, bench.depth)
				if bench.nodes != 0 && n != bench.nodes {
					b.Fatalf("%d nodes, want %d", n, bench.nodes)
				}
				nodes += n
			}
			spent := cpuTime(b) - before
			b.ReportMetric(float64(nodes)/1e6/spent.Seconds(), "Mnodes/cpu-s")
		})
	}
}

// position plays the bench's moves from the opening.
func (bench perftBench) position(t testing.TB) (rules.Variant, rules.Position) {
	t.Helper()
	v, _ := rules.Lookup(bench.variant)
	p := v.Opening()
	for _, name := range strings.Fields(bench.moves) {
		a, err := rules.ParseAction(name)
		if err == nil {
			p, err = v.Play(p, a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return v, p
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
