package discord_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/rules/engine"
	"kraal/storage"
)

// player is the engine itself.
type player struct{ *engine.Engine }

func newPlayer() bot.Player { return player{engine.New(engine.Options{Hash: 1})} }

func (p player) Choose(ctx context.Context, g *rules.Game, level int, most time.Duration) (bot.Choice, error) {
	r, err := p.Think(ctx, g, engine.Limits{Level: level, Time: most}, nil)
	_, lost := r.Score.Loss()
	return bot.Choice{Action: r.Action, Score: int(r.Score), Lost: lost}, err
}

// challengeBot begins a game of white's with the bot.
func (s *stage) challengeBot(options map[string]any) (id string) {
	s.t.Helper()
	s.slash(s.white, "challenge", options)
	return s.begun()
}

// begun is the game that white began last, whatever is shown of it by now.
func (s *stage) begun() (id string) {
	s.t.Helper()
	mine, err := s.app.Mine(s.t.Context(), s.white.ID())
	s.must(err)
	if len(mine) == 0 {
		s.t.Fatal("no game was begun")
	}
	return mine[0].ID
}

// theirs waits until it is not for the bot to act, and gives the game.
func (s *stage) theirs(id string) storage.Match {
	s.t.Helper()
	s.settle(func() bool { return !s.kept(id).Thinking() })
	return s.kept(id)
}

// TestChallengeTheBot: by level, by name, by the menu of a person and by the greeting's button; the game begins at once.
func TestChallengeTheBot(t *testing.T) {
	t.Parallel()
	s, hello := welcomed(t)
	ctx, done := s.patience()
	defer done()
	byMenu := func() sandbox.Message {
		reply, err := s.white.UserCommand(ctx, s.channel, "Challenge to a game", s.sb.AppID())
		return s.answered(reply, err, "the person's menu")
	}
	byButton := func() sandbox.Message {
		ask := s.press(s.white, hello.ID, "Play the bot")
		s.expectPrivate(ask, "How strong")
		after := s.choose(s.white, ask.ID, "5")
		s.expectPrivate(after, s.newest().ID)
		if len(after.Components) != 0 {
			t.Error("the question stays")
		}
		return s.newest()
	}
	for _, c := range []struct {
		name  string
		begin func() sandbox.Message
		level int
		want  string
	}{
		{"level", func() sandbox.Message { return s.slash(s.white, "challenge", map[string]any{"level": 1}) }, 1, "Kraal · Calf (1)"},
		{"name", func() sandbox.Message { return s.slash(s.white, "challenge", map[string]any{"opponent": s.sb.AppID()}) }, 3, "Kraal · Herder (3)"},
		{"both", func() sandbox.Message {
			return s.slash(s.white, "challenge", map[string]any{"opponent": s.sb.AppID(), "level": 2, "rated": true, "clock": "5+3"})
		}, 2, "Kraal · Heifer (2)"},
		{"menu", byMenu, 3, "Kraal · Herder (3)"},
		{"button", byButton, 5, "Kraal · Bull (5)"},
	} {
		c.begin()
		id := s.begun()
		s.checkDuel(id, c.name, c.level, c.want)
		s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": id}).ID, "Confirm")
	}
}

// checkDuel holds a game that has begun with the bot to what it has to be, and to show.
func (s *stage) checkDuel(id, name string, level int, want string) {
	s.t.Helper()
	m := s.theirs(id)
	side, _ := match.EngineSide(m)
	if m.State != storage.Playing || m.Rated || m.Seats[side].Level != level || m.Seats[side].ID != s.sb.AppID() {
		s.t.Errorf("%s: %s, rated %v, seats %+v", name, m.State, m.Rated, m.Seats)
	}
	if clock := map[string]string{"both": "5+3"}[name]; clock != "" && m.Clock != clock {
		s.t.Errorf("%s: clock %q", name, m.Clock)
	}
	board := s.board(id)
	s.expect(board, want)
	s.expect(board, "not rated")
	for _, label := range []string{"Adjourn", "Protest", "Predict"} {
		if _, there := board.Control(label); there {
			s.t.Errorf("%s: the board has %s", name, label)
		}
	}
	s.checkBoard(board, position(s.t, m))
}

