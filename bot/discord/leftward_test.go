package discord_test

import (
	"strings"
	"testing"

	"kraal/rules"
)

// TestNamesFromRightToLeft: a name that is written from right to left, and a mention of whoever has it, stand in isolates:
// ratings after it and what begins with it keep their direction. Other names stand as they are.
func TestNamesFromRightToLeft(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	name, black := "محمد", s.server.Members[1]
	s.must(s.sb.Rename(black, name))
	options := map[string]any{"opponent": black, "variant": "koti", "rated": true, "colour": "white"}
	challenge := s.slash(s.white, "challenge", options)
	s.expect(challenge, "⚔️ \u2068<@"+black+">\u2069, ")
	s.press(s.black, challenge.ID, "Accept")
	id := s.game(challenge)
	s.act(id, rules.White, "d6")
	s.act(id, rules.Black, "d2")
	s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": id}).ID, "Confirm")
	over := s.board(id)
	s.expect(over, "\u2068"+name+"\u2069: 1500 → ")
	if n := strings.Count(over.Content, "\u2068"); n != strings.Count(over.Content, name) {
		t.Errorf("%d isolates, in %q", n, over.Content)
	}
	s.await("\u2068<@" + black + ">\u2069: 🏆")
}
