package discord_test

import (
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// inThreads begins a stage whose server wants a thread for each game.
func inThreads(t *testing.T) *stage {
	t.Helper()
	s := newStage(t)
	s.wants(storage.Server{Threads: true})
	return s
}

// placed is the board of a game where the game is played now, once it has begun and the board shows what is kept.
func (s *stage) placed(id string) sandbox.Message {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	var board sandbox.Message
	for {
		committed := s.commits.rung()
		m := s.kept(id)
		if m.State != storage.Challenged && m.Shown.Revision == m.Revision && m.Shown.Trouble == "" {
			var there bool
			if board, there = s.white.Message(m.Shown.Message); !there || board.Channel != m.Shown.Channel {
				s.t.Fatalf("no board where it is kept to be: %+v", m.Shown)
			}
			s.checkBoard(board, position(s.t, m))
			return board
		}
		select {
		case <-committed:
		case <-ctx.Done():
			s.t.Fatalf("not shown: %+v at revision %d", m.Shown, m.Revision)
		}
	}
}

// threads lists the threads that were asked for: the paths of the requests.
func (s *stage) threads() (paths []string) {
	for _, r := range s.sb.Requests() {
		if r.Method == "POST" && strings.HasSuffix(r.Path, "/threads") {
			paths = append(paths, r.Path)
		}
	}
	return paths
}

// archived counts how often a thread was archived by the bot.
func (s *stage) archived(thread string) (n int) {
	for _, r := range s.sb.Requests() {
		asked := r.Method == "PATCH" && strings.HasSuffix(r.Path, "/channels/"+thread)
		if asked && strings.Contains(string(r.Body), `"archived":true`) {
			n++
		}
	}
	return n
}

// noticed waits for a notice that says something.
func (s *stage) noticed(channel, want string) {
	s.t.Helper()
	s.seenIn(channel, "a notice", func(m sandbox.Message) bool { return strings.Contains(m.Content, want) })
}

// TestGameThread: an accepted challenge gets a thread, and the game is played there.
func TestGameThread(t *testing.T) {
	t.Parallel()
	s := inThreads(t)
	anchor := s.begin("morabaraba", nil)
	id := s.game(anchor)
	board := s.placed(id)
	thread := board.Channel
	if thread != anchor.ID || len(s.threads()) != 1 {
		t.Fatalf("the board is in %s, the challenge is %s; asked for: %v", thread, anchor.ID, s.threads())
	}
	below, _ := s.white.Message(anchor.ID)
	s.expect(below, "<#"+thread+">")
	if len(below.Components) != 0 {
		t.Error("the challenge can still be accepted")
	}
	s.choose(s.white, board.ID, "a7")
	s.channel = thread
	s.act(id, rules.Black, "d7")
	if now := s.placed(id); now.ID != board.ID {
		t.Error("a turn moved the board")
	}
	s.clock.Advance(20 * time.Second)
	s.noticed(thread, "Your turn")
}

// TestGameThreadEnds: in the end the channel shows how it ended, where a rematch can be agreed on, and the thread is
// archived.
func TestGameThreadEnds(t *testing.T) {
	t.Parallel()
	s := inThreads(t)
	home := s.channel
	anchor := s.begin("morabaraba", nil)
	id := s.game(anchor)
	board := s.placed(id)
	thread := board.Channel
	s.channel = thread
	s.act(id, rules.White, "a7")
	s.act(id, rules.Black, "d7")
	s.press(s.white, s.slash(s.white, "resign", nil).ID, "Confirm")
	over := s.placed(id)
	if over.ID != anchor.ID || over.Channel != home {
		t.Errorf("the end is shown in %s by %s", over.Channel, over.ID)
	}
	s.expect(over, "resignation")
	last, _ := s.white.Message(board.ID)
	s.expect(last, "resignation")
	if len(last.Components) != 0 {
		t.Error("the thread's board has controls, which nobody could press")
	}
	if n := s.archived(thread); n != 1 {
		t.Errorf("archived %d times", n)
	}
	s.noticed(home, "<@"+s.server.Members[1]+">")
	s.channel = home
	s.press(s.white, over.ID, "Rematch")
	s.press(s.black, over.ID, "Rematch")
	next := s.placed(s.kept(id).Next)
	if next.Channel == home || next.Channel == thread || len(s.threads()) != 2 {
		t.Errorf("the rematch is in %s", next.Channel)
	}
}

// TestThreadNames: a thread is named after the players and the game, whatever they are called.
func TestThreadNames(t *testing.T) {
	t.Parallel()
	s := inThreads(t)
	s.must(s.sb.Rename(s.server.Members[0], "@everyone **"+strings.Repeat("long ", 3)+"**"))
	s.placed(s.game(s.begin("tournament", nil)))
	for _, r := range s.sb.Requests() {
		if strings.HasSuffix(r.Path, "/threads") && !strings.Contains(string(r.Body), "Thabo: Morabaraba, Tournament") {
			t.Errorf("named %s", r.Body)
		}
	}
}

// TestThreadMeansItsGame: commands without a game mean, in its thread, the thread's, whatever else they play.
func TestThreadMeansItsGame(t *testing.T) {
	t.Parallel()
	s := inThreads(t)
	first := s.game(s.begin("morabaraba", nil))
	second := s.game(s.begin("nine", nil))
	s.channel = s.placed(first).Channel
	s.placed(second)
	s.expectPrivate(s.slash(s.white, "place", map[string]any{"point": "a7"}), "You played `a7`")
	if n, m := len(s.kept(first).Deeds), len(s.kept(second).Deeds); n != 1 || m != 0 {
		t.Errorf("%d actions in the thread's game, %d in the other", n, m)
	}
	looker := s.sb.As(s.server.Members[2])
	s.expectPrivate(s.slash(looker, "board", nil), first)
	s.expectPrivate(s.slash(looker, "place", map[string]any{"point": "d7"}), "play here")
}

// TestNoThread: without the permission a game is played in the channel, one line of the log says why, and nobody is told.
func TestNoThread(t *testing.T) {
	t.Parallel()
	s := inThreads(t)
	s.must(s.sb.SetPermissions(s.channel, 1<<10|1<<11|1<<14|1<<15|1<<16|1<<38))
	id := s.game(s.begin("morabaraba", nil))
	board := s.placed(id)
	for i, at := range []string{"a7", "d7", "g7"} {
		m := s.act(id, rules.Side(i%2), at)
		if strings.Contains(m.Content, "hread") {
			t.Errorf("a player is told: %s", m.Content)
		}
	}
	if now := s.placed(id); now.Channel != s.channel || now.ID != board.ID {
		t.Errorf("the board is in %s", now.Channel)
	}
	if n := strings.Count(s.log.String(), "a game gets no thread"); n != 1 || len(s.threads()) != 1 {
		t.Errorf("said %d times, asked %d times", n, len(s.threads()))
	}
}

// TestThreadWithoutWriting: a thread that may be made but not written in leaves the board in the channel.
func TestThreadWithoutWriting(t *testing.T) {
	t.Parallel()
	s := inThreads(t)
	s.must(s.sb.SetPermissions(s.channel, 1<<10|1<<11|1<<14|1<<15|1<<16|1<<35))
	id := s.game(s.begin("morabaraba", nil))
	if board := s.placed(id); board.Channel != s.channel {
		t.Errorf("the board is in %s", board.Channel)
	}
}

// TestThreadIsShut: a thread that is archived is opened by the bot's next edit; from one that is locked, deleted or
// forbidden the game goes back to its channel, and goes on there (O33).
func TestThreadIsShut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		shut  func(s *stage, thread string) error
		stays bool
	}{
		"archived": {func(s *stage, thread string) error { return s.sb.ArchiveThread(thread, false) }, true},
		"locked":   {func(s *stage, thread string) error { return s.sb.ArchiveThread(thread, true) }, false},
		"deleted":  {func(s *stage, thread string) error { return s.sb.DeleteChannel(thread) }, false},
		"forbidden": {func(s *stage, _ string) error {
			return s.sb.SetPermissions(s.channel, 1<<10|1<<11|1<<15|1<<16|1<<35)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := inThreads(t)
			id := s.game(s.begin("morabaraba", nil))
			board := s.placed(id)
			s.must(c.shut(s, board.Channel))
			before := len(s.sb.Requests())
			s.act(id, rules.White, "a7")
			now := s.placed(id)
			if stays := now.ID == board.ID; stays != c.stays {
				t.Errorf("the board stays: %v", stays)
			}
			if !c.stays && now.Channel != s.channel {
				t.Errorf("the board is in %s", now.Channel)
			}
			if n := len(s.sb.Requests()) - before; n > 8 {
				t.Errorf("%d requests for one turn", n)
			}
			s.act(id, rules.Black, "d7")
			if again := s.placed(id); again.ID != now.ID {
				t.Error("the next turn moved the board again")
			}
		})
	}
}

