package main

import (
	"errors"
	"fmt"
	"io"

	"kraal/rules"
	"kraal/rules/study"
)

// puzzlesCmd makes a file of puzzles. No two of it are images of each other, whatever their variants.
type puzzlesCmd struct {
	Variant []string `help:"What is played, several with commas between. Without it: every game of the table." placeholder:"KEY"`
	Count   int      `help:"How many puzzles of each variant." default:"10"`
	Seed    uint64   `help:"Of the games that they are found in: the same seed finds the same." default:"1"`
	Output  string   `short:"o" help:"Where to write to; - is standard output." default:"-" placeholder:"FILE"`
}

// Run finds the puzzles and writes them, telling of each on the error output. A file appears whole or not at all; when it
// is interrupted, what was found so far is written.
func (c puzzlesCmd) Run(p *program) error {
	if c.Count < 1 {
		return errors.New("--count must be 1 or more")
	}
	variants, err := c.variants()
	if err != nil {
		return err
	}
	puzzles, stopped := c.find(p, variants)
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

// variants are those asked for.
func (c puzzlesCmd) variants() (variants []rules.Variant, err error) {
	if len(c.Variant) == 0 {
		return rules.Variants(), nil
	}
	for _, key := range c.Variant {
		v, err := variantNamed(key)
		if err != nil {
			return nil, err
		}
		variants = append(variants, v)
	}
	return variants, nil
}

// find makes the puzzles of all variants. With an error it gives what was found before it.
func (c puzzlesCmd) find(p *program, variants []rules.Variant) (puzzles []study.Puzzle, err error) {
	known := map[string]struct{}{}
	for _, v := range variants {
		found := 0
		tell := func(z study.Puzzle) {
			found++
			fmt.Fprintf(p.err, "%s %d of %d: %s in %d, grade %d\n", v.Key, found, c.Count, z.Goal, z.Depth, z.Grade)
		}
		order := study.Order{Variant: v, Count: c.Count, Seed: c.Seed, Known: known}
		made, err := study.Generate(p.ctx, order, tell)
		puzzles = append(puzzles, made...)
		if err != nil {
			return puzzles, err
		}
	}
	return puzzles, nil
}
