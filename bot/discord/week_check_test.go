package discord_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"kraal/bot/match"
	"kraal/storage"
)

// matches lists those of an index.
func (w *week) matches(i storage.Index) (all []storage.Match) {
	w.t.Helper()
	w.must(w.store.View(w.t.Context(), func(r storage.Reader) error {
		for from := storage.Cursor(""); ; {
			hits, err := r.Range(i, from, 500)
			if err != nil {
				return err
			}
			for _, h := range hits {
				stored, err := r.Get(h.Key)
				if err != nil {
					return err
				}
				all = append(all, stored.Record.(storage.Match))
			}
			if len(hits) < 500 {
				return nil
			}
			from = hits[len(hits)-1].Cursor
		}
	}))
	return all
}

func (w *week) find(id string) (storage.Match, bool) {
	for _, m := range w.matches(storage.All(storage.KindMatch)) {
		if m.ID == id {
			return m, true
		}
	}
	return storage.Match{}, false
}

// look compares every match with what it was when it was last seen: nothing that was kept is lost, and what is over stays.
func (w *week) look() {
	w.t.Helper()
	now := map[string]storage.Match{}
	for _, m := range w.matches(storage.All(storage.KindMatch)) {
		now[m.ID] = m
	}
	for id, was := range w.before {
		m, ok := now[id]
		switch {
		case !ok:
			w.t.Fatalf("%s is gone", id)
		case m.Revision < was.Revision:
			w.t.Fatalf("%s went back from revision %d to %d", id, was.Revision, m.Revision)
		case m.Revision == was.Revision && len(m.Deeds) != len(was.Deeds):
			w.t.Fatalf("%s has %d actions in revision %d, had %d", id, len(m.Deeds), m.Revision, len(was.Deeds))
		case !was.Live() && was.State == storage.Finished && !m.Annulled.Equal(was.Annulled):
			// a referee has taken it back
		case !was.Live() && (m.State != was.State || m.Result != was.Result || len(m.Deeds) != len(was.Deeds)):
			w.t.Fatalf("%s was over, %s %s, and is %s %s", id, was.State, was.Result, m.State, m.Result)
		}
	}
	w.before = now
}

// settle lets everything run out: all trouble ends, and weeks go by.
func (w *week) settle() {
	w.t.Helper()
	w.mend()
	w.troubled = 0
	for range 30 {
		w.clock.Advance(24 * time.Hour)
		w.ready()
		w.quiet()
	}
	w.look()
}

// quiet waits until nothing is due any more.
func (w *week) quiet() {
	w.t.Helper()
	ctx, done := w.patience()
	defer done()
	for {
		rung := w.commits.rung()
		due := false
		for _, m := range w.matches(storage.Live()) {
			if at := m.Due(); !at.IsZero() && !at.After(w.clock.Now()) && m.Shown.Trouble == "" {
				due = true
			}
		}
		if !due {
			return
		}
		select {
		case <-rung:
		case <-time.After(200 * time.Millisecond): // what is tried again later is tried when its time comes
			w.clock.Advance(time.Minute)
		case <-ctx.Done():
			w.t.Fatal("something is due and is not done")
		}
	}
}

// check is what must be true in the end.
func (w *week) check() {
	w.t.Helper()
	all := w.matches(storage.All(storage.KindMatch))
	for _, m := range all {
		w.checkMatch(m)
	}
	w.checkRatings(all)
}

func (w *week) checkMatch(m storage.Match) {
	w.t.Helper()
	w.counts["ended "+string(m.State)+" "+string(m.Reason)+string(m.Ending)]++
	t, err := match.Look(m)
	if err != nil {
		w.t.Errorf("%v", err)
		return
	}
	status := t.Game.Status()
	switch m.State {
	case storage.Challenged:
		w.t.Errorf("%s is a challenge still, which expired at %v", m.ID, m.Expires)
	case storage.Playing:
		if status.Over {
			w.t.Errorf("%s is over on the board and still in play", m.ID)
		}
		if match.HasClock(m) && m.Ticking() {
			w.t.Errorf("%s: the flag of a running clock has not fallen in weeks", m.ID)
		}
	case storage.Finished:
		if status.Over && m.Result != status.Result {
			w.t.Errorf("%s ended as %s, and on the board as %s", m.ID, m.Result, status.Result)
		}
	}
}

// happening is a change of ratings, or its taking back.
type happening struct {
	at    time.Time
	match storage.Match
	back  bool
}

// happenings are all changes of ratings in their order.
func happenings(all []storage.Match) (in []happening) {
	for _, m := range all {
		if len(m.Changes) == 0 {
			continue
		}
		in = append(in, happening{at: m.Ended, match: m})
		if !m.Annulled.IsZero() {
			in = append(in, happening{at: m.Annulled, match: m, back: true})
		}
	}
	slices.SortStableFunc(in, func(a, b happening) int { return a.at.Compare(b.at) })
	return in
}

// near tells whether two ratings are the same but for how numbers are added up.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// checkRatings follows every change from game to game: each began where the last one ended, what was annulled is taken back,
// the last is what is kept, and the games are as many as were finished.
func (w *week) checkRatings(all []storage.Match) {
	w.t.Helper()
	stands, games := map[string]float64{}, map[string]int{}
	for _, h := range happenings(all) {
		for _, c := range h.match.Changes {
			key := c.Pool + "/" + h.match.Variant.Key + "/" + c.Member
			if h.back {
				stands[key] -= c.After - c.Before
				games[key]--
				continue
			}
			if at, ok := stands[key]; ok && games[key] > 0 && !near(at, c.Before) {
				w.t.Errorf("%s: %s began at %v, the game before ended at %v", h.match.ID, key, c.Before, at)
			}
			stands[key] = c.After
			games[key]++
		}
	}
	w.must(w.store.View(w.t.Context(), func(r storage.Reader) error {
		for key, points := range stands {
			stored, err := r.Get(storage.Key{Kind: storage.KindRating, ID: key})
			if games[key] == 0 {
				if !errors.Is(err, storage.ErrNotFound) {
					w.t.Errorf("%s: kept though all its games were annulled, %v", key, err)
				}
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			if got := stored.Record.(storage.Rating); !near(got.Points, points) || got.Games() != games[key] {
				w.t.Errorf("%s: %v after %d games is kept, %v after %d follows", key, got.Points, got.Games(), points, games[key])
			}
		}
		return nil
	}))
	w.counts["ratings"] = len(stands)
}
