package discord_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// over keeps a finished game of white against black, as if it had been played so many minutes before.
func (s *stage) over(id string, before int, alter ...func(*storage.Match)) storage.Match {
	s.t.Helper()
	variant, _ := rules.Lookup("nine")
	at := s.clock.Now().UTC().Add(-time.Duration(before) * time.Minute).Truncate(time.Second)
	m := storage.Match{
		ID: id, State: storage.Finished, Server: s.server.ID, Channel: s.channel, Variant: variant, Rated: true,
		Challenger: storage.Person{ID: s.white.ID(), Name: "Thabo"}, Opponent: storage.Person{ID: s.black.ID(), Name: "Naledi"},
		Created: at, Started: at, Ended: at, Result: rules.WhiteWins, Reason: rules.Resignation, Revision: 1,
		Changes: []storage.Change{
			{Pool: storage.ServerPool(s.server.ID), Member: s.white.ID(), Before: 1500, After: 1612.4},
			{Pool: storage.ServerPool(s.server.ID), Member: s.black.ID(), Before: 1500, After: 1387.6},
			{Pool: storage.GlobalPool, Member: s.white.ID(), Before: 1500, After: 1555},
		},
		Shown: storage.Shown{Channel: s.channel, Message: "400000000000000011", Revision: 1},
	}
	m.Seats[rules.White].Person, m.Seats[rules.Black].Person = m.Challenger, m.Opponent
	for _, do := range alter {
		do(&m)
	}
	_, err := s.store.Commit(s.t.Context(), storage.Changes{Put: []storage.Record{m}})
	s.must(err)
	return m
}

// TestHistoryTellsTheLevel that somebody played against.
func TestHistoryTellsTheLevel(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.over("0aaaaaa1", 1, func(m *storage.Match) {
		m.Rated, m.Changes = false, nil
		m.Seats[rules.Black] = storage.Seat{Person: storage.Person{ID: "1", Name: "Kraal"}, Level: 3}
	})
	s.expectPrivate(s.slash(s.white, "history", nil), "won as white against **Kraal · Herder (3)**: Nine Men's Morris")
}

// TestHistoryOverTheWire: a line a game says how it went, and leads to its message, or names it for /replay.
func TestHistoryOverTheWire(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.expectPrivate(s.slash(s.white, "history", nil), "No finished game was found in this server.")
	s.expectPrivate(s.slash(s.white, "history", map[string]any{"variant": "koti"}), "No finished game of that kind was found in this server.")
	m := s.over("0aaaaaa1", 1)
	s.over("0aaaaaa2", 2, func(m *storage.Match) {
		m.Result, m.Reason, m.Changes, m.Shown.Message = rules.Drawn, rules.Agreement, nil, ""
	})
	s.over("0aaaaaa3", 3, func(m *storage.Match) { m.Annulled = m.Ended })
	s.over("0aaaaaa4", 4, func(m *storage.Match) { m.Opponent, m.Seats[rules.Black].Person = m.Challenger, m.Challenger })
	got := s.slash(s.white, "history", nil)
	lines := strings.Split(got.Content, "\n")
	want := []string{
		"Finished games of **Thabo** in this server, page 1",
		fmt.Sprintf("<t:%d:d> won as white against **Naledi**: Nine Men's Morris, resignation. "+
			"[`0aaaaaa1`](https://discord.com/channels/%s/%s/400000000000000011) (+112)", m.Ended.Unix(), s.server.ID, s.channel),
		"drew as white against **Naledi**: Nine Men's Morris, agreement. `0aaaaaa2`",
		"(annulled)",
		"alone, on both sides: Nine Men's Morris, resignation.",
	}
	if len(lines) != len(want) || !got.Ephemeral || len(got.Components) != 0 || len(got.Mentions) != 0 {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if !strings.Contains(lines[i], want[i]) {
			t.Errorf("line %d: got %q, want %q", i, lines[i], want[i])
		}
	}
	s.expectPrivate(s.slash(s.black, "history", map[string]any{"user": s.white.ID()}), "Finished games of **Thabo**")
	lost := s.slash(s.black, "history", map[string]any{"opponent": s.white.ID(), "variant": "nine"})
	s.expectPrivate(lost, "lost as black against **Thabo**")
	s.expectPrivate(lost, "(-112)")
	s.expectPrivate(s.slash(s.black, "history", map[string]any{"variant": "koti"}), "No finished game of that kind")
}

