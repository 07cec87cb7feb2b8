package boltstore

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"kraal/rules"
	"kraal/storage"
)

// The ways that are compared run in turn on the same disk, round after round: what else the machine does meets all of
// them alike, and the ratios of their medians stand. Run with -benchtime 10x or more.

const (
	benchGames   = 10_000
	benchActions = 14 // a record of 1.5 KiB
)

// benchStore has as many games in play, and every player's rating in both pools.
func benchStore(b *testing.B, games int) *Store {
	b.Helper()
	s, err := Open(filepath.Join(b.TempDir(), "kraal.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	const batch = 500
	for from := 0; from < games; from += batch {
		var c storage.Changes
		for i := from; i < min(from+batch, games); i++ {
			c.Put = append(c.Put, benchMatch(i, 1))
		}
		if _, err := s.Commit(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// benchMatch is game number i after its n-th change; each moves its entry among those that are due.
func benchMatch(i, n int) storage.Match {
	m := sample(fmt.Sprintf("%08d", i))
	m.Challenger.ID, m.Opponent.ID = fmt.Sprintf("11000000000%08d", 2*i), fmt.Sprintf("11000000000%08d", 2*i+1)
	m.State, m.Server, m.Channel = storage.Playing, fmt.Sprintf("11000000000%08d", i%500), fmt.Sprintf("12000000000%08d", i%2000)
	m.Started, m.Revision, m.NoticeAt = m.Created, n, m.Created.Add(time.Duration(n)*time.Second+time.Duration(i))
	m.Seats[rules.White].Person, m.Seats[rules.Black].Person = m.Challenger, m.Opponent
	for a := range benchActions {
		m.Deeds = append(m.Deeds, storage.Deed{Action: "a7-d7", At: m.Created.Add(time.Duration(a+n) * time.Second)})
	}
	return m
}

// benchFinish ends game i and changes both players' ratings: in one pool or in two.
func benchFinish(i, n, pools int) (records []storage.Record) {
	m := benchMatch(i, n)
	m.State, m.Ended, m.Result, m.Reason = storage.Finished, m.NoticeAt, rules.WhiteWins, rules.Resignation
	records = append(records, m)
	for _, pool := range []string{storage.GlobalPool, storage.ServerPool(m.Server)}[:pools] {
		for _, member := range []string{m.Challenger.ID, m.Opponent.ID} {
			records = append(records, benchRating(pool, member, 1500+float64((i+n)%700)/3))
		}
	}
	return records
}

func benchRating(pool, member string, points float64) storage.Rating {
	return storage.Rating{
		Pool: pool, Variant: "morabaraba", Member: member, Name: "Somebody", Points: points, Deviation: 80,
		Volatility: 0.09, Wins: 3, At: time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC), Weighed: true,
		Lapses: time.Date(2027, time.March, 1, 12, 0, 0, 0, time.UTC),
	}
}

// update commits with a transaction of its own, as bbolt's Update does it.
func (s *Store) update(c storage.Changes) error {
	rows, err := storage.Prepare(c)
	if err != nil {
		return err
	}
	r := &request{expect: c.Expect, rows: rows, remove: c.Delete}
	return s.db.Update(func(tx *bolt.Tx) error {
		a, _ := r.apply(tx)
		return a.err
	})
}

// disk writes as plainly as it can be done.
type disk struct{ log, pages *os.File }

func benchDisk(b *testing.B) disk {
	b.Helper()
	folder := b.TempDir()
	log, err := os.OpenFile(filepath.Join(folder, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	pages, err := os.Create(filepath.Join(folder, "pages"))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := pages.Write(make([]byte, 1<<20)); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { log.Close(); pages.Close() })
	return disk{log, pages}
}

// appendRecord is the floor: the bytes of one record, durable.
func (d disk) appendRecord() error {
	if _, err := d.log.Write(make([]byte, 1536)); err != nil {
		return err
	}
	return syscall.Fdatasync(int(d.log.Fd()))
}

// likeBbolt writes what a transaction has to: some pages, then the one that makes them count.
func (d disk) likeBbolt() error {
	for i := range 8 {
		if _, err := d.pages.WriteAt(make([]byte, 4096), int64(2+i*7)*4096); err != nil {
			return err
		}
	}
	if err := syscall.Fdatasync(int(d.pages.Fd())); err != nil {
		return err
	}
	if _, err := d.pages.WriteAt(make([]byte, 4096), 0); err != nil {
		return err
	}
	return syscall.Fdatasync(int(d.pages.Fd()))
}

// BenchmarkLatency compares one commit, alone, with the floor and with bbolt's Update.
func BenchmarkLatency(b *testing.B) {
	s, d := benchStore(b, benchGames), benchDisk(b)
	const each = 20
	n := 1
	commit := func(records ...storage.Record) error {
		_, err := s.Commit(b.Context(), storage.Changes{Put: records})
		return err
	}
	ways := []struct {
		name string
		run  func(i int) error
	}{
		{"append", func(int) error { return d.appendRecord() }},
		{"shape", func(int) error { return d.likeBbolt() }},
		{"update", func(i int) error { return s.update(storage.Changes{Put: []storage.Record{benchMatch(i, n)}}) }},
		{"commit", func(i int) error { return commit(benchMatch(i, n)) }},
		{"finish", func(i int) error { return commit(benchFinish(i, n, 1)...) }},
		{"finish-both", func(i int) error { return commit(benchFinish(i, n, 2)...) }},
	}
	times := map[string][]float64{}
	for b.Loop() {
		n++
		for k := range each * len(ways) { // one of each way, again and again
			way := ways[k%len(ways)]
			began := time.Now()
			if err := way.run((n*7919 + k*101) % benchGames); err != nil {
				b.Fatal(err)
			}
			times[way.name] = append(times[way.name], float64(time.Since(began).Microseconds())/1000)
		}
	}
	for _, way := range ways {
		b.ReportMetric(median(times[way.name]), way.name+"-ms")
	}
	commitTime := median(times["commit"])
	b.ReportMetric(commitTime/median(times["append"]), "commit/append")
	b.ReportMetric(commitTime/median(times["shape"]), "commit/shape")
	b.ReportMetric(commitTime/median(times["update"]), "commit/update")
	b.ReportMetric(median(times["finish"])/commitTime, "finish/commit")
	b.ReportMetric(median(times["finish-both"])/commitTime, "finish-both/commit")
	b.ReportMetric(0, "ns/op")
}

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

// BenchmarkWriters compares many writers who share transactions with as many who have one each.
func BenchmarkWriters(b *testing.B) {
	s := benchStore(b, benchGames)
	change := func(w, n int) storage.Changes { return storage.Changes{Put: []storage.Record{benchMatch(w, n)}} }
	ways := map[string]func(w, n int) error{
		"update": func(w, n int) error { return s.update(change(w, n)) },
		"commit": func(w, n int) error {
			_, err := s.Commit(b.Context(), change(w, n))
			return err
		},
	}
	counts := []int{1, 16, 256}
	rates, waits := map[string][]float64{}, map[string][]float64{}
	for b.Loop() {
		for _, writers := range counts {
			for name, way := range ways {
				key := fmt.Sprintf("%s-%d", name, writers)
				rate, wait := burst(b, writers, way)
				rates[key], waits[key] = append(rates[key], rate), append(waits[key], wait)
			}
		}
	}
	for _, writers := range counts {
		commit, update := fmt.Sprintf("commit-%d", writers), fmt.Sprintf("update-%d", writers)
		b.ReportMetric(median(rates[commit]), commit+"/s")
		b.ReportMetric(median(rates[update]), update+"/s")
		b.ReportMetric(median(rates[commit])/median(rates[update]), fmt.Sprintf("times-%d", writers))
		b.ReportMetric(median(waits[commit]), commit+"-ms")
		b.ReportMetric(median(waits[update]), update+"-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// burst lets writers write for a moment, and gives how many a second it were, and the median time of one in
// milliseconds.
func burst(b *testing.B, writers int, write func(w, n int) error) (rate, wait float64) {
	var all sync.WaitGroup
	var over atomic.Bool
	times := make([][]float64, writers)
	began := time.Now()
	end := time.AfterFunc(300*time.Millisecond, func() { over.Store(true) })
	defer end.Stop()
	for w := range writers {
		all.Go(func() {
			for n := int(began.UnixMilli()); !over.Load(); n++ {
				start := time.Now()
				if err := write(w*31, n); err != nil {
					b.Error(err)
					return
				}
				times[w] = append(times[w], float64(time.Since(start).Microseconds())/1000)
			}
		})
	}
	all.Wait()
	took := time.Since(began).Seconds()
	joined := slices.Concat(times...)
	return float64(len(joined)) / took, median(joined)
}

// BenchmarkTopHundred reads the first hundred of a board with their records.
func BenchmarkTopHundred(b *testing.B) {
	for _, members := range []int{1000, 100_000} {
		s := benchStore(b, 1)
		for from := 0; from < members; from += 1000 {
			var c storage.Changes
			for i := from; i < from+1000; i++ {
				c.Put = append(c.Put, benchRating(storage.GlobalPool, fmt.Sprintf("11000000000%08d", i), float64(i*7919%members)/50))
			}
			if _, err := s.Commit(b.Context(), c); err != nil {
				b.Fatal(err)
			}
		}
		board := storage.Board(storage.GlobalPool, "morabaraba")
		b.Run(fmt.Sprintf("keys/%d", members), func(b *testing.B) { benchBoard(b, s, board, false) })
		b.Run(fmt.Sprintf("records/%d", members), func(b *testing.B) { benchBoard(b, s, board, true) })
	}
}

func benchBoard(b *testing.B, s *Store, board storage.Index, records bool) {
	for b.Loop() {
		err := s.View(b.Context(), func(r storage.Reader) error {
			hits, err := r.Range(board, "", 100)
			if err != nil || len(hits) != 100 {
				b.Fatalf("got %d and error %v", len(hits), err)
			}
			for _, h := range hits {
				if !records {
					break
				}
				if _, err := r.Get(h.Key); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen opens a store that was left with so many games.
func BenchmarkOpen(b *testing.B) {
	for _, games := range []int{0, 10_000, 100_000} {
		s := benchStore(b, games)
		path := s.db.Path()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(games), func(b *testing.B) {
			for b.Loop() {
				s, err := Open(path, Options{})
				if err != nil {
					b.Fatal(err)
				}
				s.Close()
			}
		})
	}
}
