package boltstore

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	bolt "go.etcd.io/bbolt"

	"kraal/rules"
	"kraal/storage"
)

var update = flag.Bool("update", false, "write testdata for the newest schema")

// golden is what the file of a schema in testdata holds, each as version 2.
func golden(schema int) []storage.Record {
	m := sample("0a1b2c3d")
	m.Handled = []string{"tap"}
	over := m
	over.ID, over.State, over.Ended, over.Result = "0a1b2c3e", storage.Finished, m.Created, rules.WhiteWins
	records := []storage.Record{
		storage.Member{ID: "a", Quiet: true},
		storage.Rating{Pool: storage.GlobalPool, Variant: "morabaraba", Member: "a", Name: "Anna", Points: 1612.5, Deviation: 90, Volatility: 0.09, At: m.Created},
		m, over,
	}
	if schema >= 2 {
		records = append(records, storage.Server{ID: "11", Greeted: m.Created}, storage.Alive{ID: "bot", At: m.Created},
			storage.Watch{Server: "11", Channel: "12", Game: m.ID, Message: "13", Posted: m.Created},
			storage.Prediction{Game: m.ID, Server: "11", Member: "a", Said: rules.WhiteWins, At: m.Created},
			storage.Log{Server: "11", Acts: []storage.Act{{Kind: storage.ActBan, At: m.Created, By: storage.Person{ID: "a"}}}})
	}
	if schema >= 3 {
		ranked := records[1].(storage.Rating)
		ranked.Member, ranked.Weighed, ranked.Lapses = "b", true, m.Created.AddDate(1, 0, 0)
		records = append(records, ranked, storage.Season{Server: "11", Number: 1, From: m.Created, To: m.Created, Uncrowned: true},
			storage.Tally{Pool: storage.GlobalPool, Member: "a", Name: "Anna", Wins: 3, Draws: 1, At: m.Created},
			storage.Farewell{Member: "a", Alias: storage.Alias("b"), Asked: m.Created})
	}
	return records
}

// TestOldFiles opens a file of every schema there has been, reads it, and goes on with it.
func TestOldFiles(t *testing.T) {
	if *update {
		writeGolden(t, oldFile(Schema))
	}
	for schema := 1; schema <= Schema; schema++ {
		t.Run(oldFile(schema), func(t *testing.T) { checkOldFile(t, schema) })
	}
}

func oldFile(schema int) string {
	return filepath.Join("testdata", fmt.Sprintf("schema%d.db.gz", schema))
}

// unpacked writes the file of a schema to where it can be opened.
func unpacked(t *testing.T, schema int) (path string) {
	t.Helper()
	data, err := os.ReadFile(oldFile(schema))
	if err != nil {
		t.Fatal(err)
	}
	pack, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(pack); err != nil {
		t.Fatal(err)
	}
	return write(t, "kraal.db", data)
}

func checkOldFile(t *testing.T, schema int) {
	s, err := Open(unpacked(t, schema), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, want := range golden(schema) {
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
	for _, r := range golden(Schema) {
		if err := commitOne(t, s, r); err != nil {
			t.Error(err)
		}
	}
	checkFile(t, s)
}

// TestBroughtForward: a file that was opened says the newest schema from then on, so that a program which knows less
// refuses it, and it opens again as what it is now.
func TestBroughtForward(t *testing.T) {
	path := unpacked(t, 1)
	for range 2 {
		s, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = s.db.View(func(tx *bolt.Tx) error {
			if schema, err := schemaOf(tx); err != nil || schema != Schema {
				t.Errorf("got schema %d and error %v, want %d", schema, err, Schema)
			}
			return nil
		})
		if err := errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

func writeGolden(t *testing.T, packed string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kraal.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Commit(t.Context(), put(golden(Schema)...)); err != nil {
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
