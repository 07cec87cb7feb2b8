package discord_test

import (
	"strings"
	"testing"

	"kraal/bot/sandbox"
	"kraal/rules"
)

// boardSays waits for the board of a game to say something.
func (s *stage) boardSays(id, want string) sandbox.Message {
	s.t.Helper()
	return s.seenIn(s.channel, "the board that says "+want, func(m sandbox.Message) bool {
		return strings.Contains(m.Content, id) && strings.Contains(m.Content, want)
	})
}

// TestPredictions: those who look on say who wins, may change their minds, and the board counts; the players' taps stay
// good; at the end the board tells how many were right, and a list who is best at it.
func TestPredictions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.placed(s.game(s.begin("morabaraba", nil)))
	id := s.game(board)
	one, two := s.sb.As(s.server.Members[2]), s.sb.As(s.server.Members[3])
	s.asks(s.white, board.ID, "Predict", says("You play this game"))
	asked := s.asks(one, board.ID, "Predict", says("Who wins"))
	s.asks(one, asked.ID, "Draw", says("a draw"))
	s.boardSays(id, "white 0, black 0, draw 1")
	s.asks(one, asked.ID, "Black", says("wins"))
	s.boardSays(id, "white 0, black 1, draw 0")
	s.press(two, s.asks(two, board.ID, "Predict", says("Who wins")).ID, "White")
	before := s.boardSays(id, "white 1, black 1, draw 0")
	if before.ID != board.ID {
		t.Error("a prediction moved the board")
	}
	s.asks(one, board.ID, "Predict", says("You predict"))
	s.choose(s.white, board.ID, "a7")
	if kept := s.kept(id); len(kept.Deeds) != 1 {
		t.Fatalf("the turn was refused: %d actions", len(kept.Deeds))
	}
	s.act(id, rules.Black, "d7")
	s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": id}).ID, "Confirm")
	over := s.boardSays(id, "1 of 2 predictions were right")
	list := s.asks(s.white, over.ID, "Predictions", says("1 right of 1"))
	if strings.Count(list.Content, "\n") != 1 {
		t.Errorf("listed: %s", list.Content)
	}
}

// TestPredictionsClose: when each side has made three turns the button is gone, and a private choice that was still open
// is refused.
func TestPredictionsClose(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.placed(s.game(s.begin("morabaraba", nil)))
	id := s.game(board)
	looker := s.sb.As(s.server.Members[2])
	asked := s.asks(looker, board.ID, "Predict", says("Who wins"))
	for i, at := range []string{"a7", "d7", "g4", "b6", "f2", "e3"} {
		if _, there := labelled(s.board(id), "Predict"); !there {
			t.Errorf("after %d turns nobody may predict", i)
		}
		s.act(id, rules.Side(i%2), at)
	}
	if _, there := labelled(s.board(id), "Predict"); there {
		t.Error("after six turns there is still a button")
	}
	s.asks(looker, asked.ID, "White", says("Predictions are closed"))
	if kept := s.kept(id); kept.Foretold.All() != 0 {
		t.Errorf("kept: %+v", kept.Foretold)
	}
}

// labelled is a control of a message, by its label.
func labelled(m sandbox.Message, label string) (sandbox.Control, bool) {
	for _, r := range m.Components {
		for _, c := range r.Controls {
			if c.Label == label {
				return c, true
			}
		}
	}
	return sandbox.Control{}, false
}

// TestNoPredictionsOfPractice: what somebody plays with themselves cannot be predicted.
func TestNoPredictionsOfPractice(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.slash(s.white, "challenge", map[string]any{"opponent": s.server.Members[0]})
	board := s.seenIn(s.channel, "the board", func(m sandbox.Message) bool { return gameID.MatchString(m.Content) })
	if _, there := labelled(board, "Predict"); there {
		t.Error("practice can be predicted")
	}
	if _, there := labelled(board, "View"); !there {
		t.Error("practice cannot be looked at")
	}
}
