package boltstore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kraal/rules"
	"kraal/storage"
)

func TestPack(t *testing.T) {
	var p packer
	rapid.Check(t, func(t *rapid.T) {
		data := []byte("{" + strings.Repeat(rapid.String().Draw(t, "text"), rapid.IntRange(0, 50).Draw(t, "times")))
		small := p.pack(data)
		if len(small) > len(data) {
			t.Fatalf("%d bytes became %d", len(data), len(small))
		}
		if got, err := p.unpack(small); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("got %q and error %v, want %q", got, err, data)
		}
	})
}

func TestUnpackRefuses(t *testing.T) {
	var p packer
	good := p.pack(bytes.Repeat([]byte("{}"), 500))
	bomb := p.pack(make([]byte, storage.MaxRecord+1))
	for name, data := range map[string][]byte{
		"cut short": good[:len(good)-1], "damaged": damage(good, 1, 3), "nothing": good[:1], "too much": bomb,
	} {
		if got, err := p.unpack(data); !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("%s: got %d bytes and error %v, want ErrDamaged", name, len(got), err)
		}
	}
	if got, err := p.unpack(good); err != nil || len(got) != 1000 {
		t.Errorf("after those: got %d bytes and error %v", len(got), err)
	}
}

// TestSize: games from challenge to result, some at a time, take no more than one and a half times the bytes of their
// records.
func TestSize(t *testing.T) {
	const rounds, together, bound = 50, 20, 1.5
	path := filepath.Join(t.TempDir(), "kraal.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	records := 0
	for round := range rounds {
		records += playRound(t, s, round, together)
	}
	checkFile(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	times, games := float64(info.Size())/float64(records), rounds*together
	t.Logf("%d bytes a record, %d on disk, %.2f times as much", records/games, int(info.Size())/games, times)
	if times > bound {
		t.Errorf("records take %.2f times their bytes, want at most %.2f", times, bound)
	}
}

// playRound plays games of forty actions side by side, and gives the bytes of their records.
func playRound(t *testing.T, s *Store, round, games int) (size int) {
	t.Helper()
	const steps, each = 5, 8
	played := make([]storage.Record, games)
	for i := range played {
		played[i] = sample(fmt.Sprintf("m%04d%04d", round, i))
	}
	for step := range steps {
		for i := range played {
			m := played[i].(storage.Match)
			m.State, m.Expires = storage.Playing, m.NoticeAt
			for n := range each {
				at := m.Created.Add(time.Duration(step*each+n)*7_234_567_891 + time.Duration(round*i)*time.Microsecond)
				m.Deeds = append(m.Deeds, storage.Deed{Action: rules.Point((i*7 + n*11 + step) % 24).String(), At: at})
			}
			if step == steps-1 {
				m.State, m.Ended, m.Result, m.Shown.Revision = storage.Finished, m.Created, rules.WhiteWins, 1
			}
			played[i] = m
		}
		if _, err := s.Commit(t.Context(), put(played...)); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range played {
		row, err := storage.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		size += len(row.Data)
	}
	return size
}
