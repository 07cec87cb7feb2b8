package discord_test

import (
	"strings"
	"testing"

	"kraal/rules"
)

// TestProfileTells: ratings with their places, the best win, the favourite colour, form and streak, and the score with
// whoever asks; of oneself there is no such score.
func TestProfileTells(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.win(rules.Black)
	s.win(rules.White)
	s.win(rules.White)
	m := s.slash(s.black, "profile", map[string]any{"user": s.white.ID()})
	for _, part := range []string{
		"provisional: about", "2 won, 0 drawn, 1 lost", "Best win: over **" + s.nameOf(s.black.ID()) + "**",
		"Favourite colour: white, in 3 of 3 games", "Last games, newest first: W W L", "Streak: 2 games won",
		"Against you: 2 won, 0 drawn, 1 lost", "▲",
	} {
		s.expectPrivate(m, part)
	}
	own := s.slash(s.black, "profile", nil)
	s.expectPrivate(own, "Streak: 2 games lost")
	s.expectPrivate(own, "Favourite colour: black, in 3 of 3 games")
	if strings.Contains(own.Content, "Against you") {
		t.Errorf("one's own profile tells of a score with oneself:\n%s", own.Content)
	}
	if stranger := s.slash(s.sb.As(s.people[4].ID), "profile", nil); !strings.Contains(stranger.Content, "No rated game yet") {
		t.Errorf("who has not played is told %q", stranger.Content)
	}
}
