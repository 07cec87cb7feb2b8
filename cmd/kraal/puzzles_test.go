package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kraal/rules/study"
)

// stopAt ends a context when it has been written to so often.
type stopAt struct {
	writes int
	stop   context.CancelFunc
}

// Write counts.
func (s *stopAt) Write(p []byte) (int, error) {
	if s.writes--; s.writes == 0 {
		s.stop()
	}
	return len(p), nil
}

// TestPuzzlesInterrupted: what was found before an interruption is in the file, whole.
func TestPuzzlesInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	path := filepath.Join(t.TempDir(), "puzzles.jsonl")
	p := &program{ctx: ctx, out: new(bytes.Buffer), err: &stopAt{3, cancel}}
	err := puzzlesCmd{Variant: []string{"nine"}, Count: 500, Seed: 1, Output: path}.Run(p)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found, err := study.ReadPuzzles(bytes.NewReader(text))
	if err != nil || len(found) != 3 {
		t.Errorf("%d puzzles, %v; want 3", len(found), err)
	}
}
