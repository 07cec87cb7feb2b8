package discord_test

import (
	"slices"
	"testing"

	"kraal/bot/sandbox"
)

// newest is the last message of the bot's that all see in the stage's channel.
func (s *stage) newest() sandbox.Message {
	s.t.Helper()
	seen := s.white.Messages(s.channel)
	for _, m := range slices.Backward(seen) {
		if !m.Ephemeral && m.Author == s.sb.AppID() {
			return m
		}
	}
	s.t.Fatalf("no public message among %d", len(seen))
	return sandbox.Message{}
}

// TestHelpLeadsIn: /help carries the same three buttons, without a greeting too.
func TestHelpLeadsIn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	help := s.slash(s.white, "help", nil)
	s.expectPrivate(help, "/challenge")
	if got := len(help.Buttons()); got != 3 {
		t.Errorf("%d buttons", got)
	}
	s.expectPrivate(s.press(s.white, help.ID, "Read the rules"), "Aim")
	s.expectPrivate(s.press(s.white, help.ID, "Play the bot"), "both sides")
	ask := s.press(s.white, help.ID, "Play a friend")
	s.choose(s.white, ask.ID, s.server.Members[1])
	s.expect(s.press(s.black, s.newest().ID, "Accept"), "is to place")
}
