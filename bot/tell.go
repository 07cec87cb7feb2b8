package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"kraal/bot/fair"
	"kraal/storage"
)

const (
	maxTelling    = 32               // matches told of at the same time through channels
	maxTellingOne = 8                // of them those of one server, whose channels may have to wait for Discord's limits
	maxAnswers    = 256              // matches told of at the same time through what people just did
	maxAnswersOne = 64               // of them those of one server
	firstWait     = time.Second      // before a failed telling is tried again; doubles
	longWait      = 5 * time.Minute  // the longest such wait
	tellTime      = 20 * time.Second // for one attempt
	keepTime      = 10 * time.Second // for the store to keep something
)

// tellers are those who tell: one a match, so that an older board can never land on a newer one.
type tellers struct {
	answers *fair.Places // of those with a request's own way, which people wait for and no limit holds up
	edits   *fair.Places // of all others
	running sync.WaitGroup
	mu      sync.Mutex      // guards what follows
	ctx     context.Context // of Run; tells asked for before it wait
	ended   bool            // Run has ended: what is untold will be told by the next
	of      map[string]*teller
}

// teller tells of one match until nothing is left to tell.
type teller struct {
	via     Shower          // the way that the newest request offers
	waiting []chan struct{} // closed after the next attempt
	more    chan struct{}   // somebody asked since the last attempt began
}

func (t *tellers) begin(ctx context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ctx = ctx
}

// end lets nobody begin any more and waits for those who tell.
func (t *tellers) end() {
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	t.running.Wait()
}

// tell brings what is shown of a match up to date, soon: the newest state only, one attempt at a time. The channel is
// closed when an attempt that began after this call has ended, well or not.
func (a *App) tell(id string, via Shower) <-chan struct{} {
	told := make(chan struct{})
	a.tells.mu.Lock()
	defer a.tells.mu.Unlock()
	if a.tells.ended {
		return closed()
	}
	t := a.tells.of[id]
	if t == nil {
		t = &teller{more: make(chan struct{}, 1)}
		a.tells.of[id] = t
		a.tells.running.Go(func() { a.tellOn(id, t) })
	}
	if via != nil {
		t.via = via
	}
	t.waiting = append(t.waiting, told)
	select {
	case t.more <- struct{}{}:
	default:
	}
	return told
}

// tellOn attempts until it succeeds, is told that there is no use, or the process ends.
func (a *App) tellOn(id string, t *teller) {
	<-a.ready
	ctx := a.tells.ctx
	wait := firstWait
	for {
		via, waiting := a.takeTelling(t)
		err := a.attempt(ctx, id, via)
		for _, told := range waiting {
			close(told)
		}
		if err == nil || ctx.Err() != nil {
			if a.endTelling(ctx, id, t) {
				return
			}
			wait = firstWait
			continue
		}
		a.Log.Warn("not told yet", "game", id, "error", err, "again_in", wait)
		a.rest(ctx, wait, t.more)
		wait = min(2*wait, longWait)
	}
}

// rest waits, but not for longer than until somebody acts: they offer a way of their own, and look at the board.
func (a *App) rest(ctx context.Context, d time.Duration, more <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-more:
	case <-a.Clock.After(d):
	}
}

func (a *App) takeTelling(t *teller) (Shower, []chan struct{}) {
	a.tells.mu.Lock()
	defer a.tells.mu.Unlock()
	via, waiting := t.via, t.waiting
	t.via, t.waiting = nil, nil
	select {
	case <-t.more: // this attempt is for them
	default:
	}
	return via, waiting
}

// endTelling lets the teller go when nobody asked meanwhile, or at the end of the process.
func (a *App) endTelling(ctx context.Context, id string, t *teller) bool {
	a.tells.mu.Lock()
	defer a.tells.mu.Unlock()
	if len(t.waiting) > 0 && ctx.Err() == nil {
		return false
	}
	for _, told := range t.waiting {
		close(told)
	}
	delete(a.tells.of, id)
	return true
}

// attempt shows the newest state once, if it is not shown yet, and keeps what is shown. A notice may have waited for that.
func (a *App) attempt(ctx context.Context, id string, via Shower) error {
	party, err := a.partyOf(ctx, id)
	if errors.Is(err, ErrUnknownGame) {
		return nil // it was not known whether it had been kept: it had not
	}
	if err != nil {
		return err
	}
	places := a.tells.edits
	if via != nil {
		places = a.tells.answers
	}
	leave, err := places.Enter(ctx, party)
	if err != nil {
		return err
	}
	defer leave()
	if watch, ok := strings.CutPrefix(id, watchPrefix); ok {
		return a.attemptWatch(ctx, watch)
	}
	if season, ok := strings.CutPrefix(id, crownPrefix); ok {
		return a.attemptCrown(ctx, season)
	}
	return a.attemptMatch(ctx, id, via)
}

// partyOf is for whom something is told: a server, or a channel where there is none.
func (a *App) partyOf(ctx context.Context, id string) (string, error) {
	if watch, ok := strings.CutPrefix(id, watchPrefix); ok {
		if server, ok := strings.CutPrefix(watch, storage.TVKey("").ID); ok {
			return server, nil
		}
		w, _, err := a.watched(ctx, storage.Key{Kind: storage.KindWatch, ID: watch})
		return w.Server, err
	}
	if server, ok := strings.CutPrefix(id, crownPrefix); ok {
		return server, nil
	}
	stored, err := a.load(ctx, id)
	if err != nil {
		return "", err
	}
	m := stored.Record.(storage.Match)
	return cmp.Or(m.Server, m.Channel), nil
}

