package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// past keeps a finished game that ended so many minutes after the opening.
func (s *stage) past(id string, white, black storage.Person, minute int, alter ...func(*storage.Match)) storage.Match {
	s.t.Helper()
	m := storage.Match{
		ID: id, State: storage.Finished, Server: "s", Channel: "c", Variant: s.nine(), Rated: true, Challenger: white, Opponent: black,
		Created: opening, Started: opening, Ended: opening.Add(time.Duration(minute) * time.Minute),
		Result: rules.WhiteWins, Reason: rules.Resignation, Revision: 1, Shown: storage.Shown{Revision: 1},
	}
	m.Seats[rules.White].Person, m.Seats[rules.Black].Person = white, black
	for _, do := range alter {
		do(&m)
	}
	s.keep(m)
	return m
}

func (s *stage) history(p bot.Search) bot.History {
	s.t.Helper()
	h, err := s.app.History(s.t.Context(), p)
	s.must(err)
	return h
}

func gameIDs(ms []storage.Match) (ids []string) {
	for _, m := range ms {
		ids = append(ids, m.ID)
	}
	return ids
}

// TestHistoryFinds: by opponent, by variant, within a server and everywhere, newest first.
func TestHistoryFinds(t *testing.T) {
	onStage(t, func(s *stage) {
		elsewhere := func(m *storage.Match) { m.Server = "other" }
		koti := func(m *storage.Match) { m.Variant, _ = rules.Lookup("koti") }
		s.past("one", ann, ben, 1)
		s.past("two", cai, ann, 2, koti)
		s.past("three", ann, ben, 3, elsewhere)
		s.past("four", ben, ann, 4, koti)
		s.past("five", ben, cai, 5)
		s.past("six", ann, ann, 6)
		for _, find := range []struct {
			name string
			past bot.Search
			want []string
		}{
			{"here", bot.Search{Member: ann.ID, Server: "s"}, []string{"six", "four", "two", "one"}},
			{"elsewhere", bot.Search{Member: ann.ID, Server: "other"}, []string{"three"}},
			{"everywhere", bot.Search{Member: ann.ID, Anywhere: true}, []string{"six", "four", "three", "two", "one"}},
			{"against Ben", bot.Search{Member: ann.ID, Server: "s", Opponent: ben.ID}, []string{"four", "one"}},
			{"against Ben everywhere", bot.Search{Member: ann.ID, Anywhere: true, Opponent: ben.ID}, []string{"four", "three", "one"}},
			{"koti", bot.Search{Member: ann.ID, Server: "s", Variant: "koti"}, []string{"four", "two"}},
			{"koti everywhere", bot.Search{Member: ann.ID, Anywhere: true, Variant: "koti"}, []string{"four", "two"}},
			{"koti against Cai", bot.Search{Member: ann.ID, Anywhere: true, Variant: "koti", Opponent: cai.ID}, []string{"two"}},
			{"under none", bot.Search{Member: ann.ID, Server: "s", Variant: "mhele"}, nil},
			{"in direct messages", bot.Search{Member: ann.ID}, nil},
		} {
			h := s.history(find.past)
			if got := gameIDs(h.Matches); !slices.Equal(got, find.want) || h.More || h.Unread || h.Page != 1 {
				t.Errorf("%s: got %v, %+v, want %v", find.name, got, h, find.want)
			}
		}
	})
}

// TestHistoryPages: pages join without gap or repeat, and one behind the last is the last.
func TestHistoryPages(t *testing.T) {
	onStage(t, func(s *stage) {
		const games = 2*bot.HistoryPage + 3
		for i := range games {
			s.past(fmt.Sprintf("g%02d", i), ann, ben, i)
		}
		for name, past := range map[string]bot.Search{
			"by index": {Member: ann.ID, Server: "s"}, "by record": {Member: ann.ID, Server: "s", Variant: "nine"},
		} {
			var all []string
			for page := 1; page <= 3; page++ {
				past.Page = page
				h := s.history(past)
				if h.Page != page || h.More != (page < 3) {
					t.Errorf("%s: page %d is %d, more: %v", name, page, h.Page, h.More)
				}
				all = append(all, gameIDs(h.Matches)...)
			}
			if len(all) != games || all[0] != "g22" || all[games-1] != "g00" || !slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b, a) }) {
				t.Errorf("%s: got %v", name, all)
			}
			past.Page = 50
			if h := s.history(past); h.Page != 3 || len(h.Matches) != 3 {
				t.Errorf("%s: page 50 is %d with %d games", name, h.Page, len(h.Matches))
			}
		}
	})
}

// TestHistorySaysWhereItStopped: what is looked for narrowly is not looked for in everything.
func TestHistorySaysWhereItStopped(t *testing.T) {
	onStage(t, func(s *stage) {
		m := s.past("first", ann, ben, 0)
		s.past("koti", ann, ben, 0, func(m *storage.Match) { m.Variant, _ = rules.Lookup("koti") })
		for range 3 {
			var records []storage.Record
			for range 1700 {
				m.Ended = m.Ended.Add(time.Minute)
				m.ID = fmt.Sprintf("g%d", m.Ended.Unix())
				records = append(records, m)
			}
			s.keep(records...)
		}
		h := s.history(bot.Search{Member: ann.ID, Server: "s", Variant: "koti"})
		if len(h.Matches) != 0 || !h.Unread {
			t.Errorf("got %d games, unread: %v", len(h.Matches), h.Unread)
		}
		if h := s.history(bot.Search{Member: ann.ID, Server: "s", Page: bot.MaxHistoryPage}); len(h.Matches) != bot.HistoryPage || h.Unread || !h.More {
			t.Errorf("without looking at records: %d games, %+v", len(h.Matches), h.Page)
		}
	})
}

// TestNamesFollowTheirOwners: a seat and a rating carry the name that a member last acted under.
func TestNamesFollowTheirOwners(t *testing.T) {
	onStage(t, func(s *stage) {
		id := s.game(ann, ben)
		renamed := storage.Person{ID: ben.ID, Name: "Benedict"}
		s.do(id, renamed, place(t, "a7"))
		if got := s.kept(id).Seats[rules.Black].Name; got != "Benedict" {
			t.Errorf("the seat's name: %q", got)
		}
		s.play(id, "d7")
		again := storage.Person{ID: ben.ID, Name: "Ben the Bold"}
		s.do(id, again, match.Resign{})
		if got := s.kept(id).Seats[rules.Black].Name; got != "Ben the Bold" {
			t.Errorf("the seat's name at the end: %q", got)
		}
		for _, pool := range []string{storage.GlobalPool, storage.ServerPool("s")} {
			if got := s.ratingOf(pool, ben).Name; got != "Ben the Bold" {
				t.Errorf("the name in %s: %q", pool, got)
			}
		}
	})
}
