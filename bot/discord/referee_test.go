package discord_test

import (
	"slices"
	"strings"
	"testing"

	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// decide is a sub-command of /referee by the server's owner.
func (s *stage) decide(sub string, options map[string]any) sandbox.Message {
	s.t.Helper()
	return s.slash(s.white, "referee "+sub, options)
}

// shows waits until the board message of a game says something.
func (s *stage) shows(id, want string) sandbox.Message {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	var board sandbox.Message
	if err := s.sb.Wait(ctx, func() bool {
		m := s.kept(id)
		shown, ok := s.white.Message(m.Shown.Message)
		board = shown
		return ok && strings.Contains(shown.Content, want)
	}); err != nil {
		s.t.Fatalf("the board of %s says %q, want %q: %v", id, board.Content, want, err)
	}
	return board
}

// TestRefereeEnds: with a result the game is over and rated, without one it counts for nobody; the board says who did it.
func TestRefereeEnds(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("nine", nil))
	s.act(id, rules.Black, "a7")
	s.act(id, rules.White, "d7")
	s.expectPrivate(s.decide("end", map[string]any{"game": id, "result": "white"}), "is ended")
	s.expect(s.shows(id, "ended by a referee"), "Naledi** (white) wins against")
	if m := s.kept(id); m.Result != rules.WhiteWins || m.Reason != rules.Adjudication || len(m.Changes) != 4 {
		t.Errorf("kept %s, %s, %d changes", m.Result, m.Reason, len(m.Changes))
	}
	s.expectPrivate(s.decide("end", map[string]any{"game": id, "result": "draw"}), "not being played")
	off := s.game(s.begin("nine", nil))
	s.act(off, rules.Black, "a7")
	s.decide("end", map[string]any{"game": off, "result": "none"})
	s.expect(s.shows(off, "Called off by a referee"), "Naledi")
	if m := s.kept(off); m.State != storage.Withdrawn || len(m.Changes) != 0 {
		t.Errorf("called off: %s, %d changes", m.State, len(m.Changes))
	}
	waiting := s.game(s.slash(s.black, "challenge", nil))
	s.decide("end", map[string]any{"game": waiting, "result": "none"})
	s.shows(waiting, "Called off by a referee")
}

// TestRefereeAnnuls: both players' points go back, and the board says so instead of what the game had changed.
func TestRefereeAnnuls(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.resigned()
	s.expect(s.shows(id, "wins against"), "→")
	if got := s.suggestions(s.white, "referee annul", "game", "", nil); !slices.Equal(got, []string{id}) {
		t.Errorf("suggested %q", got)
	}
	s.expectPrivate(s.decide("annul", map[string]any{"game": id}), "is annulled")
	if board := s.shows(id, "Annulled by a referee"); strings.Contains(board.Content, "→") {
		t.Errorf("the change still shows: %s", board.Content)
	}
	s.expectPrivate(s.slash(s.white, "leaderboard", map[string]any{"variant": "nine"}), "Nobody has a rating")
	s.expectPrivate(s.decide("annul", map[string]any{"game": id}), "annulled already")
}

// TestRefereeMoves: the board goes on in the other channel, where the bot can show it.
func TestRefereeMoves(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("nine", nil)
	id := s.game(board)
	mute, well := s.server.Channels[1].ID, s.server.Channels[4].ID
	s.must(s.sb.SetPermissions(mute, everything&^(1<<15)))
	s.expectPrivate(s.decide("move", map[string]any{"game": id, "channel": mute}), "Attach Files")
	s.expectPrivate(s.decide("move", map[string]any{"game": id, "channel": well}), "<#"+well+">")
	if m := s.kept(id); m.Channel != well || m.Shown.Channel != well {
		t.Errorf("in %s, shown in %s", m.Channel, m.Shown.Channel)
	}
	s.checkBoard(s.board(id), position(t, s.kept(id)))
	if _, there := s.white.Message(board.ID); there {
		t.Error("the old board stays")
	}
	s.act(id, rules.Black, "a7")
	s.checkBoard(s.board(id), position(t, s.kept(id)))
}

