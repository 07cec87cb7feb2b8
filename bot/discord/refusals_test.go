package discord_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// setUp begins a game and puts it into a position.
func (s *stage) setUp(variant, position string) (id string) {
	s.t.Helper()
	id = s.game(s.begin(variant, nil))
	s.alter(id, func(m *storage.Match) {
		m.Position = position
		m.Revision++
	})
	told, err := s.app.Reshow(s.t.Context(), id, s.channel, "")
	s.must(err)
	<-told
	return id
}

// alter changes a match's record behind the bot's back.
func (s *stage) alter(id string, change func(*storage.Match)) {
	s.t.Helper()
	for {
		var stored storage.Stored
		s.must(s.store.View(s.t.Context(), func(r storage.Reader) (err error) {
			stored, err = r.Get(storage.MatchKey(id))
			return err
		}))
		m := stored.Record.(storage.Match)
		change(&m)
		_, err := s.store.Commit(context.Background(), storage.Changes{
			Expect: []storage.Expect{{Key: m.Key(), Version: stored.Version}}, Put: []storage.Record{m},
		})
		if err == nil {
			return
		}
	}
}

// TestIllegalActions tries an action for every reason to refuse: the answer is private, says why and what would be legal,
// and nothing has changed. A move that names no piece is refused with those that could be meant (O16).
func TestIllegalActions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const (
		moving   = "wb./.../b../.b..w./.../.w./w.b w 0,0 0 0,0 -,-"
		placing  = "w../.b./.../....../.../.../... w 11,11 0 0,0 -,-"
		shooting = "www/.b./..b/.bb.../.../.../... w 8,8 1 0,0 -,-"
		inMill   = "www/.b./bbb/....../.../.../... w 8,8 1 0,0 -,-"
	)
	for _, tt := range []struct {
		name, variant, position, command string
		options                          map[string]any
		why, legal                       string
	}{
		{"not a point", "morabaraba", placing, "place", map[string]any{"point": "h9"}, "is not a point", ""},
		{"occupied", "morabaraba", placing, "place", map[string]any{"point": "a7"}, "a7 is taken", "Free points: a1, a4"},
		{"move while placing", "morabaraba", placing, "move", map[string]any{"from": "a7", "to": "a4"}, "Not now", "Free points"},
		{"place while moving", "nine", moving, "place", map[string]any{"point": "a4"}, "Not now", "Your pieces that can move"},
		{"nothing to shoot", "morabaraba", placing, "shoot", map[string]any{"point": "d6"}, "nothing to shoot", "Free points"},
		{"shot required", "morabaraba", shooting, "place", map[string]any{"point": "a1"}, "shoot first", "You may shoot: b4"},
		{"own piece", "morabaraba", shooting, "shoot", map[string]any{"point": "a7"}, "your own piece", "You may shoot"},
		{"empty target", "morabaraba", shooting, "shoot", map[string]any{"point": "a1"}, "no piece on a1", "You may shoot"},
		{"protected", "morabaraba", inMill, "shoot", map[string]any{"point": "c5"}, "protected", "You may shoot: d6"},
		{"target occupied", "nine", moving, "move", map[string]any{"from": "a7", "to": "d7"}, "d7 is taken", "a7 can go to: a4"},
		{"empty origin names who can", "nine", moving, "move", map[string]any{"from": "a4", "to": "a4"}, "no piece on a4", "a1, a7"},
		{"not your piece", "nine", moving, "move", map[string]any{"from": "d7", "to": "g7"}, "not your piece", ""},
		{"not adjacent", "nine", moving, "move", map[string]any{"from": "a7", "to": "g7"}, "not neighbours", "a7 can go to: a4"},
		{"diagonal of another board", "nine", moving, "move", map[string]any{"from": "a7", "to": "b6"}, "not neighbours", "a7 can go to"},
		{"no return", "mhele", "wb./.../b../.b..w./.../.w./w.b w 0,0 0 0,0 a7a4,-", "move", map[string]any{"from": "a7", "to": "a4"}, "straight back", "a7 can go to: b6"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := s.setUp(tt.variant, tt.position)
			before := s.kept(id)
			options := maps.Clone(tt.options)
			options["game"] = id
			m := s.slash(s.white, tt.command, options)
			if !m.Ephemeral || !strings.Contains(m.Content, tt.why) || !strings.Contains(m.Content, tt.legal) {
				t.Errorf("got %q (private: %v), want %q and %q", m.Content, m.Ephemeral, tt.why, tt.legal)
			}
			if after := s.kept(id); after.Revision != before.Revision || len(after.Deeds) != 0 {
				t.Errorf("a refused action changed the game: %d deeds", len(after.Deeds))
			}
		})
	}
}

