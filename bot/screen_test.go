package bot_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"kraal/bot"
	"kraal/storage"
)

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

	crowned   []string // what was given and taken, by season
	crownErr  error
	uncrowned []string // servers that were told why it cannot be given

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

// Uncrowned notes of which servers it is told that they cannot give which role, and why.
func (s *screen) Uncrowned(_ context.Context, server storage.Server) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uncrowned = append(s.uncrowned, server.ID+" "+server.Season.Role+" "+server.Season.Trouble)
	return nil
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