// TestRefereeBans: who is banned begins no game by command or tap, is told why, and finishes what they play.
func TestRefereeBans(t *testing.T) {
	t.Parallel()
	s, hello := welcomed(t)
	playing := s.game(s.begin("nine", nil))
	over := s.resigned()
	open := s.slash(s.white, "challenge", nil)
	s.expectPrivate(s.decide("ban", map[string]any{"user": s.black.ID()}), "Thabo can begin no more games")
	s.expectPrivate(s.decide("ban", map[string]any{"user": s.black.ID()}), "already")
	const why = "A referee has banned you"
	s.expectPrivate(s.slash(s.black, "challenge", nil), why)
	s.expectPrivate(s.press(s.black, open.ID, "Accept"), why)
	s.expectPrivate(s.press(s.black, s.shows(over, "wins against").ID, "Rematch"), why)
	ask := s.press(s.black, hello.ID, "Play a friend")
	s.expectPrivate(s.press(s.black, ask.ID, "Anyone may join"), why)
	s.expectPrivate(s.slash(s.white, "challenge", map[string]any{"opponent": s.black.ID()}), "may not begin games")
	s.act(playing, rules.Black, "a7")
	s.expectPrivate(s.set("show", nil), "<@"+s.black.ID()+">")
	s.decide("ban", map[string]any{"user": s.black.ID(), "remove": true})
	s.expect(s.press(s.black, open.ID, "Accept"), "is to place")
}

// TestRefereeOrdersACount: where the game has the two-minute rule.
func TestRefereeOrdersACount(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("tournament", nil))
	s.expectPrivate(s.decide("standing", map[string]any{"game": id, "remove": true}), "Nobody has ordered a count")
	s.decide("standing", map[string]any{"game": id})
	s.shows(id, "The arbiter counts")
	s.decide("standing", map[string]any{"game": id, "remove": true})
	if m := s.kept(id); !m.Standing.IsZero() || m.Ticking() {
		t.Errorf("the order stands since %v", m.Standing)
	}
	s.expectPrivate(s.decide("standing", map[string]any{"game": s.game(s.begin("nine", nil))}), "no two-minute rule")
}

// TestWhoIsAReferee: those who may manage the server, then also those with a role that it names; others are refused, and
// so is a referee where they decide nothing.
func TestWhoIsAReferee(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("nine", nil))
	end := map[string]any{"game": id, "result": "none"}
	s.expectPrivate(s.slash(s.black, "referee end", end), "Only this server's referees")
	s.expectPrivate(s.slash(s.black, "referee log", nil), "Only this server's referees")
	s.channel = s.other.Channels[0].ID // another server, where both are members and black is no referee
	amara := s.sb.As(s.other.Owner)
	s.expectPrivate(s.slash(amara, "referee end", end), "no game with that id")
	s.channel = s.server.Channels[0].ID
	elders, drummers := s.server.Roles[0].ID, s.server.Roles[1].ID
	s.expectPrivate(s.set("referees", map[string]any{"role": drummers}), "<@&"+drummers+">")
	s.expectPrivate(s.slash(s.black, "referee end", end), "Only this server's referees")
	s.set("referees", map[string]any{"role": elders})
	s.expectPrivate(s.slash(s.black, "referee end", end), "is ended")
	s.set("referees", map[string]any{"role": elders, "remove": true})
	s.expectPrivate(s.slash(s.black, "referee log", nil), "Only this server's referees")
	s.set("referees", map[string]any{"role": s.server.ID}) // of everyone, which no member is said to have
	s.expectPrivate(s.slash(s.black, "referee log", nil), "ended game")
}

// TestRefereeLog: every act stands in it, the last first, with who did it; what was refused does not.
func TestRefereeLog(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.expectPrivate(s.decide("log", nil), "have done nothing yet")
	over, id := s.resigned(), s.game(s.begin("nine", nil))
	well := s.server.Channels[4].ID
	s.decide("annul", map[string]any{"game": over})
	s.decide("annul", map[string]any{"game": over})
	s.decide("move", map[string]any{"game": id, "channel": well})
	s.decide("end", map[string]any{"game": id, "result": "draw"})
	s.decide("ban", map[string]any{"user": s.black.ID()})
	lines := strings.Split(s.decide("log", nil).Content, "\n")
	want := []string{"4 acts", "Naledi banned Thabo", "ended game `" + id + "`: drawn", "moved game `" + id + "` to <#" + well + ">", "annulled game `" + over + "`"}
	if len(lines) != len(want) {
		t.Fatalf("got %q", lines)
	}
	for i, part := range want {
		if !strings.Contains(lines[i], part) {
			t.Errorf("line %d: got %q, want %q in it", i+1, lines[i], part)
		}
	}
}