// TestLockedBeforeANotice: a notice that cannot be written in a locked thread comes in the channel, and the board too.
func TestLockedBeforeANotice(t *testing.T) {
	t.Parallel()
	s := inThreads(t)
	id := s.game(s.begin("morabaraba", nil))
	thread := s.placed(id).Channel
	s.act(id, rules.White, "a7")
	s.placed(id)
	s.must(s.sb.ArchiveThread(thread, true))
	s.clock.Advance(20 * time.Second)
	s.noticed(s.channel, "Your turn")
	if board := s.placed(id); board.Channel != s.channel {
		t.Errorf("the board is in %s", board.Channel)
	}
}

// TestBoardLeavesThread: /board elsewhere takes the game out of its thread; in the thread it stays there.
func TestBoardLeavesThread(t *testing.T) {
	t.Parallel()
	s := inThreads(t)
	home := s.channel
	id := s.game(s.begin("morabaraba", nil))
	first := s.placed(id)
	s.channel = first.Channel
	s.expectPrivate(s.slash(s.white, "board", nil), "bottom of the channel")
	if anew := s.placed(id); anew.Channel != first.Channel || anew.ID == first.ID {
		t.Errorf("in the thread: the board is in %s", anew.Channel)
	}
	s.channel = home
	s.expectPrivate(s.slash(s.white, "board", map[string]any{"game": id}), "bottom of the channel")
	if anew := s.placed(id); anew.Channel != home {
		t.Errorf("in the channel: the board is in %s", anew.Channel)
	}
}

