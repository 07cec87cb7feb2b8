package discord_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
)

// TestDeletedBoard (O30): the next action posts a new board, and the old one is forgotten.
func TestDeletedBoard(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	s.must(s.sb.DeleteMessage(board.ID))
	s.act(id, rules.White, "a7")
	anew := s.board(id)
	if anew.ID == board.ID {
		t.Fatal("the deleted board is shown")
	}
	s.checkBoard(anew, position(t, s.kept(id)))
	s.act(id, rules.Black, "d7")
	if again := s.board(id); again.ID != anew.ID {
		t.Error("the new board was replaced too")
	}
	if n := s.requestsTo(board.ID); n > 1 {
		t.Errorf("%d requests went to the deleted message, want 1 at most", n)
	}
}

// requestsTo counts the edits of a message.
func (s *stage) requestsTo(message string) (n int) {
	for _, r := range s.sb.Requests() {
		if r.Method == "PATCH" && strings.HasSuffix(r.Path, "/messages/"+message) {
			n++
		}
	}
	return n
}

// TestDeletedChannel (O30): the move is kept, telling stops, and from another channel the game goes on.
func TestDeletedChannel(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.must(s.sb.DeleteChannel(s.channel))
	s.channel = s.server.Channels[1].ID
	s.act(id, rules.White, "a7")
	s.expectPrivate(s.slash(s.white, "board", map[string]any{"game": id}), "bottom of the channel")
	s.checkBoard(s.board(id), position(t, s.kept(id)))
	s.act(id, rules.Black, "d7")
	s.checkBoard(s.board(id), position(t, s.kept(id)))
}

// TestMissingPermissions (O32): each permission that a board needs is named when it is missing; the move is kept; a
// game is not begun where it could not be shown.
func TestMissingPermissions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const everything = 1<<10 | 1<<11 | 1<<14 | 1<<15 | 1<<16 | 1<<35 | 1<<38
	id := s.game(s.begin("morabaraba", nil))
	points := []string{"a7", "d7", "g7", "b6"}
	for i, missing := range []struct {
		name string
		bit  uint64
	}{{"View Channel", 1 << 10}, {"Send Messages", 1 << 11}, {"Attach Files", 1 << 15}} {
		s.must(s.sb.SetPermissions(s.channel, everything&^missing.bit))
		m := s.act(id, rules.Side(i%2), points[i])
		s.expectPrivate(m, "You played `"+points[i]+"`")
		s.expectPrivate(m, missing.name)
		s.expectPrivate(s.slash(s.white, "challenge", nil), missing.name)
		s.must(s.sb.SetPermissions(s.channel, everything))
		if got := len(s.kept(id).Deeds); got != i+1 {
			t.Fatalf("%d actions are kept, want %d", got, i+1)
		}
	}
	s.act(id, rules.Black, points[3])
	s.checkBoard(s.board(id), position(t, s.kept(id)))
	for _, link := range []uint64{1 << 14, 1 << 35, 1 << 36} { // a board needs none of these
		s.must(s.sb.SetPermissions(s.channel, everything&^link))
		s.expectPrivate(s.slash(s.white, "board", map[string]any{"game": id}), "bottom of the channel")
	}
}

// TestThreadPermissions (O32): in a thread the permission to send is another one, and it is named.
func TestThreadPermissions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.channel = s.server.Channels[len(s.server.Channels)-1].ID
	const everything = 1<<10 | 1<<14 | 1<<15 | 1<<16 | 1<<38 // Send Messages has no effect in threads
	s.must(s.sb.SetPermissions(s.channel, everything))
	id := s.game(s.begin("morabaraba", nil))
	s.must(s.sb.SetPermissions(s.channel, everything&^(1<<38)))
	s.expectPrivate(s.act(id, rules.White, "a7"), "Send Messages in Threads")
	s.must(s.sb.SetPermissions(s.channel, everything))
	s.act(id, rules.Black, "d7")
	s.checkBoard(s.board(id), position(t, s.kept(id)))
}

// TestBoardAnew: /board brings a new board to the bottom of the channel each time, and the old one goes.
func TestBoardAnew(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	last := s.begin("morabaraba", nil)
	id := s.game(last)
	for range 3 {
		s.expectPrivate(s.slash(s.white, "board", nil), "bottom of the channel")
		anew := s.board(id)
		if _, there := s.white.Message(last.ID); there || anew.ID == last.ID {
			t.Fatalf("the board was not brought anew")
		}
		last = anew
	}
	outsider := s.sb.As(s.server.Members[2])
	s.expectPrivate(s.slash(outsider, "board", map[string]any{"game": id}), id)
	words := s.slash(outsider, "board", map[string]any{"game": id, "words": true})
	s.expectPrivate(words, "White has no piece on the board")
	if anew := s.board(id); anew.ID != last.ID {
		t.Error("a spectator moved the board")
	}
}

