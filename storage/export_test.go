package storage_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kraal/storage"
	"kraal/storage/storagetest"
)

func TestExport(t *testing.T) {
	s := storagetest.Memory()
	for name, record := range kept() {
		for range 3 {
			if _, err := s.Commit(t.Context(), storage.Changes{Put: []storage.Record{record}}); err != nil {
				t.Fatal(name, err)
			}
		}
	}
	const others = 1203 // more than two pages
	for i := range others {
		member := storage.Member{ID: fmt.Sprintf("other%04d", i)}
		if _, err := s.Commit(t.Context(), storage.Changes{Put: []storage.Record{member}}); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := storage.Export(t.Context(), s, &out); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(&out)
	lines.Scan()
	if got, want := lines.Text(), `{"export":"kraal","format":1,"record":1}`; got != want {
		t.Errorf("header: got %s, want %s", got, want)
	}
	var order []string
	for lines.Scan() {
		order = append(order, checkLine(t, lines.Text()))
	}
	if len(order) != others+len(kept()) {
		t.Fatalf("got %d records, want %d", len(order), others+len(kept()))
	}
	rest := []string{
		"server/11", "log/11", "rating/global/koti/13", "match/0a1b2c3d", "alive/bot", "watch/0a1b2c3d/18", "prediction/20/0a1b2c3d",
		"season/11/3", "tally/global/13", "farewell/13",
	}
	if order[0] != "member/13" || order[1] != "member/other0000" || order[others] != "member/other1202" ||
		!slices.Equal(order[others+1:], rest) {
		t.Errorf("order: got %q ... %q", order[:2], order[others:])
	}
}

// checkLine compares a line with the record that it is of, and gives its key.
func checkLine(t *testing.T, text string) string {
	t.Helper()
	var line struct {
		Kind    storage.Kind
		Key     string
		Version storage.Version
		Data    json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &line); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	want, known := kept()[string(line.Kind)]
	if strings.HasPrefix(line.Key, "other") {
		want, known = storage.Member{ID: line.Key}, false
	}
	version := storage.Version(1)
	if known {
		version = 3
	}
	data := fmt.Sprintf(`{"kind":%q,"format":1,"data":%s}`, line.Kind, line.Data)
	got, err := storage.Decode(want.Key(), []byte(data))
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) || line.Version != version {
		t.Errorf("%s: got %v, version %d and error %v; want %v, version %d", line.Key, got, line.Version, err, want, version)
	}
	return string(line.Kind) + "/" + line.Key
}

// full is a writer for which there is no room.
type full struct{}

var errFull = errors.New("no room")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestExportFails(t *testing.T) {
	s := storagetest.Memory()
	if err := storage.Export(t.Context(), s, full{}); !errors.Is(err, errFull) {
		t.Errorf("got error %v, want that of the writer", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := storage.Export(ended, s, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want that of the context", err)
	}
	s.Close()
	if err := storage.Export(t.Context(), s, &bytes.Buffer{}); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("got error %v, want ErrClosed", err)
	}
}

// TestErrorsRead: every error says what it is about, in one line.
func TestErrorsRead(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{&storage.ConflictError{Key: storage.MatchKey("a1"), Want: 2, Have: 3}, "storage: changed by somebody else: match/a1 has version 3, expected was 2"},
		{&storage.RecordError{Key: storage.MatchKey("a1"), Err: storage.ErrNewer}, "storage: record match/a1: written by a newer version of this program"},
		{&storage.BrokenError{Err: errFull}, "storage: broken: no room"},
		{&storage.UnusableError{Path: "/data/kraal.db", Why: "it is a folder", Do: "name a file in it", Err: errFull}, "the store /data/kraal.db cannot be used: it is a folder; name a file in it"},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	if err := error(&storage.UnusableError{Err: errFull}); !errors.Is(err, errFull) {
		t.Error("an unusable store does not tell what was met")
	}
}
