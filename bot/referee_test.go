package bot_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// rated plays a rated game that black, Ben, resigns after a turn each.
func (s *stage) rated() string {
	s.t.Helper()
	id := s.game(ann, ben)
	s.play(id, "a7", "d7")
	s.do(id, ben, match.Resign{})
	return id
}

// ruled are the acts in the server's log, the last first.
func (s *stage) ruled() (kinds []storage.ActKind) {
	s.t.Helper()
	acts, err := s.app.Acts(s.t.Context(), "s")
	s.must(err)
	for _, a := range acts {
		kinds = append(kinds, a.Kind)
	}
	return kinds
}

// TestAnnulTakesBack: in both pools both sides lose exactly what that game gave them, the later game stands, and the log
// says who did it.
func TestAnnulTakesBack(t *testing.T) {
	onStage(t, func(s *stage) {
		first := s.rated()
		s.pass(time.Hour)
		s.rated()
		pools := []string{storage.ServerPool("s"), storage.GlobalPool}
		before := map[string]storage.Rating{}
		for _, pool := range pools {
			for _, who := range []storage.Person{ann, ben} {
				before[pool+who.ID] = s.ratingOf(pool, who)
			}
		}
		m := s.do(first, cai, match.Annul{}).Match
		for _, c := range m.Changes {
			who := storage.Person{ID: c.Member}
			got, was := s.ratingOf(c.Pool, who), before[c.Pool+c.Member]
			if math.Abs(was.Points-got.Points-(c.After-c.Before)) > 1e-9 || got.Games() != 1 || was.Games() != 2 {
				t.Errorf("%s of %s: %+v after %+v, the game had changed it by %v", c.Pool, c.Member, got, was, c.After-c.Before)
			}
		}
		if len(m.Changes) != 4 || !s.kept(first).Annulled.Equal(time.Now().UTC()) {
			t.Errorf("%d changes, annulled at %v", len(m.Changes), s.kept(first).Annulled)
		}
		if _, err := s.app.Do(t.Context(), first, match.Act{By: cai, Do: match.Annul{}}, nil); !errors.Is(err, match.ErrAnnulled) {
			t.Errorf("again: error %v", err)
		}
		if got := s.ruled(); !slices.Equal(got, []storage.ActKind{storage.ActAnnul}) {
			t.Errorf("the log has %v", got)
		}
	})
}

// TestAnnulTheOnlyGame: both are as if they had never played.
func TestAnnulTheOnlyGame(t *testing.T) {
	onStage(t, func(s *stage) {
		s.do(s.rated(), cai, match.Annul{})
		for _, who := range []storage.Person{ann, ben} {
			if got := s.ratingOf(storage.GlobalPool, who); got != (storage.Rating{}) {
				t.Errorf("%s still has %+v", who.Name, got)
			}
		}
	})
}

// TestAnnulMeetsAnotherGame: a game that ends while another is annulled is not lost, nor is the annulment.
func TestAnnulMeetsAnotherGame(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		first, second := s.rated(), s.game(ann, ben)
		s.play(second, "a7", "d7")
		s.stop()
		met := false
		store.commit = func(_ context.Context, c storage.Changes) error {
			if !met && annuls(c) {
				met = true
				s.do(second, ben, match.Resign{})
			}
			return nil
		}
		s.start()
		m := s.do(first, cai, match.Annul{}).Match
		other := s.kept(second)
		if !met || len(m.Changes) != 4 {
			t.Fatalf("met %v, %d changes", met, len(m.Changes))
		}
		for _, c := range m.Changes {
			got := s.ratingOf(c.Pool, storage.Person{ID: c.Member})
			want := c.After + changeIn(other, c) - (c.After - c.Before)
			if math.Abs(got.Points-want) > 1e-9 || got.Games() != 1 {
				t.Errorf("%s of %s: got %v in %d games, want %v", c.Pool, c.Member, got.Points, got.Games(), want)
			}
		}
	})
}

// annuls tells whether changes hold an annulled match.
func annuls(c storage.Changes) bool {
	return slices.ContainsFunc(c.Put, func(r storage.Record) bool {
		m, ok := r.(storage.Match)
		return ok && !m.Annulled.IsZero()
	})
}

// changeIn is what another game did to the same rating.
func changeIn(m storage.Match, to storage.Change) float64 {
	for _, c := range m.Changes {
		if c.Pool == to.Pool && c.Member == to.Member {
			return c.After - c.Before
		}
	}
	return math.NaN()
}

