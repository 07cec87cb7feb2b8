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

const crownRole = "500000000000000002" // the drummers', of whom the third member is one

// win has white beat black once, or black white, at nine.
func (s *stage) win(winner rules.Side) {
	s.t.Helper()
	id := s.game(s.begin("nine", nil))
	s.act(id, rules.Black, "a7")
	s.act(id, rules.White, "d7")
	s.giveUp(s.player(winner.Opponent()), id)
	if m := s.kept(id); len(m.Changes) == 0 {
		s.t.Fatalf("the game changed no rating: %q", m.Unrated)
	}
}

// endSeason lets the season under way end, and waits until it is closed.
func (s *stage) endSeason() storage.Season {
	s.t.Helper()
	under := s.settings().Season
	s.clock.Advance(under.To.Sub(s.clock.Now()) + 2*time.Minute)
	var over storage.Season
	s.settle(func() bool {
		hall, err := s.app.Hall(s.t.Context(), s.server.ID)
		s.must(err)
		if len(hall) > 0 {
			over = hall[0]
		}
		return over.Number == under.Number
	})
	return over
}

// TestSeasons: they are chosen, shown, played, closed with champions who are given the role, and remembered.
func TestSeasons(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.must(s.sb.ManageRoles(s.server.ID, true))
	s.expectPrivate(s.set("show", nil), "**Seasons**: none")
	s.expectPrivate(s.standings(s.white, map[string]any{"season": "now"}), "No season is under way")
	s.win(rules.Black)
	s.expectPrivate(s.set("season", map[string]any{"length": "month", "role": crownRole, "games": 2}), "season 1 ends")
	s.expectPrivate(s.set("show", nil), "<@&"+crownRole+">")
	s.expectPrivate(s.standings(s.white, nil), "in season 1 yet")
	s.win(rules.White)
	s.win(rules.White)
	board := s.standings(s.white, nil)
	s.expectPrivate(board, "season 1 of this server")
	if line := lineWith(board, s.nameOf(s.white.ID())); !strings.Contains(line, "2 won, 0 drawn, 0 lost") {
		t.Errorf("the season says of white %q", line)
	}
	if line := lineWith(s.standings(s.white, map[string]any{"season": "all"}), s.nameOf(s.white.ID())); !strings.Contains(line, "2 won, 0 drawn, 1 lost") {
		t.Errorf("all time says of white %q", line)
	}
	for season, want := range map[string]string{"now": " 2 games", "all": " 3 games"} {
		busy := s.slash(s.white, "leaderboard", map[string]any{"variant": "all", "season": season})
		if line := lineWith(busy, s.nameOf(s.black.ID())); !strings.HasPrefix(line, `1\. `) || !strings.Contains(line, want) {
			t.Errorf("who plays most, %s: %q", season, line)
		}
	}
	s.expectPrivate(s.standings(s.white, map[string]any{"season": "hall"}), "No season is over here yet")
	over := s.endSeason()
	if !slices.Equal(over.Champions(), []string{s.white.ID()}) {
		t.Fatalf("the season is kept as %+v", over)
	}
	s.settle(func() bool { return slices.Contains(s.sb.RolesOf(s.server.ID, s.white.ID()), crownRole) })
	hall := s.standings(s.black, map[string]any{"season": "hall"})
	s.expectPrivate(hall, "**Season 1**")
	if line := lineWith(hall, "Nine"); !strings.Contains(line, `1\. `+s.nameOf(s.white.ID())) {
		t.Errorf("the hall of fame says %q", line)
	}
	s.expectPrivate(s.standings(s.white, nil), "in season 2 yet")
	for _, r := range s.sb.Requests() {
		if strings.Contains(r.Path, "/roles/") && (r.Reason != "Champion of season 1" || r.Method != "PUT") {
			t.Errorf("%s %s because of %q", r.Method, r.Path, r.Reason)
		}
	}
}

// TestEmptySeason (O37): a season without a game ends without champions, and says so.
func TestEmptySeason(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.set("season", map[string]any{"length": "quarter", "role": crownRole})
	s.endSeason()
	s.expectPrivate(s.standings(s.white, map[string]any{"season": "hall"}), "no champions")
	for _, r := range s.sb.Requests() {
		if strings.Contains(r.Path, "/roles/") {
			t.Errorf("%s %s", r.Method, r.Path)
		}
	}
}

