package discord_test

import (
	"bytes"
	"strings"
	"testing"

	"kraal/bot/sandbox"
	"kraal/rules"
)

// asks presses a control and gives the private answer, once it is as wanted: where drawing takes long the press is only
// acknowledged at first.
func (s *stage) asks(who *sandbox.Actor, message, control string, wanted func(sandbox.Message) bool) (answer sandbox.Message) {
	s.t.Helper()
	if answer = s.press(who, message, control); answer.Ephemeral && wanted(answer) {
		return answer
	}
	ctx, done := s.patience()
	defer done()
	err := s.sb.Wait(ctx, func() (there bool) {
		for _, m := range who.Messages(answer.Channel) {
			if m.Ephemeral && wanted(m) {
				answer, there = m, true
			}
		}
		return there
	})
	if err != nil {
		s.t.Fatalf("no such answer to %s: %v; the last is %q", control, err, answer.Content)
	}
	return answer
}

// says is a message that holds a text.
func says(want string) func(sandbox.Message) bool {
	return func(m sandbox.Message) bool { return strings.Contains(m.Content, want) }
}

// leads presses a control that leads to a moment of a game.
func (s *stage) leads(who *sandbox.Actor, message, control, step, all, white string) sandbox.Message {
	s.t.Helper()
	m := s.asks(who, message, control, says("Turn "+step+" of "+all+"."))
	s.moment(m, step, all, white)
	return m
}

// moment demands a private look at a game after so many turns of so many.
func (s *stage) moment(m sandbox.Message, step, all string, white string) {
	s.t.Helper()
	s.expectPrivate(m, "Turn "+step+" of "+all+".")
	if len(m.Attachments) != 1 {
		s.t.Fatalf("%d pictures", len(m.Attachments))
	}
	if got := pointsSaid(m.Attachments[0].Description, "White"); got != points(s.t, white) {
		s.t.Errorf("turn %s: the words say %v, want %s: %s", step, got, white, m.Attachments[0].Description)
	}
}

func points(t testing.TB, names string) (set rules.Points) {
	t.Helper()
	for name := range strings.FieldsSeq(names) {
		p, err := rules.ParsePoint(name)
		if err != nil {
			t.Fatal(err)
		}
		set = set.With(p)
	}
	return set
}

// disabled tells whether a control of a message cannot be pressed.
func disabled(t testing.TB, m sandbox.Message, label string) bool {
	t.Helper()
	c, there := labelled(m, label)
	if !there {
		t.Fatalf("no control %s", label)
	}
	return c.Disabled
}

// TestView: anybody turns the pages of a game in play for themselves; the newest turn is there when they ask for it.
func TestView(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	for i, at := range []string{"a7", "d7", "g7", "b6"} {
		s.act(id, rules.Side(i%2), at)
	}
	board = s.board(id)
	looker := s.sb.As(s.server.Members[2])
	m := s.leads(looker, board.ID, "View", "4", "4", "a7 g7")
	if !disabled(t, m, "Forward") || disabled(t, m, "Back") {
		t.Error("at the newest moment: forward can be pressed, or back cannot")
	}
	m = s.leads(looker, m.ID, "Back", "3", "4", "a7 g7")
	m = s.leads(looker, m.ID, "Back", "2", "4", "a7")
	m = s.leads(looker, m.ID, "First", "0", "4", "")
	if !disabled(t, m, "Back") || !disabled(t, m, "First") {
		t.Error("before the first turn: there is something to go back to")
	}
	s.leads(looker, m.ID, "Forward", "1", "4", "a7")
	s.act(id, rules.White, "d6")
	s.leads(looker, m.ID, "Last", "5", "5", "a7 g7 d6")
	if shown := s.board(id); shown.ID != board.ID {
		t.Error("a look moved the board")
	}
}

// TestViewFlips: the picture turns round, the words stay; who plays black begins on black's side.
func TestViewFlips(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.act(id, rules.White, "a7")
	board := s.board(id)
	straight := s.asks(s.white, board.ID, "View", says("Turn 1")).Attachments[0]
	m := s.asks(s.black, board.ID, "View", says("Turn 1"))
	turned := m.Attachments[0]
	if bytes.Equal(straight.Data, turned.Data) {
		t.Error("black sees what white sees")
	}
	if straight.Description != turned.Description {
		t.Errorf("the words differ:\n%s\n%s", straight.Description, turned.Description)
	}
	s.asks(s.black, m.ID, "Flip", func(m sandbox.Message) bool {
		return len(m.Attachments) == 1 && bytes.Equal(m.Attachments[0].Data, straight.Data) // what white sees
	})
}

// TestViewOfAFinishedGame: from its board, from /replay and from /board, after a restart and a rematch too.
func TestViewOfAFinishedGame(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.act(id, rules.White, "a7")
	s.act(id, rules.Black, "d7")
	s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": id}).ID, "Confirm")
	board := s.board(id)
	s.restart()
	looker := s.sb.As(s.server.Members[2])
	m := s.leads(looker, board.ID, "View", "2", "2", "a7")
	s.expect(m, "resignation")
	m = s.leads(looker, m.ID, "Back", "1", "2", "a7")
	if strings.Contains(m.Content, "resignation") {
		t.Errorf("the result is told before the end: %s", m.Content)
	}
	m = s.slash(s.white, "replay", map[string]any{"game": id})
	s.leads(s.white, m.ID, "View", "2", "2", "a7")
	s.moment(s.slash(looker, "board", map[string]any{"game": id}), "2", "2", "a7")
	s.press(s.white, board.ID, "Rematch")
	s.press(s.black, board.ID, "Rematch")
	s.leads(looker, board.ID, "View", "2", "2", "a7")
}

// TestViewIsForThisServer: a control carried elsewhere, or made up, shows nothing.
func TestViewIsForThisServer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	board := s.board(id)
	ctx, done := s.patience()
	defer done()
	for _, made := range []string{"k1|" + id + "|1|step|back.x.true", "k1|" + id + "|1|step|back.-2.true", "k1|" + id + "|1|step|"} {
		reply, err := s.white.PressStale(ctx, board.ID, made)
		s.expectPrivate(s.answered(reply, err, made), "older version")
	}
	reply, err := s.white.PressStale(ctx, board.ID, "k1|00000000|1|view|")
	s.expectPrivate(s.answered(reply, err, "another game"), "no game")
}
