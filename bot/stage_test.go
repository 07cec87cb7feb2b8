package bot_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
	"kraal/storage/storagetest"
)

// The people of these tests.
var (
	ann = storage.Person{ID: "1", Name: "Ann"}
	ben = storage.Person{ID: "2", Name: "Ben"}
	cai = storage.Person{ID: "3", Name: "Cai"}
)

// opening is when every test begins: a bubble of synctest begins in 2000, before there were ids.
var opening = time.Date(2026, time.May, 4, 12, 0, 0, 0, time.UTC)

// stage is an App with a store and a screen, in a bubble of synctest: the clock is the bubble's.
type stage struct {
	t      *testing.T
	store  storage.Store
	screen *screen
	app    *bot.App
	limits bot.Limits
	stays  bot.Retention
	clock  bot.Clock
	engine bot.Engine
	log    slog.Handler
	stop   func()
}

// onStage runs a test with an App that runs.
func onStage(t *testing.T, test func(*stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(opening))
		s := &stage{t: t, store: storagetest.Memory(), limits: bot.DefaultLimits(), clock: bot.SystemClock{}, log: slog.DiscardHandler}
		s.limits.ChallengesAMinute = 0 // a test makes many in no time
		s.start()
		test(s)
		s.stop()
	})
}

// start begins another App, with a screen of its own, on what is kept.
func (s *stage) start() {
	s.open()
	s.run()
}

// open makes an App that does not run yet.
func (s *stage) open() {
	s.screen = &screen{t: s.t, store: s.store}
	s.app = bot.New(bot.Config{
		Store: s.store, Clock: s.clock, Random: rand.IntN, Log: slog.New(s.log),
		Ratings: rating.Standard(), Limits: s.limits, Keep: s.stays,
		Engine: s.engine,
	})
}

func (s *stage) run() { s.runOn(s.app, s.screen) }

// runOn runs an App that tells another screen.
func (s *stage) runOn(app *bot.App, screen bot.Screen) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- app.Run(ctx, screen) }()
	s.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			s.t.Errorf("Run: %v", err)
		}
	}
	synctest.Wait()
}

// pass lets time go by, and what it brings about come to rest.
func (s *stage) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// nine is the variant that these games are of; black begins.
func (s *stage) nine() rules.Variant {
	v, ok := rules.Lookup("nine")
	if !ok {
		s.t.Fatal("no variant nine")
	}
	return v
}

func (s *stage) terms(by, opponent storage.Person) match.Terms {
	return match.Terms{
		Server: "s", Channel: "c", Variant: s.nine(), Colour: "white", Rated: true, Challenger: by, Opponent: opponent,
	}
}

// game is one in play: by is white, the opponent black. It has been told of, and the screen has forgotten it.
func (s *stage) game(by, opponent storage.Person) string {
	s.t.Helper()
	done, err := s.app.Challenge(s.t.Context(), s.terms(by, opponent), nil)
	s.must(err)
	s.do(done.Match.ID, opponent, match.Accept{})
	synctest.Wait()
	s.screen.forget()
	return done.Match.ID
}

// do is an act that has to succeed.
func (s *stage) do(id string, by storage.Person, d match.Deed) bot.Done {
	s.t.Helper()
	done, err := s.app.Do(s.t.Context(), id, match.Act{By: by, Do: d}, nil)
	if err != nil {
		s.t.Fatalf("%s does %T: %v", by.Name, d, err)
	}
	return done
}

// play makes actions, each by whoever is to move.
func (s *stage) play(id string, actions ...string) {
	s.t.Helper()
	for _, text := range actions {
		t, err := match.Look(s.kept(id))
		s.must(err)
		s.do(id, t.Match.Seats[t.ToMove()].Person, place(s.t, text))
	}
}

// choose changes what a member has chosen.
func (s *stage) choose(who storage.Person, change func(*storage.Member)) {
	s.t.Helper()
	s.must(s.app.SetMember(s.t.Context(), who.ID, func(m *storage.Member) error {
		change(m)
		return nil
	}))
}

func place(t *testing.T, text string) match.Play {
	t.Helper()
	a, err := rules.ParseAction(text)
	if err != nil {
		t.Fatal(err)
	}
	return match.Play{Action: a}
}

// kept is a match as the store has it.
func (s *stage) kept(id string) storage.Match {
	s.t.Helper()
	m, err := read(s.store, id)
	s.must(err)
	return m
}

func read(store storage.Store, id string) (m storage.Match, err error) {
	err = store.View(context.Background(), func(r storage.Reader) error {
		stored, err := r.Get(storage.MatchKey(id))
		if err == nil {
			m = stored.Record.(storage.Match)
		}
		return err
	})
	return m, err
}

// change keeps a match that a test has altered behind the App's back.
func (s *stage) change(id string, alter func(*storage.Match)) {
	s.t.Helper()
	m := s.kept(id)
	alter(&m)
	s.keep(m)
}

func (s *stage) keep(records ...storage.Record) {
	s.t.Helper()
	_, err := s.store.Commit(s.t.Context(), storage.Changes{Put: records})
	s.must(err)
}

// ratingOf is what a member is kept to have reached in a pool.
func (s *stage) ratingOf(pool string, who storage.Person) (kept storage.Rating) {
	s.t.Helper()
	s.must(s.store.View(s.t.Context(), func(r storage.Reader) error {
		stored, err := r.Get(storage.RatingKey(pool, "nine", who.ID))
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		kept, _ = stored.Record.(storage.Rating)
		return err
	}))
	return kept
}
