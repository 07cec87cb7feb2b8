package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

const (
	maxForetold = 1000   // predictions of one game that are read
	maxCame     = 50_000 // predictions of a server that are counted, right ones and wrong ones
	bestSeers   = 10
)

// Prediction reads what a member said of a match; one who said nothing has Said empty.
func (a *App) Prediction(ctx context.Context, member, game string) (storage.Prediction, error) {
	p, _, err := a.prediction(ctx, member, game)
	return p, err
}

func (a *App) prediction(ctx context.Context, member, game string) (p storage.Prediction, version storage.Version, err error) {
	p.Member, p.Game = member, game
	err = a.Store.View(ctx, func(r storage.Reader) error {
		stored, err := r.Get(p.Key())
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err == nil {
			p, version = stored.Record.(storage.Prediction), stored.Version
		}
		return err
	})
	return p, version, err
}

// Predict keeps what somebody says will come of a match, instead of what they said before. The prediction and the match's
// counts are kept together. It refuses with the errors of match.Table.MayPredict and of match.Predict.
func (a *App) Predict(ctx context.Context, id string, by storage.Person, say rules.Result) (storage.Match, error) {
	defer a.locks.lock(id)()
	for range attempts {
		m, err := a.predictOnce(ctx, id, by, say)
		if !errors.Is(err, storage.ErrConflict) {
			return m, err
		}
	}
	return storage.Match{}, fmt.Errorf("prediction of %s: %w", id, storage.ErrConflict)
}

func (a *App) predictOnce(ctx context.Context, id string, by storage.Person, say rules.Result) (storage.Match, error) {
	stored, err := a.load(ctx, id)
	if err != nil {
		return storage.Match{}, err
	}
	before := stored.Record.(storage.Match)
	p, version, err := a.prediction(ctx, by.ID, id)
	if err != nil {
		return before, err
	}
	act := match.Act{By: by, Do: match.Predict{Before: p.Said, Say: say}}
	out, err := match.Apply(before, act, a.circumstances(nil))
	if err != nil || p.Said == say {
		return before, err
	}
	p.Server, p.Name, p.Said, p.At = before.Server, by.Name, say, a.Clock.Now().UTC()
	changes := storage.Changes{
		Expect: []storage.Expect{{Key: before.Key(), Version: stored.Version}, {Key: p.Key(), Version: version}},
		Put:    []storage.Record{out.Match, p},
	}
	staying(&changes, by.ID)
	err = a.commit(ctx, changes)
	if err == nil {
		a.tell(id, nil)
	}
	return out.Match, err
}

// cameOf adds to the changes what the end of a match makes of what was said of it: right or wrong, or nothing where the
// match came to nothing, or counts for nobody. That nobody says anything meanwhile follows from the match being expected.
func (a *App) cameOf(ctx context.Context, m storage.Match, changes *storage.Changes) error {
	if m.Foretold.All() == 0 {
		return nil
	}
	return a.Store.View(ctx, func(r storage.Reader) error {
		said, err := readAll[storage.Prediction](a, r, storage.PredictionsOf(m.ID), maxForetold)
		for _, p := range said {
			if m.State != storage.Finished || !m.Annulled.IsZero() {
				changes.Delete = append(changes.Delete, p.Key())
				continue
			}
			p.Came = m.Result
			changes.Put = append(changes.Put, p)
		}
		return err
	})
}

// Seer is how often a member was right about games that they did not play.
type Seer struct {
	Member, Name string
	Right, Of    int
}

// Seers lists those of a server who were right most often; of equals, first who was wrong less often.
func (a *App) Seers(ctx context.Context, server string) (best []Seer, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		all := map[string]*Seer{}
		last := map[string]storage.Key{}
		for _, right := range []bool{true, false} {
			hits, err := r.Range(storage.Came(server, right), "", maxCame)
			if err != nil {
				return err
			}
			for _, h := range hits {
				member, _, _ := strings.Cut(h.Key.ID, "/")
				if all[member] == nil {
					all[member] = &Seer{Member: member}
				}
				last[member] = h.Key
				all[member].Of++
				if right {
					all[member].Right++
				}
			}
		}
		best = ranked(all)
		return name(r, best, last)
	})
	return best, err
}

func ranked(all map[string]*Seer) (best []Seer) {
	for _, s := range all {
		if s.Right > 0 {
			best = append(best, *s)
		}
	}
	slices.SortFunc(best, func(a, b Seer) int {
		return cmp.Or(cmp.Compare(b.Right, a.Right), cmp.Compare(a.Of, b.Of), cmp.Compare(a.Member, b.Member))
	})
	return best[:min(len(best), bestSeers)]
}

// name takes the names from predictions, so that a list needs no call for one.
func name(r storage.Reader, seers []Seer, of map[string]storage.Key) error {
	for i := range seers {
		stored, err := r.Get(of[seers[i].Member])
		var unreadable *storage.RecordError
		if err != nil && !errors.As(err, &unreadable) {
			return err
		}
		p, _ := stored.Record.(storage.Prediction)
		seers[i].Name = p.Name
	}
	return nil
}
