package discord_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
)

// recorded is a game of the vectors, played by an independent program.
type recorded struct {
	Variant   string
	Rules     json.RawMessage
	Actions   []string
	Positions []string
	Result    string
	Reason    string
}

// shortGame is a recorded game of a variant as it stands, with shots and moves in it: the shortest that ends as asked.
func shortGame(t *testing.T, variant, reason string, pass bool) recorded {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "rules", "testdata", "vectors", "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var best recorded
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g recorded
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		if g.Variant != variant || g.Rules != nil || g.Reason != reason || strings.Contains(strings.Join(g.Actions, " "), "pass") != pass {
			continue
		}
		if best.Actions == nil || len(g.Actions) < len(best.Actions) {
			best = g
		}
	}
	if best.Actions == nil {
		t.Fatalf("no recorded game of %s ends by %s", variant, reason)
	}
	return best
}

// TestWholeGamesByCommand plays a recorded game of each variant through slash commands, from challenge to leaderboard.
func TestWholeGamesByCommand(t *testing.T) {
	for _, g := range []struct {
		variant, reason string
		pass            bool
	}{
		{"nine", "fewer-than-three", false},
		{"thinhama", "fewer-than-three", false},
		{"mhele", "fewer-than-three", false},
		{"morabaraba", "fewer-than-three", false},
		{"koti", "no-shot", true},
		{"tournament", "fewer-than-three", false},
	} {
		t.Run(g.variant, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.playRecorded(shortGame(t, g.variant, g.reason, g.pass), s.byCommand)
		})
	}
}

// TestWholeGameByTaps plays one through the menus alone.
func TestWholeGameByTaps(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.playRecorded(shortGame(t, "morabaraba", "fewer-than-three", false), s.byTap)
}

// playRecorded plays a game from challenge to result, holding each board to the vectors, and then what is left behind.
func (s *stage) playRecorded(g recorded, play func(id string, side rules.Side, a rules.Action)) {
	s.t.Helper()
	v, ok := rules.Lookup(g.Variant)
	if !ok {
		s.t.Fatalf("no variant %s", g.Variant)
	}
	board := s.begin(g.Variant, nil)
	id := s.game(board)
	s.checkBoard(board, v.Opening())
	side := v.First
	for i, text := range g.Actions {
		p, err := v.ParsePosition(g.Positions[i])
		s.must(err)
		if text != "pass" {
			a, err := rules.ParseAction(text)
			s.must(err)
			play(id, side, a)
		}
		if i+1 == len(g.Actions) || g.Actions[i+1] != "pass" { // a pass is made by the bot, together with the turn before
			s.checkBoard(s.board(id), p)
		}
		side = p.Turn
		s.clock.Advance(2 * time.Second) // as fast as people play, and no faster than Discord lets boards be edited
	}
	s.checkEnd(g, id)
}

// byCommand plays an action with a slash command.
func (s *stage) byCommand(id string, side rules.Side, a rules.Action) { s.act(id, side, a.String()) }

// byTap plays an action with the menu of the board; a move's destination is in the private answer.
func (s *stage) byTap(id string, side rules.Side, a rules.Action) {
	s.t.Helper()
	who, board := s.player(side), s.board(id)
	if a.Kind != rules.Move {
		s.choose(who, board.ID, a.To.String())
		return
	}
	destinations := s.choose(who, board.ID, a.From.String())
	if !destinations.Ephemeral {
		s.t.Fatalf("the choice of a piece is public: %s", destinations.Content)
	}
	s.choose(who, destinations.ID, a.To.String())
}

// checkEnd holds the finished game to the vectors: result, record, leaderboard, profile.
func (s *stage) checkEnd(g recorded, id string) {
	s.t.Helper()
	m := s.kept(id)
	if string(m.Result) != g.Result || string(m.Reason) != g.Reason {
		s.t.Errorf("ended %s by %s, want %s by %s", m.Result, m.Reason, g.Result, g.Reason)
	}
	replay := s.slash(s.black, "replay", map[string]any{"game": id})
	if len(replay.Attachments) != 2 {
		s.t.Fatalf("/replay gives %d files, want the record and the film", len(replay.Attachments))
	}
	record, err := rules.ParseRecord(string(replay.Attachments[0].Data))
	s.must(err)
	played, err := record.Game()
	s.must(err)
	if got := played.Position().String(); got != g.Positions[len(g.Positions)-1] || string(record.Result) != g.Result {
		s.t.Errorf("the record leads to %s %s", got, record.Result)
	}
	film, err := gif.DecodeAll(bytes.NewReader(replay.Attachments[1].Data))
	s.must(err)
	if want := len(played.Turns()) + 1; len(film.Image) != want {
		s.t.Errorf("the film has %d frames, want %d", len(film.Image), want)
	}
	s.checkStandings(g, id)
}

// checkStandings holds leaderboard and profile to the result.
func (s *stage) checkStandings(g recorded, id string) {
	s.t.Helper()
	white, black := s.nameOf(s.server.Members[0]), s.nameOf(s.server.Members[1])
	score := map[string][2]string{
		"1-0":     {"1 won, 0 drawn, 0 lost", "0 won, 0 drawn, 1 lost"},
		"0-1":     {"0 won, 0 drawn, 1 lost", "1 won, 0 drawn, 0 lost"},
		"1/2-1/2": {"0 won, 1 drawn, 0 lost", "0 won, 1 drawn, 0 lost"},
	}[g.Result]
	for _, scope := range []string{"server", "global"} {
		table := s.slash(s.white, "leaderboard", map[string]any{"variant": g.Variant, "scope": scope})
		for i, name := range []string{white, black} {
			if line := lineWith(table, name); !strings.Contains(line, score[i]) {
				s.t.Errorf("%s leaderboard says of %s %q, want %q", scope, name, line, score[i])
			}
		}
	}
	s.expectPrivate(s.slash(s.black, "profile", nil), score[1])
}

func (s *stage) nameOf(id string) string {
	s.t.Helper()
	for _, p := range s.people {
		if p.ID == id {
			return p.Name
		}
	}
	s.t.Fatalf("nobody has the id %s", id)
	return ""
}

func lineWith(m sandbox.Message, part string) string {
	for line := range strings.Lines(m.Content) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}
