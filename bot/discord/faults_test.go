package discord_test

import (
	"strings"
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// anotherChannel is one in which nothing has happened yet.
func (s *stage) anotherChannel() string { return s.server.Channels[1].ID }

// giveUp resigns a game by its id, and confirms.
func (s *stage) giveUp(who *sandbox.Actor, id string) sandbox.Message {
	s.t.Helper()
	return s.press(who, s.slash(who, "resign", map[string]any{"game": id}).ID, "Confirm")
}

// breakages are ways in which a match ends, or breaks and goes on.
func breakages() map[string]func(s *stage, board sandbox.Message) (ended bool) {
	return map[string]func(*stage, sandbox.Message) bool{
		"the channel is deleted": func(s *stage, _ sandbox.Message) bool { s.must(s.sb.DeleteChannel(s.channel)); return false },
		"the board is deleted":   func(s *stage, board sandbox.Message) bool { s.must(s.sb.DeleteMessage(board.ID)); return false },
		"the opponent leaves": func(s *stage, _ sandbox.Message) bool {
			s.must(s.sb.RemoveMember(s.server.ID, s.black.ID()))
			return false
		},
		"a restart": func(s *stage, _ sandbox.Message) bool { s.restart(); return false },
		"both agree": func(s *stage, board sandbox.Message) bool {
			s.press(s.white, board.ID, "Draw")
			s.press(s.black, s.board(s.game(board)).ID, "Draw")
			return true
		},
		"it is called off": func(s *stage, board sandbox.Message) bool { s.giveUp(s.black, s.game(board)); return true },
	}
}

// TestNothingBindsForEver (O24): however a match ends or breaks, both can begin another; while it goes on, /games lists
// what binds them, from any channel, and it can be ended from there.
func TestNothingBindsForEver(t *testing.T) {
	t.Parallel()
	for name, breaks := range breakages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, func(s *stage) { s.limits.Games = 1 })
			board := s.begin("morabaraba", nil)
			id := s.game(board)
			s.expectPrivate(s.slash(s.white, "challenge", nil), "You are in 1 game already")
			ended := breaks(s, board)
			s.channel = s.anotherChannel()
			if mine := s.slash(s.white, "games", map[string]any{"scope": "mine"}); strings.Contains(mine.Content, id) == ended {
				t.Errorf("ended: %v, and listed is %q", ended, mine.Content)
			}
			if !ended {
				s.giveUp(s.white, id)
			}
			for _, who := range []*sandbox.Actor{s.white, s.black} {
				if bound, err := s.app.Mine(t.Context(), who.ID()); err != nil || len(bound) != 0 {
					t.Errorf("still bound: %d matches, %v", len(bound), err)
				}
			}
			if m := s.slash(s.white, "challenge", nil); m.Ephemeral {
				t.Errorf("no other game can be begun: %s", m.Content)
			}
		})
	}
}

// TestWhatCountsForNobody (O27): challenges that are declined, taken back or not answered, and games that end before
// both have made a turn, leave no rating, no record and no form.
func TestWhatCountsForNobody(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	challenge := func() sandbox.Message {
		return s.slash(s.white, "challenge", map[string]any{"opponent": s.black.ID(), "variant": "nine", "colour": "white"})
	}
	s.press(s.black, challenge().ID, "Decline")
	s.press(s.white, challenge().ID, "Cancel")
	challenge()
	s.clock.Advance(25 * time.Hour)
	s.await("Nobody answered in time")

	said := s.giveUp(s.white, s.game(s.begin("nine", nil)))
	s.expectPrivate(said, "counts for nobody")
	s.expect(s.await("called the game off"), s.nameOf(s.white.ID()))
	one := s.game(s.begin("nine", nil))
	s.act(one, rules.Black, "a7")
	asked := s.slash(s.black, "resign", map[string]any{"game": one})
	s.expectPrivate(asked, "would count for nobody")
	s.press(s.black, asked.ID, "Confirm")
	if m := s.kept(one); m.State != storage.Withdrawn || match.CalledOffBy(m) != rules.Black {
		t.Errorf("%s %s by %v, want it called off by black", m.State, m.Ending, match.CalledOffBy(m))
	}
	drawn := s.game(s.begin("nine", nil))
	s.slash(s.white, "draw", map[string]any{"game": drawn})
	s.slash(s.black, "draw", map[string]any{"game": drawn})

	s.expectPrivate(s.slash(s.white, "leaderboard", map[string]any{"variant": "nine"}), "Nobody has a rating")
	for _, who := range []*sandbox.Actor{s.white, s.black} {
		profile := s.slash(who, "profile", nil)
		s.expectPrivate(profile, "No rated game yet")
		if strings.Contains(profile.Content, "Last games") {
			t.Errorf("form: %s", profile.Content)
		}
	}
}

