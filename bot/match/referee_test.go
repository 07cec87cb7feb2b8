package match_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kraal/bot/match"
	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
)

// TestEnd: a referee ends a game with any result, or calls it off; what is over stays over.
func TestEnd(t *testing.T) {
	v := variant(t, "nine")
	for _, c := range []struct {
		name   string
		m      storage.Match
		result rules.Result
		want   error
		state  storage.State
	}{
		{"white wins", play(t, game(t, v, ""), "a7", "d7"), rules.WhiteWins, nil, storage.Finished},
		{"a draw", play(t, game(t, v, ""), "a7", "d7"), rules.Drawn, nil, storage.Finished},
		{"called off", play(t, game(t, v, ""), "a7"), rules.Undecided, nil, storage.Withdrawn},
		{"a challenge is called off", challenge(v), rules.Undecided, nil, storage.Withdrawn},
		{"a challenge has no winner", challenge(v), rules.BlackWins, match.ErrNotPlaying, storage.Challenged},
		{"over already", finished(t, v), rules.WhiteWins, match.ErrNotPlaying, storage.Finished},
	} {
		out, err := match.Apply(c.m, match.Act{By: storage.Person{ID: "9"}, Do: match.End{Result: c.result}}, world())
		m := out.Match
		if !errors.Is(err, c.want) || m.State != c.state {
			t.Errorf("%s: %s, error %v, want %s, %v", c.name, m.State, err, c.state, c.want)
		}
		switch {
		case c.want != nil:
		case c.state == storage.Finished && (m.Result != c.result || m.Reason != rules.Adjudication || !m.Due().Equal(noon)):
			t.Errorf("%s: %s by %s, people are told at %v", c.name, m.Result, m.Reason, m.Due())
		case c.state == storage.Withdrawn && m.Ending != storage.Voided:
			t.Errorf("%s: ends as %s", c.name, m.Ending)
		}
	}
}

// TestEndAfterTheFlag: time had decided before the referee did.
func TestEndAfterTheFlag(t *testing.T) {
	m := game(t, variant(t, "nine"), "")
	m.FlagAt = noon
	_, err := match.Apply(m, match.Act{Do: match.End{Result: rules.Drawn}}, world())
	if !errors.Is(err, match.ErrTimeUp) {
		t.Errorf("got error %v", err)
	}
}

// TestAnnulOnce: only what is over can be annulled, and only once.
func TestAnnulOnce(t *testing.T) {
	v := variant(t, "nine")
	if _, err := match.Apply(game(t, v, ""), match.Act{Do: match.Annul{}}, world()); !errors.Is(err, match.ErrNotFinished) {
		t.Errorf("in play: error %v", err)
	}
	m := do(t, finished(t, v), storage.Person{}, match.Annul{})
	if !m.Annulled.Equal(noon) || m.Result != rules.BlackWins {
		t.Errorf("annulled at %v, result %s: the result stays a fact", m.Annulled, m.Result)
	}
	if _, err := match.Apply(m, match.Act{Do: match.Annul{}}, world()); !errors.Is(err, match.ErrAnnulled) {
		t.Errorf("again: error %v", err)
	}
}

// TestRelocate: the board is to be shown elsewhere, and taps for the old one are stale.
func TestRelocate(t *testing.T) {
	was := game(t, variant(t, "nine"), "")
	m := do(t, was, storage.Person{}, match.Relocate{Channel: "elsewhere"})
	if m.Channel != "elsewhere" || m.Revision <= was.Revision {
		t.Errorf("in %s at revision %d after %d", m.Channel, m.Revision, was.Revision)
	}
	over := finished(t, variant(t, "nine"))
	if _, err := match.Apply(over, match.Act{Do: match.Relocate{Channel: "x"}}, world()); !errors.Is(err, match.ErrNotPlaying) {
		t.Errorf("over: error %v", err)
	}
}

// TestAnnulmentIsExact: whatever was played before and after, annulling a game moves both sides' points, in every pool, by
// exactly that game's change, and takes the game out of their counts. Who has no other game there is new again.
func TestAnnulmentIsExact(t *testing.T) {
	over := finished(t, variant(t, "nine"))
	rapid.Check(t, func(rt *rapid.T) {
		had := map[storage.Key]storage.Rating{}
		var games []storage.Match
		for i := range rapid.IntRange(1, 6).Draw(rt, "games") {
			m := over
			m.Result = rapid.SampledFrom([]rules.Result{rules.WhiteWins, rules.BlackWins, rules.Drawn}).Draw(rt, "result")
			m.Ended = noon.Add(time.Duration(i) * time.Hour)
			m, ratings := match.Settle(m, match.Pools(m, ""), had, rating.Standard())
			for _, r := range ratings {
				had[r.Key()] = r
			}
			games = append(games, m)
		}
		annulled := rapid.SampledFrom(games).Draw(rt, "annulled")
		keep, forget := match.Annulment(annulled, had)
		if only := len(games) == 1; only != (len(forget) == 4) || only != (len(keep) == 0) {
			rt.Fatalf("of %d games: %d kept, %d forgotten", len(games), len(keep), len(forget))
		}
		for _, r := range keep {
			was := had[r.Key()]
			if moved, change := r.Points-was.Points, changeOf(annulled, r); math.Abs(moved+change) > 1e-9 {
				rt.Fatalf("%v moved by %v, the game had changed it by %v", r.Key(), moved, change)
			}
			if r.Games() != was.Games()-1 || r.Deviation != was.Deviation {
				rt.Fatalf("%v: %d games after %d, deviation %v", r.Key(), r.Games(), was.Games(), r.Deviation)
			}
		}
	})
}

func changeOf(m storage.Match, r storage.Rating) float64 {
	for _, c := range m.Changes {
		if c.Pool == r.Pool && c.Member == r.Member {
			return c.After - c.Before
		}
	}
	return math.NaN()
}

// TestAnnulmentOfTheDeleted: who has had themselves deleted is not made anew.
func TestAnnulmentOfTheDeleted(t *testing.T) {
	m := finished(t, variant(t, "nine"))
	m, ratings := match.Settle(m, match.Pools(m, ""), nil, rating.Standard())
	had := map[storage.Key]storage.Rating{}
	for _, r := range ratings {
		if r.Member == ann.ID {
			r.Losses = 5
			had[r.Key()] = r
		}
	}
	keep, forget := match.Annulment(m, had)
	if len(keep) != 2 || len(forget) != 0 || keep[0].Member != ann.ID || keep[0].Losses != 4 {
		t.Errorf("kept %+v, forgotten %v", keep, forget)
	}
}