// TestThreadSurvivesARestart: a game that was accepted but not shown before the process ended gets its thread, once.
func TestThreadSurvivesARestart(t *testing.T) {
	t.Parallel()
	s := inThreads(t)
	s.sb.FailNext("POST", "/channels/", 503, 0, 4)
	id := s.game(s.begin("morabaraba", nil))
	s.restart()
	s.placed(id)
	s.act(id, rules.White, "a7")
	s.placed(id)
	s.restart()
	s.act(id, rules.Black, "d7")
	s.placed(id)
	if n := len(s.threads()); n > 5 {
		t.Errorf("%d threads were asked for", n)
	}
}

// TestPeoplesThread: a game that was begun in a thread of people's stays there while it can, and goes on in the channel
// above when the thread is locked (O33).
func TestPeoplesThread(t *testing.T) {
	t.Parallel()
	s := inThreads(t)
	home := s.channel
	thread := s.server.Channels[len(s.server.Channels)-1].ID
	s.channel = thread
	id := s.game(s.begin("morabaraba", nil))
	board := s.placed(id)
	if board.Channel != thread || len(s.threads()) != 0 {
		t.Fatalf("the board is in %s, threads asked for: %v", board.Channel, s.threads())
	}
	s.channel = home
	s.must(s.sb.ArchiveThread(thread, false))
	s.act(id, rules.White, "a7")
	if now := s.placed(id); now.ID != board.ID {
		t.Error("an archived thread is left")
	}
	s.must(s.sb.ArchiveThread(thread, true))
	s.act(id, rules.Black, "d7")
	if now := s.placed(id); now.Channel != home {
		t.Errorf("the board is in %s", now.Channel)
	}
	if m := s.kept(id); m.Channel != home || m.Above != "" {
		t.Errorf("kept: channel %s below %q", m.Channel, m.Above)
	}
	s.slash(s.white, "place", map[string]any{"point": "g7"})
	s.placed(id)
	if n := len(s.kept(id).Deeds); n != 3 {
		t.Errorf("%d actions: the game is not meant in its channel", n)
	}
}

// TestPeoplesThreadBeforeANotice: a notice that cannot be written in a locked thread of people's comes in the channel.
func TestPeoplesThreadBeforeANotice(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	home := s.channel
	s.channel = s.server.Channels[len(s.server.Channels)-1].ID
	id := s.game(s.begin("morabaraba", nil))
	s.act(id, rules.White, "a7")
	s.placed(id)
	s.must(s.sb.ArchiveThread(s.channel, true))
	s.clock.Advance(20 * time.Second)
	s.noticed(home, "Your turn")
	if board := s.placed(id); board.Channel != home {
		t.Errorf("the board is in %s", board.Channel)
	}
}
