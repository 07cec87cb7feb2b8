package discord_test

import (
	"slices"
	"strings"
	"testing"

	"kraal/bot"
	"kraal/bot/sandbox"
	"kraal/storage"
)

// newest is the last message of the bot's that all see in the stage's channel.
func (s *stage) newest() sandbox.Message {
	s.t.Helper()
	seen := s.white.Messages(s.channel)
	for _, m := range slices.Backward(seen) {
		if !m.Ephemeral && m.Author == s.sb.AppID() {
			return m
		}
	}
	s.t.Fatalf("no public message among %d", len(seen))
	return sandbox.Message{}
}

// welcomed is a stage with the greeting of its server.
func welcomed(t *testing.T) (*stage, sandbox.Message) {
	t.Helper()
	s := newStage(t, greeting)
	return s, s.greeted(s.server, 1)
}

// TestPlayAFriend: the button asks whom, and the choice makes the challenge that the command would make.
func TestPlayAFriend(t *testing.T) {
	t.Parallel()
	s, hello := welcomed(t)
	ask := s.press(s.white, hello.ID, "Play a friend")
	s.expectPrivate(ask, "Whom")
	if menus := ask.Selects(); len(menus) != 1 || menus[0].Type != 5 || menus[0].Placeholder == "" {
		t.Fatalf("got the menus %+v", menus)
	}
	other := s.server.Members[1]
	after := s.choose(s.white, ask.ID, other)
	posted := s.newest()
	s.expectPrivate(after, posted.ID) // the link
	if len(after.Components) != 0 || after.ID != ask.ID {
		t.Errorf("the question stays: %+v", after)
	}
	if posted.Channel != s.channel || !slices.Equal(posted.Mentions, []string{other}) {
		t.Errorf("posted in %s, mentions %v", posted.Channel, posted.Mentions)
	}
	byCommand := s.slash(s.white, "challenge", map[string]any{"opponent": other})
	if got, want := withoutIDs(posted.Content), withoutIDs(byCommand.Content); got != want {
		t.Errorf("got %q, want as by command %q", got, want)
	}
	s.expect(s.press(s.black, posted.ID, "Accept"), "is to place")
	if _, there := hello.Control("Play a friend"); !there || s.greeted(s.server, 1).Edited {
		t.Error("the greeting was changed")
	}
}

// withoutIDs is a challenge's text without what differs between two of them.
func withoutIDs(text string) string {
	lines := strings.Split(gameID.ReplaceAllString(text, "game"), "\n")
	return strings.Join(lines[:len(lines)-1], "\n") // the last says when it expires
}

// TestAnyoneMayJoin: the challenge is open, and the question has served.
func TestAnyoneMayJoin(t *testing.T) {
	t.Parallel()
	s, hello := welcomed(t)
	ask := s.press(s.black, hello.ID, "Play a friend")
	after := s.press(s.black, ask.ID, "Anyone may join")
	s.expectPrivate(after, s.newest().ID)
	if len(after.Components) != 0 {
		t.Error("the question stays")
	}
	s.expect(s.newest(), "Anyone may accept")
	s.expectPrivate(s.press(s.black, s.newest().ID, "Accept"), "your own challenge")
	s.expect(s.press(s.white, s.newest().ID, "Accept"), "is to place")
}

// TestFriendRefusals: what the command refuses the menu refuses, in the same words, and another choice may follow.
func TestFriendRefusals(t *testing.T) {
	t.Parallel()
	s, hello := welcomed(t)
	ask := s.press(s.white, hello.ID, "Play a friend")
	s.must(s.sb.Hide(s.channel, s.server.Members[3], true))
	const everything = 1<<10 | 1<<11 | 1<<14 | 1<<15 | 1<<16 | 1<<35 | 1<<38
	for _, refused := range []struct{ whom, want string }{
		{"200000000000000002", "other bots do not play"},
		{s.other.Owner, "not in this server"},
		{s.server.Members[3], "cannot see this channel"},
	} {
		s.expectPrivate(s.choose(s.white, ask.ID, refused.whom), refused.want)
	}
	s.must(s.sb.SetPermissions(s.channel, everything&^(1<<15)))
	s.expectPrivate(s.choose(s.white, ask.ID, s.server.Members[1]), "Attach Files")
	if live, err := s.app.Mine(t.Context(), s.white.ID()); err != nil || len(live) != 0 {
		t.Errorf("%d games, %v", len(live), err)
	}
	s.must(s.sb.SetPermissions(s.channel, everything))
	s.choose(s.white, ask.ID, s.server.Members[1])
	s.expect(s.newest(), "challenges you")
}

