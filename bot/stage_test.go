package bot_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
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

// shown is one thing that people were shown.
type shown struct {
	game     string
	revision int
	at       time.Time
	flag     time.Time
	toThread bool
}

// notice is one thing that somebody was told.
type notice struct {
	game, replaces string
	actions        int
	over, quiet    bool
	at             time.Time
	kind           bot.NoticeKind
	to             string // their names
}

// screen notes what it is asked to show, and holds the App to its promises: what it is shown is in the store already,
// one match is shown by one at a time, and nothing older comes after something newer.
type screen struct {
	t     *testing.T
	store storage.Store

	mu        sync.Mutex
	gate      chan struct{} // while there is one, Show waits for it to close
	err       func(attempt int) error
	tries     int
	shown     []shown
	notices   []notice
	newest    map[string]int
	busy      map[string]bool
	mirrors   []mirrored
	mirrorErr func(storage.Watch) error

	crowned  []string // what was given and taken, by season
	crownErr error

	announced   []string                // tries, by channel and game
	announceErr func(attempt int) error // of a try; nil: all are taken
}

func (s *screen) Show(ctx context.Context, m storage.Match) (storage.Shown, error) {
	kept, err := read(s.store, m.ID)
	if err != nil || kept.Revision < m.Revision {
		s.t.Errorf("%s is shown at revision %d, kept is %d: %v", m.ID, m.Revision, kept.Revision, err)
	}
	gate, err := s.begin(m)
	defer s.end(m)
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return storage.Shown{}, ctx.Err()
		}
	}
	if err != nil {
		return storage.Shown{}, err
	}
	return storage.Shown{Channel: m.Channel, Message: "board of " + m.ID, Revision: m.Revision, Posted: time.Now().UTC()}, nil
}

func (s *screen) begin(m storage.Match) (gate chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.newest == nil {
		s.newest, s.busy = map[string]int{}, map[string]bool{}
	}
	if s.busy[m.ID] || m.Revision < s.newest[m.ID] {
		s.t.Errorf("%s: revision %d after %d, another under way: %v", m.ID, m.Revision, s.newest[m.ID], s.busy[m.ID])
	}
	s.newest[m.ID] = m.Revision
	s.shown = append(s.shown, shown{m.ID, m.Revision, time.Now().UTC(), m.FlagAt, m.Shown.ToThread})
	s.tries++
	if s.err != nil {
		err = s.err(s.tries)
	}
	s.busy[m.ID] = true
	return s.gate, err
}

func (s *screen) end(m storage.Match) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy[m.ID] = false
}

func (s *screen) Notify(_ context.Context, m storage.Match, n bot.Notice) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries++
	if s.err != nil {
		if err := s.err(s.tries); err != nil {
			return "", err
		}
	}
	quiet, to := len(n.To) == 0, ""
	for _, p := range n.To {
		to += p.Name
	}
	s.notices = append(s.notices, notice{
		m.ID, m.Shown.Notice, len(m.Deeds), n.Kind == bot.NoticeEnd, quiet, time.Now().UTC(), n.Kind, to,
	})
	if quiet {
		return "", nil
	}
	return fmt.Sprintf("notice %d", len(s.notices)), nil
}

// Announce notes what is announced where; silent channels take nothing.
func (s *screen) Announce(_ context.Context, m storage.Match, channel string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.announced = append(s.announced, channel+" "+m.ID)
	if s.announceErr != nil {
		return s.announceErr(len(s.announced))
	}
	return nil
}

// Crown notes who is to have the role of a season, and who no more.
func (s *screen) Crown(_ context.Context, season storage.Season) (done int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.crowned = append(s.crowned, fmt.Sprintf("%d %s +%v -%v", season.Number, season.Role, season.Champions(), season.Former))
	if s.crownErr != nil {
		return season.Crowned, s.crownErr
	}
	return len(season.Former) + len(season.Champions()), nil
}

// refuseCrowns makes Crown answer with an error; nil ends that.
func (s *screen) refuseCrowns(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.crownErr = err
}

// crownings lists what the screen was asked for of that sort.
func (s *screen) crownings() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.crowned)
}

// failing makes the screen answer with errors; nil ends that. Attempts are counted from 1.
func (s *screen) failing(err func(attempt int) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.tries = err, 0
}

// slow makes Show wait until release is called.
func (s *screen) slow() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gate := make(chan struct{})
	s.gate = gate
	return func() {
		s.mu.Lock()
		s.gate = nil
		s.mu.Unlock()
		close(gate)
	}
}

func (s *screen) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown, s.notices = nil, nil
}

// revisions lists what was shown of a match.
func (s *screen) revisions(id string) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var revisions []int
	for _, one := range s.shown {
		if one.game == id {
			revisions = append(revisions, one.revision)
		}
	}
	return revisions
}

// told lists the notices sent.
func (s *screen) told() []notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]notice(nil), s.notices...)
}