// TestBanned: a banned member begins no game in that server in any way, goes on with those in play, and can play
// elsewhere; the ban can be lifted.
func TestBanned(t *testing.T) {
	onStage(t, func(s *stage) {
		ctx := t.Context()
		playing := s.game(ann, ben)
		over := s.rated()
		open, err := s.app.Challenge(ctx, s.terms(cai, storage.Person{}), nil)
		s.must(err)
		for _, want := range []bool{true, false} {
			if changed, err := s.app.Ban(ctx, "s", cai, ben, false); err != nil || changed != want {
				t.Errorf("changed %v, error %v", changed, err)
			}
		}
		elsewhere := s.terms(ben, ann)
		elsewhere.Server = "another"
		try := func(id string, by storage.Person, d match.Deed) error {
			_, err := s.app.Do(ctx, id, match.Act{By: by, Do: d}, nil)
			return err
		}
		begin := func(terms match.Terms) error { _, err := s.app.Challenge(ctx, terms, nil); return err }
		for _, c := range []struct {
			name      string
			got, want error
		}{
			{"challenges", begin(s.terms(ben, ann)), bot.ErrBanned},
			{"is challenged", begin(s.terms(ann, ben)), bot.ErrBannedOpponent},
			{"accepts", try(open.Match.ID, ben, match.Accept{}), bot.ErrBanned},
			{"wants a rematch", try(over, ben, match.Rematch{}), bot.ErrBanned},
			{"is asked for a rematch", try(over, ann, match.Rematch{}), bot.ErrBannedOpponent},
			{"plays elsewhere", begin(elsewhere), nil},
			{"goes on", try(playing, ben, place(t, "a7")), nil},
		} {
			if !errors.Is(c.got, c.want) {
				t.Errorf("%s: got error %v, want %v", c.name, c.got, c.want)
			}
		}
		_, err = s.app.Ban(ctx, "s", cai, ben, true)
		s.must(err)
		s.do(open.Match.ID, ben, match.Accept{})
		if got := s.ruled(); !slices.Equal(got, []storage.ActKind{storage.ActUnban, storage.ActBan}) {
			t.Errorf("the log has %v", got)
		}
	})
}

// TestLogIsBounded: the oldest acts go.
func TestLogIsBounded(t *testing.T) {
	var l storage.Log
	for i := range storage.MaxActs + 3 {
		l = l.With(storage.Act{Said: fmt.Sprint(i)})
	}
	if n := len(l.Acts); n != storage.MaxActs || l.Acts[0].Said != "3" || l.Acts[n-1].Said != fmt.Sprint(storage.MaxActs+2) {
		t.Errorf("%d acts from %s to %s", n, l.Acts[0].Said, l.Acts[n-1].Said)
	}
}

// TestRefereeActsAreLogged: what a referee does to a match stands in the log once, and what is refused does not.
func TestRefereeActsAreLogged(t *testing.T) {
	onStage(t, func(s *stage) {
		tournament, _ := rules.Lookup("tournament")
		terms := s.terms(ann, ben)
		terms.Variant = tournament
		done, err := s.app.Challenge(t.Context(), terms, nil)
		s.must(err)
		id := done.Match.ID
		s.do(id, ben, match.Accept{})
		for _, d := range []match.Deed{
			match.Standing{On: true}, match.Standing{}, match.Relocate{Channel: "d"}, match.End{Result: rules.WhiteWins},
		} {
			act := match.Act{Request: fmt.Sprintf("%T", d) + fmt.Sprint(d), By: cai, Do: d}
			for range 2 { // the second is the same request again
				if _, err := s.app.Do(t.Context(), id, act, nil); err != nil {
					t.Fatalf("%T: %v", d, err)
				}
			}
		}
		if _, err := s.app.Do(t.Context(), id, match.Act{By: cai, Do: match.End{Result: rules.Drawn}}, nil); err == nil {
			t.Error("ended twice")
		}
		want := []storage.ActKind{storage.ActEnd, storage.ActMove, storage.ActUncount, storage.ActStanding}
		if got := s.ruled(); !slices.Equal(got, want) {
			t.Errorf("the log has %v, want %v", got, want)
		}
	})
}

// TestBansAreBounded: the list ends somewhere, and who is on it can still be taken off.
func TestBansAreBounded(t *testing.T) {
	onStage(t, func(s *stage) {
		s.must(s.app.SetSettings(t.Context(), "s", func(v *storage.Server) error {
			for i := range 1000 {
				v.Banned = append(v.Banned, fmt.Sprint("b", i))
			}
			return nil
		}))
		if changed, err := s.app.Ban(t.Context(), "s", cai, ben, false); changed || !errors.Is(err, bot.ErrTooMany) {
			t.Errorf("changed %v, error %v", changed, err)
		}
		if changed, err := s.app.Ban(t.Context(), "s", cai, storage.Person{ID: "b7"}, true); !changed || err != nil {
			t.Errorf("lifted %v, error %v", changed, err)
		}
		if got := s.ruled(); !slices.Equal(got, []storage.ActKind{storage.ActUnban}) {
			t.Errorf("the log has %v", got)
		}
	})
}