// TestTalkedOutOfSight: when people have talked a board out of sight, the next turn brings a new one.
func TestTalkedOutOfSight(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	first := s.begin("morabaraba", nil)
	id := s.game(first)
	for range 9 {
		_, err := s.sb.Say(s.server.Members[2], s.channel, "nice weather")
		s.must(err)
	}
	s.act(id, rules.White, "a7")
	if anew := s.board(id); anew.ID == first.ID {
		t.Error("the board stays out of sight")
	}
}

// TestKicked (O30): while the bot is away nothing is asked for again and again, and when it is back the game goes on.
func TestKicked(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.act(id, rules.White, "a7")
	s.board(id)
	s.must(s.sb.Kick(s.server.ID))
	before := len(s.sb.Requests())
	s.clock.Advance(16 * time.Second) // a notice falls due
	ctx, done := s.patience()
	defer done()
	s.must(s.sb.Wait(ctx, func() bool { return len(s.sb.Requests()) > before }))
	s.clock.Advance(time.Hour)
	s.must(s.sb.Invite(s.server.ID))
	s.act(id, rules.Black, "d7")
	s.checkBoard(s.board(id), position(t, s.kept(id)))
	refused := 0
	for _, r := range s.sb.Requests()[before:] {
		if r.Status == 403 || r.Status == 404 {
			refused++
		}
	}
	if refused > 2 {
		t.Errorf("%d requests were refused while the bot was away", refused)
	}
}

// TestOldTokenAndOldBoard (O34): long after the command that brought the board its token is dead, and after an hour
// Discord limits edits: the board changes all the same.
func TestOldTokenAndOldBoard(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	s.clock.Advance(16 * time.Minute)
	s.act(id, rules.White, "a7")
	if edited := s.board(id); edited.ID != board.ID {
		t.Error("after 16 minutes the board was replaced instead of edited")
	}
	s.clock.Advance(61 * time.Minute)
	s.act(id, rules.Black, "d7")
	anew := s.board(id)
	if anew.ID == board.ID {
		t.Error("after an hour the old message was edited")
	}
	ctx, done := s.patience()
	defer done()
	s.must(s.sb.Wait(ctx, func() bool {
		old, there := s.white.Message(board.ID)
		return !there || len(old.Components) == 0
	}))
}

// TestRestart (O23): a game, an offer and every button go on after a restart, also a day later and in the middle of a
// turn.
func TestRestart(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	challenge := s.slash(s.white, "challenge", map[string]any{"opponent": s.server.Members[1], "variant": "morabaraba", "colour": "white"})
	s.restart()
	id := s.game(s.press(s.black, challenge.ID, "Accept"))
	for i, action := range []string{"a7", "b6", "d7", "d6", "g7"} {
		s.act(id, rules.Side(i%2), action)
	}
	s.board(id)
	s.restart()
	s.expectPrivate(s.slash(s.black, "place", map[string]any{"point": "f6", "game": id}), "not your turn")
	s.choose(s.white, s.board(id).ID, "d6")
	s.press(s.white, s.board(id).ID, "Draw")
	s.restart()
	s.clock.Advance(25 * time.Hour)
	s.press(s.black, s.board(id).ID, "Draw")
	s.expect(s.board(id), "Drawn: agreement")
	s.restart()
	s.press(s.white, s.board(id).ID, "Rematch")
	s.press(s.black, s.board(id).ID, "Rematch")
	if next := s.kept(id).Next; next == "" {
		t.Error("no rematch began")
	}
}

// TestGatewayDrops: events of an interrupted connection arrive after it is resumed, once each.
func TestGatewayDrops(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.sb.DropGateway()
	ctx, done := s.patience()
	defer done()
	s.must(s.sb.WaitReady(ctx))
	s.act(id, rules.White, "a7")
	s.checkBoard(s.board(id), position(t, s.kept(id)))
}

// TestServerErrors: while Discord answers 500 and 429 nothing is lost, and the newest board is shown in the end.
func TestServerErrors(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.sb.FailNext("PATCH", "/channels/", 500, 0, 8)
	s.act(id, rules.White, "a7")
	s.sb.FailNext("PATCH", "/channels/", 429, 0, 2)
	s.act(id, rules.Black, "d7")
	s.clock.Advance(10 * time.Minute)
	s.checkBoard(s.board(id), position(t, s.kept(id)))
}

