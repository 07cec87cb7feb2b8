package discord_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kraal/rules"
	"kraal/storage"
)

// TestSmallBoards (O37): in a new server there is a sentence, one person alone stands at the top, and where all are equal
// all share that place.
func TestSmallBoards(t *testing.T) {
	t.Parallel()
	for name, points := range map[string][]float64{"a new server": nil, "one": {1500}, "all tied": {1500, 1500.2, 1499.8, 1500}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, withRatings(func(s *stage) []storage.Rating {
				// The same people are ranked elsewhere, which must show nowhere here.
				all := []storage.Rating{s.ranked(storage.ServerPool(s.other.ID), storage.Person{ID: s.people[0].ID, Name: "Elsewhere"}, 1900)}
				for i, p := range points {
					all = append(all, s.ranked(storage.ServerPool(s.server.ID), storage.Person{ID: s.people[i].ID, Name: s.people[i].Name}, p))
				}
				return all
			}))
			m := s.standings(s.white, nil)
			lines := ranksIn(m)
			if len(lines) != len(points) || strings.Contains(m.Content, "Elsewhere") || strings.Contains(m.Content, "1900") {
				t.Errorf("%d lines for %d people:\n%s", len(lines), len(points), m.Content)
			}
			for _, line := range lines {
				if !strings.HasPrefix(line, `1\. `) {
					t.Errorf("the line of an equal is %q", line)
				}
			}
			if len(points) == 0 {
				s.expectPrivate(m, "in this server yet. The first two")
			}
		})
	}
}

// TestBannedOnTheBoard (O38): whoever a moderator has thrown out of the server, or a referee has banned, stands on the board
// by the name that is kept, and one answer is all that it takes.
func TestBannedOnTheBoard(t *testing.T) {
	t.Parallel()
	s := newStage(t, withRatings(func(s *stage) (all []storage.Rating) {
		for i, p := range s.people[:4] {
			all = append(all, s.ranked(storage.ServerPool(s.server.ID), storage.Person{ID: p.ID, Name: p.Name}, float64(1700-i)))
		}
		return all
	}))
	s.expectPrivate(s.decide("ban", map[string]any{"user": s.people[1].ID}), "can begin no more games")
	s.must(s.sb.RemoveMember(s.server.ID, s.people[2].ID)) // which is all that is seen of a ban of Discord's
	calls := len(s.sb.Requests())
	m := s.standings(s.white, nil)
	for place, p := range s.people[:4] {
		if line := lineWith(m, p.Name); !strings.HasPrefix(line, fmt.Sprintf(`%d\. `, place+1)) {
			t.Errorf("the line of %s is %q:\n%s", p.Name, line, m.Content)
		}
	}
	for _, r := range s.sb.Requests()[calls:] {
		if !strings.Contains(r.Path, "/interactions/") {
			t.Errorf("the board took %s %s", r.Method, r.Path)
		}
	}
}

// TestTakebackInTheLastMinute (O40): with a minute left of three days a turn is taken back. Whose minute it was loses
// nothing by it, and the board states until when the other may think.
func TestTakebackInTheLastMinute(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", map[string]any{"clock": "3d"}))
	s.act(id, rules.White, "a7")
	s.act(id, rules.Black, "d7")
	flag := s.kept(id).FlagAt
	s.clock.Advance(flag.Sub(s.clock.Now()) - time.Minute)
	s.slash(s.black, "takeback", map[string]any{"game": id})
	s.slash(s.white, "takeback", map[string]any{"game": id})
	m := s.kept(id)
	if left := m.FlagAt.Sub(s.clock.Now()); len(m.Deeds) != 1 || left < 71*time.Hour || left > 72*time.Hour {
		t.Fatalf("%d actions are kept, and %v left", len(m.Deeds), left)
	}
	s.expect(s.board(id), fmt.Sprintf("time for this turn ends <t:%d:R>", m.FlagAt.Unix()))
	s.clock.Advance(2 * time.Minute)
	s.act(id, rules.Black, "g7")
	if m := s.kept(id); m.State != storage.Playing || len(m.Deeds) != 2 {
		t.Errorf("%s, %s: %d actions", m.State, m.Reason, len(m.Deeds))
	}
}