func (a *App) attemptMatch(ctx context.Context, id string, via Shower) error {
	defer a.poke()
	defer a.tellWatches(ctx, id) // after the board, to which their messages lead
	stored, err := a.load(ctx, id)
	if err != nil {
		return err
	}
	m := stored.Record.(storage.Match)
	if !m.Untold() {
		return nil
	}
	shown, err := a.show(ctx, m, via)
	var trouble *Trouble
	if err != nil && !errors.As(err, &trouble) {
		return err
	}
	if trouble != nil {
		a.Log.Warn("telling stopped until somebody acts", "game", id, "why", trouble.Why, "error", trouble.Err)
	}
	return a.noteShown(ctx, m, shown, trouble)
}

// noteShown keeps what came of showing m: what is shown now, or why that is impossible.
func (a *App) noteShown(ctx context.Context, m storage.Match, shown storage.Shown, trouble *Trouble) error {
	return a.note(ctx, m.ID, func(now *storage.Match) {
		asked := askedAnew(m, *now)
		switch {
		case trouble == nil:
			shown.Notice, shown.NoticeIn, shown.Trouble = now.Shown.Notice, now.Shown.NoticeIn, ""
			if asked && now.Shown.Thread != m.Shown.Thread { // asked for elsewhere
				shown.Thread = now.Shown.Thread
			}
			shown.ToThread = shown.ToThread || now.Shown.ToThread && !m.Shown.ToThread // it was accepted meanwhile
			now.Shown = shown
			if !asked && now.Above != "" && shown.Channel == now.Above { // the thread that people began is shut
				now.Channel, now.Above = now.Above, ""
			}
			if asked {
				now.Shown.Revision, now.Shown.Posted = 0, time.Time{}
			}
			// What leaves the revision as it is may have changed meanwhile: time was given back, somebody predicted.
			if !now.FlagAt.Equal(m.FlagAt) || now.Foretold != m.Foretold {
				now.Shown.Revision = min(now.Shown.Revision, now.Revision-1)
			}
		case !asked && now.Revision == m.Revision:
			now.Shown.Trouble = trouble.Why
		}
	})
}

// askedAnew tells whether, since then, somebody asked for the board to be shown anew: what came of the attempt in between
// is not the answer to that.
func askedAnew(then, now storage.Match) bool {
	return now.Channel != then.Channel || now.Shown.Revision < then.Shown.Revision || !now.Shown.Posted.Equal(then.Shown.Posted)
}

// show uses the way offered, and the screen where that fails.
func (a *App) show(ctx context.Context, m storage.Match, via Shower) (storage.Shown, error) {
	if via != nil {
		shown, err := showOn(ctx, via, m)
		if err == nil {
			return shown, nil
		}
		a.Log.Debug("the request's own way failed", "game", m.ID, "server", m.Server, "error", err)
	}
	return showOn(ctx, a.screen, m)
}

func showOn(ctx context.Context, on Shower, m storage.Match) (shown storage.Shown, err error) {
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	err = guard(func() error {
		shown, err = on.Show(ctx, m)
		return err
	})
	return shown, err
}

// note changes what a match's record says of telling, whatever revision it has come to. It is no act: nobody sees it, and
// taps for the revision stay good.
func (a *App) note(ctx context.Context, id string, change func(*storage.Match)) error {
	ctx = context.WithoutCancel(ctx) // it has been told: the end of the process does not make that undone
	return a.noteIf(ctx, id, func(m *storage.Match) error {
		change(m)
		return nil
	})
}

// noteIf is note for a change that may be refused; its error is returned, and nothing is kept.
func (a *App) noteIf(ctx context.Context, id string, change func(*storage.Match) error) error {
	defer a.locks.lock(id)()
	for range attempts {
		stored, err := a.load(ctx, id)
		if err != nil {
			return err
		}
		m := stored.Record.(storage.Match)
		if err := change(&m); err != nil {
			return err
		}
		err = a.commit(ctx, storage.Changes{
			Expect: []storage.Expect{{Key: m.Key(), Version: stored.Version}},
			Put:    []storage.Record{m},
		})
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("match %s: %w", id, storage.ErrConflict)
}

// Reshow shows a match anew, at the bottom of the channel: a new board takes the place of the one that is shown. In
// another channel than its own thread the match leaves that. above is what channel hangs below, if it is a thread. What
// is returned is closed when that has been tried.
func (a *App) Reshow(ctx context.Context, id, channel, above string) (<-chan struct{}, error) {
	err := a.note(ctx, id, func(m *storage.Match) {
		if channel != m.Shown.Thread {
			m.Channel, m.Above, m.Shown.Thread, m.Shown.ToThread = channel, above, "", false
		}
		m.Shown.Revision, m.Shown.Posted, m.Shown.Trouble = 0, time.Time{}, ""
	})
	if err != nil {
		return nil, err
	}
	return a.tell(id, nil), nil
}

// tellUntold tells what was kept but, by a crash or a failure, not told.
func (a *App) tellUntold(ctx context.Context) error {
	untold, err := a.matches(ctx, storage.Untold(), maxUntold)
	if err != nil {
		return fmt.Errorf("look for what was not told: %w", err)
	}
	for _, m := range untold {
		a.tellAfterOthers(m.ID)
	}
	if len(untold) > 0 {
		a.Log.Info("telling what was kept but not told", "games", len(untold))
	}
	return a.tellAllWatches(ctx)
}

// tellAfterOthers lets a request that is just being kept go first: its own way to tell is the better one.
func (a *App) tellAfterOthers(id string) {
	defer a.locks.lock(id)()
	a.tell(id, nil)
}

// maxUntold bounds one recovery: far more than can be under way when a process ends.
const maxUntold = 10_000
