package discord_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// crowd is how many press at the same moment.
const crowd = 50

// together runs something many times at once and gathers the answers.
func (s *stage) together(do func() (*sandbox.Reply, error)) []sandbox.Message {
	s.t.Helper()
	answers := make([]sandbox.Message, crowd)
	var all sync.WaitGroup
	begin := make(chan struct{})
	for i := range crowd {
		all.Go(func() {
			<-begin
			reply, err := do()
			if err != nil || reply.Failed {
				s.t.Errorf("press %d: %v, %+v", i, err, reply)
				return
			}
			ctx, done := s.patience()
			defer done()
			if answers[i], err = reply.Wait(ctx); err != nil {
				s.t.Errorf("press %d: %v", i, err)
			}
		})
	}
	close(begin)
	all.Wait()
	return answers
}

// refused counts the private answers that say so.
func refused(answers []sandbox.Message, why ...string) (n int) {
	for _, m := range answers {
		for _, w := range why {
			if m.Ephemeral && strings.Contains(m.Content, w) {
				n++
				break
			}
		}
	}
	return n
}

// TestFiftyTapsMakeOneTurn (O20): fifty simultaneous choices of one point are one turn, and 49 are told so.
func TestFiftyTapsMakeOneTurn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	menu := board.Selects()[0].CustomID
	answers := s.together(func() (*sandbox.Reply, error) {
		ctx, done := s.patience()
		defer done()
		return s.white.SelectStale(ctx, board.ID, menu, "a7")
	})
	if got := s.kept(id); len(got.Deeds) != 1 {
		t.Errorf("%d actions were made", len(got.Deeds))
	}
	if n := refused(answers, "moved on"); n != crowd-1 {
		t.Errorf("%d were told that the game has moved on, want %d", n, crowd-1)
	}
}

// TestFiftyAccepts, resignations and rematches: one effect each.
func TestFiftyAcceptsResignationsRematches(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	challenge := s.slash(s.white, "challenge", map[string]any{"opponent": s.server.Members[1], "variant": "nine", "colour": "white"})
	pressAll := func(who *sandbox.Actor, message sandbox.Message, label string) []sandbox.Message {
		control, ok := message.Control(label)
		if !ok {
			t.Fatalf("no %s on %q", label, message.Content)
		}
		return s.together(func() (*sandbox.Reply, error) {
			ctx, done := s.patience()
			defer done()
			return who.PressStale(ctx, message.ID, control.CustomID)
		})
	}
	answers := pressAll(s.black, challenge, "Accept")
	if n := refused(answers, "no longer waits", "moved on"); n != crowd-1 {
		t.Errorf("%d accepts were refused, want %d", n, crowd-1)
	}
	id := s.onlyGame()
	s.act(id, rules.Black, "a7")
	s.act(id, rules.White, "d7")

	confirm := s.slash(s.white, "resign", nil)
	answers = pressAll(s.white, confirm, "Confirm")
	if n := refused(answers, "not being played"); n != crowd-1 {
		t.Errorf("%d resignations were refused, want %d", n, crowd-1)
	}
	m := s.kept(id)
	if m.Result != rules.Win(rules.Black) || len(m.Changes) != 4 {
		t.Errorf("ended %s with %d changes of ratings, want black's win and 4", m.Result, len(m.Changes))
	}

	over := s.board(id)
	s.press(s.white, over.ID, "Rematch")
	answers = pressAll(s.black, s.board(id), "Rematch")
	if n := refused(answers, "begun already", "moved on"); n != crowd-1 {
		t.Errorf("%d rematches were refused, want %d", n, crowd-1)
	}
	next := s.kept(s.kept(id).Next)
	if next.State != storage.Playing || next.Seats[rules.White].ID != s.server.Members[1] || len(next.Deeds) != 0 {
		t.Errorf("the rematch is %+v", next)
	}
}

// onlyGame is the one game in play.
func (s *stage) onlyGame() string {
	s.t.Helper()
	playing, err := s.app.InServer(s.t.Context(), s.server.ID)
	s.must(err)
	if len(playing) != 1 {
		s.t.Fatalf("%d games are in play, want 1", len(playing))
	}
	return playing[0].ID
}

// TestSameInteractionTwice (O19): an event that Discord delivers again is answered once and done once.
func TestSameInteractionTwice(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	ctx, done := s.patience()
	defer done()
	reply, err := s.white.Select(ctx, board.ID, "", "a7")
	s.answered(reply, err, "choice")
	s.must(s.sb.Redeliver(reply.Interaction))
	s.act(id, rules.Black, "d7") // the redelivered event went before this one
	callbacks := 0
	for _, r := range s.sb.Requests() {
		if strings.Contains(r.Path, "/interactions/"+reply.Interaction+"/") {
			callbacks++
		}
	}
	if callbacks != 1 {
		t.Errorf("the interaction was answered %d times", callbacks)
	}
	if got := len(s.kept(id).Deeds); got != 2 {
		t.Errorf("%d actions are kept, want 2", got)
	}
}

// TestSlowDrawing (O18): with pictures that take five seconds every press is still acknowledged in time.
func TestSlowDrawing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	s.painter.mu.Lock()
	s.painter.slow = 5 * time.Second
	s.painter.mu.Unlock()
	before := s.acknowledged()
	s.choose(s.white, board.ID, "a7")
	s.act(id, rules.Black, "d7")
	s.expectPrivate(s.slash(s.black, "rules", map[string]any{"variant": "nine"}), "Nine Men's Morris")
	if n := s.acknowledged() - before; n < 2 {
		t.Errorf("%d of two were acknowledged before their picture was drawn", n)
	}
	s.painter.mu.Lock()
	s.painter.slow = 0
	s.painter.mu.Unlock()
	s.checkBoard(s.board(id), position(t, s.kept(id)))
}

// TestSlowStore (O18): with a store that takes two seconds a command is acknowledged in time and answered afterwards.
func TestSlowStore(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.slow.Store(int64(2 * time.Second))
	before := s.acknowledged()
	s.expectPrivate(s.slash(s.white, "place", map[string]any{"point": "a7", "game": id}), "You played `a7`")
	s.expectPrivate(s.slash(s.black, "place", map[string]any{"point": "a7", "game": id}), "a7 is taken")
	s.choose(s.black, s.board(id).ID, "d7")
	if n := s.acknowledged() - before; n < 2 {
		t.Errorf("%d of two were acknowledged before what they did was kept", n)
	}
	ctx, done := s.patience()
	defer done()
	s.must(s.sb.Wait(ctx, func() bool { return len(s.kept(id).Deeds) == 2 }))
	s.slow.Store(0)
	s.checkBoard(s.board(id), position(t, s.kept(id)))
}
