package bot_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/storage"
)

// TestFind: in each case Ann asks in channel c. A game is named by its channel, and by whether it is Ann's turn there.
func TestFind(t *testing.T) {
	type game struct {
		channel string
		turn    bool
	}
	for _, c := range []struct {
		name  string
		games []game
		found int   // which of the games; -1: none
		which []int // which are asked about; none: ErrNoGame
	}{
		{"no game", nil, -1, nil},
		{"the only one here", []game{{"c", false}}, 0, nil},
		{"the only one here, her turn elsewhere", []game{{"c", false}, {"d", true}}, 0, nil},
		{"several here, her turn in one", []game{{"c", false}, {"c", true}, {"d", true}}, 1, nil},
		{"several here, her turn in several", []game{{"c", true}, {"c", true}, {"c", false}}, -1, []int{0, 1}},
		{"several here, her turn in none", []game{{"c", false}, {"c", false}, {"d", true}}, -1, []int{0, 1}},
		{"none here, her turn in one elsewhere", []game{{"d", false}, {"e", true}}, 1, nil},
		{"none here, her turn in several elsewhere", []game{{"d", true}, {"e", true}, {"e", false}}, -1, []int{0, 1}},
		{"none here, her turn nowhere", []game{{"d", false}, {"e", false}}, -1, []int{0, 1}},
		{"none here, one elsewhere, not her turn", []game{{"d", false}}, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			onStage(t, func(s *stage) {
				var ids []string
				for _, g := range c.games {
					seats := []storage.Person{ben, ann} // the second begins
					if !g.turn {
						seats = []storage.Person{ann, ben}
					}
					id := s.game(seats[0], seats[1])
					s.change(id, func(m *storage.Match) { m.Channel, m.Shown.Channel = g.channel, g.channel })
					ids = append(ids, id)
				}
				found, err := s.app.Find(t.Context(), bot.Asker{Member: ann.ID, Server: "s", Channel: "c"}, "")
				var which *bot.WhichError
				switch {
				case c.found >= 0:
					if err != nil || found.ID != ids[c.found] {
						t.Errorf("found %q, %v, want %q", found.ID, err, ids[c.found])
					}
				case len(c.which) == 0:
					if !errors.Is(err, bot.ErrNoGame) {
						t.Errorf("found %q, %v, want no game", found.ID, err)
					}
				case !errors.As(err, &which) || !sameGames(which.Matches, ids, c.which):
					t.Errorf("found %q, %v, want to be asked about %v", found.ID, err, c.which)
				}
			})
		})
	}
}

func sameGames(have []storage.Match, ids []string, want []int) bool {
	var got, named []string
	for _, m := range have {
		got = append(got, m.ID)
	}
	for _, n := range want {
		named = append(named, ids[n])
	}
	slices.Sort(got)
	slices.Sort(named)
	return slices.Equal(got, named)
}

// TestFindIsNotHiddenByChallenges: others may challenge somebody as often as they like.
func TestFindIsNotHiddenByChallenges(t *testing.T) {
	onStage(t, func(s *stage) {
		s.limits.Games = 3
		s.stop()
		s.start()
		id := s.game(ann, ben)
		for n := range 120 {
			s.pass(time.Second)
			_, err := s.app.Challenge(t.Context(), s.terms(storage.Person{ID: fmt.Sprint(100 + n)}, ann), nil)
			s.must(err)
		}
		found, err := s.app.Find(t.Context(), bot.Asker{Member: ann.ID, Server: "s", Channel: "c"}, "")
		if err != nil || found.ID != id {
			t.Errorf("found %q, %v, want %q", found.ID, err, id)
		}
		for range 2 {
			_, err = s.app.Challenge(t.Context(), s.terms(ann, cai), nil)
			s.must(err)
		}
		var busy *bot.BusyError
		if _, err := s.app.Challenge(t.Context(), s.terms(ann, cai), nil); !errors.As(err, &busy) || busy.Limit != 3 {
			t.Errorf("with three matches of three: %v", err)
		}
	})
}

func TestBusy(t *testing.T) {
	onStage(t, func(s *stage) {
		var last string
		for n := range s.limits.Games {
			done, err := s.app.Challenge(t.Context(), s.terms(ann, ben), nil)
			if err != nil {
				t.Fatalf("challenge %d: %v", n+1, err)
			}
			last = done.Match.ID
		}
		var busy *bot.BusyError
		_, err := s.app.Challenge(t.Context(), s.terms(ann, cai), nil)
		if !errors.As(err, &busy) || busy.Limit != s.limits.Games {
			t.Fatalf("one more: %v, want a BusyError with %d", err, s.limits.Games)
		}
		if _, err := s.app.Challenge(t.Context(), s.terms(ben, cai), nil); err != nil {
			t.Errorf("who is challenged is bound by it: %v", err)
		}
		s.do(last, ann, match.Cancel{})
		if _, err := s.app.Challenge(t.Context(), s.terms(ann, cai), nil); err != nil {
			t.Errorf("after one was cancelled: %v", err)
		}
	})
}

