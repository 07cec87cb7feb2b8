package discord_test

import (
	"slices"
	"strings"
	"testing"

	"kraal/rules"
	"kraal/storage"
)

// ours adds a house rule that most of these tests play.
func (s *stage) ours() {
	s.t.Helper()
	s.expectPrivate(s.set("house add", map[string]any{
		"name": "Village *Rules*", "base": "nine", "rules": "flies=false pieces=11 no_shot=0",
	}), "11 pieces each; no flying; turns without a shot do not draw")
}

// TestHouseRules: a game of the server's own is suggested, explained in words, played and rated there, with a ladder that
// no other server sees.
func TestHouseRules(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.ours()
	if got := s.suggestions(s.white, "challenge", "variant", "villa", nil); !slices.Equal(got, []string{"village-rules"}) {
		t.Errorf("suggested %q", got)
	}
	said := s.slash(s.black, "rules", map[string]any{"variant": "village-rules"})
	for _, want := range []string{"It is Nine Men's Morris with these changes: 11 pieces each; no flying", "Each side has 11 pieces", "There is no flying"} {
		s.expectPrivate(said, want)
	}
	if strings.Contains(said.Content, "flies=") {
		t.Errorf("a column stands in %q", said.Content)
	}
	challenge := s.slash(s.white, "challenge", map[string]any{"variant": "Village *Rules*", "colour": "white"})
	s.expect(challenge, `Village \*Rules\*`)
	s.expect(challenge, "Changed rules: 11 pieces each; no flying")
	id := s.game(s.press(s.black, challenge.ID, "Accept"))
	if v := s.kept(id).Variant; v.Pieces != 11 || v.Flies || v.Base != "nine" || !s.kept(id).Rated {
		t.Errorf("played under %+v, rated %v", v, s.kept(id).Rated)
	}
	s.set("house add", map[string]any{"name": "village rules", "base": "nine", "rules": "pieces=7"})
	s.set("house remove", map[string]any{"house": "village-rules"})
	s.act(id, rules.Black, "a7")
	s.act(id, rules.White, "d7")
	if v := s.kept(id).Variant; v.Pieces != 11 {
		t.Errorf("the running game changed to %+v", v)
	}
	ask := s.slash(s.black, "resign", map[string]any{"game": id})
	s.press(s.black, ask.ID, "Confirm")
	m := s.kept(id)
	if len(m.Changes) != 2 || m.Changes[0].Pool != storage.ServerPool(s.server.ID) {
		t.Errorf("rated in %+v", m.Changes)
	}
	s.expectPrivate(s.slash(s.white, "challenge", map[string]any{"variant": "village-rules"}), "is no game that I know")
	s.ours()
	s.expectPrivate(s.slash(s.white, "leaderboard", map[string]any{"variant": "village-rules"}), "1 won")
	s.expectPrivate(s.slash(s.white, "leaderboard", map[string]any{"variant": "nine"}), "Nobody has a rating")
	s.channel = s.other.Channels[0].ID
	s.expectPrivate(s.slash(s.white, "rules", map[string]any{"variant": "village-rules"}), "is no game that I know")
}

// TestHouseRulesOutOfRange: what cannot be is refused with what can, and nothing is kept.
func TestHouseRulesOutOfRange(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, c := range []struct{ name, base, rules, want string }{
		{"ours", "nine", "pieces=13", "a number from 3 to 12"},
		{"ours", "nine", "pieces=2", "a number from 3 to 12"},
		{"ours", "nine", "repetition=1", "but not 1"},
		{"ours", "nine", "flies=maybe", "`true`, `false`"},
		{"ours", "nine", "shots=two", "`one`, `each`"},
		{"ours", "nine", "flys=false", "`three_against_three`"},
		{"ours", "nine", "pieces=9", "change nothing"},
		{"ours", "chess", "pieces=7", "is no game that I know"},
		{"nine", "nine", "pieces=7", "offered already"},
		{"!!!", "nine", "pieces=7", "letters or digits"},
		{strings.Repeat("long", 11), "nine", "pieces=7", "at most 32"},
	} {
		s.expectPrivate(s.set("house add", map[string]any{"name": c.name, "base": c.base, "rules": c.rules}), c.want)
	}
	s.expectPrivate(s.set("house remove", map[string]any{"house": "ours"}), "no game of its own")
	s.expectPrivate(s.set("house show", nil), "none")
	if house := s.settings().House; len(house) != 0 {
		t.Errorf("kept %+v", house)
	}
}

// TestHouseRulesAreSuggested: first the columns, then their values, behind what stands there.
func TestHouseRulesAreSuggested(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"", rules.Columns()},
		{"fl", []string{"flies=true"}},
		{"pieces=11 flies=", []string{"pieces=11 flies=true", "pieces=11 flies=false"}},
		{"pieces=1", []string{"pieces=11", "pieces=10", "pieces=12"}},
		{"flies=false fl", nil},
		{"nonsense", nil},
	} {
		got := s.suggestions(s.white, "settings house add", "rules", c.typed, map[string]any{"name": "x", "base": "nine"})
		if c.typed == "" && len(got) == len(c.want) {
			continue
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.typed, got, c.want)
		}
	}
}

// TestRulesOfAChangedGame: however much a house rule changes, its rules fit one message, and nothing of them is cut.
func TestRulesOfAChangedGame(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for base, changes := range map[string]string{
		"tournament": "pieces=11 diagonals=false flies=true protected=false no_return=true shots=one blocked=passes repetition=5 " +
			"no_shot=200 three_against_three=100 first=black full_board=draws",
		"nine": "pieces=12 diagonals=true flies=false no_return=true shots=each blocked=passes repetition=0 no_shot=0 " +
			"three_against_three=100 first=white full_board=draws",
	} {
		s.set("house add", map[string]any{"name": "All of it", "base": base, "rules": changes})
		said := s.slash(s.white, "rules", map[string]any{"variant": "all-of-it"})
		s.expectPrivate(said, "with these changes")
		if strings.HasSuffix(said.Content, "…") {
			t.Errorf("%s: cut: %q", base, said.Content)
		}
	}
}

// TestEveryChangeIsSaid: each value of each column has words, and none is the column itself.
func TestEveryChangeIsSaid(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, base := range []string{"nine", "koti"} {
		v, _ := rules.Lookup(base)
		for _, column := range rules.Columns() {
			values, _ := rules.ColumnValues(column)
			candidates := values.Words
			if len(candidates) == 0 {
				candidates = []string{"0", "3", "7"}
			}
			for _, value := range candidates {
				changed, err := v.Set(column, value)
				if err != nil || changed.Changes() == "" {
					continue // no such value, or no change
				}
				said := s.set("house add", map[string]any{"name": "ours", "base": base, "rules": column + "=" + value})
				s.expectPrivate(said, "It changes: ")
				if strings.Contains(said.Content, "=") || strings.Contains(said.Content, "_") {
					t.Errorf("%s=%s is said as %q", column, value, said.Content)
				}
			}
		}
	}
}
