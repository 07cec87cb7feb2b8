package study

import (
	"context"
	"errors"

	"kraal/rules"
	"kraal/rules/endgame"
)

// ErrNoTables: an order of puzzles from tables that hold nothing of the variant.
var ErrNoTables = errors.New("there are no endgame tables of that variant")

// farthest is the most turns to the end of a puzzle from tables: farther off nobody sees why it is right.
const farthest = 6

// maxProbed is how many positions of tables are looked up for each puzzle that is wanted before an order is given up.
const maxProbed = 40_000

// fromTables finds puzzles in positions that are drawn by lot from tables. What a search can prove too, both must: that
// they do not agree is an error.
func (m *miner) fromTables(ctx context.Context) ([]Puzzle, error) {
	reader := m.order.Tables.For(m.order.Variant)
	spaces := m.order.Tables.Summaries(m.order.Variant)
	if reader == nil || len(spaces) == 0 {
		return nil, ErrNoTables
	}
	for ; len(m.puzzles) < m.order.Count && m.searched < maxProbed*m.order.Count; m.searched++ {
		if err := ctx.Err(); err != nil {
			return m.puzzles, err
		}
		if err := m.probe(ctx, m.scatter(spaces[m.chance.IntN(len(spaces))]), reader); err != nil {
			return m.puzzles, err
		}
	}
	return m.all()
}

// scatter is a position of a table with white to move.
func (m *miner) scatter(s endgame.Summary) (p rules.Position) {
	for i, at := range m.chance.Perm(rules.PointCount)[:s.Own+s.Other] {
		side := rules.White
		if i >= s.Own {
			side = rules.Black
		}
		p.Pieces[side] = p.Pieces[side].With(rules.Point(at))
	}
	return p
}

// probe keeps a position that is a puzzle: by tables alone, or by a search where the end is near.
func (m *miner) probe(ctx context.Context, p rules.Position, r *endgame.Reader) error {
	f, known := r.Probe(&p)
	if !known || f.Value == endgame.Loss {
		return nil
	}
	z, ok := ProveByTables(m.order.Variant, p, r)
	if near := f.Value == endgame.Win && f.Turns < 2*provenWin; near && m.open(task{Win, (f.Turns + 1) / 2}) {
		var err error
		if z, ok, err = Prove(ctx, m.order.Variant, p); errors.Is(err, ErrTooLarge) {
			return nil
		} else if err != nil {
			return err
		}
	}
	if !ok || z.Depth > farthest || z.Goal.aim() == Piece || !m.wanted(z) {
		return nil
	}
	if sound, err := z.VerifyByTables(r); err != nil || !sound {
		return err
	}
	if s, err := z.Solution(ctx); err != nil || s.Standing != Solved {
		return ctx.Err() // too large for who solves it without tables
	}
	m.keep(z)
	return nil
}