// TestResignAsksWhich (O28): of two games none is taken for the one meant, not even that in which it is one's turn; the
// confirmation names the opponent.
func TestResignAsksWhich(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	one := s.game(s.begin("morabaraba", nil))
	third := s.sb.As(s.server.Members[2])
	challenge := s.slash(s.white, "challenge", map[string]any{"opponent": third.ID(), "variant": "morabaraba", "colour": "black"})
	two := s.game(s.press(third, challenge.ID, "Accept"))
	for _, channel := range []string{s.channel, s.anotherChannel()} {
		s.channel = channel
		asked := s.slash(s.white, "resign", nil) // it is white's turn in the first alone
		s.expectPrivate(asked, one)
		s.expectPrivate(asked, two)
		if len(asked.Components) != 0 {
			t.Errorf("a question that can be confirmed: %q", asked.Content)
		}
	}
	confirm := s.slash(s.white, "resign", map[string]any{"game": two})
	s.expectPrivate(confirm, "against **"+s.nameOf(third.ID())+"**")
	s.press(s.white, confirm.ID, "Confirm")
	if a, b := s.kept(one), s.kept(two); a.State != storage.Playing || b.State != storage.Withdrawn {
		t.Errorf("the games are %s and %s", a.State, b.State)
	}
}

// TestDeletedThread (O30): the move is kept, no request is made again and again, and the game goes on in the channel above.
func TestDeletedThread(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	channel := s.channel
	thread, err := s.sb.StartThread(s.white.ID(), channel, "our game")
	s.must(err)
	s.channel = thread
	id := s.game(s.begin("morabaraba", nil))
	s.must(s.sb.DeleteChannel(thread))
	s.channel = channel
	before := len(s.sb.Requests())
	s.expectPrivate(s.act(id, rules.White, "a7"), "You played `a7`")
	s.settle(func() bool { m := s.kept(id); return m.Shown.Channel == channel && !m.Untold() })
	s.clock.Advance(time.Hour)
	s.settle(func() bool { return s.kept(id).NoticeAt.IsZero() })
	gone := 0
	for _, r := range s.sb.Requests()[before:] {
		if r.Status == 404 {
			gone++
		}
	}
	if gone > 3 { // the edit, the new board in its place, the notice
		t.Errorf("%d requests went to what is gone", gone)
	}
	s.expectPrivate(s.slash(s.black, "board", map[string]any{"game": id}), "bottom of the channel")
	s.act(id, rules.Black, "d7")
	s.checkBoard(s.board(id), position(t, s.kept(id)))
}

// TestOpponentLeaves (O31): without a clock a game whose other player has left the server can be claimed, and their
// name stands in its record; who comes back before that goes on.
func TestOpponentLeaves(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.act(id, rules.White, "a7")
	s.act(id, rules.Black, "d7")
	s.act(id, rules.White, "g7")
	s.must(s.sb.RemoveMember(s.server.ID, s.black.ID()))
	s.clock.Advance(24 * time.Hour)
	s.must(s.sb.AddMember(s.server.ID, s.black.ID()))
	s.act(id, rules.Black, "a4")
	s.checkBoard(s.board(id), position(t, s.kept(id)))
	s.act(id, rules.White, "g4")
	s.must(s.sb.RemoveMember(s.server.ID, s.black.ID()))
	s.clock.Advance(73 * time.Hour)
	s.press(s.white, s.await("You may end the game as won").ID, "Claim")
	over := s.board(id)
	s.expect(over, s.nameOf(s.black.ID()))
	if m := s.kept(id); m.Reason != rules.Abandoned || m.Result != rules.WhiteWins {
		t.Errorf("%s: %s %s, want white to have won it", m.State, m.Result, m.Reason)
	}
	record := s.slash(s.white, "replay", map[string]any{"game": id})
	if text := string(record.Attachments[0].Data); !strings.Contains(text, s.nameOf(s.black.ID())) {
		t.Errorf("the record lacks the name of who left:\n%s", text)
	}
	s.expectPrivate(s.slash(s.white, "leaderboard", nil), s.nameOf(s.black.ID()))
}

