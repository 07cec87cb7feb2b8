package bot_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
	"kraal/storage/boltstore"
)

// yearGames is how many games end in a year, and how many challenges come to nothing: 10,000 of each take a minute.
var yearGames = flag.Int("year.games", 1000, "how many games end in the year of TestYear")

// TestYear (O42): where a month of games and a week of challenges are kept, the file stops growing once there is as much,
// and in the end holds no more than that. The bot is there for an hour of each week, in which it cleans: more would be half a
// million looks at what is due.
//
//	go test ./bot -run TestYear -year.games 10000 -v
func TestYear(t *testing.T) {
	const weeks, keptGames, keptChallenges, mostGrowth = 52, 28 * day, 7 * day, 1.15
	path := filepath.Join(quickFolder(t), "kraal.db")
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(opening))
		store, err := boltstore.Open(path, boltstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := &stage{t: t, store: store, limits: bot.DefaultLimits(), clock: bot.SystemClock{}, log: slog.DiscardHandler}
		s.stays = bot.Retention{Games: keptGames, Challenges: keptChallenges}
		var full, last int64
		made := 0
		for week := range weeks {
			made = s.playDays(made, *yearGames*(week+1)/weeks)
			s.start()
			s.pass(time.Hour + time.Minute)
			s.stop()
			last = sizeOf(t, path)
			if week == 5 { // the first games went a week ago
				full = last
			}
		}
		t.Logf("%d games and as many challenges in a year: %d KiB when the first went, %d KiB in the end", made, full>>10, last>>10)
		if float64(last) > mostGrowth*float64(full) {
			t.Errorf("the file grew from %d to %d bytes", full, last)
		}
		// Four weeks of games and one of challenges, and what became old since the last cleaning.
		if n, most := s.matches(), *yearGames*7/weeks; n > most {
			t.Errorf("%d matches are kept, want %d at most", n, most)
		}
		s.must(store.Close())
	})
}

// playDays lets a week go by in which as many games end, and challenges expire, as are missing.
func (s *stage) playDays(from, to int) int {
	s.t.Helper()
	for today := 1; today <= 7; today++ {
		var c storage.Changes
		until := from + (to-from)*today/7
		for ; from < until; from++ {
			c.Put = append(c.Put, s.playedOut(from), s.cameToNothing(from))
		}
		if len(c.Put) > 0 {
			_, err := s.store.Commit(s.t.Context(), c)
			s.must(err)
		}
		s.pass(day)
	}
	return from
}

// quickFolder is a folder in memory where there is one: a year is ten thousand writes, each synced.
func quickFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "kraal-year-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// playedOut is a game of sixty actions that ends now.
func (s *stage) playedOut(n int) storage.Match {
	now := time.Now().UTC()
	m := storage.Match{
		ID: fmt.Sprintf("%06d0g", n), State: storage.Finished, Server: "s", Channel: "c", Variant: s.nine(), Challenger: ann, Opponent: ben,
		Created: now.Add(-time.Hour), Ended: now, Revision: 61, Result: rules.WhiteWins, Reason: rules.Resignation,
	}
	m.Shown.Revision = m.Revision
	m.Seats[rules.White].Person, m.Seats[rules.Black].Person = ann, ben
	for i := range 60 {
		at := m.Created.Add(time.Duration(i)*57*time.Second + time.Duration(n*i)*time.Microsecond)
		m.Deeds = append(m.Deeds, storage.Deed{Action: rules.Point((i*7 + n) % 24).String(), At: at})
	}
	return m
}

// cameToNothing is a challenge that expires now.
func (s *stage) cameToNothing(n int) storage.Match {
	now := time.Now().UTC()
	m := storage.Match{
		ID: fmt.Sprintf("%06d0c", n), State: storage.Withdrawn, Server: "s", Channel: "c", Variant: s.nine(), Challenger: ann,
		Created: now.Add(-24 * time.Hour), Ended: now, Revision: 2,
	}
	m.Shown.Revision = m.Revision
	return m
}

// matches counts what is kept.
func (s *stage) matches() (n int) {
	s.t.Helper()
	for from, more := storage.Cursor(""), true; more; {
		s.must(s.store.View(s.t.Context(), func(r storage.Reader) error {
			hits, err := r.Range(storage.All(storage.KindMatch), from, 500)
			for _, hit := range hits {
				n, from = n+1, hit.Cursor
			}
			more = len(hits) == 500
			return err
		}))
	}
	return n
}

// TestCleaningFails (O42): what cannot be deleted is an error in the log and told to whoever counts such, and it goes the
// next day.
func TestCleaningFails(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		s.stop()
		old := s.over("00000000", storage.Finished, 400*day)
		var refuses atomic.Bool
		refuses.Store(true)
		store.commit = func(_ context.Context, c storage.Changes) error {
			if len(c.Delete) > 0 && refuses.Load() {
				return errors.New("a page is damaged")
			}
			return nil
		}
		log := &said{}
		type cleaning struct {
			deleted int
			failed  bool
		}
		var told []cleaning
		s.open()
		s.app = bot.New(bot.Config{
			Store: s.store, Clock: s.clock, Random: rand.IntN, Log: slog.New(slog.NewTextHandler(log, nil)), Ratings: rating.Standard(),
			Limits: s.limits, Keep: bot.Retention{Games: 365 * day},
			Forgot: func(deleted int, err error) { told = append(told, cleaning{deleted, err != nil}) },
		})
		s.run()
		s.pass(time.Hour + time.Minute)
		if want := "level=ERROR msg=\"what is old is not deleted\""; !s.has(old) || !strings.Contains(log.String(), want) {
			t.Errorf("it is kept: %v; the log has no %s:\n%s", s.has(old), want, log)
		}
		refuses.Store(false)
		s.pass(day)
		if want := []cleaning{{0, true}, {1, false}}; s.has(old) || !slices.Equal(told, want) {
			t.Errorf("it is kept: %v; told was %v, want %v", s.has(old), told, want)
		}
	})
}

// said is a log.
type said struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