// TestHistoryPagesByButtons: the buttons carry all that is looked for, and lead there and back, after a restart too.
func TestHistoryPagesByButtons(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for i := range 23 {
		s.over(fmt.Sprintf("0aaaaa%02d", i), i)
	}
	first := s.slash(s.white, "history", map[string]any{"opponent": s.black.ID(), "scope": "everywhere", "variant": "nine"})
	expectGames(t, first, 0, 10)
	s.restart()
	second := s.press(s.white, first.ID, "Next")
	expectGames(t, second, 10, 20)
	third := s.press(s.white, second.ID, "Next")
	expectGames(t, third, 20, 23)
	expectGames(t, s.press(s.white, third.ID, "Previous"), 10, 20)
	expectGames(t, s.slash(s.white, "history", map[string]any{"page": 3}), 20, 23)
	if third.ID != first.ID || !third.Ephemeral {
		t.Errorf("turning a page made another message: %+v", third)
	}
}

var listedGame = regexp.MustCompile("`(0[0-9a-z]{7})`")

func expectGames(t *testing.T, m sandbox.Message, from, to int) {
	t.Helper()
	found := listedGame.FindAllStringSubmatch(m.Content, -1)
	if len(found) != to-from {
		t.Fatalf("got %d games, want %d: %s", len(found), to-from, m.Content)
	}
	for i, f := range found {
		if want := fmt.Sprintf("0aaaaa%02d", from+i); f[1] != want {
			t.Errorf("game %d: got %s, want %s", i, f[1], want)
		}
	}
}

// TestHistoryKeepsServersApart: nobody sees what somebody else has played in another server; one's own comes when asked
// for, and by no forged button.
func TestHistoryKeepsServersApart(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.over("0aaaaaa1", 1)
	for i := range 12 {
		s.over(fmt.Sprintf("0bbbbb%02d", i), 2+i, func(m *storage.Match) { m.Server, m.Channel = s.other.ID, s.other.Channels[0].ID })
	}
	for who, options := range map[*sandbox.Actor]map[string]any{
		s.white: {}, s.black: {"user": s.white.ID()},
	} {
		if got := s.slash(who, "history", options); strings.Contains(got.Content, "0bbbb") || !strings.Contains(got.Content, "0aaaaaa1") {
			t.Errorf("got %s", got.Content)
		}
	}
	s.expectPrivate(s.slash(s.black, "history", map[string]any{"user": s.white.ID(), "scope": "everywhere"}), "theirs alone to see")
	own := s.slash(s.white, "history", map[string]any{"scope": "everywhere"})
	s.expectPrivate(own, "0bbbbb00")
	theirs := s.slash(s.black, "history", map[string]any{"scope": "everywhere"})
	ctx, done := s.patience()
	defer done()
	reply, err := s.black.PressStale(ctx, theirs.ID, "k1||2|history|"+s.white.ID()+"//e/")
	s.expectPrivate(s.answered(reply, err, "a forged button"), "theirs alone to see")
}

// TestHistoryHostileNames: names break no line, ping nobody, and a full page of the longest fits.
func TestHistoryHostileNames(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	names := []string{
		"_x_ *y* ||z||", "```@everyone", "<@&1> <@" + s.people[3].ID + ">", "\u202eevil\u200f", "\u200b\u200b", strings.Repeat("🧙", 32),
		strings.Repeat("*_", 16), "line\nbreak", "[a](https://example.com)", strings.Repeat("@", 32),
	}
	for i, name := range names {
		s.over(fmt.Sprintf("0aaaaa%02d", i), i, func(m *storage.Match) {
			m.Opponent.Name, m.Seats[rules.Black].Name, m.Reason = name, name, rules.RepetitionDraw
			m.Variant, _ = rules.Lookup("tournament")
		})
	}
	got := s.slash(s.white, "history", nil)
	expectGames(t, got, 0, len(names))
	if lines := strings.Split(got.Content, "\n"); len(lines) != len(names)+1 {
		t.Errorf("%d lines: %s", len(lines), got.Content)
	}
	if len(got.Mentions) != 0 || strings.Contains(got.Content, "\u202e") || strings.Contains(got.Content, "**<@") {
		t.Errorf("pinged %v: %s", got.Mentions, got.Content)
	}
	s.expect(got, "**somebody**")
}
