package bot_test

import (
	"testing"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// TestAnnulTakesTheCamp: a camp that was won by an annulled game is given back, unless the member has gone on from it.
func TestAnnulTakesTheCamp(t *testing.T) {
	for _, c := range []struct{ camp, climbed, want int }{{2, 2, 1}, {1, 1, 0}, {2, 3, 3}, {0, 2, 2}} {
		onStage(t, func(s *stage) {
			key := s.over("00000000", storage.Finished, day)
			s.change(key.ID, func(m *storage.Match) {
				m.Seats[rules.Black].Person, m.Seats[rules.Black].Level, m.Camp = storage.Person{}, max(1, c.camp), c.camp
			})
			s.choose(ann, func(m *storage.Member) { m.Climbed = map[string]int{"nine": c.climbed, "koti": 4} })
			s.do(key.ID, cai, match.Annul{})
			member, err := s.app.Member(t.Context(), ann.ID)
			s.must(err)
			if member.Climbed["nine"] != c.want || member.Climbed["koti"] != 4 {
				t.Errorf("camp %d of %d: %v is left, want %d", c.camp, c.climbed, member.Climbed, c.want)
			}
		})
	}
}
