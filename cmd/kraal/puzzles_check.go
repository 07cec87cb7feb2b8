package main

import (
	"errors"
	"fmt"
	"os"

	"kraal/rules/endgame"
	"kraal/rules/study"
)

// proofs counts how puzzles were proven.
type proofs struct {
	search, both, tables, none int
}

// check proves puzzles again and tells how many, and every one that is wrong.
func (c puzzlesCmd) check(p *program, tables *endgame.Tables) error {
	set, err := c.set()
	if err != nil {
		return err
	}
	var n proofs
	var wrong []error
	for i, z := range set.All() {
		if i > 0 && i%100 == 0 {
			fmt.Fprintf(p.err, "%d of %d\n", i, set.Len())
		}
		err := n.prove(p, z, tables)
		if p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		wrong = append(wrong, err)
	}
	fmt.Fprintf(p.out, "%d puzzles, no two alike: %d proven by search and tables, %d by search alone, %d by tables alone\n",
		set.Len(), n.both, n.search, n.tables)
	if n.none > 0 {
		fmt.Fprintf(p.out, "%d not proven: they need --tables, of more pieces if there are some\n", n.none)
	}
	return errors.Join(wrong...)
}

// set is what is to be proven.
func (c puzzlesCmd) set() (study.Set, error) {
	if c.Input == "" {
		return study.Embedded()
	}
	in, err := os.Open(c.Input)
	if err != nil {
		return study.Set{}, err
	}
	defer in.Close()
	set, err := study.ReadSet(in)
	if err != nil {
		return study.Set{}, fmt.Errorf("%s: %w", c.Input, err)
	}
	return set, nil
}

// prove proves one puzzle in every way there is, and counts it. The error is what is wrong with it.
func (n *proofs) prove(p *program, z study.Puzzle, tables *endgame.Tables) error {
	bySearch := z.Verify(p.ctx)
	searched := !errors.Is(bySearch, study.ErrNeedsTables)
	if searched && bySearch != nil {
		return fmt.Errorf("puzzle %s: %w", z.ID, bySearch)
	}
	known, err := z.VerifyByTables(tables.For(z.Variant))
	switch {
	case err != nil:
		return fmt.Errorf("puzzle %s: %w", z.ID, err)
	case known && searched:
		n.both++
	case known:
		n.tables++
	case searched:
		n.search++
	default:
		n.none++
	}
	return nil
}
