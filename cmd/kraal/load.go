package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"kraal/bot/match"
	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
	"kraal/storage/boltstore"
)

// crowdFlags are who plays, and how.
type crowdFlags struct {
	Games     int           `help:"How many games are played at once." default:"1000"`
	Servers   int           `help:"In how many servers." default:"100"`
	Rate      float64       `help:"How many actions a second people make altogether; 0: as fast as they are answered." default:"0"`
	Allowance int           `help:"How many times Discord's limits the sandbox allows." default:"1"`
	Shards    int           `help:"How many shards the sandbox recommends." default:"1"`
	For       time.Duration `help:"For how long they play." default:"2m"`
}

// loadCmd measures the bot under load: in a process of its own, with a store on disk, over the sandbox's wire.
type loadCmd struct {
	crowdFlags

	Blank   bool   `help:"Draw one picture for all boards, to see what the rest costs."`
	Profile string `help:"Write a profile of the bot's processor time to this file." type:"path"`
	Backup  bool   `help:"Call kraal backup half-way, look whether the copy has all that was confirmed before, and play on from it."`
}

// Run plays and reports. A confirmed action that the store does not have is an error.
func (l loadCmd) Run(p *program) error {
	options := []string{}
	if l.Blank {
		options = append(options, "--blank")
		fmt.Fprintln(p.out, "Pictures are not drawn: one is sent for all.")
	}
	if l.Profile != "" {
		options = append(options, "--profile="+l.Profile)
	}
	if !l.Backup {
		return l.stage(p, options, course{during: func(c *crowd, b *measuredBot) error {
			l.measure(p, c, b)
			return nil
		}})
	}
	r, remove, err := newRescue()
	if err != nil {
		return err
	}
	defer remove()
	return l.stage(p, options, course{
		during: func(c *crowd, b *measuredBot) error {
			var taking sync.WaitGroup
			taking.Go(func() { r.takeAt(p, c, b.store, l.For/2) })
			l.measure(p, c, b)
			taking.Wait()
			return r.err
		},
		after: func(c *crowd) error { return r.prove(p, c) },
	})
}

// measure plays and reports.
func (l loadCmd) measure(p *program, c *crowd, b *measuredBot) {
	from := time.Now()
	c.mu.Lock()
	c.counts = true
	c.mu.Unlock()
	l.play(p, c)
	l.report(p.out, c, b, from, time.Now())
}

// course is what is done on a stage: with the bot, and once it has ended.
type course struct {
	during func(*crowd, *measuredBot) error
	after  func(*crowd) error // nil: nothing
}