func TestVisible(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		for _, c := range []struct {
			name string
			who  bot.Asker
			want error
		}{
			{"a player, anywhere", bot.Asker{Member: ann.ID, Server: "elsewhere"}, nil},
			{"somebody in its server", bot.Asker{Member: cai.ID, Server: "s"}, nil},
			{"somebody in another", bot.Asker{Member: cai.ID, Server: "elsewhere"}, bot.ErrUnknownGame},
			{"somebody in direct messages", bot.Asker{Member: cai.ID}, bot.ErrUnknownGame},
		} {
			found, err := s.app.Find(t.Context(), c.who, " #"+strings.ToUpper(id)+" ")
			if !errors.Is(err, c.want) || c.want == nil && found.ID != id {
				t.Errorf("%s: %q, %v, want %v", c.name, found.ID, err, c.want)
			}
		}
		s.change(id, func(m *storage.Match) { m.Server = "" })
		if _, err := s.app.Find(t.Context(), bot.Asker{Member: cai.ID}, id); !errors.Is(err, bot.ErrUnknownGame) {
			t.Errorf("a game in others' direct messages: %v", err)
		}
	})
}

func TestReadID(t *testing.T) {
	for typed, want := range map[string]string{
		"0c2k9xqz": "0c2k9xqz", "0C2K9XQZ": "0c2k9xqz", "  #0c2k9xqz\n": "0c2k9xqz", "oc2k9xqz": "0c2k9xqz", "Oc2k9xqz": "0c2k9xqz",
		"0c2k-9xqz": "0c2k9xqz", "0c2k 9xqz": "0c2k9xqz", "ilIL": "1111", "# 0c2k9xqz": "0c2k9xqz", "": "",
	} {
		if got := bot.ReadID(typed); got != want {
			t.Errorf("%q is read as %q, want %q", typed, got, want)
		}
	}
}

func TestIDs(t *testing.T) {
	onStage(t, func(s *stage) {
		var ids []string
		for _, wait := range []time.Duration{0, time.Second, 31 * time.Second, time.Hour, 24 * time.Hour, 400 * 24 * time.Hour} {
			s.pass(wait)
			done, err := s.app.Challenge(t.Context(), s.terms(ann, ben), nil)
			s.must(err)
			id := done.Match.ID
			if len(id) != 8 || bot.ReadID(id) != id || bot.ReadID(strings.ToUpper(id)) != id {
				t.Errorf("%q is read as %q", id, bot.ReadID(id))
			}
			ids = append(ids, id)
		}
		if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
			t.Errorf("not in the order in which they were made, or twice: %v", ids)
		}
	})
}

// TestIDsThatMeet: chance gives the same letters twice in one second; the second challenge draws again.
func TestIDsThatMeet(t *testing.T) {
	onStage(t, func(s *stage) {
		draws := 0
		s.app.Random = func(n int) int {
			if draws++; draws <= 9 { // three for a match: a coin and two letters
				return 0
			}
			return rand.IntN(n-1) + 1
		}
		seen := map[string]bool{}
		for range 2 {
			done, err := s.app.Challenge(t.Context(), s.terms(ann, ben), nil)
			s.must(err)
			seen[done.Match.ID] = true
		}
		synctest.Wait()
		if len(seen) != 2 || s.count(storage.KindMatch) != 2 {
			t.Errorf("ids %v, %d matches are kept", seen, s.count(storage.KindMatch))
		}
	})
}

// TestBusyAcceptor (O21): who has enough games cannot accept another, and the challenge goes on waiting.
func TestBusyAcceptor(t *testing.T) {
	onStage(t, func(s *stage) {
		for range s.limits.Games {
			if _, err := s.app.Challenge(t.Context(), s.terms(ben, cai), nil); err != nil {
				t.Fatal(err)
			}
		}
		done, err := s.app.Challenge(t.Context(), s.terms(ann, ben), nil)
		s.must(err)
		var busy *bot.BusyError
		if _, err := s.app.Do(t.Context(), done.Match.ID, match.Act{By: ben, Do: match.Accept{}}, nil); !errors.As(err, &busy) {
			t.Errorf("accepted beyond the limit: %v", err)
		}
		if m := s.kept(done.Match.ID); m.State != storage.Challenged {
			t.Errorf("the challenge is %s", m.State)
		}
	})
}

// TestOnlyGame: a member's one game is meant wherever they are, whoever is to move.
func TestOnlyGame(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		for _, member := range []string{ann.ID, ben.ID} {
			found, err := s.app.Find(t.Context(), bot.Asker{Member: member, Server: "s", Channel: "elsewhere"}, "")
			if err != nil || found.ID != id {
				t.Errorf("%s: found %q, %v", member, found.ID, err)
			}
		}
	})
}
