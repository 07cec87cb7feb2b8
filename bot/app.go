// Package bot is the application between people and the store: it loads a match, lets package match decide, persists what
// was decided, and only then tells. What was kept but not told, it tells later. It knows no Discord.
package bot

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"kraal/bot/fair"
	"kraal/bot/match"
	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
)

// Config is what an App is made of.
type Config struct {
	Store   storage.Store
	Clock   Clock
	Random  func(n int) int // a number from 0 to n-1; called concurrently
	Log     *slog.Logger
	Ratings rating.System
	Limits  Limits
	Engine  Engine
	Keep    Retention                    // of what is over; the zero value: for ever
	Forgot  func(deleted int, err error) // told after each time that what Keep says goes was deleted, or was not; may be nil
	Offers  []rules.Variant              // house rules of whoever runs the bot, offered in every server; never changed
}

// Shower shows people the state of a match. It may be asked again for the same state, after a crash or a failure.
type Shower interface {
	// Show brings the board message of m up to date, the newest state only. It returns what is shown now. A *Trouble means
	// that trying again is of no use until somebody acts; after any other error the same is tried again later.
	Show(ctx context.Context, m storage.Match) (storage.Shown, error)
}

// Screen shows people what was kept, and tells those who have to know.
type Screen interface {
	Shower
	// Notify tells those whom the notice is for, and only them, what it is about. It takes the place of m.Shown.Notice. Where
	// it is for nobody the old one goes all the same. It returns the new notice's id, "" if there is none.
	Notify(ctx context.Context, m storage.Match, n Notice) (string, error)
	// Mirror brings a watch's message up to date with m, the newest state only, or takes it away where w is over. It
	// returns the watch with the message that stands now. A *Trouble means that it cannot be shown there any more.
	Mirror(ctx context.Context, m storage.Match, w storage.Watch) (storage.Watch, error)
	// Announce tells a channel in a line how a rated match ended. After a *Trouble that channel is left alone.
	Announce(ctx context.Context, m storage.Match, channel string) error
	// Crown takes a season's role from the former champions and gives it to the new ones, in that order, from the one after
	// the first s.Crowned on; who has left is passed by. It returns for how many it is done by now, also with an error. It
	// may be asked again for what it has done. After a *Trouble trying again is of no use until somebody changes something.
	Crown(ctx context.Context, s storage.Season) (done int, err error)
	// Uncrowned tells in the server's channel for announcements why the role of its champions, s.Season.Role, cannot be
	// given: s.Season.Trouble, with s.Herald mentioned.
	Uncrowned(ctx context.Context, s storage.Server) error
}

// Trouble is why telling stopped: a channel that is gone, a permission that is missing.
type Trouble struct {
	Why string // a word for the record and the log
	Err error
}

func (t *Trouble) Error() string { return "telling stopped, " + t.Why + ": " + t.Err.Error() }

// Unwrap gives the refusal itself.
func (t *Trouble) Unwrap() error { return t.Err }

// App carries out what people ask for. Its methods may be called concurrently.
type App struct {
	Config
	pace  pace      // of challenges
	locks keyed     // a match is decided on, kept and handed to its teller by one request at a time in this process
	tells tellers   // who is telling of which match
	watch watch     // for which time nobody could act
	mind  *thinkers // the games in which the engine is awaited

	outages outages // connections that are broken

	wake   chan struct{} // something may be due sooner than the sweep thinks
	parted chan struct{} // somebody wants nothing kept of them
	ready  chan struct{} // closed when there is a screen
	screen Screen
}

// New is an App on a store. It tells nobody anything until Run.
func New(c Config) *App {
	return &App{
		Config: c,
		mind:   newThinkers(c.Engine.Workers),
		wake:   make(chan struct{}, 1),
		parted: make(chan struct{}, 1),
		ready:  make(chan struct{}),
		tells: tellers{
			of: map[string]*teller{}, answers: fair.New(maxAnswers, maxAnswersOne), edits: fair.New(maxTelling, maxTellingOne),
		},
	}
}

// Run tells what a crash left untold, and does what falls due (expiries, flags, notices), until ctx ends or the store can
// be used no more. It waits for the tellings under way before it returns. It is called once.
func (a *App) Run(ctx context.Context, screen Screen) error {
	ctx, cancel := context.WithCancel(ctx)
	var meanwhile sync.WaitGroup
	defer a.tells.end()
	defer meanwhile.Wait()
	defer a.mind.running.Wait()
	defer cancel()
	a.screen = screen
	a.tells.begin(ctx)
	close(a.ready)
	meanwhile.Go(func() { a.keepFarewells(ctx) })
	meanwhile.Go(func() { a.forget(ctx) })
	a.startThinking(ctx)
	return newSweeper(a).sweep(ctx)
}

// guard makes an error of a panic, so that one match which cannot be shown does not end all others.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return do()
}

// circumstances is the world as it is now, with the strength of the members named.
func (a *App) circumstances(strength map[string]storage.Rating) match.Circumstances {
	now := a.Clock.Now().UTC()
	return match.Circumstances{
		Now:            now,
		Coin:           rules.Side(a.Random(2)),
		NewID:          a.newID(now),
		NoticeAfter:    a.Limits.NoticeAfter,
		FirstTurn:      a.Limits.FirstTurn,
		AbandonedAfter: a.Limits.Abandoned,
		Strength: func(member string) (points, deviation float64) {
			r, ok := strength[member]
			if !ok {
				return a.Ratings.Start.Points, a.Ratings.Start.Deviation
			}
			return r.Points, a.Grown(r).Deviation
		},
	}
}

// Grown is a kept rating as it stands now: its deviation has grown since the last game.
func (a *App) Grown(r storage.Rating) rating.Rating {
	return a.Ratings.Grown(strength(r), a.Clock.Now().Sub(r.At))
}

// keyed is a lock for each match in use, and for each member who begins one.
type keyed struct {
	mu   sync.Mutex
	held map[string]*heldLock
}

// heldLock is free while nothing is in the channel.
type heldLock struct {
	holder chan struct{}
	users  int // who hold it or wait
}

// lock waits for a lock and returns how to let go of it.
func (k *keyed) lock(id string) (unlock func()) {
	h := k.join(id)
	h.holder <- struct{}{}
	return func() { <-h.holder; k.leave(id, h) }
}

// lockUntil is lock for somebody who may be gone before it is their turn: then they leave the queue, with ctx's error.
func (k *keyed) lockUntil(ctx context.Context, id string) (unlock func(), err error) {
	h := k.join(id)
	select {
	case h.holder <- struct{}{}:
		return func() { <-h.holder; k.leave(id, h) }, nil
	case <-ctx.Done():
		k.leave(id, h)
		return nil, ctx.Err()
	}
}

func (k *keyed) join(id string) *heldLock {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.held == nil {
		k.held = map[string]*heldLock{}
	}
	h := k.held[id]
	if h == nil {
		h = &heldLock{holder: make(chan struct{}, 1)}
		k.held[id] = h
	}
	h.users++
	return h
}

func (k *keyed) leave(id string, h *heldLock) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if h.users--; h.users == 0 {
		delete(k.held, id)
	}
}
