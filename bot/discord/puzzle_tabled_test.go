package discord_test

import (
	"testing"

	"kraal/rules"
	"kraal/rules/study"
)

// TestPuzzleThatTablesProve: one turn is asked for, which keeps the win or the draw, and another is told what it lost.
func TestPuzzleThatTablesProve(t *testing.T) {
	t.Parallel()
	says := map[study.Goal][2]string{
		study.Keep: {"the game is won, but only one move keeps it so", "lets the win slip"},
		study.Hold: {"and keep the draw: after all moves but one", "loses"},
	}
	for goal, said := range says {
		var z study.Puzzle
		s := newStage(t, func(s *stage) { z = s.onDay(func(z study.Puzzle) bool { return z.Goal == goal }) })
		m := s.slash(s.white, "puzzle", nil)
		s.expectPrivate(m, said[0])
		s.checkBoard(m, z.Position)
		for _, a := range z.Variant.Legal(z.Position) {
			if next, err := z.Variant.Play(z.Position, a); err == nil && next.Pending == 0 && !z.Accepts(rules.Turn{a}) {
				m = s.tapped(s.white, m, a)
				break
			}
		}
		s.expectPrivate(m, said[1])
		s.solves(s.white, s.press(s.white, m.ID, "Try again"), z)
	}
}