// TestPlayNobody: where the bot does not play, it says so and offers a game with oneself, which does not count.
func TestPlayNobody(t *testing.T) {
	t.Parallel()
	s := newStage(t, greeting, func(s *stage) { s.engine = bot.Engine{} })
	hello := s.greeted(s.server, 1)
	offer := s.press(s.white, hello.ID, "Play the bot")
	s.expectPrivate(offer, "I do not play here")
	s.expectPrivate(s.slash(s.white, "challenge", map[string]any{"level": 3}), "I do not play here")
	after := s.press(s.white, offer.ID, "Play both sides")
	board := s.newest()
	s.expectPrivate(after, board.ID)
	s.expect(board, "not rated")
	if len(after.Components) != 0 {
		t.Error("the offer stays")
	}
	m := s.kept(s.game(board))
	if m.State != storage.Playing || m.Seats[0].ID != s.white.ID() || m.Seats[1].ID != s.white.ID() {
		t.Errorf("%s, with the seats %+v", m.State, m.Seats)
	}
	if m.Rated || m.Variant.Key != "morabaraba" {
		t.Errorf("rated %v, variant %s", m.Rated, m.Variant.Key)
	}
	s.checkBoard(board, position(t, m))
	s.choose(s.white, board.ID, "a7")
	s.choose(s.white, s.board(m.ID).ID, "d7")
	if got := len(s.kept(m.ID).Deeds); got != 2 {
		t.Errorf("%d actions were made by tapping, want both sides' first", got)
	}
}

// TestReadTheRules: the button shows what /rules shows.
func TestReadTheRules(t *testing.T) {
	t.Parallel()
	s, hello := welcomed(t)
	got, want := s.press(s.black, hello.ID, "Read the rules"), s.slash(s.black, "rules", nil)
	s.expectPrivate(got, "Morabaraba")
	if got.Content != want.Content {
		t.Errorf("got %q, want as by command %q", got.Content, want.Content)
	}
	if len(got.Attachments) != 1 || got.Attachments[0].Description != want.Attachments[0].Description {
		t.Errorf("got the pictures %+v", got.Attachments)
	}
}

// TestAfterARestart: anyone may press the buttons of a greeting from before, and sees the answer alone.
func TestAfterARestart(t *testing.T) {
	t.Parallel()
	s, hello := welcomed(t)
	asked := s.press(s.white, hello.ID, "Play a friend")
	s.restart()
	third := s.sb.As(s.server.Members[2])
	for _, label := range []string{"Play a friend", "Play the bot", "Read the rules"} {
		answer := s.press(third, hello.ID, label)
		s.expectPrivate(answer, "")
		if answer.For != third.ID() {
			t.Errorf("%s: the answer is for %s", label, answer.For)
		}
		if _, seen := s.white.Message(answer.ID); seen {
			t.Errorf("%s: somebody else sees the answer", label)
		}
	}
	s.choose(s.white, asked.ID, third.ID())
	s.expect(s.press(third, s.newest().ID, "Accept"), "is to place")
}

// TestHelpLeadsIn: /help carries the same three buttons, without a greeting too, and one that teaches the game.
func TestHelpLeadsIn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	help := s.slash(s.white, "help", nil)
	s.expectPrivate(help, "/challenge")
	if got := len(help.Buttons()); got != 4 {
		t.Errorf("%d buttons", got)
	}
	s.expectPrivate(s.press(s.white, help.ID, "Read the rules"), "Aim")
	s.expectPrivate(s.press(s.white, help.ID, "Play the bot"), "How strong")
	ask := s.press(s.white, help.ID, "Play a friend")
	s.choose(s.white, ask.ID, s.server.Members[1])
	s.expect(s.press(s.black, s.newest().ID, "Accept"), "is to place")
}

// TestBusyFriend: somebody who has enough games is told so by the menu too.
func TestBusyFriend(t *testing.T) {
	t.Parallel()
	s, hello := welcomed(t)
	ask := s.press(s.white, hello.ID, "Play a friend")
	for range 20 {
		s.slash(s.white, "challenge", nil)
	}
	s.expectPrivate(s.choose(s.white, ask.ID, s.server.Members[1]), "20 games already")
}