// TestPointsWithWhatCannotBeSeen: a point that was copied with marks of direction around it is that point.
func TestPointsWithWhatCannotBeSeen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.setUp("koti", "www/.b./bbb/....../.../.../... w 8,8 1 0,0 -,-")
	s.expectPrivate(s.slash(s.white, "shoot", map[string]any{"point": "\u2066xC5\u2069 ", "game": id}), "You played")
}

// TestKotiShootsIntoMills: what the others protect is fair game in koti.
func TestKotiShootsIntoMills(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.setUp("koti", "www/.b./bbb/....../.../.../... w 8,8 1 0,0 -,-")
	s.expectPrivate(s.slash(s.white, "shoot", map[string]any{"point": "c5", "game": id}), "You played")
}

// TestFourWaysToBeWrong (O29): an outsider, the opponent, the player out of turn and a stale board are told four
// different things, each alone.
func TestFourWaysToBeWrong(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", nil)
	id := s.game(board)
	outsider := s.sb.As(s.server.Members[2])
	said := map[string]bool{}
	note := func(m sandbox.Message, want string) {
		t.Helper()
		s.expectPrivate(m, want)
		said[m.Content] = true
	}
	note(s.choose(outsider, board.ID, "a7"), "play here")
	note(s.choose(s.black, board.ID, "a7"), "not your turn")
	s.act(id, rules.White, "a7")
	note(s.choose(s.white, s.board(id).ID, "d7"), "not your turn")
	s.act(id, rules.Black, "d7")
	note(s.tapOld(s.white, board, s.board(id), "g7"), "moved on")
	if len(said) != 4 {
		t.Errorf("%d different sentences, want 4: %v", len(said), said)
	}
	if got := len(s.kept(id).Deeds); got != 2 {
		t.Errorf("%d actions are kept, want 2", got)
	}
}

// tapOld chooses from a menu as it was before the board was updated: a client that has not heard of it yet.
func (s *stage) tapOld(who *sandbox.Actor, old, now sandbox.Message, value string) sandbox.Message {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	reply, err := who.SelectStale(ctx, now.ID, old.Selects()[0].CustomID, value)
	return s.answered(reply, err, "stale choice of "+value)
}

// TestOtherPeoplesGames: a member acts only in their own games, and sees only those of their servers.
func TestOtherPeoplesGames(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("nine", nil))
	outsider := s.sb.As(s.server.Members[2])
	for _, command := range []string{"resign", "draw", "takeback"} {
		s.expectPrivate(s.slash(outsider, command, map[string]any{"game": id}), "play here")
	}
	s.expectPrivate(s.slash(outsider, "place", map[string]any{"point": "a7", "game": id}), "play here")
	s.expectPrivate(s.slash(outsider, "place", map[string]any{"point": "a7"}), "no game")
	s.expectPrivate(s.slash(outsider, "place", map[string]any{"point": "a7", "game": "00000000"}), "no game with that id")
	s.expectPrivate(s.slash(outsider, "board", map[string]any{"game": strings.Repeat("x", 400)}), "no game with that id")
}

// TestWhichGame (O28): which of several games is meant is never guessed.
func TestWhichGame(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	one := s.game(s.begin("morabaraba", nil))
	two := s.game(s.begin("mhele", nil))
	asked := s.slash(s.white, "place", map[string]any{"point": "a7"})
	s.expectPrivate(asked, one)
	s.expectPrivate(asked, two)
	s.act(one, rules.White, "a7")
	s.expectPrivate(s.slash(s.white, "place", map[string]any{"point": "d7"}), "You played `d7`")
	if got := len(s.kept(two).Deeds); got != 1 {
		t.Errorf("the only game in which it was white's turn has %d actions, want 1", got)
	}
	s.expectPrivate(s.slash(s.white, "resign", nil), one)
}
