package discord_test

import (
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
)

// deeds is how many actions of a game are kept.
func (s *stage) deeds(id string) int {
	s.t.Helper()
	return len(s.kept(id).Deeds)
}

// TestConfirmByTap: a tap asks first, naming the action; another tap takes its place, and the older question is
// refused; cancelled, nothing is done; confirmed, the action is made once.
func TestConfirmByTap(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	s.prefer(s.white, "confirm", "on")
	first := s.choose(s.white, board.ID, "a7")
	s.expectPrivate(first, "Place a piece on **a7**?")
	s.expect(first, s.nameOf(s.black.ID()))
	second := s.choose(s.white, board.ID, "d7")
	s.expectPrivate(second, "Place a piece on **d7**?")
	s.expectPrivate(s.press(s.white, first.ID, "Confirm"), "chosen something else")
	if n := s.deeds(id); n != 0 {
		t.Fatalf("%d actions are kept before any was confirmed", n)
	}
	s.expectPrivate(s.press(s.white, second.ID, "Confirm"), "You played `d7`")
	if n := s.deeds(id); n != 1 {
		t.Errorf("%d actions are kept, want 1", n)
	}
	s.checkBoard(s.board(id), position(t, s.kept(id)))
	s.expectPrivate(s.press(s.white, first.ID, "Confirm"), "moved on")

	s.act(id, rules.Black, "g7")
	third := s.choose(s.white, s.board(id).ID, "a4")
	s.expectPrivate(s.press(s.white, third.ID, "Cancel"), "Nothing was done")
	if n := s.deeds(id); n != 2 {
		t.Errorf("%d actions are kept, want 2", n)
	}
	s.prefer(s.white, "confirm", "off")
	s.choose(s.white, s.board(id).ID, "a4")
	if n := s.deeds(id); n != 3 {
		t.Errorf("%d actions are kept, want 3", n)
	}
}

// TestCancelledQuestion: that the last question was cancelled does not bring the one before it back.
func TestCancelledQuestion(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	s.prefer(s.white, "confirm", "on")
	first := s.choose(s.white, board.ID, "a7")
	second := s.choose(s.white, board.ID, "d7")
	s.press(s.white, second.ID, "Cancel")
	s.expectPrivate(s.press(s.white, first.ID, "Confirm"), "or cancelled")
	if n := s.deeds(s.game(board)); n != 0 {
		t.Errorf("%d actions are kept, want none", n)
	}
}

// TestConfirmByCommand: commands ask too; what is illegal, or out of turn, is refused at once instead of asked about.
func TestConfirmByCommand(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.prefer(s.white, "confirm", "on")
	s.prefer(s.black, "confirm", "on")
	s.expectPrivate(s.act(id, rules.Black, "a7"), "not your turn")
	s.expectPrivate(s.act(id, rules.White, "xa7"), "nothing to shoot")
	outsider := s.sb.As(s.server.Members[2])
	s.prefer(outsider, "confirm", "on")
	s.expectPrivate(s.slash(outsider, "place", map[string]any{"point": "a7", "game": id}), "play here")
	question := s.act(id, rules.White, "a7")
	s.expectPrivate(question, "Place a piece on **a7**?")
	if n := s.deeds(id); n != 0 {
		t.Fatalf("%d actions are kept before any was confirmed", n)
	}
	s.expectPrivate(s.press(s.white, question.ID, "Confirm"), "You played `a7`")
	s.press(s.black, s.act(id, rules.Black, "d7").ID, "Confirm")
	if n := s.deeds(id); n != 2 {
		t.Errorf("%d actions are kept, want 2", n)
	}
}

// TestConfirmMoveAndShot: a move's question offers the other destinations and is replaced by one of them; the shot that
// it earns is asked about by itself; a question survives a restart.
func TestConfirmMoveAndShot(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.setUp("nine", "w../w.w/b../..b..b/.../.../b.. w 0,0 0 0,0 -,-")
	s.prefer(s.white, "confirm", "on")
	whither := s.choose(s.white, s.board(id).ID, "a7")
	question := s.choose(s.white, whither.ID, "a4")
	s.expectPrivate(question, "Move from **a7** to **a4**?")
	question = s.choose(s.white, question.ID, "d6")
	s.expectPrivate(question, "Move from **a7** to **d6**? It closes a mill.")
	s.restart()
	s.expectPrivate(s.press(s.white, question.ID, "Confirm"), "You closed a mill")
	shot := s.choose(s.white, s.board(id).ID, "c5")
	s.expectPrivate(shot, "Shoot the piece on **c5**?")
	if n := s.deeds(id); n != 1 {
		t.Errorf("%d actions are kept before the shot is confirmed, want 1", n)
	}
	s.press(s.white, shot.ID, "Confirm")
	if n := s.deeds(id); n != 2 {
		t.Errorf("%d actions are kept, want 2", n)
	}
}

// TestStaleQuestion: a board that moved on while a question stood is not touched by it.
func TestStaleQuestion(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	s.prefer(s.white, "confirm", "on")
	question := s.choose(s.white, board.ID, "a7")
	s.press(s.black, s.board(id).ID, "Draw")
	s.expectPrivate(s.press(s.white, question.ID, "Confirm"), "moved on")
	if n := s.deeds(id); n != 0 {
		t.Errorf("%d actions are kept, want none", n)
	}
}

// TestWordsFirst: who cannot see pictures reads the turn and the whole position after every action of theirs, by
// command and by tap, and with every notice to them; others are spared.
func TestWordsFirst(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	s.prefer(s.white, "words", "on")
	inWords := func(m sandbox.Message, want bool) {
		t.Helper()
		p := position(t, s.kept(id))
		says := pointsSaid(m.Content, "White") == p.Pieces[rules.White] &&
			pointsSaid(m.Content, "Black") == p.Pieces[rules.Black] && strings.Contains(m.Content, "is to place")
		if says != want {
			t.Errorf("the position is said: %v, want %v, in %q", says, want, m.Content)
		}
	}
	mine := s.act(id, rules.White, "a7")
	s.expectPrivate(mine, "You played `a7`")
	inWords(mine, true)
	inWords(s.act(id, rules.Black, "d7"), false)
	s.clock.Advance(16 * time.Second)
	inWords(s.waitForNotice("played `d7`"), true)
	s.choose(s.white, s.board(id).ID, "g7")
	inWords(s.awaitPrivate("Last turn: "+s.nameOf(s.white.ID())+" `g7`"), true)
	s.clock.Advance(16 * time.Second)
	inWords(s.waitForNotice("played `g7`"), false)
	s.act(id, rules.Black, "a4")
	offered := s.slash(s.white, "draw", map[string]any{"game": id})
	s.expectPrivate(offered, "You offered")
	inWords(offered, true)
}

// awaitPrivate waits for a message to white alone that says so.
func (s *stage) awaitPrivate(want string) (found sandbox.Message) {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	err := s.sb.Wait(ctx, func() bool {
		for _, m := range s.white.Messages(s.channel) {
			if m.Ephemeral && strings.Contains(m.Content, want) {
				found = m
				return true
			}
		}
		return false
	})
	if err != nil {
		s.t.Fatalf("nothing private says %q: %v", want, err)
	}
	return found
}
