package discord_test

import (
	"bytes"
	"fmt"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"kraal/bot/match"
	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// game is the id that a message about a game shows.
func (s *stage) game(m sandbox.Message) string {
	s.t.Helper()
	id := gameID.FindStringSubmatch(m.Content)
	if id == nil {
		s.t.Fatalf("no game id in %q", m.Content)
	}
	return id[1]
}

var gameID = regexp.MustCompile("game `([0-9a-z]{8})`")

// kept is the match with that id as the store has it.
func (s *stage) kept(id string) storage.Match {
	s.t.Helper()
	var m storage.Match
	s.must(s.store.View(s.t.Context(), func(r storage.Reader) error {
		stored, err := r.Get(storage.MatchKey(id))
		if err == nil {
			m = stored.Record.(storage.Match)
		}
		return err
	}))
	return m
}

// board is the board message of a game once it shows what is kept now. Its controls name the revision.
func (s *stage) board(id string) sandbox.Message {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	m := s.kept(id)
	var shown sandbox.Message
	err := s.sb.Wait(ctx, func() bool {
		found := false
		for _, message := range s.white.Messages(m.Channel) {
			if !message.Ephemeral && showsRevision(message, id, m.Revision) {
				shown, found = message, true
			}
		}
		return found
	})
	if err != nil {
		m = s.kept(id)
		s.t.Fatalf("game %s: revision %d is shown of %d, trouble %q: %v", id, m.Shown.Revision, m.Revision, m.Shown.Trouble, err)
	}
	return shown
}

// showsRevision tells whether a board's controls are those of a game's revision.
func showsRevision(m sandbox.Message, id string, revision int) bool {
	prefix := fmt.Sprintf("k1|%s|%d|", id, revision)
	for _, r := range m.Components {
		for _, c := range r.Controls {
			if strings.HasPrefix(c.CustomID, prefix) && !ofNotice.MatchString(c.CustomID) {
				return true
			}
		}
	}
	return false
}

// checkBoard holds a board message to a position: the picture decodes, the words say every piece.
func (s *stage) checkBoard(m sandbox.Message, p rules.Position) {
	s.t.Helper()
	if len(m.Attachments) != 1 {
		s.t.Fatalf("the board has %d pictures", len(m.Attachments))
	}
	picture := m.Attachments[0]
	if _, err := png.Decode(bytes.NewReader(picture.Data)); err != nil {
		s.t.Fatalf("the picture cannot be decoded: %v", err)
	}
	for side, names := range map[rules.Side]string{rules.White: "White", rules.Black: "Black"} {
		if got := pointsSaid(picture.Description, names); got != p.Pieces[side] {
			s.t.Fatalf("%s: the words say %v, the position has %v\n%s", names, got, p.Pieces[side], picture.Description)
		}
	}
}

// pointsSaid reads a side's points back from the words of a board.
func pointsSaid(alt, side string) (s rules.Points) {
	found := regexp.MustCompile(side + ` (?:has|stands)[^.:]*: ([a-g1-7 ]+)\.`).FindStringSubmatch(alt)
	if found == nil {
		return 0
	}
	for name := range strings.FieldsSeq(found[1]) {
		p, err := rules.ParsePoint(name)
		if err != nil {
			return 0
		}
		s = s.With(p)
	}
	return s
}

// command is the slash command for an action, with its options.
func commandFor(a rules.Action, game string) (string, map[string]any) {
	options := map[string]any{"game": game}
	switch a.Kind {
	case rules.Move:
		options["from"], options["to"] = a.From.String(), a.To.String()
		return "move", options
	case rules.Shoot:
		options["point"] = a.To.String()
		return "shoot", options
	}
	options["point"] = a.To.String()
	return "place", options
}

// act plays one action by command as whoever is to move, and demands a private answer.
func (s *stage) act(game string, side rules.Side, action string) sandbox.Message {
	s.t.Helper()
	a, err := rules.ParseAction(action)
	s.must(err)
	name, options := commandFor(a, game)
	m := s.slash(s.player(side), name, options)
	if !m.Ephemeral {
		s.t.Fatalf("the answer to %s is public: %s", action, m.Content)
	}
	return m
}

// position is where a match stands.
func position(t testing.TB, m storage.Match) rules.Position {
	t.Helper()
	table, err := match.Look(m)
	if err != nil {
		t.Fatal(err)
	}
	return table.Game.Position()
}

// ofNotice are the controls of notices, which name a revision as a board does.
var ofNotice = regexp.MustCompile(`\|(quiet|warnings)\|$`)