// TestNotTheBot: a level is for the bot alone, and other bots do not play.
func TestNotTheBot(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, refused := range []struct {
		options map[string]any
		want    string
	}{
		{map[string]any{"opponent": s.server.Members[1], "level": 2}, "human opponent"},
		{map[string]any{"opponent": "200000000000000002"}, "other bots do not play"},
	} {
		s.expectPrivate(s.slash(s.white, "challenge", refused.options), refused.want)
	}
}

// TestWholeGamesWithTheBot: a game at the first level in each variant, by tapping and typing, until it is over.
func TestWholeGamesWithTheBot(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for i, v := range rules.Variants() {
		colour := []string{"white", "black"}[i%2]
		id := s.challengeBot(map[string]any{"level": 1, "variant": v.Key, "colour": colour})
		chance := rand.New(rand.NewPCG(1, uint64(i)))
		for turns := 0; ; turns++ {
			m := s.theirs(id)
			if m.State != storage.Playing {
				break
			}
			if turns == 150 {
				s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": id}).ID, "Confirm")
				continue
			}
			table, err := match.Look(m)
			s.must(err)
			legal := table.Game.Legal()
			name, options := commandFor(legal[chance.IntN(len(legal))], id)
			s.slash(s.white, name, options)
		}
		m := s.kept(id)
		if m.State != storage.Finished || len(m.Changes) > 0 {
			t.Errorf("%s: %s, ratings changed by %v", v.Key, m.State, m.Changes)
		}
		table, err := match.Look(m)
		s.must(err)
		t.Logf("%s as %s: %d turns, %s by %s", v.Key, colour, len(table.Game.Turns()), m.Result, m.Reason)
		s.board(id)
	}
}

// TestAskTheBot: it lets people take turns back at once, thinks about a draw, refuses what is for people, and plays again.
func TestAskTheBot(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.challengeBot(map[string]any{"level": 1, "variant": "nine", "colour": "black"})
	s.choose(s.white, s.board(id).ID, "a7")
	if m := s.theirs(id); len(m.Deeds) != 2 {
		t.Fatalf("%d actions", len(m.Deeds))
	}
	s.press(s.white, s.board(id).ID, "Takeback")
	if m := s.theirs(id); len(m.Deeds) != 0 {
		t.Errorf("%d actions are left", len(m.Deeds))
	}
	s.choose(s.white, s.board(id).ID, "d7")
	s.theirs(id)
	s.slash(s.white, "draw", nil)
	if m := s.theirs(id); !match.DrawRefused(m) {
		t.Errorf("%s: %+v", m.State, m.Offers)
	}
	s.expect(s.board(id), "Kraal does not agree to a draw")
	s.expectPrivate(s.slash(s.white, "draw", nil), "no to a draw")
	for _, command := range []string{"adjourn", "claim", "protest"} {
		s.expectPrivate(s.slash(s.white, command, nil), "for games between people")
	}
	s.press(s.white, s.slash(s.white, "resign", nil).ID, "Confirm")
	s.press(s.white, s.board(id).ID, "Rematch")
	next := s.kept(s.kept(id).Next)
	if next.Seats[rules.White].ID != s.white.ID() || next.Seats[rules.Black].Level != 1 {
		t.Errorf("the rematch has the seats %+v", next.Seats)
	}
	if m := s.theirs(next.ID); len(m.Deeds) != 1 {
		t.Errorf("the bot has made %d actions in the rematch", len(m.Deeds))
	}
}

// TestThreadWithTheBot: where each game has a thread, one with the bot has its own too, however it was begun.
func TestThreadWithTheBot(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.set("threads", map[string]any{"on": true})
	home := s.channel
	byCommand := s.challengeBot(map[string]any{"level": 1, "colour": "black", "variant": "nine"})
	ask := s.press(s.white, s.slash(s.white, "help", nil).ID, "Play the bot")
	s.choose(s.white, ask.ID, "1")
	mine, err := s.app.Mine(t.Context(), s.white.ID())
	s.must(err)
	if len(mine) != 2 {
		t.Fatalf("%d games", len(mine))
	}
	for _, m := range mine {
		s.settle(func() bool { return s.kept(m.ID).Shown.Thread != "" })
		m = s.kept(m.ID)
		if m.Channel != home || m.Shown.Channel != m.Shown.Thread || m.Shown.ToThread {
			t.Errorf("by command %v: shown %+v", m.ID == byCommand, m.Shown)
		}
	}
	s.channel = s.kept(byCommand).Shown.Thread
	s.slash(s.white, "place", map[string]any{"point": "a7"})
	if got := len(s.theirs(byCommand).Deeds); got != 2 {
		t.Errorf("%d actions in the thread", got)
	}
}

