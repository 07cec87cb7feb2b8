package discord_test

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"kraal/rules"
)

// TestRulesOfEachVariant: the rules of every game fit one message, with a picture and its words, and tell what the
// columns say.
func TestRulesOfEachVariant(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, v := range rules.Variants() {
		m := s.slash(s.white, "rules", map[string]any{"variant": v.Key})
		s.expectPrivate(m, "Aim")
		if strings.HasSuffix(m.Content, "…") || len(m.Content) < 800 {
			t.Errorf("%s: the rules are cut, or missing: %d bytes", v.Key, len(m.Content))
		}
		for _, want := range []struct {
			when bool
			text string
		}{
			{v.Diagonals, "diagonals at the corners are lines"},
			{!v.Diagonals, "no diagonals"},
			{v.Flies, "may fly"},
			{v.NoReturn, "straight back"},
			{v.Blocked == rules.Passes, "passes"},
			{!v.Protected, "No piece is safe"},
			{v.ThreeAgainstThree > 0, "three against three"},
		} {
			if strings.Contains(m.Content, want.text) != want.when {
				t.Errorf("%s: %q told: %v", v.Key, want.text, !want.when)
			}
		}
		if len(m.Attachments) != 1 || m.Attachments[0].Description == "" {
			t.Fatalf("%s: %d pictures", v.Key, len(m.Attachments))
		}
		if _, err := png.Decode(bytes.NewReader(m.Attachments[0].Data)); err != nil {
			t.Errorf("%s: %v", v.Key, err)
		}
	}
	s.expectPrivate(s.slash(s.white, "help", nil), "/challenge")
	s.expectPrivate(s.slash(s.white, "leaderboard", nil), "Nobody has a rating")
	s.expectPrivate(s.slash(s.white, "profile", nil), "No rated game yet")
	s.expectPrivate(s.slash(s.white, "games", nil), "Nobody is playing here")
	s.expectPrivate(s.slash(s.white, "replay", nil), "no finished game yet")
}