// TestNotices: the player to move is told after a while, and only they; one notice stands at a time; who wants none gets
// none.
func TestNotices(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.act(id, rules.White, "a7")
	s.board(id)
	if n := s.notices(); len(n) != 0 {
		t.Fatalf("a notice at once: %q", n[0].Content)
	}
	s.clock.Advance(16 * time.Second)
	first := s.waitForNotice("played `a7`")
	if !slices.Equal(first.Mentions, []string{s.server.Members[1]}) {
		t.Errorf("the notice mentions %v, want black alone", first.Mentions)
	}
	s.expect(first, "/channels/"+s.server.ID+"/")
	s.act(id, rules.Black, "d7")
	s.clock.Advance(16 * time.Second)
	second := s.waitForNotice("played `d7`")
	if n := s.notices(); len(n) != 1 {
		t.Errorf("%d notices stand, want the last alone", len(n))
	}
	s.expectPrivate(s.press(s.white, second.ID, "Turn notices on or off"), "no more turn notices")
	s.act(id, rules.White, "g7")
	s.clock.Advance(16 * time.Second)
	s.waitForNotice("played `g7`") // black still wants them
	s.act(id, rules.Black, "b6")
	s.clock.Advance(16 * time.Second)
	ctx, done := s.patience()
	defer done()
	s.must(s.sb.Wait(ctx, func() bool { return len(s.notices()) == 0 }))
}

// notices are the turn notices that stand in the channel.
func (s *stage) notices() (found []sandbox.Message) {
	for _, m := range s.white.Messages(s.channel) {
		if strings.Contains(m.Content, "urn: https://") || strings.Contains(m.Content, "again: https://") {
			found = append(found, m)
		}
	}
	return found
}

// waitForNotice waits until one notice stands, and it says so.
func (s *stage) waitForNotice(want string) (m sandbox.Message) {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	err := s.sb.Wait(ctx, func() bool {
		n := s.notices()
		if len(n) == 1 && strings.Contains(n[0].Content, want) {
			m = n[0]
			return true
		}
		return false
	})
	if err != nil {
		s.t.Fatalf("no notice says %q: %v", want, s.notices())
	}
	return m
}

// TestNames (O36): names that are markdown, mentions, marks of direction, nothing at all or very wide leave every list
// in shape and ping nobody.
func TestNames(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	names := []string{"_x_ *y* ||z||", "```@everyone", "<@&1>", "\u202eright to left\u200f", "\u200b\u200d", strings.Repeat("🐄", 32)}
	for _, name := range names {
		s.must(s.sb.Rename(s.server.Members[0], name))
		board := s.begin("nine", nil)
		id := s.game(board)
		s.act(id, rules.Black, "a7")
		s.act(id, rules.White, "d7")
		confirm := s.slash(s.white, "resign", map[string]any{"game": id})
		s.press(s.white, confirm.ID, "Confirm")
		s.checkBoard(s.board(id), position(t, s.kept(id)))
		for _, command := range []string{"leaderboard", "profile", "games"} {
			options := map[string]any{"variant": "nine"}
			if command == "games" {
				options = nil
			}
			m := s.slash(s.black, command, options)
			if strings.Contains(m.Content, "```") || strings.Contains(m.Content, "<@&") || strings.ContainsAny(m.Content, "\u202e\u200f\u200b") {
				t.Errorf("%s with %q: %q", command, name, m.Content)
			}
		}
	}
	players := s.server.Members[:2]
	for _, m := range s.white.Messages(s.channel) {
		for _, mentioned := range m.Mentions {
			if !slices.Contains(players, mentioned) {
				t.Errorf("%q mentions %s", m.Content, mentioned)
			}
		}
	}
}

// TestLeavers: who has left is still on the table, by the name kept, and no request is made for a name.
func TestLeavers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("nine", nil))
	s.act(id, rules.Black, "a7")
	s.act(id, rules.White, "d7")
	confirm := s.slash(s.white, "resign", map[string]any{"game": id})
	s.press(s.white, confirm.ID, "Confirm")
	s.board(id)
	s.must(s.sb.RemoveMember(s.server.ID, s.server.Members[1]))
	before := len(s.sb.Requests())
	table := s.slash(s.white, "leaderboard", map[string]any{"variant": "nine"})
	s.expectPrivate(table, s.nameOf(s.server.Members[1]))
	for _, r := range s.sb.Requests()[before:] {
		if r.Method == "GET" && !strings.Contains(r.Path, "/messages") { // whether people have talked the board out of sight
			t.Errorf("a request for the table: %s %s", r.Method, r.Path)
		}
	}
}
