package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// soakCmd lets a crowd play for long. The bot must not grow: what a minute in the last quarter needs is compared with the
// quarter after the first, in which caches fill.
type soakCmd struct {
	crowdFlags
}

// How much more a bot may need at the end: chance moves both a little.
const (
	heapGrows       = 1.10
	heapSlack       = 4 << 20
	goroutinesGrow  = 1.10
	goroutinesSlack = 20
)

// errGrows: the bot needs more and more.
var errGrows = errors.New("the bot grows")

// Run plays and compares. Growth is an error.
func (s soakCmd) Run(p *program) error {
	return s.stage(p, []string{"--collect"}, course{during: func(c *crowd, b *measuredBot) error {
		from := time.Now()
		c.mu.Lock()
		c.counts = true
		c.mu.Unlock()
		s.play(p, c)
		fmt.Fprintf(p.out, "answers   %d, 99th percentile %s, %d without an answer; %d games ended\n", len(c.first), percentile(c.first, 99), c.missing, c.ended)
		return grows(p.out, b.taken(), from, time.Now())
	}})
}

// grows compares the second quarter of a time with the last.
func grows(out io.Writer, samples []sample, from, to time.Time) error {
	quarter := to.Sub(from) / 4
	early := needs(samples, from.Add(quarter), from.Add(2*quarter))
	late := needs(samples, from.Add(3*quarter), to)
	if early.heap == 0 || late.heap == 0 {
		return errors.New("too short a time to compare")
	}
	fmt.Fprintf(out, "heap      %.1f MB in the second quarter, %.1f MB in the last\n", float64(early.heap)/(1<<20), float64(late.heap)/(1<<20))
	fmt.Fprintf(out, "goroutines %d in the second quarter, %d in the last\n", early.goroutines, late.goroutines)
	if float64(late.heap) > float64(early.heap)*heapGrows+heapSlack ||
		float64(late.goroutines) > float64(early.goroutines)*goroutinesGrow+goroutinesSlack {
		return errGrows
	}
	return nil
}

// need is what a bot needs as a rule.
type need struct {
	heap       uint64
	goroutines int
}

// needs is the median of the samples of a time, whichever moments they caught.
func needs(samples []sample, from, to time.Time) (n need) {
	var heaps []uint64
	var goroutines []int
	for _, s := range samples {
		if !s.At.Before(from) && s.At.Before(to) {
			heaps, goroutines = append(heaps, s.Heap), append(goroutines, s.Goroutines)
		}
	}
	if len(heaps) == 0 {
		return n
	}
	slices.Sort(heaps)
	slices.Sort(goroutines)
	return need{heaps[len(heaps)/2], goroutines[len(goroutines)/2]}
}