// TestTheCrownIsRefused: a role that the bot may not give is told to those who manage the server, until they have made it
// possible and choose again; then the champions get it, and the former ones lose it, whoever has left.
func TestTheCrownIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.expectPrivate(s.set("season", map[string]any{"length": "month", "role": crownRole, "games": 1}), "I cannot give <@&"+crownRole+"> to anybody yet")
	s.win(rules.White)
	s.endSeason()
	s.settle(func() bool { return s.settings().Season.Trouble != "" })
	s.expectPrivate(s.set("show", nil), "I was not allowed to give <@&"+crownRole+">")
	s.must(s.sb.ManageRoles(s.server.ID, true))
	chosen := map[string]any{"length": "month", "role": crownRole, "games": 1}
	if said := s.set("season", chosen); strings.Contains(said.Content, "⚠️") {
		t.Errorf("with the permission it says %q", said.Content)
	}
	s.settle(func() bool { return slices.Contains(s.sb.RolesOf(s.server.ID, s.white.ID()), crownRole) })
	s.win(rules.Black)
	s.endSeason()
	s.settle(func() bool {
		return slices.Contains(s.sb.RolesOf(s.server.ID, s.black.ID()), crownRole) && len(s.sb.RolesOf(s.server.ID, s.white.ID())) == 0
	})
	s.must(s.sb.RemoveMember(s.server.ID, s.black.ID()))
	s.endSeason() // nobody has played: the former champion, who has left, is to lose the role
	s.settle(func() bool {
		hall, err := s.app.Hall(t.Context(), s.server.ID)
		s.must(err)
		return hall[0].Number == 3 && !hall[0].Uncrowned
	})
	if trouble := s.settings().Season.Trouble; trouble != "" {
		t.Errorf("the settings say %q of somebody who has left", trouble)
	}
}

// TestSeasonsThatCannotBe: what is refused changes nothing.
func TestSeasonsThatCannotBe(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.expectPrivate(s.set("season", map[string]any{"length": "month", "role": s.server.ID}), "Everyone has that role already")
	if got := s.settings().Season; got != (storage.Seasons{}) {
		t.Errorf("kept %+v", got)
	}
	s.set("season", map[string]any{"length": "year"})
	s.expectPrivate(s.set("season", map[string]any{"length": "off"}), "season 1 is the last")
	s.endSeason()
	s.expectPrivate(s.set("show", nil), "**Seasons**: none")
}

// TestTheRefusalIsToldOnce: where a server has its announcements, whoever chose that is told in it that the role cannot be
// given, once, however often it is tried; and again when it is chosen anew and still cannot be given.
func TestTheRefusalIsToldOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.set("announce", map[string]any{"channel": s.anotherChannel()})
	s.set("season", map[string]any{"length": "month", "role": crownRole, "games": 1})
	s.win(rules.White)
	s.endSeason()
	told := func() (said []sandbox.Message) {
		for _, m := range s.white.Messages(s.anotherChannel()) {
			if strings.Contains(m.Content, "I was not allowed to give <@&"+crownRole+">") {
				said = append(said, m)
			}
		}
		return said
	}
	ctx, done := s.patience()
	defer done()
	s.must(s.sb.Wait(ctx, func() bool { return len(told()) == 1 }))
	if m := told()[0]; !slices.Equal(m.Mentions, []string{s.white.ID()}) {
		t.Errorf("it mentions %v", m.Mentions)
	}
	tries := func() (n int) {
		for _, r := range s.sb.Requests() {
			if strings.Contains(r.Path, "/roles/") {
				n++
			}
		}
		return n
	}
	s.settle(func() bool { return s.settings().Season.Trouble != "" })
	before := tries()
	s.restart()
	s.must(s.sb.Wait(ctx, func() bool { return tries() > before }))
	s.stop()
	if n := len(told()); n != 1 {
		t.Errorf("told %d times", n)
	}
	s.start()
	s.set("season", map[string]any{"length": "month", "role": crownRole, "games": 1})
	again, enough := s.patience()
	defer enough()
	s.must(s.sb.Wait(again, func() bool { return len(told()) == 2 }))
}
