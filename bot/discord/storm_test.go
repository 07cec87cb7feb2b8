package discord_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/rules"
)

// stormMoves is how many actions are made while the gateway keeps breaking; a thousand take six minutes.
var stormMoves = flag.Int("storm.moves", 24, "how many actions TestDroppedAgainAndAgain makes")

// TestDroppedAgainAndAgain: the gateway breaks every few moves, in every way, while people play on. Nothing that was
// answered is lost, nothing is done twice, the board is true in the end.
//
//	go test ./bot/discord -run DroppedAgain -storm.moves 1000 -timeout 2h
func TestDroppedAgainAndAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(s *stage) { s.hasty = 20 * time.Millisecond })
	random := rand.New(rand.NewPCG(1, 1))
	g, id := s.freshGame()
	for n := range *stormMoves {
		if g.Status().Over {
			s.checkRecord(id, g)
			g, id = s.freshGame()
		}
		legal := g.Legal()
		a := legal[random.IntN(len(legal))]
		if n%3 == 2 {
			s.breakGateway(n)
		}
		s.insist(id, g, a)
		s.must(g.Play(a))
		s.checkRecord(id, g)
	}
	s.settle(func() bool { return !s.kept(id).Untold() })
	if !g.Status().Over {
		s.checkBoard(s.board(id), g.Position())
	}
	s.checkInvalid(200)
}

// freshGame begins a game and follows it.
func (s *stage) freshGame() (*rules.Game, string) {
	s.t.Helper()
	v, ok := rules.Lookup("nine")
	if !ok {
		s.t.Fatal("no variant nine")
	}
	return rules.NewGame(v), s.game(s.begin("nine", nil))
}

// breakGateway breaks the connection in one of the ways.
func (s *stage) breakGateway(n int) {
	switch (n / 3) % 5 {
	case 0, 3:
		s.sb.DropGateway()
	case 1:
		s.sb.Reconnect()
	case 2:
		s.sb.CloseGateway(4000)
	case 4:
		s.sb.InvalidSession(true)
	}
}

// insist makes an action as somebody does whom nobody answers: again, unless the board shows it by then.
func (s *stage) insist(id string, g *rules.Game, a rules.Action) {
	s.t.Helper()
	ctx, done := context.WithTimeout(s.t.Context(), time.Minute)
	defer done()
	command, options := commandFor(a, id)
	for {
		reply, err := s.player(g.Position().Turn).Slash(ctx, s.channel, command, options)
		s.must(err)
		if reply.Failed {
			if kept := s.keptActions(id); len(kept) > g.Len() {
				return // it was made, and only the answer was lost
			}
			continue
		}
		said, err := reply.Wait(ctx)
		s.must(err)
		if strings.Contains(said.Content, "You played") {
			return
		}
		if len(s.keptActions(id)) > g.Len() {
			return // the first try arrived after all
		}
		s.t.Fatalf("%v: %q", a, said.Content)
	}
}

func (s *stage) keptActions(id string) []rules.Action {
	s.t.Helper()
	m := s.kept(id)
	actions := make([]rules.Action, 0, len(m.Deeds))
	for _, d := range m.Deeds {
		a, err := rules.ParseAction(d.Action)
		s.must(err)
		actions = append(actions, a)
	}
	return actions
}

// checkRecord holds what is kept to what was answered.
func (s *stage) checkRecord(id string, g *rules.Game) {
	s.t.Helper()
	if kept := s.keptActions(id); !slices.Equal(kept, g.Actions()) {
		s.t.Fatalf("kept is %v, answered was %v", kept, g.Actions())
	}
}

// checkInvalid counts the answers for which Discord shuts out whoever has 10,000 of them within ten minutes.
func (s *stage) checkInvalid(most int) {
	s.t.Helper()
	invalid := 0
	for _, r := range s.sb.Requests() {
		if r.Status == 401 || r.Status == 403 || r.Status == 429 {
			invalid++
		}
	}
	if invalid > most {
		s.t.Errorf("%d invalid requests, want %d at most", invalid, most)
	}
}

// TestTenMinutesOfTrouble: for ten minutes every message fails at Discord's, by error or by limit, and now and then an
// answer. People play on; afterwards the boards are true, and far fewer requests were made than shut a bot out.
func TestTenMinutesOfTrouble(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"errors": 503, "limits": 429} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			g, id := s.freshGame()
			s.settle(func() bool { return !s.kept(id).Untold() })
			for _, method := range []string{"PATCH", "POST", "GET", "DELETE"} {
				s.sb.FailNext(method, "/channels/", status, 0, 1_000_000)
			}
			random := rand.New(rand.NewPCG(2, 2))
			for range 10 {
				legal := g.Legal()
				a := legal[random.IntN(len(legal))]
				s.sb.FailNext("POST", "/interactions/", 500, 0, 1)
				s.insist(id, g, a)
				s.must(g.Play(a))
				s.checkRecord(id, g)
				s.clock.Advance(time.Minute)
			}
			if !s.kept(id).Untold() {
				t.Error("the board is said to be shown, which it cannot be")
			}
			s.checkInvalid(1000)
			s.sb.Recover()
			s.clock.Advance(6 * time.Minute) // longer than any pause between two tries
			s.settle(func() bool { return !s.kept(id).Untold() })
			s.checkBoard(s.board(id), g.Position())
		})
	}
}

// TestWrongClock: the machine's clock is hours off. People are answered all the same, whenever it jumps.
func TestWrongClock(t *testing.T) {
	t.Parallel()
	for name, off := range map[string]time.Duration{"ahead": 5 * time.Hour, "behind": -5 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, func(s *stage) { s.off.Store(int64(off)) })
			g, id := s.freshGame()
			for _, jump := range []time.Duration{0, -off, off / 2} {
				s.off.Add(int64(jump))
				a := g.Legal()[0]
				s.insist(id, g, a)
				s.must(g.Play(a))
				s.checkBoard(s.board(id), g.Position())
			}
		})
	}
}
