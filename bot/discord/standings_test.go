package discord_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/bot/rating"
	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
	"kraal/storage/boltstore"
)

// withRatings keeps ratings before the bot begins.
func withRatings(of func(*stage) []storage.Rating) func(*stage) {
	return func(s *stage) {
		store, err := boltstore.Open(s.path, boltstore.Options{})
		s.must(err)
		var c storage.Changes
		for _, r := range of(s) {
			c.Put = append(c.Put, r)
		}
		_, err = store.Commit(s.t.Context(), c)
		s.must(err)
		s.must(store.Close())
	}
}

// ranked is a rating that has a place, at nine.
func (s *stage) ranked(pool string, who storage.Person, points float64) storage.Rating {
	r := storage.Rating{
		Pool: pool, Variant: "nine", Member: who.ID, Name: who.Name, Points: points, Deviation: 60, Volatility: 0.06,
		Wins: 5, At: s.clock.Now().UTC(), Weighed: true, Monday: points,
	}
	r.Lapses = rating.Standard().Lapse(rating.Rating{Points: points, Deviation: r.Deviation, Volatility: r.Volatility}, r.At)
	return r
}

// standings asks for the board at nine.
func (s *stage) standings(who *sandbox.Actor, options map[string]any) sandbox.Message {
	s.t.Helper()
	all := map[string]any{"variant": "nine"}
	for name, value := range options {
		all[name] = value
	}
	return s.slash(who, "leaderboard", all)
}

