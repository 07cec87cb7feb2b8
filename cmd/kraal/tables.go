package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"kraal/rules"
	"kraal/rules/endgame"
)

type tablesCmd struct {
	Variant string `help:"The game." default:"nine"`
	Rules   string `help:"House rules: columns and values, as in \"flies=false no_shot=30\"."`
	Upto    int    `help:"The most pieces on the board, of both sides together: 6 or more. Nine take a minute or so." default:"9"`
	Dir     string `help:"Where the tables lie. They can be carried to a machine of any kind; more than 2 GiB of them need one of 64 bits." default:"kraal-tables" type:"path"`
	Threads int    `help:"How many processors work; all if 0."`
	Plan    bool   `help:"Only say what it would take."`
	Check   bool   `help:"Only read the tables that are there, to the last byte."`
}

// progressEvery is how often a step that takes long says how far it is.
const progressEvery = 2 * time.Second

// Run says what it takes and builds what is missing, the subspaces with fewer pieces first. It can be interrupted at any
// time: what is written stays.
func (c tablesCmd) Run(p *program) (err error) {
	v, err := matchCmd{Variant: c.Variant, Rules: c.Rules}.variant()
	if err != nil {
		return err
	}
	if c.Upto < 6 || c.Upto > 2*v.Pieces {
		return fmt.Errorf("--upto %d: allowed is a number from 6 to %d", c.Upto, 2*v.Pieces)
	}
	if c.Threads <= 0 {
		c.Threads = runtime.NumCPU()
	}
	tables, err := endgame.Open(c.Dir)
	if err != nil {
		return errors.Join(err, tables.Close())
	}
	defer func() { err = errors.Join(err, tables.Close()) }()
	if c.Check {
		return c.check(p, tables, v)
	}
	steps, err := tables.Plan(v, c.Upto)
	if err != nil {
		return fmt.Errorf("%s: %w", v.Name, err)
	}
	need := c.announce(p, tables, v, steps)
	if c.Plan {
		return nil
	}
	if err := endgame.Room(c.Dir, need); err != nil {
		return err
	}
	return c.build(p, tables, v, steps)
}

// announce says what each step takes, and all that are missing together; it returns the bytes on disk.
func (c tablesCmd) announce(p *program, tables *endgame.Tables, v rules.Variant, steps []endgame.Step) int64 {
	fmt.Fprintf(p.out, "%s up to %d pieces in %s, %d threads\n", v.Name, c.Upto, c.Dir, c.Threads)
	var disk, memory int64
	var all time.Duration
	missing := 0
	for _, s := range steps {
		line := fmt.Sprintf("  %-6s %12d slots  disk %9s  memory %9s", name(s), s.Slots, size(s.Bytes), size(s.Memory))
		if s.Built {
			fmt.Fprintln(p.out, line+"  built")
			continue
		}
		spent := tables.Estimate(v, s, c.Threads)
		fmt.Fprintf(p.out, "%s  about %s\n", line, roughly(spent))
		disk, memory, all, missing = disk+s.Bytes, max(memory, s.Memory), all+spent, missing+1
	}
	fmt.Fprintf(p.out, "%d of %d missing: about %s, %s on disk, %s of memory\n",
		missing, len(steps), roughly(all), size(disk), size(memory))
	if v.NoShot > 0 || v.ThreeAgainstThree > 0 {
		fmt.Fprintln(p.out, "time and disk double where a win takes more than half of the turns after which the game is drawn")
	}
	return disk
}

// build builds what is missing.
func (c tablesCmd) build(p *program, tables *endgame.Tables, v rules.Variant, steps []endgame.Step) error {
	for _, s := range steps {
		began, said := time.Now(), time.Now()
		err := tables.Build(p.ctx, v, s, endgame.BuildOptions{Dir: c.Dir, Threads: c.Threads, Progress: func(at endgame.Progress) {
			if time.Since(said) < progressEvery {
				return
			}
			said = time.Now()
			measure := ""
			if at.Shots {
				measure = ", turns to the next shot"
			}
			fmt.Fprintf(p.out, "  %s %s %d of %d%s\n", name(s), at.Phase, at.Done, at.Total, measure)
		}})
		if errors.Is(err, context.Canceled) {
			fmt.Fprintf(p.err, "kraal: interrupted at %s; the same command goes on there\n", name(s))
			return err
		}
		if err != nil {
			return err
		}
		if !s.Built {
			fmt.Fprintf(p.out, "%s built in %s\n", name(s), roughly(time.Since(began)))
			describe(p, tables, v, func(t endgame.Summary) bool {
				return t.Own == s.Own && t.Other == s.Other || t.Own == s.Other && t.Other == s.Own
			})
		}
	}
	_, err := fmt.Fprintln(p.out, "done")
	return err
}

// check reads everything and tells what there is.
func (c tablesCmd) check(p *program, tables *endgame.Tables, v rules.Variant) error {
	if err := tables.Check(); err != nil {
		return err
	}
	if tables.For(v).Pieces() == 0 {
		return fmt.Errorf("no endgame tables for %s in %s", v.Name, c.Dir)
	}
	describe(p, tables, v, func(endgame.Summary) bool { return true })
	_, err := fmt.Fprintln(p.out, "all tables are sound")
	return err
}

// describe tells what some tables hold.
func describe(p *program, tables *endgame.Tables, v rules.Variant, wanted func(endgame.Summary) bool) {
	for _, t := range tables.Summaries(v) {
		if wanted(t) {
			fmt.Fprintf(p.out, "  %d-%d: %d positions, %d won in up to %d turns, %d lost in up to %d, %d drawn\n", t.Own, t.Other,
				t.Positions, t.Wins, t.LongestWin, t.Losses, t.LongestLoss, t.Positions-t.Wins-t.Losses)
		}
	}
}

// name is a step's subspaces.
func name(s endgame.Step) string { return fmt.Sprintf("%d-%d", s.Own, s.Other) }

// roughly is a time for people, no more exact than it is known.
func roughly(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d < 2*time.Hour:
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%.0f hours", d.Hours())
}
