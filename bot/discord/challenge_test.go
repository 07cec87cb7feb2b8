package discord_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// TestChallengeIsPublicAndPings: the challenge stands in the channel, tells the terms, and mentions the one challenged
// and nobody else.
func TestChallengeIsPublicAndPings(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	other := s.server.Members[1]
	m := s.slash(s.white, "challenge", map[string]any{"opponent": other, "variant": "mhele", "clock": "3d", "rated": false, "colour": "black"})
	if m.Ephemeral || !slices.Equal(m.Mentions, []string{other}) {
		t.Errorf("private: %v, mentions %v, want public and %s alone", m.Ephemeral, m.Mentions, other)
	}
	for _, want := range []string{"Mhele", "3 days", "not rated", "plays black", "<@" + other + ">"} {
		s.expect(m, want)
	}
	for _, label := range []string{"Accept", "Decline", "Cancel", "How to play"} {
		if _, ok := m.Control(label); !ok {
			t.Errorf("no %s", label)
		}
	}
	s.expectPrivate(s.press(s.sb.As(s.server.Members[2]), m.ID, "How to play"), "Mhele")
}

// TestWhoMayAnswerAChallenge tries everybody on everything.
func TestWhoMayAnswerAChallenge(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	outsider := s.sb.As(s.server.Members[2])
	m := s.slash(s.white, "challenge", map[string]any{"opponent": s.server.Members[1]})
	s.expectPrivate(s.press(s.white, m.ID, "Accept"), "your own challenge")
	s.expectPrivate(s.press(outsider, m.ID, "Accept"), "not for you")
	s.expectPrivate(s.press(outsider, m.ID, "Decline"), "not for you")
	s.expectPrivate(s.press(s.black, m.ID, "Cancel"), "can cancel")
	s.expect(s.press(s.black, m.ID, "Decline"), "declined")

	m = s.slash(s.white, "challenge", map[string]any{"opponent": s.server.Members[1]})
	after := s.press(s.white, m.ID, "Cancel")
	s.expect(after, "took the challenge back")
	if len(after.Components) != 0 {
		t.Error("a cancelled challenge keeps its buttons")
	}

	open := s.slash(s.white, "challenge", nil)
	if len(open.Mentions) != 0 {
		t.Errorf("an open challenge mentions %v", open.Mentions)
	}
	s.expect(s.press(outsider, open.ID, "Accept"), "Morabaraba, Traditional")
}

// TestChallengeExpires: after its time a challenge says so by itself, and binds nobody.
func TestChallengeExpires(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.slash(s.white, "challenge", map[string]any{"opponent": s.server.Members[1]})
	s.clock.Advance(25 * time.Hour)
	ctx, done := s.patience()
	defer done()
	s.must(s.sb.Wait(ctx, func() bool {
		return slices.ContainsFunc(s.white.Messages(s.channel), func(m sandbox.Message) bool {
			return strings.Contains(m.Content, "Nobody answered in time") && len(m.Components) == 0
		})
	}))
	s.expectPrivate(s.slash(s.white, "games", map[string]any{"scope": "mine"}), "You have no game")
}

// TestChallengesThatCannotBe (O25) are refused in words, and nothing is kept.
func TestChallengesThatCannotBe(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	stranger, otherBot := "", ""
	for _, p := range s.people {
		switch {
		case p.Bot && p.ID != s.sb.AppID():
			otherBot = p.ID
		case !slices.Contains(s.server.Members, p.ID) && !p.Bot:
			stranger = p.ID
		}
	}
	for _, tt := range []struct {
		name    string
		options map[string]any
		want    string
	}{
		{"a level and a person", map[string]any{"level": 3, "opponent": s.server.Members[1]}, "Leave one of the two out"},
		{"another bot", map[string]any{"opponent": otherBot}, "That is a bot"},
		{"somebody of another server", map[string]any{"opponent": stranger}, "not in this server"},
		{"no such game", map[string]any{"variant": "ludo"}, "no game that I know"},
		{"too long a game", map[string]any{"variant": strings.Repeat("ludo", 500)}, "no game that I know"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.options["opponent"] == "" {
				t.Fatal("the sandbox's world has nobody for this")
			}
			s.expectPrivate(s.slash(s.white, "challenge", tt.options), tt.want)
		})
	}
	if mine, err := s.app.Mine(t.Context(), s.server.Members[0]); err != nil || len(mine) != 0 {
		t.Errorf("%d matches are kept, error %v", len(mine), err)
	}
}

// TestHiddenChannel: who cannot see the channel cannot be challenged in it.
func TestHiddenChannel(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.must(s.sb.Hide(s.channel, s.server.Members[1], true))
	s.expectPrivate(s.slash(s.white, "challenge", map[string]any{"opponent": s.server.Members[1]}), "cannot see this channel")
}