// ranksIn are the lines of a board that begin with a place.
func ranksIn(m sandbox.Message) (lines []string) {
	for line := range strings.Lines(m.Content) {
		if place, _, found := strings.Cut(line, `\. `); found && strings.Trim(place, "0123456789") == "" {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// TestNamesBreakNoBoard (O36): whatever people are called, each has one line of the same shape, and nobody is pinged.
func TestNamesBreakNoBoard(t *testing.T) {
	t.Parallel()
	odd := []string{
		"_x_ *y* ||z||", "```@everyone", "<@&1>", "\u202eevil", "\u200b\u200b", strings.Repeat("😀", 32), "a\nb", "# big", "[a](http://b)",
	}
	s := newStage(t, withRatings(func(s *stage) (all []storage.Rating) {
		for i, name := range odd {
			who := storage.Person{ID: fmt.Sprintf("10000000000000010%d", i), Name: name}
			all = append(all, s.ranked(storage.ServerPool(s.server.ID), who, float64(1900-i)))
		}
		return all
	}))
	m := s.standings(s.white, nil)
	lines := ranksIn(m)
	if len(lines) != len(odd) {
		t.Fatalf("%d lines for %d people:\n%s", len(lines), len(odd), m.Content)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, fmt.Sprintf(`%d\. **`, i+1)) || !strings.HasSuffix(line, "5 won, 0 drawn, 0 lost") {
			t.Errorf("the line of %q is %q", odd[i], line)
		}
	}
	if len(m.Mentions) != 0 || strings.Contains(m.Content, "```") || strings.Contains(m.Content, "<@&1>") {
		t.Errorf("it mentions %v, or markdown runs free:\n%s", m.Mentions, m.Content)
	}
}

// TestBoardsOfServers (O37): a board shows the people of its server alone, equal ones share a place, and where nobody has
// played there is a sentence that invites.
func TestBoardsOfServers(t *testing.T) {
	t.Parallel()
	s := newStage(t, withRatings(func(s *stage) []storage.Rating {
		here, there := storage.ServerPool(s.server.ID), storage.ServerPool(s.other.ID)
		person := func(i int) storage.Person { return storage.Person{ID: s.people[i].ID, Name: s.people[i].Name} }
		low := s.ranked(here, person(3), 1500)
		low.Deviation, low.Lapses = 200, time.Time{}
		return []storage.Rating{
			s.ranked(here, person(0), 1600.2), s.ranked(here, person(1), 1599.6), s.ranked(here, person(2), 1550), low,
			s.ranked(there, person(0), 1800), s.ranked(there, person(5), 1700),
		}
	}))
	m := s.standings(s.sb.As(s.people[4].ID), nil)
	var got []string
	for _, line := range ranksIn(m) {
		place, rest, _ := strings.Cut(line, `\. **`)
		name, _, _ := strings.Cut(rest, "**")
		got = append(got, place+" "+name)
	}
	// Of equals the one with more points comes first.
	if want := []string{"1 Naledi", "1 Thabo", "3 Inês"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	s.expectPrivate(m, "Provisional")
	s.expectPrivate(m, "games short")
	s.expectPrivate(m, "You have no rating here yet")
	if strings.Contains(m.Content, "Amara") {
		t.Errorf("somebody of another server is on the board:\n%s", m.Content)
	}
	s.expectPrivate(s.slash(s.white, "leaderboard", map[string]any{"variant": "koti"}), "Koti in this server yet. The first two")
	s.expectPrivate(s.standings(s.white, map[string]any{"scope": "global"}), "Nobody has a rating")
}

// TestLeaversOnTheBoard (O38): whoever has left, or has no account any more, stands there by the name that is kept, and the
// board needs no call for anybody on it.
func TestLeaversOnTheBoard(t *testing.T) {
	t.Parallel()
	s := newStage(t, withRatings(func(s *stage) (all []storage.Rating) {
		pool := storage.ServerPool(s.server.ID)
		for i, p := range s.people[:4] {
			all = append(all, s.ranked(pool, storage.Person{ID: p.ID, Name: p.Name}, float64(1700-i)))
		}
		return append(all, s.ranked(pool, storage.Person{ID: "100000000000009999", Name: "Deleted account"}, 1650))
	}))
	s.must(s.sb.RemoveMember(s.server.ID, s.people[2].ID))
	calls := len(s.sb.Requests())
	m := s.standings(s.white, nil)
	for _, name := range []string{s.people[2].Name, "Deleted account"} {
		if len(ranksIn(m)) != 5 || lineWith(m, name) == "" {
			t.Errorf("%s is not there:\n%s", name, m.Content)
		}
	}
	for _, r := range s.sb.Requests()[calls:] {
		if strings.Contains(r.Path, "/members") || strings.Contains(r.Path, "/users") {
			t.Errorf("the board took %s %s", r.Method, r.Path)
		}
	}
}

// TestPagesOfABoard: the buttons lead from page to page, and one's own line comes with each that does not show it.
func TestPagesOfABoard(t *testing.T) {
	t.Parallel()
	const people = 34
	s := newStage(t, withRatings(func(s *stage) (all []storage.Rating) {
		pool := storage.ServerPool(s.server.ID)
		for i := range people {
			who := storage.Person{ID: fmt.Sprintf("1000000000000010%02d", i), Name: fmt.Sprintf("Villager %02d", i)}
			all = append(all, s.ranked(pool, who, float64(1900-i)))
		}
		return append(all, s.ranked(pool, storage.Person{ID: s.people[0].ID, Name: s.people[0].Name}, 1875.5))
	}))
	m := s.standings(s.white, nil)
	s.expectPrivate(m, "page 1 of 4")
	s.expectPrivate(m, "*You:*")
	if line := lineWith(m, "Naledi"); !strings.HasPrefix(line, `25\. `) {
		t.Errorf("her own line is %q", line)
	}
	for page := 2; page <= 4; page++ {
		m = s.press(s.white, m.ID, "Next")
		s.expect(m, fmt.Sprintf("page %d of 4", page))
		if own := strings.Contains(m.Content, "*You:*"); own == (page == 3) {
			t.Errorf("page %d repeats her line: %v", page, own)
		}
	}
	if lines := ranksIn(m); !strings.HasPrefix(lines[0], `31\. `) {
		t.Errorf("the last page begins with %q", lines[0])
	}
	s.expectPrivate(s.standings(s.white, map[string]any{"page": 99}), "page 4 of 4")
}

// TestDrawsAreRated (O41): a draw between two of very different strength moves both towards each other, in every pool; one
// that is agreed on at once moves nobody, and the board says why.
func TestDrawsAreRated(t *testing.T) {
	t.Parallel()
	s := newStage(t, withRatings(func(s *stage) (all []storage.Rating) {
		strong, weak := storage.Person{ID: s.server.Members[0], Name: "Naledi"}, storage.Person{ID: s.server.Members[1], Name: "Thabo"}
		for _, pool := range []string{storage.GlobalPool, storage.ServerPool(s.server.ID)} {
			all = append(all, s.ranked(pool, strong, 1900), s.ranked(pool, weak, 1300))
		}
		return all
	}))
	draw := func(actions ...string) storage.Match {
		id := s.game(s.begin("nine", nil))
		for i, a := range actions {
			s.act(id, []rules.Side{rules.Black, rules.White}[i%2], a)
		}
		s.slash(s.white, "draw", map[string]any{"game": id})
		s.slash(s.black, "draw", map[string]any{"game": id})
		return s.kept(id)
	}
	early := draw("a7", "d7")
	s.expect(s.board(early.ID), "before ten turns is not rated")
	m := draw("a7", "d7", "g7", "a4", "g4", "a1", "d1", "g1", "f4", "b6")
	if len(early.Changes) != 0 || len(m.Changes) != 4 {
		t.Fatalf("%d changes of the early draw, %d of the other", len(early.Changes), len(m.Changes))
	}
	for _, c := range m.Changes {
		if strong := c.Member == s.server.Members[0]; strong && !(c.After < c.Before && c.Before == 1900) || !strong && !(c.After > c.Before) {
			t.Errorf("the draw moved %s in %s from %v to %v", c.Member, c.Pool, c.Before, c.After)
		}
	}
	table := s.standings(s.white, nil)
	s.expectPrivate(table, "▼")
	s.expectPrivate(table, "▲")
}
