package discord_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// hasty thinks no longer than a test can wait.
func hasty(s *stage) {
	s.study.HintTime, s.study.AnalysisNodes = 100*time.Millisecond, 20_000
}

// unrated begins an unrated game of nine, in which black is first, and plays so far.
func (s *stage) unrated(actions ...string) (id string) {
	s.t.Helper()
	id = s.game(s.begin("nine", map[string]any{"rated": false}))
	s.plays(id, actions...)
	return id
}

// plays has whoever is to act in a game act.
func (s *stage) plays(id string, actions ...string) {
	s.t.Helper()
	for _, text := range actions {
		s.act(id, position(s.t, s.kept(id)).Turn, text)
	}
}

// later is the message of a command once it says what is wanted: it may have been answered with something to wait for.
func (s *stage) later(who *sandbox.Actor, m sandbox.Message, wanted string) (found sandbox.Message) {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	err := s.sb.Wait(ctx, func() (there bool) {
		for _, now := range who.Messages(m.Channel) {
			if now.ID == m.ID && strings.Contains(now.Content, wanted) {
				found, there = now, true
			}
		}
		return there
	})
	if err != nil {
		s.t.Fatalf("no %q: %v; the answer was %q", wanted, err, m.Content)
	}
	return found
}

// TestHint: whoever is to move is told the best turn, why, and what the board looks like after it; nothing is played,
// and the board tells of the hint.
func TestHint(t *testing.T) {
	t.Parallel()
	s := newStage(t, hasty)
	id := s.unrated("a7", "d2", "g7")
	m := s.slash(s.white, "hint", map[string]any{"game": id})
	s.expectPrivate(m, "I would play **d7** in game `"+id+"`: it stops a mill")
	s.checkBoard(m, positionOf(t, "nine", "bwb/.../.../....../.../.w./... b 7,7 0 0,0 -,-"))
	if got := position(t, s.kept(id)); got.Occupied().Len() != 3 {
		t.Errorf("something was played: %s", got)
	}
	s.slash(s.white, "hint", map[string]any{"game": id})
	if got, want := s.kept(id).Hints, (storage.Hint{By: rules.White, Deed: 3}); len(got) != 1 || got[0] != want {
		t.Errorf("hints kept: %+v, want one: %+v", got, want)
	}
	s.plays(id, "d7")
	s.expect(s.board(id), "was given 1 hint")
	m = s.slash(s.black, "hint", nil)
	s.expectPrivate(m, "I would play")
	s.plays(id, "d6")
	s.expect(s.board(id), "was given 1 hint")
}

// TestHintRefusals: not in rated games, not for others, not out of turn.
func TestHintRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t, hasty)
	s.expectPrivate(s.slash(s.white, "hint", nil), "no game that could be meant")
	rated := s.game(s.begin("nine", nil))
	s.expectPrivate(s.slash(s.black, "hint", map[string]any{"game": rated}), "no hints in rated games")
	id := s.unrated()
	looker := s.sb.As(s.server.Members[2])
	s.expectPrivate(s.slash(looker, "hint", map[string]any{"game": id}), "play here")
	s.expectPrivate(s.slash(s.white, "hint", map[string]any{"game": id}), "not your turn")
	s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": id}).ID, "Confirm")
	s.expectPrivate(s.slash(s.black, "hint", map[string]any{"game": id}), "not being played")
	for _, game := range []string{rated, id} {
		if hints := s.kept(game).Hints; len(hints) != 0 {
			t.Errorf("hints were kept: %+v", hints)
		}
	}
}

// swung is what is said of a swing: where the better turn placed a piece.
var swung = regexp.MustCompile(`\*\*\d\.\*\* Turn \d+: .* fell from .* Better was \*\*([a-g][1-7])`)

// percentages are what the words of a chart tell.
var percentages = regexp.MustCompile(`After \d+: \d+`)

// TestAnalyse: a finished game as a chart in a picture and in words, and where it turned, with what was better.
func TestAnalyse(t *testing.T) {
	t.Parallel()
	s := newStage(t, hasty)
	id := s.unrated("d6", "f4", "d2", "b4", "f6", "f2", "b6", "xb4", "g4", "e4", "d5", "d7", "a7")
	s.expectPrivate(s.slash(s.white, "analyse", map[string]any{"game": id}), "still being played")
	s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": id}).ID, "Confirm")
	m := s.later(s.white, s.slash(s.white, "analyse", nil), "· 12 turns")
	s.expectPrivate(m, "Game** `"+id+"`")
	swings := swung.FindAllStringSubmatch(m.Content, -1)
	if len(swings) == 0 || len(m.Attachments) != 1+len(swings) {
		t.Fatalf("%d pictures, said is %q", len(m.Attachments), m.Content)
	}
	if got := percentages.FindAllString(m.Attachments[0].Description, -1); len(got) != 13 {
		t.Errorf("the words of the chart: %q", m.Attachments[0].Description)
	}
	for i, swing := range swings {
		if alt := m.Attachments[i+1].Description; !strings.Contains(alt, "placed a piece on "+swing[1]+".") {
			t.Errorf("better was %s, the picture shows %q", swing[1], alt)
		}
	}
	looker := s.sb.As(s.server.Members[2])
	again := s.slash(looker, "analyse", map[string]any{"game": id})
	if again.Content != m.Content {
		t.Errorf("asked again it says %q", again.Content)
	}
	s.slash(s.white, "preferences words", map[string]any{"switch": "on"})
	s.expectPrivate(s.slash(s.white, "analyse", map[string]any{"game": id}), m.Attachments[0].Description)
}

// TestAnalyseRefusals: what is not there, and what has no game.
func TestAnalyseRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t, hasty)
	s.expectPrivate(s.slash(s.white, "analyse", nil), "no finished game yet")
	s.expectPrivate(s.slash(s.white, "analyse", map[string]any{"game": "nothing"}), "no game with that id")
}

// TestThinkingIsBounded: whoever is thought for waits for the answer before asking anew.
func TestThinkingIsBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(s *stage) { s.study.HintTime = 4 * time.Second })
	id := s.unrated("a7", "d2", "g7")
	ctx, done := s.patience()
	defer done()
	first, err := s.white.Slash(ctx, s.channel, "hint", map[string]any{"game": id})
	s.must(err)
	s.expectPrivate(s.slash(s.white, "hint", map[string]any{"game": id}), "still thinking")
	m, err := first.Wait(ctx)
	s.must(err)
	s.later(s.white, m, "I would play")
}
