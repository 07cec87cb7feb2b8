package boltstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"kraal/rules"
	"kraal/storage"
	"kraal/storage/storagetest"
)

// TestKill kills a process that writes, a hundred times, at moments chosen by chance, and looks whether all that it had
// been told was kept is there.
func TestKill(t *testing.T) {
	const trials, checks = 100, 4
	path := filepath.Join(t.TempDir(), "kraal.db")
	acknowledged := map[storage.Key]storage.Version{}
	seed := uint64(time.Now().UnixNano())
	chance := rand.New(rand.NewPCG(seed, 0))
	for trial := range trials {
		writers := []int{1, 4, 16}[trial%3]
		lived := time.Duration(chance.IntN(100)) * time.Millisecond
		acks := killWriter(t, path, fmt.Sprintf("t%03d", trial), writers, lived)
		for key, version := range acks {
			acknowledged[key] = version
		}
		if trial%(trials/checks) == trials/checks-1 {
			checkSurvivor(t, path, acknowledged)
		}
		if t.Failed() {
			t.Fatalf("seed %d, trial %d", seed, trial)
		}
	}
	if len(acknowledged) < trials {
		t.Errorf("only %d matches were acknowledged", len(acknowledged))
	}
	t.Logf("%d matches acknowledged in %d lives", len(acknowledged), trials)
}

// killWriter lets a process write for a while, kills it, and gives what it acknowledged.
func killWriter(t *testing.T, path, name string, writers int, lived time.Duration) map[storage.Key]storage.Version {
	t.Helper()
	child := exec.Command(os.Args[0], path, name, strconv.Itoa(writers))
	child.Env = append(os.Environ(), childVariable+"=write")
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	death := time.AfterFunc(lived, func() { child.Process.Kill() })
	defer death.Stop()
	acks := map[storage.Key]storage.Version{}
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // what has no end of line was not acknowledged
		}
		id, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		v, err := strconv.ParseUint(version, 10, 64)
		if err != nil {
			t.Errorf("the writer says %q", line)
		}
		acks[storage.MatchKey(id)] = storage.Version(v)
	}
	var exit *exec.ExitError
	if err := child.Wait(); !errors.As(err, &exit) || exit.Exited() {
		t.Errorf("the writer ended by itself: %v", err)
	}
	return acks
}

// childWrite takes matches from challenge to result until it is killed, and prints each version when it is durable.
func childWrite(path, name, writers string) int {
	s, err := Open(path, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	n, err := strconv.Atoi(writers)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var wait sync.WaitGroup
	for w := range n {
		wait.Go(func() {
			for i := 0; err == nil; i++ {
				err = playOne(s, fmt.Sprintf("%s-%02d-%05d", name, w, i))
			}
			fmt.Fprintln(os.Stderr, err)
		})
	}
	wait.Wait()
	return 1
}

func playOne(s storage.Store, id string) error {
	m := sample(id)
	for version := range storage.Version(5) {
		switch version {
		case 1:
			m.State, m.Started, m.Seats[rules.White].Person, m.Seats[rules.Black].Person = storage.Playing, m.Created, m.Opponent, m.Challenger
		case 2, 3:
			m.Deeds = append(m.Deeds, storage.Deed{Action: "d7", At: m.Created})
		case 4:
			m.State, m.Ended, m.Result, m.Reason = storage.Finished, m.Created, rules.BlackWins, rules.Resignation
		}
		m.Revision++
		_, err := s.Commit(context.Background(), storage.Changes{
			Expect: []storage.Expect{{Key: m.Key(), Version: version}}, Put: []storage.Record{m},
		})
		if err != nil {
			return err
		}
		if _, err := fmt.Printf("%s %d\n", id, version+1); err != nil {
			return err
		}
	}
	return nil
}

// sample is a challenge.
func sample(id string) storage.Match {
	variant, _ := rules.Lookup("morabaraba")
	at := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	return storage.Match{
		ID: id, State: storage.Challenged, Server: "s", Channel: "c", Variant: variant, Created: at, Expires: at.Add(time.Hour),
		Challenger: storage.Person{ID: "a", Name: "Anna"}, Opponent: storage.Person{ID: "b", Name: "Ben"}, Revision: 1,
	}
}

// checkSurvivor opens the file and compares it with what was acknowledged, and with itself.
func checkSurvivor(t *testing.T, path string, acknowledged map[storage.Key]storage.Version) {
	t.Helper()
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.View(t.Context(), func(r storage.Reader) error {
		for key, want := range acknowledged {
			if got, err := r.Get(key); err != nil || got.Version < want {
				t.Errorf("%v: acknowledged as version %d, got %d and error %v", key, want, got.Version, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	checkFile(t, s)
}

// checkFile looks for damage, and compares the entries in the file with those that its records call for: in order by
// storagetest, and one for one.
func checkFile(t *testing.T, s *Store) {
	t.Helper()
	if err := storagetest.Agree(t.Context(), s); err != nil {
		t.Error(err)
	}
	err := s.db.View(func(tx *bolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("Check: %v", err)
		}
		var want, got []storage.Entry
		if left := tx.Bucket(metaBucket).Get(refileKey); left != nil {
			t.Errorf("it was brought forward no further than %q", left)
		}
		for _, kind := range storage.Kinds() {
			err := tx.Bucket([]byte(kind)).ForEach(func(id, bytes []byte) error {
				kept, _ := parse(bytes)
				data, err := s.packer.unpack(kept.data)
				if err != nil {
					return err
				}
				record, err := storage.Decode(storage.Key{Kind: kind, ID: string(id)}, data)
				if err != nil {
					return err
				}
				entries, err := storage.Entries(record)
				if !slices.Equal(kept.entries, entries) {
					t.Errorf("%v: its entries are kept as %q, want %q", record.Key(), kept.entries, entries)
				}
				want = append(want, entries...)
				return err
			})
			if err != nil {
				return err
			}
		}
		err := tx.Bucket(indexBucket).ForEach(func(entry, _ []byte) error {
			got = append(got, storage.Entry(entry))
			return nil
		})
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%d entries, want the %d that the records call for", len(got), len(want))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
