package bot

import (
	"context"
	"errors"
	"fmt"

	"kraal/bot/match"
	"kraal/storage"
)

// attempts is how often a decision is made anew when the store says that something moved on meanwhile.
const attempts = 10

// Done is what came of a request.
type Done struct {
	Match    storage.Match   // as it is kept now
	New      *storage.Match  // the match that a rematch began
	Repeated bool            // the request had been carried out before; nothing was done this time
	Told     <-chan struct{} // closed when telling has been tried
}

// Do carries out an act on the match with that id. When it returns without error the act is on disk, and telling has
// begun: through via, if it is given and can be used, else through the screen. It refuses with ErrUnknownGame, with the
// errors of package match, with a *rules.IllegalError, *BusyError, *FullError, *UnwillingError, ErrLeaving,
// ErrBanned, ErrBannedOpponent or ErrCut. Whoever comes too late (match.ErrTimeUp) finds the game over. Who may be a
// referee is for whoever calls to know.
func (a *App) Do(ctx context.Context, id string, act match.Act, via Shower) (Done, error) {
	if err := a.catchUp(ctx); err != nil {
		return Done{}, err
	}
	done, err := a.do(ctx, id, act, via)
	if !errors.Is(err, match.ErrTimeUp) {
		return done, err
	}
	if a.outages.unreachable(done.Match.Server) {
		return done, ErrCut // its time will be given back
	}
	over, tickErr := a.do(ctx, id, match.Act{Do: match.Tick{}}, nil)
	if tickErr == nil {
		done = over
	}
	return done, err
}

func (a *App) do(ctx context.Context, id string, act match.Act, via Shower) (Done, error) {
	if joins(act) {
		defer a.locks.lock(ofMember(act.By.ID))() // before the match's, as in Challenge
	}
	unlock, err := a.lockPlace(ctx, id, act)
	if err != nil {
		return Done{}, err
	}
	defer unlock()
	defer a.locks.lock(id)()
	out, err := a.decide(ctx, id, act)
	if errors.Is(err, match.ErrRepeated) {
		return Done{Match: out.Match, Repeated: true, Told: closed()}, nil
	}
	if err != nil {
		return Done{Match: out.Match}, err
	}
	told := a.tell(id, via)
	if joins(act) {
		a.tellBegun(ctx, out.Match)
	}
	if out.New != nil {
		a.tell(out.New.ID, nil)
		a.tellBegun(ctx, *out.New)
	}
	a.await(out)
	a.poke()
	return Done{Match: out.Match, New: out.New, Told: told}, nil
}

// lockPlace waits for the lock of the match's server, where the act may begin a game in it.
func (a *App) lockPlace(ctx context.Context, id string, act match.Act) (unlock func(), err error) {
	if !begins(act) || !a.countsPlaces() {
		return func() {}, nil
	}
	stored, err := a.load(ctx, id)
	if err != nil {
		return nil, err
	}
	return a.lockServer(stored.Record.(storage.Match).Server), nil
}

// joins tells whether an act begins a further game for whoever does it. A rematch takes the place of a game that is
// over.
func joins(act match.Act) bool {
	_, ok := act.Do.(match.Accept)
	return ok
}

func closed() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// decide loads, decides and persists, again and again while others are faster.
func (a *App) decide(ctx context.Context, id string, act match.Act) (match.Outcome, error) {
	var err error
	for range attempts {
		var out match.Outcome
		out, err = a.decideOnce(ctx, id, act)
		if !errors.Is(err, storage.ErrConflict) {
			return out, err
		}
	}
	return match.Outcome{}, fmt.Errorf("match %s, %d attempts: %w", id, attempts, err)
}

func (a *App) decideOnce(ctx context.Context, id string, act match.Act) (match.Outcome, error) {
	stored, err := a.load(ctx, id)
	if err != nil {
		return match.Outcome{}, err
	}
	before := stored.Record.(storage.Match)
	out, err := a.judge(ctx, before, act)
	if err != nil {
		return match.Outcome{Match: before}, err
	}
	changes := storage.Changes{Expect: []storage.Expect{{Key: before.Key(), Version: stored.Version}}}
	if before.State == storage.Playing && !out.Match.Live() {
		if out.Match, err = a.conclude(ctx, out.Match, &changes); err != nil {
			return out, err
		}
	}
	if err := a.referee(ctx, act, out.Match, &changes); err != nil {
		return out, err
	}
	changes.Put = append(changes.Put, out.Match)
	if out.New != nil {
		changes.Expect = append(changes.Expect, storage.Expect{Key: out.New.Key()})
		changes.Put = append(changes.Put, *out.New)
	}
	stayingFor(&changes, act, out)
	err = a.commit(ctx, changes)
	switch {
	case err == nil:
		a.tellOthers(changes, out)
	case !refused(err):
		a.tellIfKept(ctx, out)
	}
	return out, err
}

// judge works out what comes of an act, and whether it is allowed where and by whom it is done.
func (a *App) judge(ctx context.Context, before storage.Match, act match.Act) (match.Outcome, error) {
	strength, err := a.strengths(ctx, before, act.By.ID)
	if err != nil {
		return match.Outcome{}, err
	}
	out, err := match.Apply(before, act, a.circumstances(strength))
	if err == nil {
		err = a.checkBegin(ctx, act, before)
	}
	if err == nil {
		err = a.mayMeet(ctx, before, act)
	}
	if err == nil && (joins(act) || out.New != nil) {
		err = a.checkRoom(ctx, before.Server, before.Channel)
	}
	if err == nil {
		err = a.beginning(ctx, before, &out)
	}
	return out, err
}

// commit keeps what was decided. Whoever asked may be gone by now, or the process about to end: that does not leave it
// half done, with nobody knowing which.
func (a *App) commit(ctx context.Context, c storage.Changes) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	_, err := a.Store.Commit(ctx, c)
	return leavingOr(err)
}

// tellIfKept sees to it that an outcome is told if it was kept after all, where the store could not say.
func (a *App) tellIfKept(ctx context.Context, out match.Outcome) {
	a.tell(out.Match.ID, nil)
	a.awaitKept(ctx, out.Match.ID)
	if out.New != nil {
		a.tell(out.New.ID, nil)
		a.awaitKept(ctx, out.New.ID)
	}
	a.poke()
}

// conclude adds to the changes what follows from the end of a game for others than itself.
func (a *App) conclude(ctx context.Context, m storage.Match, changes *storage.Changes) (storage.Match, error) {
	if err := a.cameOf(ctx, m, changes); err != nil || m.State != storage.Finished {
		return m, err
	}
	m, err := a.climb(ctx, m, changes)
	if err != nil {
		return m, err
	}
	return a.settle(ctx, m, changes)
}

// strengths reads what the people of a match, and whoever acts, are worth in the pool that its seats show.
func (a *App) strengths(ctx context.Context, m storage.Match, actor string) (map[string]storage.Rating, error) {
	have := map[string]storage.Rating{}
	pools := match.Pools(m, "")
	if len(pools) == 0 {
		return have, nil
	}
	err := a.Store.View(ctx, func(r storage.Reader) error {
		for _, member := range append(m.Members(), actor) {
			stored, err := r.Get(storage.RatingKey(pools[0].Name, m.Variant.Key, member))
			if errors.Is(err, storage.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			have[member] = stored.Record.(storage.Rating)
		}
		return nil
	})
	return have, err
}