// TestOpponentOutOfTime (O31): with a clock it is the clock that ends the game of somebody who has left.
func TestOpponentOutOfTime(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", map[string]any{"clock": "1d"}))
	s.act(id, rules.White, "a7")
	s.act(id, rules.Black, "d7")
	s.act(id, rules.White, "g7")
	s.must(s.sb.RemoveMember(s.server.ID, s.black.ID()))
	s.clock.Advance(25 * time.Hour)
	s.settle(func() bool { return s.kept(id).State == storage.Finished })
	if m := s.kept(id); m.Reason != rules.Timeout || m.Result != rules.WhiteWins {
		t.Errorf("%s %s, want white to have won on time", m.Result, m.Reason)
	}
}

// TestArchivedThread (O33): a game of days in a thread that was archived is played on from another channel, and the
// thread opens again with the board.
func TestArchivedThread(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	channel := s.channel
	thread, err := s.sb.StartThread(s.white.ID(), channel, "our game")
	s.must(err)
	s.channel = thread
	id := s.game(s.begin("morabaraba", map[string]any{"clock": "3d"}))
	s.clock.Advance(2 * time.Hour)
	s.must(s.sb.ArchiveThread(thread, false))
	s.channel = channel
	s.expectPrivate(s.act(id, rules.White, "a7"), "You played `a7`")
	s.checkBoard(s.board(id), position(t, s.kept(id)))
	s.settle(func() bool { return !s.kept(id).Untold() })
	if m := s.kept(id); m.Shown.Channel != thread {
		t.Errorf("shown is %+v, want the board in its thread", m.Shown)
	}
	s.clock.Advance(time.Minute)
	s.channel = thread
	s.press(s.black, s.waitForNotice("played `a7`").ID, "Turn notices on or off")
}

// TestLockedThread (O33): a locked thread stops no game: the move is kept, and the board comes elsewhere.
func TestLockedThread(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	channel := s.channel
	thread, err := s.sb.StartThread(s.white.ID(), channel, "our game")
	s.must(err)
	s.channel = thread
	id := s.game(s.begin("morabaraba", map[string]any{"clock": "3d"}))
	s.must(s.sb.ArchiveThread(thread, true))
	s.channel = channel
	s.expectPrivate(s.act(id, rules.White, "a7"), "You played `a7`")
	s.expectPrivate(s.slash(s.black, "board", map[string]any{"game": id}), "bottom of the channel")
	s.act(id, rules.Black, "d7")
	s.checkBoard(s.board(id), position(t, s.kept(id)))
	s.settle(func() bool { return !s.kept(id).Untold() })
	if m := s.kept(id); m.Shown.Channel != channel {
		t.Errorf("shown in %s, want the channel", m.Shown.Channel)
	}
}

// TestNamesInOwnLists (O36): names that are markdown or mentions leave a member's own list and the position in words in
// shape, and ping nobody.
func TestNamesInOwnLists(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.prefer(s.white, "words", "on")
	for i, name := range []string{"_x_ *y* ||z||", "```@everyone", "<@&1>", "\u202eright to left\u200f"} {
		s.must(s.sb.Rename(s.black.ID(), name))
		s.slash(s.white, "block", map[string]any{"user": s.black.ID()})
		point := []string{"a7", "g7", "a1", "g1"}[i]
		played := s.act(id, rules.White, point)
		s.act(id, rules.Black, []string{"d7", "a4", "d1", "g4"}[i])
		for _, m := range []sandbox.Message{s.slash(s.white, "block", nil), s.slash(s.white, "board", map[string]any{"game": id, "words": true}), played} {
			if strings.Contains(m.Content, "```") || strings.Contains(m.Content, "<@&") || strings.Contains(m.Content, "||") ||
				strings.ContainsAny(m.Content, "\u202e\u200f") || len(m.Mentions) > 0 {
				t.Errorf("with %q: %q mentions %v", name, m.Content, m.Mentions)
			}
		}
	}
}
