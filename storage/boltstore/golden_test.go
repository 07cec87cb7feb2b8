package boltstore

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"kraal/rules"
	"kraal/storage"
)

var update = flag.Bool("update", false, "write testdata for the newest schema")

// golden is what the files in testdata hold, each as version 2.
func golden() []storage.Record {
	m := sample("0a1b2c3d")
	m.Handled = []string{"tap"}
	over := m
	over.ID, over.State, over.Ended, over.Result = "0a1b2c3e", storage.Finished, m.Created, rules.WhiteWins
	return []storage.Record{
		storage.Member{ID: "a", Quiet: true},
		storage.Rating{Pool: storage.GlobalPool, Variant: "morabaraba", Member: "a", Name: "Anna", Points: 1612.5, Deviation: 90, Volatility: 0.09, At: m.Created},
		m, over,
	}
}

// TestOldFiles opens a file of every schema there has been, reads it, and goes on with it.
func TestOldFiles(t *testing.T) {
	packed := filepath.Join("testdata", "schema1.db.gz")
	if *update {
		writeGolden(t, packed)
	}
	data, err := os.ReadFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(unpacked); err != nil {
		t.Fatal(err)
	}
	s, err := Open(write(t, "kraal.db", data), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, want := range golden() {
		err := s.View(t.Context(), func(r storage.Reader) error {
			got, err := r.Get(want.Key())
			if !reflect.DeepEqual(got, storage.Stored{Record: want, Version: 2}) {
				t.Errorf("got %+v, want %+v", got, want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	checkFile(t, s)
	for _, r := range []storage.Record{sample("0a1b2c3d"), storage.Alive{ID: "bot"}} { // the second has come since
		if err := commitOne(t, s, r); err != nil {
			t.Error(err)
		}
	}
	checkFile(t, s)
}

func writeGolden(t *testing.T, packed string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kraal.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Commit(t.Context(), put(golden()...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	pack := gzip.NewWriter(&out)
	if _, err := pack.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := pack.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(packed, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