// TestMountain: who beats a level sees the camp on the board and in their profile.
func TestMountain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.expectPrivate(s.slash(s.white, "profile", nil), "No rated game yet")
	for level, want := range map[int]string{1: "camp 1 of 7: next is Heifer, level 2", 7: "stands on the summit"} {
		id := s.challengeBot(map[string]any{"level": level, "variant": "nine", "colour": "black"})
		s.stop()
		s.engine = bot.Engine{} // a game that the bot loses, at once
		s.start()
		s.alter(id, func(m *storage.Match) {
			m.Deeds = []storage.Deed{{Action: "a7", At: m.Started}, {Action: "g1", At: m.Started}}
		})
		s.must(s.app.SetMember(t.Context(), s.white.ID(), func(m *storage.Member) error {
			m.Climbed = map[string]int{"nine": level - 1}
			return nil
		}))
		m := s.kept(id)
		_, err := s.app.Do(t.Context(), id, match.Act{By: m.Seats[rules.White].Person, Do: match.Resign{}}, nil)
		s.must(err)
		s.expect(s.board(id), want)
		s.stop()
		s.engine = bot.Engine{Player: newPlayer, Workers: 1, Time: time.Second}
		s.start()
		profile := s.slash(s.white, "profile", nil)
		s.expectPrivate(profile, fmt.Sprintf("Nine Men's Morris: camp %d of 7", level))
	}
}

// slowly is a player that does not come to an end by itself.
type slowly struct{ begun chan struct{} }

func (p slowly) Choose(ctx context.Context, g *rules.Game, _ int, _ time.Duration) (bot.Choice, error) {
	select {
	case p.begun <- struct{}{}:
	default:
	}
	<-ctx.Done()
	return bot.Choice{Action: g.Legal()[0]}, nil
}

// TestWhileTheBotThinks (O15): pressing again changes nothing, the bot ends while it thinks, and the next one makes the
// turn, once; a resignation and a takeback while it thinks are the last word.
func TestWhileTheBotThinks(t *testing.T) {
	t.Parallel()
	thinker := slowly{make(chan struct{}, 1)}
	s := newStage(t, func(s *stage) { s.engine.Player = func() bot.Player { return thinker } })
	id := s.challengeBot(map[string]any{"level": 7, "variant": "nine", "colour": "black"})
	board := s.board(id)
	s.choose(s.white, board.ID, "a7")
	<-thinker.begun
	if menus := s.board(id).Selects(); len(menus) != 0 {
		t.Errorf("while the bot thinks there is something to choose: %+v", menus)
	}
	menu := board.Selects()[0].CustomID
	for range 5 {
		ctx, done := s.patience()
		reply, err := s.white.SelectStale(ctx, board.ID, menu, "d7")
		s.expectPrivate(s.answered(reply, err, "a second press"), "has moved on")
		done()
	}
	s.press(s.white, s.board(id).ID, "Takeback")
	if m := s.theirs(id); len(m.Deeds) != 0 {
		t.Errorf("taken back while it thinks: %+v", m.Deeds)
	}
	s.choose(s.white, s.board(id).ID, "g7")
	<-thinker.begun
	s.stop()
	s.engine.Player = newPlayer
	s.start()
	if m := s.theirs(id); len(m.Deeds) != 2 || m.Deeds[0].Action != "g7" {
		t.Errorf("after a restart: %+v", m.Deeds)
	}
	s.stop()
	s.engine.Player = func() bot.Player { return thinker }
	s.start()
	table, err := match.Look(s.kept(id))
	s.must(err)
	s.choose(s.white, s.board(id).ID, table.Game.Legal()[0].To.String())
	<-thinker.begun
	s.press(s.white, s.slash(s.white, "resign", nil).ID, "Confirm")
	s.restart()
	if m := s.kept(id); len(m.Deeds) != 3 || m.State != storage.Finished {
		t.Errorf("resigned while it thinks: %s, %+v", m.State, m.Deeds)
	}
}
