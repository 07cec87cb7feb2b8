package discord_test

import "testing"

// TestNothingToLookAt: of a game that was called off, whoever asks how it went is told that there is nothing to see, not
// that it is over: that is what they took it for.
func TestNothingToLookAt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("koti", nil))
	s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": id}).ID, "Confirm")
	for _, command := range []string{"analyse", "replay"} {
		s.expectPrivate(s.slash(s.white, command, map[string]any{"game": id}), "There is nothing to look at")
	}
}