// stage sets a crowd and a bot up, lets a course be run, and looks whether the store has what was confirmed.
func (f crowdFlags) stage(p *program, options []string, run course) error {
	if f.Games < 1 || f.Servers < 1 || f.For <= 0 {
		return errors.New("there is nobody to play, or no time")
	}
	dir, err := os.MkdirTemp("", "kraal-load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// The crowd has the machine together with the bot, whose time it must not take: memory is what it has plenty of.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	world := newTableWorld(f.Servers, f.Games)
	s, err := sandbox.Start(sandbox.Config{World: world.World, Allowance: f.Allowance, Shards: f.Shards})
	if err != nil {
		return err
	}
	defer s.Close()
	store := filepath.Join(dir, "kraal.db")
	b, err := p.startMeasured(s, store, options...)
	if err != nil {
		return err
	}
	c := &crowd{sandbox: s}
	if f.Rate > 0 {
		c.pace = rate.NewLimiter(rate.Limit(f.Rate), 1)
	}
	c.sit(world)
	began := time.Now()
	err = c.beginAll(p.ctx)
	fmt.Fprintf(p.out, "%d games in %d servers were begun in %s.\n", f.Games, f.Servers, time.Since(began).Round(time.Second))
	if err == nil {
		err = run.during(c, b)
	}
	if stopped := b.stop(); err == nil && stopped != nil {
		err = fmt.Errorf("the bot: %w", stopped)
	}
	if err != nil {
		return err
	}
	return run.proven(p, c, store)
}

// proven holds the store against what was confirmed, and does what comes after.
func (run course) proven(p *program, c *crowd, store string) error {
	if err := c.verify(p.ctx, store, p.out); err != nil || run.after == nil {
		return err
	}
	return run.after(c)
}

// play lets everybody play for the time given.
func (f crowdFlags) play(p *program, c *crowd) {
	ctx, cancel := context.WithTimeout(p.ctx, f.For)
	defer cancel()
	c.playAll(ctx)
}

// verify looks whether the store has every action that was confirmed, in its order. What was not confirmed yet when the
// time was over may have been made.
func (c *crowd) verify(ctx context.Context, path string, out io.Writer) error {
	store, err := boltstore.Open(path, boltstore.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	actions := 0
	err = store.View(ctx, func(r storage.Reader) error {
		for id, confirmed := range c.records {
			kept, err := r.Get(storage.MatchKey(id))
			if err != nil {
				return fmt.Errorf("game %s: %w", id, err)
			}
			t, err := match.Look(kept.Record.(storage.Match))
			if err != nil {
				return fmt.Errorf("game %s: %w", id, err)
			}
			if err := follows(t.Game.Actions(), confirmed); err != nil {
				return fmt.Errorf("game %s: %w", id, err)
			}
			actions += len(confirmed)
		}
		return nil
	})
	if err == nil {
		fmt.Fprintf(out, "kept      all %d confirmed actions of %d games are in the store, once each\n", actions, len(c.records))
	}
	return err
}

// follows tells whether a record is what was confirmed, and at most one action more.
func follows(record, confirmed []rules.Action) error {
	if len(record) < len(confirmed) || !slices.Equal(record[:len(confirmed)], confirmed) {
		return fmt.Errorf("confirmed were %v, the store has %v", confirmed, record)
	}
	if more := len(record) - len(confirmed); more > 1 {
		return fmt.Errorf("the store has %d actions more than were confirmed", more)
	}
	return nil
}

// report says what was measured.
func (l loadCmd) report(out io.Writer, c *crowd, b *measuredBot, from, to time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first, last := b.between(from, to)
	took := last.At.Sub(first.At).Seconds()
	commits, reads, pictures := last.Commits.less(first.Commits), last.Reads.less(first.Reads), last.Pictures.less(first.Pictures)
	fmt.Fprintf(out, "limits    %s\n", l.limits())
	fmt.Fprintf(out, "answers   %.0f a second (%d, of which %d taps on a board, %d without an answer); %d games ended\n",
		float64(len(c.first))/to.Sub(from).Seconds(), len(c.first), c.taps, c.missing, c.ended)
	fmt.Fprintf(out, "first     median %s, 99th percentile %s, longest %s\n", percentile(c.first, 50), percentile(c.first, 99), percentile(c.first, 100))
	fmt.Fprintf(out, "board     median %s, 99th percentile %s, longest %s (%d; %d not shown yet)\n",
		percentile(c.boards, 50), percentile(c.boards, 99), percentile(c.boards, 100), len(c.boards), len(c.watched))
	fmt.Fprintf(out, "commits   %.0f a second, %s each\n", float64(commits.Count)/took, commits.mean().Round(10*time.Microsecond))
	fmt.Fprintf(out, "stages    of a first answer's mean %s: commit %s; besides, views %s each, pictures %s each (%.0f a second)\n",
		mean(c.first).Round(10*time.Microsecond), commits.mean().Round(10*time.Microsecond), reads.mean().Round(time.Microsecond),
		pictures.mean().Round(10*time.Microsecond), float64(pictures.Count)/took)
	fmt.Fprintf(out, "processor %.0f %% of one, %.1f ms an answer; by the clock on the wall views took %.0f %%, pictures %.0f %%\n",
		100*(last.Processor-first.Processor)/took, 1000*(last.Processor-first.Processor)/float64(max(len(c.first), 1)),
		100*reads.Seconds/took, 100*pictures.Seconds/took)
	fmt.Fprintf(out, "memory    %d MB of its own, %d MB at most with pages of the store; %d goroutines\n",
		last.Memory>>20, last.MemoryMost>>20, last.Goroutines)
	for i, said := range c.unlike[:min(len(c.unlike), 5)] {
		fmt.Fprintf(out, "unlike %d  %q\n", i+1, said)
	}
}

// limits says which of Discord's limits the sandbox held the bot to.
func (f crowdFlags) limits() string {
	if f.Allowance > 1 {
		return fmt.Sprintf("%d times Discord's", f.Allowance)
	}
	return "Discord's: 50 requests a second but for interactions, 5 edits in 5 seconds a channel, and so on"
}

// percentile is one of what was measured.
func percentile(took []time.Duration, percent int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[min(len(took)*percent/100, len(took)-1)].Round(100 * time.Microsecond)
}

func mean(took []time.Duration) (all time.Duration) {
	for _, one := range took {
		all += one
	}
	return all / time.Duration(max(len(took), 1))
}