// TestBothSeats: who challenges themselves plays both sides of a game that never counts.
func TestBothSeats(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	m := s.slash(s.white, "challenge", map[string]any{"opponent": s.server.Members[0], "variant": "nine", "rated": true})
	id := s.game(m)
	for _, point := range []string{"a7", "d7", "a4"} {
		s.expectPrivate(s.slash(s.white, "place", map[string]any{"point": point}), "You played `"+point+"`")
	}
	confirm := s.slash(s.white, "resign", nil)
	s.press(s.white, confirm.ID, "Confirm")
	if kept := s.kept(id); kept.State != storage.Finished || len(kept.Changes) != 0 {
		t.Errorf("state %s, %d changes of ratings", kept.State, len(kept.Changes))
	}
}

// TestPersonsMenu: the command in a person's menu challenges them.
func TestPersonsMenu(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ctx, done := s.patience()
	defer done()
	reply, err := s.white.UserCommand(ctx, s.channel, "Challenge to a game", s.server.Members[1])
	m := s.answered(reply, err, "menu command")
	s.expect(s.press(s.black, m.ID, "Accept"), "is to place")
}

// TestFlying changes a column: the challenge says so, and the game does not count where the guide fixes it.
func TestFlying(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	m := s.slash(s.white, "challenge", map[string]any{"variant": "morabaraba", "flying": false})
	s.expect(m, "no flying")
	s.expect(m, "not rated")
	m = s.slash(s.white, "challenge", map[string]any{"variant": "thinhama", "flying": false})
	if strings.Contains(m.Content, "not rated") {
		t.Errorf("thinhama leaves flying open, yet: %s", m.Content)
	}
}

// TestAutocomplete narrows what is legal, by any name of a game.
func TestAutocomplete(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	complete := func(command string, options map[string]any, focused string) (values []string) {
		t.Helper()
		ctx, done := s.patience()
		defer done()
		choices, err := s.white.Complete(ctx, s.channel, command, options, focused)
		s.must(err)
		for _, c := range choices {
			values = append(values, c.Value)
		}
		return values
	}
	if got := complete("challenge", map[string]any{"variant": "mühl"}, "variant"); !slices.Equal(got, []string{"nine"}) {
		t.Errorf("mühl finds %v", got)
	}
	if got := complete("place", map[string]any{"point": ""}, "point"); len(got) != 0 {
		t.Errorf("without a game %v can be placed on", got)
	}
	id := s.setUp("nine", "wb./.../b../.b..w./.../.w./w.b w 0,0 0 0,0 -,-")
	if got := complete("move", map[string]any{"from": ""}, "from"); !slices.Equal(got, []string{"a1", "a7", "d2", "f4"}) {
		t.Errorf("pieces that can move: %v", got)
	}
	if got := complete("move", map[string]any{"from": "a7", "to": ""}, "to"); !slices.Equal(got, []string{"a4"}) {
		t.Errorf("a7 can go to %v", got)
	}
	if got := complete("move", map[string]any{"from": "a7", "to": "", "game": id[:3]}, "game"); !slices.Contains(got, id) {
		t.Errorf("games that begin with %s: %v", id[:3], got)
	}
}

// TestOldConfirmation: what was confirmed is the game as it stood; after more turns the old button does nothing.
func TestOldConfirmation(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	confirm := s.slash(s.white, "resign", nil)
	s.act(id, rules.White, "a7")
	s.expectPrivate(s.press(s.white, confirm.ID, "Confirm"), "moved on")
	if m := s.kept(id); m.State != storage.Playing {
		t.Errorf("the game is %s", m.State)
	}
}

// TestAnotherServer: a player sees their game from another server, but it stays where it is.
func TestAnotherServer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	s.channel = s.other.Channels[0].ID
	s.expectPrivate(s.slash(s.white, "board", map[string]any{"game": id}), id)
	s.expectPrivate(s.slash(s.white, "place", map[string]any{"point": "a7", "game": id}), "You played")
	if anew := s.board(id); anew.ID != board.ID || anew.Channel != board.Channel {
		t.Error("the board went to another server")
	}
	s.expectPrivate(s.slash(s.sb.As(s.other.Owner), "board", map[string]any{"game": id}), "no game with that id")
}

// TestOffers goes through draw, takeback and resignation by buttons and commands.
func TestOffers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	s.act(id, rules.White, "a7")
	before := position(t, s.kept(id))
	s.act(id, rules.Black, "d7")

	s.expect(s.press(s.black, s.board(id).ID, "Takeback"), "asks to take")
	s.expectPrivate(s.slash(s.black, "takeback", nil), "waits for an answer")
	s.expectPrivate(s.slash(s.white, "takeback", nil), "taken back")
	if got := position(t, s.kept(id)); got != before {
		t.Errorf("after the takeback: %s, want %s", got, before)
	}
	s.act(id, rules.Black, "g7")

	s.expectPrivate(s.slash(s.white, "draw", nil), "offered")
	s.expect(s.board(id), "offers a draw")
	s.press(s.black, s.board(id).ID, "Draw")
	over := s.board(id)
	s.expect(over, "Drawn: agreement")
	s.expectPrivate(s.slash(s.white, "place", map[string]any{"point": "a1", "game": id}), "not being played")
	s.checkBoard(over, position(t, s.kept(id)))
}
