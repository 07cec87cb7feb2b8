package discord_test

import (
	"strings"
	"testing"

	"kraal/bot/sandbox"
	"kraal/rules"
)

// learn is a lesson that somebody takes: what they tap, and what they read then.
type learn struct{ tap, want string }

func (s *stage) learn(who *sandbox.Actor, m sandbox.Message, taps []learn) sandbox.Message {
	s.t.Helper()
	for _, l := range taps {
		if len(m.Attachments) != 1 || m.Attachments[0].Description == "" {
			s.t.Errorf("before %s: pictures %+v", l.tap, m.Attachments)
		}
		next := s.choose(who, m.ID, l.tap)
		s.expectPrivate(next, l.want)
		if next.ID != m.ID {
			s.t.Errorf("%s: another message than the lesson's", l.tap)
		}
		m = next
	}
	return m
}

// TestLesson: a few taps lead through all that a game takes; wrong ones are explained, and change nothing.
func TestLesson(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	explained := s.slash(s.white, "rules", map[string]any{"variant": "nine"})
	m := s.press(s.white, explained.ID, "Learn by playing")
	s.expectPrivate(m, "**1/6** You are white")
	m = s.learn(s.white, m, []learn{
		{"b4", "Well done.\n**2/6**"},
		{"g1", "closes no line"},
		{"g7", "**3/6**"},
		{"d2", "d2 is protected"},
		{"e4", "**4/6**"},
		{"e3", "With the piece on e3 no line is closed"},
		{"g4", "**5/6**"},
		{"f4", "It can go to f4"},
	})
	s.restart() // where somebody stands is in what they tap
	m = s.learn(s.white, m, []learn{
		{"g7", "**6/6**"},
		{"g1", "It can fly to g1"},
		{"g7", "all it takes to play Nine Men's Morris"},
	})
	s.expectPrivate(s.press(s.white, m.ID, "Play the bot"), "How strong")
}

// TestLessonOfEachGame: each variant, and a house rule, can be learned to its end. Where nobody flies, nobody learns it.
func TestLessonOfEachGame(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.ours()
	for _, key := range []string{"nine", "thinhama", "mhele", "morabaraba", "koti", "tournament", "village-rules"} {
		explained := s.slash(s.white, "rules", map[string]any{"variant": key})
		m := s.press(s.white, explained.ID, "Learn by playing")
		v, known := rules.Lookup(key)
		for _, tap := range []string{"a1", "g7", "e4", "g4", "g7"} {
			m = s.choose(s.white, m.ID, tap)
			s.expectPrivate(m, "Well done")
		}
		if known && v.Flies {
			m = s.choose(s.white, m.ID, "g7")
		}
		if !strings.Contains(m.Content, "all it takes") || len(m.Selects()) != 0 {
			t.Errorf("%s: the lesson ends with %q", key, m.Content)
		}
	}
	help := s.press(s.white, s.slash(s.white, "help", nil).ID, "Learn by playing")
	s.expectPrivate(help, "You are white")
}

// TestForeignLesson: controls that no lesson has made are no longer understood.
func TestForeignLesson(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	m := s.press(s.white, s.slash(s.white, "help", nil).ID, "Learn by playing")
	ctx, done := s.patience()
	defer done()
	for _, id := range []string{"k1||0|lesson|nine.9", "k1||0|lesson|nine.-1", "k1||0|lesson|nine", "k1||0|lesson|nine.1"} {
		value := "g7"
		if strings.HasSuffix(id, "nine.1") {
			value = "here"
		}
		reply, err := s.white.SelectStale(ctx, m.ID, id, value)
		s.expectPrivate(s.answered(reply, err, id), "older version")
	}
}
