package bot_test

import (
	"flag"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/rating"
	"kraal/storage"
	"kraal/storage/boltstore"
)

var ranksFile = flag.String("ranks.file", "", "the store of BenchmarkLeaderboard, made if it is not there; none: a new one each time")

// population is a pool with so many members.
type population struct {
	pool    string
	members int
}

func populations() []population {
	return []population{{storage.ServerPool("s"), 100_000}, {storage.GlobalPool, 1_000_000}}
}

// rating is that of member i, who stands behind those before: their points spread as a bell does, and one in ten is
// too uncertain to be ranked.
func (c population) rating(i int, at time.Time) storage.Rating {
	share := 1 - (float64(i)+0.5)/float64(c.members)
	r := kept(c.member(i), 1500+300*math.Sqrt2*math.Erfinv(2*share-1), 60)
	r.Pool, r.At, r.Lapses = c.pool, at, at.AddDate(1, 0, 0)
	if i%10 == 9 {
		r.Deviation, r.Lapses = 200, time.Time{}
	}
	return r
}

func (c population) member(i int) string { return fmt.Sprintf("11000000000%08d", i) }

// crowded opens the store with those populations, and makes it where it is not: in the order of ids and of the board alike, so
// that every page is written once.
func crowded(b *testing.B) storage.Store {
	b.Helper()
	path := *ranksFile
	if path == "" {
		path = filepath.Join(b.TempDir(), "ranks.db")
	}
	_, missing := os.Stat(path)
	s, err := boltstore.Open(path, boltstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	if missing == nil {
		return s
	}
	began := time.Now()
	for _, c := range populations() {
		for from := 0; from < c.members; from += storage.MaxChanges {
			var changes storage.Changes
			for i := from; i < min(from+storage.MaxChanges, c.members); i++ {
				changes.Put = append(changes.Put, c.rating(i, began.UTC()))
			}
			if _, err := s.Commit(b.Context(), changes); err != nil {
				b.Fatal(err)
			}
		}
	}
	if info, err := os.Stat(path); err == nil {
		b.Logf("made in %v: %d MB", time.Since(began).Round(time.Second), info.Size()>>20)
	}
	return s
}

// BenchmarkLeaderboard reads the first page of a board, with the place of somebody by chance, and any page of it: the
// median of each in milliseconds, and how much memory the process has taken from the system by then.
func BenchmarkLeaderboard(b *testing.B) {
	app := bot.New(bot.Config{
		Store: crowded(b), Clock: bot.SystemClock{}, Random: rand.IntN, Log: slog.New(slog.DiscardHandler), Ratings: rating.Standard(),
	})
	for _, c := range populations() {
		b.Run(fmt.Sprint(c.members), func(b *testing.B) {
			times := map[string][]float64{}
			ask := func(way string, page int) {
				member, began := rand.IntN(c.members), time.Now()
				board, err := app.Leaderboard(b.Context(), bot.BoardPage{
					Pool: c.pool, Variant: "nine", Member: c.member(member), Page: page, Rows: 10,
				})
				times[way] = append(times[way], time.Since(began).Seconds()*1000)
				if err != nil || len(board.Rows) != 10 || board.Own == nil || board.Ranked+board.Provisional != c.members {
					b.Fatalf("page %d: %+v, %v", page, board, err)
				}
			}
			for b.Loop() {
				ask("first", 1)
				ask("any", 1+rand.IntN(c.members/10))
			}
			for way, of := range times {
				slices.Sort(of)
				b.ReportMetric(of[len(of)/2], way+"-ms")
				b.ReportMetric(of[len(of)*99/100], way+"-p99-ms")
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(memory.Sys)/(1<<20), "MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}
