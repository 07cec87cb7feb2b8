package bot_test

import (
	"testing"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// walls is a position of nine in which both can go to and fro for long, black to move, after so many quiet turns.
const walls = "w../w.b/b../.b..w./.../bw./... b 0,0 0 "

// valued plays the first legal action and says what the position is worth.
func valued(score int, lost bool) func(*rules.Game) (bot.Choice, error) {
	return func(g *rules.Game) (bot.Choice, error) {
		return bot.Choice{Action: g.Legal()[0], Score: score, Lost: lost}, nil
	}
}

// TestAnswerToDraw: the engine agrees where it is not better, and there has been a game. It says no at once else, be it its
// turn or not.
func TestAnswerToDraw(t *testing.T) {
	for _, c := range []struct {
		name        string
		turns       int // of ann, each answered
		ownTurn     bool
		score       int // for the side to move
		wantRefused bool
	}{
		{"too soon", 2, false, 0, true},
		{"even", 10, false, 0, false},
		{"the person is better", 10, false, 40, false},
		{"the engine is better", 10, false, -40, true},
		{"while it thinks, even", 10, true, 10, false},
		{"while it thinks, better", 10, true, 11, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			withEngine(t, func(s *stage, f *fake) {
				id := s.duel(ann, "black")
				for range c.turns {
					s.playFirst(id)
					s.pass(pause)
				}
				release := f.blocked()
				f.thinks(valued(c.score, false))
				if c.ownTurn {
					s.playFirst(id)
				}
				s.do(id, ann, match.Draw{})
				release()
				s.pass(pause)
				m := s.kept(id)
				if agreed := m.Reason == rules.Agreement; agreed == c.wantRefused || match.DrawRefused(m) != c.wantRefused || len(m.Offers) > 0 && !agreed {
					t.Errorf("agreed %v, refused %v, offers %v", agreed, match.DrawRefused(m), m.Offers)
				}
			})
		})
	}
}

// playFirst makes ann's turn, of whatever is legal, with its shots.
func (s *stage) playFirst(id string) {
	s.t.Helper()
	for {
		t, err := match.Look(s.kept(id))
		s.must(err)
		if t.Match.Seats[t.ToMove()].ID != ann.ID || t.Match.State != storage.Playing {
			return
		}
		s.do(id, ann, match.Play{Action: t.Game.Legal()[0]})
	}
}

// TestEngineResigns: at the higher levels, when it has known for three turns that it loses; not for less.
func TestEngineResigns(t *testing.T) {
	for _, c := range []struct {
		name   string
		level  int
		lost   []bool // at each turn of the engine
		resign bool
	}{
		{"three turns", 5, []bool{true, true, true}, true},
		{"two turns", 7, []bool{true, true}, false},
		{"hope between", 6, []bool{true, true, false, true, true}, false},
		{"a lower level", 4, []bool{true, true, true, true}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			withEngine(t, func(s *stage, f *fake) {
				id := s.duel(ann, "black", atLevel(c.level))
				s.change(id, func(m *storage.Match) { m.Position = walls + "0,0 -,-" })
				for _, lost := range c.lost {
					f.thinks(valued(-30_000, lost))
					s.playFirst(id)
					s.pass(pause)
				}
				if m := s.kept(id); (m.Reason == rules.Resignation && m.Result == rules.BlackWins) != c.resign {
					t.Errorf("%s, %s by %s", m.State, m.Result, m.Reason)
				}
			})
		})
	}
}

// TestEngineOffersDraw: along with a turn, when nothing happens any more.
func TestEngineOffersDraw(t *testing.T) {
	for _, c := range []struct {
		name  string
		quiet string
		level int
		score int
		want  bool
	}{
		{"quiet and even", "29", 3, 0, true},
		{"not for long", "20", 3, 0, false},
		{"again later", "49", 3, -15, true},
		{"better", "29", 3, 16, false},
		{"a beginner's level", "29", 2, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			withEngine(t, func(s *stage, f *fake) {
				f.thinks(valued(c.score, false))
				id := s.duel(ann, "black", atLevel(c.level))
				s.change(id, func(m *storage.Match) { m.Position = walls + c.quiet + ",0 -,-" })
				s.playFirst(id)
				s.pass(pause)
				m := s.kept(id)
				if got := match.Offered(m, storage.OfferDraw, rules.White); got != c.want || len(m.Deeds) != 2 {
					t.Errorf("offered %v, want %v; actions %v", got, c.want, s.actions(id))
				}
			})
		})
	}
}

// TestAscent: levels count in their order, under each variant by itself, together with the end of the game.
func TestAscent(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		win := func(level int, key string) storage.Match {
			id := s.duel(ann, "black", atLevel(level), func(t *match.Terms) { t.Variant, _ = rules.Lookup(key) })
			m := s.kept(id)
			side, _ := match.EngineSide(m)
			for range 4 {
				s.playFirst(id)
				s.pass(pause)
			}
			s.do(id, m.Seats[side].Person, match.Resign{})
			return s.kept(id)
		}
		for _, c := range []struct {
			level      int
			variant    string
			camp       int
			nine, koti int
		}{
			{2, "nine", 0, 0, 0},
			{1, "nine", 1, 1, 0},
			{3, "nine", 0, 1, 0},
			{2, "nine", 2, 2, 0},
			{1, "koti", 1, 2, 1},
			{1, "nine", 0, 2, 1},
		} {
			m := win(c.level, c.variant)
			member, err := s.app.Member(t.Context(), ann.ID)
			s.must(err)
			if m.Camp != c.camp || member.Climbed["nine"] != c.nine || member.Climbed["koti"] != c.koti {
				t.Errorf("level %d of %s (%s by %s): camp %d, climbed %v; want camp %d and %d, %d",
					c.level, c.variant, m.Result, m.Reason, m.Camp, member.Climbed, c.camp, c.nine, c.koti)
			}
		}
	})
}
