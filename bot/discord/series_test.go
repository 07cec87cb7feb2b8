package discord_test

import (
	"strings"
	"testing"

	"kraal/rules"
)

// TestAnnulledGameLeavesTheSeries: a game that a referee annuls after its rematch has begun is taken out of the score that
// the rematch shows, at once; what has been played there stands.
func TestAnnulledGameLeavesTheSeries(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	first := s.game(s.begin("nine", nil))
	s.act(first, rules.Black, "a7")
	s.act(first, rules.White, "d7")
	s.giveUp(s.black, first)
	s.press(s.white, s.board(first).ID, "Rematch")
	s.press(s.black, s.board(first).ID, "Rematch")
	second := s.kept(first).Next
	s.expect(s.board(second), " 0 - 1 ")
	s.slash(s.white, "place", map[string]any{"point": "a7", "game": second}) // white is black now, and begins
	s.slash(s.white, "referee annul", map[string]any{"game": first})
	board := s.board(second)
	if m := s.kept(second); m.Series != [2]int{} || len(m.Deeds) != 1 || !strings.Contains(board.Content, " 0 - 0 ") {
		t.Errorf("series %v, %d actions, board %q", m.Series, len(m.Deeds), board.Content)
	}
	s.expectPrivate(s.slash(s.black, "place", map[string]any{"point": "d7", "game": second}), "You played `d7`")
}
