package discord_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// gone waits until nothing of a member stands but what may.
func (s *stage) gone(who *sandbox.Actor) {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	for {
		ring := s.commits.rung()
		stands := false
		s.must(s.store.View(s.t.Context(), func(r storage.Reader) error {
			_, err := r.Get(storage.FarewellKey(who.ID()))
			if stands = err == nil; errors.Is(err, storage.ErrNotFound) {
				return nil
			}
			return err
		}))
		if !stands {
			break
		}
		select {
		case <-ring:
		case <-ctx.Done():
			s.t.Fatal("the farewell still stands")
		}
	}
	var out bytes.Buffer
	s.must(storage.Export(s.t.Context(), s.store, &out))
	for line := range strings.SplitSeq(out.String(), "\n") {
		if strings.Contains(line, who.ID()) {
			s.t.Errorf("%s is still in %s", who.ID(), line)
		}
	}
}

// TestPrivacyShow: in plain words, for the asker alone, in one message.
func TestPrivacyShow(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	got := s.slash(s.white, "privacy show", nil)
	for _, want := range []string{
		"What is kept about you, and why", "What is not kept", "For how long", "Who sees it", "bans and in others' blocks",
		"old boards too, are on Discord and are not edited",
	} {
		s.expectPrivate(got, want)
	}
	if strings.Contains(got.Content, "…") {
		t.Error("it is cut")
	}
}

// TestPrivacyExport: a file for the asker alone, hostile names and all, that pings nobody.
func TestPrivacyExport(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.slash(s.white, "preferences words", map[string]any{"switch": "on"})
	hostile := "```@everyone \u202e <@&1>"
	s.over("0aaaaaa1", 1, func(m *storage.Match) { m.Opponent.Name, m.Seats[rules.Black].Name = hostile, hostile })
	s.over("0bbbbbb1", 2, func(m *storage.Match) { m.Server = s.other.ID })
	got := s.slash(s.white, "privacy export", nil)
	s.expectPrivate(got, "all that is kept about you, with 2 matches")
	if len(got.Attachments) != 1 || len(got.Mentions) != 0 || got.Attachments[0].Filename != "kraal-about-you.json" {
		t.Fatalf("got %+v", got)
	}
	var file struct {
		Member  string
		Choices []storage.Member
		Matches []storage.Match
	}
	s.must(json.Unmarshal(got.Attachments[0].Data, &file))
	if file.Member != s.white.ID() || len(file.Choices) != 1 || !file.Choices[0].Words || len(file.Matches) != 2 {
		t.Fatalf("got %+v", file)
	}
	if file.Matches[0].ID != "0aaaaaa1" || file.Matches[0].Seats[rules.Black].Name != hostile || file.Matches[1].Server != s.other.ID {
		t.Errorf("got %+v", file.Matches)
	}
	for _, m := range s.black.Messages(s.channel) {
		if len(m.Attachments) > 0 {
			t.Errorf("others see a file: %+v", m)
		}
	}
}

// TestPrivacyDelete: it says what it will do, asks, and does it: games end, and what is kept of them names nobody.
func TestPrivacyDelete(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.over("0aaaaaa1", 1)
	board := s.begin("nine", nil)
	id := s.game(board)
	s.act(id, rules.Black, "a7")
	s.act(id, rules.White, "d7")
	s.slash(s.white, "challenge", map[string]any{"opponent": s.server.Members[2]})
	asked := s.slash(s.white, "privacy delete", nil)
	for _, want := range []string{"It cannot be undone", "**1** game in which both have made a turn: you **lose** it", "**1** challenge, by you"} {
		s.expectPrivate(asked, want)
	}
	s.expectPrivate(s.press(s.white, asked.ID, "Cancel"), "Nothing was deleted.")
	if s.kept(id).State != storage.Playing {
		t.Fatal("cancelling ended a game")
	}
	asked = s.slash(s.white, "privacy delete", nil)
	s.expectPrivate(s.press(s.white, asked.ID, "Confirm"), "It is certain now")
	s.gone(s.white)
	if m := s.kept(id); m.Result != rules.BlackWins || m.Reason != rules.Resignation || !m.Seats[rules.White].Left() {
		t.Errorf("the game: %s %s %+v", m.Result, m.Reason, m.Seats)
	}
	history := s.slash(s.black, "history", nil)
	s.expectPrivate(history, "against **a player who left**")
	s.expectPrivate(s.slash(s.black, "replay", map[string]any{"game": id}), id)
	view := s.slash(s.black, "board", map[string]any{"game": id})
	s.expectPrivate(view, "a player who left")
	if words := view.Attachments[0].Description; !strings.Contains(words, "a player who left") {
		t.Errorf("the picture's words: %s", words)
	}
	s.expectPrivate(s.slash(s.white, "history", map[string]any{"scope": "everywhere"}), "No finished game of yours")
	s.expectPrivate(s.slash(s.white, "privacy export", nil), "with 0 matches")
	leaders := s.slash(s.black, "leaderboard", map[string]any{"variant": "nine"})
	if strings.Contains(leaders.Content, "left") {
		t.Errorf("the leaderboard: %s", leaders.Content)
	}
	again := s.begin("nine", nil)
	s.expect(again, "1500?")
}

// TestPrivacyDeleteIsForWhoAsked: nobody else confirms it, and nobody after ten minutes.
func TestPrivacyDeleteIsForWhoAsked(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.over("0aaaaaa1", 1)
	asked, others := s.slash(s.white, "privacy delete", nil), s.slash(s.black, "privacy delete", nil)
	confirm := asked.Components[0].Controls[0].CustomID
	ctx, done := s.patience()
	defer done()
	reply, err := s.black.PressStale(ctx, others.ID, confirm)
	s.expectPrivate(s.answered(reply, err, "another's confirmation"), "put to somebody else")
	s.clock.Advance(11 * time.Minute)
	reply, err = s.white.PressStale(ctx, asked.ID, confirm)
	s.expectPrivate(s.answered(reply, err, "a late confirmation"), "more than ten minutes ago")
	if m := s.kept("0aaaaaa1"); m.SomebodyLeft() {
		t.Error("it was deleted")
	}
}

// TestPrivacyRematch: the button of a board that stands is refused with a sentence.
func TestPrivacyRematch(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("nine", nil))
	s.act(id, rules.Black, "a7")
	s.act(id, rules.White, "d7")
	s.press(s.black, s.slash(s.black, "resign", map[string]any{"game": id}).ID, "Confirm")
	board := s.board(id)
	asked := s.slash(s.white, "privacy delete", nil)
	s.press(s.white, asked.ID, "Confirm")
	s.gone(s.white)
	got := s.press(s.black, board.ID, "Rematch")
	s.expectPrivate(got, "There can be no rematch")
	if now, ok := s.black.Message(board.ID); !ok || now.Content != board.Content {
		t.Errorf("the board was edited: %q, before %q", now.Content, board.Content)
	}
}
