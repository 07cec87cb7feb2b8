package main

import (
	"errors"
	"fmt"
	"io"

	"kraal/rules"
	"kraal/rules/endgame"
	"kraal/rules/study"
)

// puzzlesCmd makes a file of puzzles, or proves one. No two of it are images of each other, whatever their variants.
type puzzlesCmd struct {
	Variant []string `help:"What is played, several with commas between. Without it: every game of the table." placeholder:"KEY"`
	Count   int      `help:"How many puzzles of each variant." default:"10"`
	Seed    uint64   `help:"Of the games that they are found in: the same seed finds the same." default:"1"`
	Output  string   `short:"o" help:"Where to write to; - is standard output." default:"-" placeholder:"FILE"`
	Tables  string   `help:"Take positions from the endgame tables that lie there, not from games; with --check, ask them too." type:"path" placeholder:"DIR"`
	Check   bool     `help:"Only prove again the puzzles that come with kraal, or those of --input."`
	Input   string   `help:"The puzzles to be proven." type:"path" placeholder:"FILE"`
}

// Run finds the puzzles and writes them, telling of each on the error output. A file appears whole or not at all; when it
// is interrupted, what was found so far is written.
func (c puzzlesCmd) Run(p *program) (err error) {
	if err := c.refuse(); err != nil {
		return usageError{err}
	}
	tables, err := c.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tables.Close()) }()
	if c.Check {
		return c.check(p, tables)
	}
	return c.make(p, tables)
}

// refuse says what is wrong with the flags.
func (c puzzlesCmd) refuse() error {
	_, err := variantsOf(c.Variant)
	switch {
	case err != nil:
		return err
	case c.Count < 1:
		return errors.New("--count must be 1 or more")
	case c.Input != "" && !c.Check:
		return errors.New("--input is read with --check only")
	case c.Output != "-":
		return writableFile(c.Output)
	}
	return nil
}

// open opens the tables that are asked for; nil if none are.
func (c puzzlesCmd) open() (*endgame.Tables, error) {
	if c.Tables == "" {
		return nil, nil
	}
	tables, err := endgame.Open(c.Tables)
	if err == nil && tables.Empty() {
		err = fmt.Errorf("no endgame tables in %s; kraal tables makes them", c.Tables)
	}
	if err != nil {
		return nil, errors.Join(err, tables.Close())
	}
	return tables, nil
}

// make finds puzzles and writes them.
func (c puzzlesCmd) make(p *program, tables *endgame.Tables) error {
	variants, err := variantsOf(c.Variant)
	if err != nil {
		return err
	}
	puzzles, stopped := c.find(p, variants, tables)
	if len(puzzles) == 0 {
		return stopped
	}
	write := func(w io.Writer) error { return study.WritePuzzles(w, puzzles) }
	if c.Output == "-" {
		return errors.Join(write(p.out), stopped)
	}
	if err := writeWhole(c.Output, write); err != nil {
		return err
	}
	fmt.Fprintf(p.err, "%d puzzles written to %s\n", len(puzzles), c.Output)
	return stopped
}

// find makes the puzzles of all variants. With an error it gives what was found before it. A game without tables is passed
// over where it was not asked for.
func (c puzzlesCmd) find(p *program, variants []rules.Variant, tables *endgame.Tables) (puzzles []study.Puzzle, err error) {
	known := map[string]struct{}{}
	for _, v := range variants {
		if tables != nil && tables.For(v) == nil && len(c.Variant) == 0 {
			fmt.Fprintf(p.err, "%s: %v\n", v.Key, study.ErrNoTables)
			continue
		}
		found := 0
		tell := func(z study.Puzzle) {
			found++
			fmt.Fprintf(p.err, "%s %d of %d: %s in %d, grade %d\n", v.Key, found, c.Count, z.Goal, z.Depth, z.Grade)
		}
		order := study.Order{Variant: v, Count: c.Count, Seed: c.Seed, Known: known, Tables: tables}
		made, err := study.Generate(p.ctx, order, tell)
		puzzles = append(puzzles, made...)
		if err != nil {
			return puzzles, fmt.Errorf("%s: %w", v.Key, err)
		}
	}
	return puzzles, nil
}
