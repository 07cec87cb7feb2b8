package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kraal/bot/discord"
	"kraal/render"
	"kraal/storage"
)

// gauge counts how often something was done and how long that took altogether.
type gauge struct{ count, nanos atomic.Int64 }

func (g *gauge) time(began time.Time) {
	g.count.Add(1)
	g.nanos.Add(int64(time.Since(began)))
}

func (g *gauge) reading() timed {
	return timed{Count: g.count.Load(), Seconds: time.Duration(g.nanos.Load()).Seconds()}
}

// timed is what a gauge said.
type timed struct {
	Count   int64
	Seconds float64
}

// mean is how long one took.
func (t timed) mean() time.Duration {
	if t.Count == 0 {
		return 0
	}
	return time.Duration(t.Seconds / float64(t.Count) * float64(time.Second))
}

// less is what came after another reading.
func (t timed) less(before timed) timed {
	return timed{t.Count - before.Count, t.Seconds - before.Seconds}
}

// meter measures the stages that a bot's own process has.
type meter struct{ commits, reads, pictures gauge }

// timedStore measures a store.
type timedStore struct {
	storage.Store
	meter *meter
}

// Commit is the store's.
func (s timedStore) Commit(ctx context.Context, c storage.Changes) (storage.Versions, error) {
	defer s.meter.commits.time(time.Now())
	return s.Store.Commit(ctx, c)
}

// View is the store's.
func (s timedStore) View(ctx context.Context, read func(storage.Reader) error) error {
	defer s.meter.reads.time(time.Now())
	return s.Store.View(ctx, read)
}

// gaugedPainter measures a painter.
type gaugedPainter struct {
	discord.Painter
	meter *meter
}

// PNG is the painter's.
func (p gaugedPainter) PNG(w io.Writer, s render.Scene) error {
	defer p.meter.pictures.time(time.Now())
	return p.Painter.PNG(w, s)
}

// blankPainter draws one picture, once, for everything: what the bot does besides drawing is measured so.
type blankPainter struct {
	discord.Painter
	once  sync.Once
	drawn bytes.Buffer
	err   error
}

// PNG writes the picture.
func (p *blankPainter) PNG(w io.Writer, s render.Scene) error {
	p.once.Do(func() { p.err = p.Painter.PNG(&p.drawn, s) })
	if p.err != nil {
		return p.err
	}
	_, err := w.Write(p.drawn.Bytes())
	return err
}

// sample is how a bot's process stands.
type sample struct {
	At                       time.Time
	Commits, Reads, Pictures timed
	Processor                float64 // seconds of it that were used
	Goroutines               int
	Heap                     uint64 // bytes that were alive after a collection, or more
	Memory, MemoryMost       uint64 // bytes of its own that the process holds and held; 0 where the system does not say
}

// take is a sample of now. A collection first makes the heap tell what is alive.
func (m *meter) take(collect bool) sample {
	if collect {
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	s := sample{
		At: time.Now(), Commits: m.commits.reading(), Reads: m.reads.reading(), Pictures: m.pictures.reading(),
		Goroutines: runtime.NumGoroutine(), Heap: stats.HeapAlloc, Processor: processorTime(),
	}
	s.Memory, s.MemoryMost = residentMemory("/proc/self/status")
	return s
}

// residentMemory reads from Linux what a process holds: all of it but pages of files, which the store maps and the system
// takes back when it wants.
func residentMemory(path string) (now, most uint64) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(raw)) {
		name, value, _ := strings.Cut(line, ":")
		n, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
		switch {
		case err != nil:
		case name == "RssAnon":
			now = n << 10
		case name == "VmHWM":
			most = n << 10
		}
	}
	return now, most
}

// report writes a sample a second as lines of JSON until the context ends.
func (m *meter) report(ctx context.Context, out io.Writer, collect bool) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	lines := json.NewEncoder(out)
	for {
		if err := lines.Encode(m.take(collect)); err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// processorTime reads from Linux how many seconds of the processor this process has used; 0 on other systems.
func processorTime() float64 {
	raw, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(raw), ") ") // the name before it may hold anything
	const user, system, ticks = 11, 12, 100       // fields after the name; Linux has a hundred ticks a second for programs
	fields := strings.Fields(after)
	if len(fields) <= system {
		return 0
	}
	u, _ := strconv.ParseFloat(fields[user], 64)
	s, _ := strconv.ParseFloat(fields[system], 64)
	return (u + s) / ticks
}
