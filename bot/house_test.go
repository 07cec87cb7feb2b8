package bot_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

func TestHouseKey(t *testing.T) {
	for name, want := range map[string]string{
		"Village Rules": "village-rules", "  a/b  ": "a-b", "Ünder | den_Linden!": "ünder-den-linden", "***": "", "nine": "nine",
	} {
		if got := bot.HouseKey(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// TestHouseRules: a server's own game is offered there and nowhere else, replaced by its name, and taken away again.
func TestHouseRules(t *testing.T) {
	onStage(t, func(s *stage) {
		ctx := t.Context()
		v, err := s.app.AddHouse(ctx, "s", "Village Rules", s.nine(), "flies=false pieces=7")
		s.must(err)
		if v.Key != "village-rules" || v.Base != "nine" || v.Changes() != "pieces=7 flies=false" || !match.HasLadder(v) {
			t.Errorf("got %+v", v)
		}
		id := s.houseGame(v)
		_, err = s.app.AddHouse(ctx, "s", "village rules", s.nine(), "pieces=8")
		s.must(err)
		settings, err := s.app.Settings(ctx, "s")
		s.must(err)
		now, ok := s.app.Variant(settings, "village-rules")
		if !ok || now.Pieces != 8 || !now.Flies || len(s.app.Variants(settings)) != len(rules.Variants())+1 {
			t.Errorf("replaced: %+v", now)
		}
		if got := s.kept(id).Variant; got != v {
			t.Errorf("the running game has %+v, began with %+v", got, v)
		}
		if _, ok := s.app.Variant(storage.Server{ID: "another"}, "village-rules"); ok {
			t.Error("another server offers it")
		}
		s.must(s.app.SetSettings(ctx, "s", func(v *storage.Server) error { v.Variant = "village-rules"; return nil }))
		_, err = s.app.RemoveHouse(ctx, "s", "village-rules")
		s.must(err)
		if settings, err = s.app.Settings(ctx, "s"); err != nil || len(settings.House) != 0 || settings.Variant != "" {
			t.Errorf("removed: %+v, error %v", settings, err)
		}
		s.play(id, "a7", "d7")
		s.do(id, ben, match.Resign{})
		if m := s.kept(id); len(m.Changes) != 2 || m.Changes[0].Pool != storage.ServerPool("s") {
			t.Errorf("a ladder of its own in the server's pool alone: %+v", m.Changes)
		}
	})
}

// houseGame is a game in play under house rules.
func (s *stage) houseGame(v rules.Variant) string {
	s.t.Helper()
	terms := s.terms(ann, ben)
	terms.Variant = v
	done, err := s.app.Challenge(s.t.Context(), terms, nil)
	s.must(err)
	s.do(done.Match.ID, ben, match.Accept{})
	return done.Match.ID
}

func TestHouseRulesRefused(t *testing.T) {
	onStage(t, func(s *stage) {
		free, err := bot.House("free", "Free for all", s.nine(), "protected=false")
		s.must(err)
		s.app.Offers = []rules.Variant{free}
		for _, c := range []struct {
			name, changes string
			want          error
		}{
			{"nine", "pieces=7", bot.ErrHouseTaken},
			{"Nine Men's Morris", "pieces=7", bot.ErrHouseTaken},
			{"free", "pieces=7", bot.ErrHouseTaken},
			{"Free For All", "pieces=7", bot.ErrHouseTaken},
			{"?!", "pieces=7", bot.ErrHouseName},
			{strings.Repeat("a", 33), "pieces=7", bot.ErrHouseName},
			{"same", "pieces=9", bot.ErrHouseSame},
			{"same", "", bot.ErrHouseSame},
		} {
			if _, err := s.app.AddHouse(t.Context(), "s", c.name, s.nine(), c.changes); !errors.Is(err, c.want) {
				t.Errorf("%q %q: got error %v, want %v", c.name, c.changes, err, c.want)
			}
		}
		var column *rules.ColumnError
		if _, err := s.app.AddHouse(t.Context(), "s", "ours", s.nine(), "pieces=13"); !errors.As(err, &column) {
			t.Errorf("out of range: error %v", err)
		}
		for i := range 20 {
			_, err := s.app.AddHouse(t.Context(), "s", fmt.Sprint("own ", i), s.nine(), "pieces=7")
			s.must(err)
		}
		if _, err := s.app.AddHouse(t.Context(), "s", "one more", s.nine(), "pieces=7"); !errors.Is(err, bot.ErrTooMany) {
			t.Errorf("the 21st: error %v", err)
		}
		if _, err := s.app.RemoveHouse(t.Context(), "s", "free"); !errors.Is(err, bot.ErrHouseUnknown) {
			t.Errorf("not the server's: error %v", err)
		}
	})
}
