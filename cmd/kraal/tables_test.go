package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// cancelling is a writer that ends a context when a text is written to it.
type cancelling struct {
	bytes.Buffer
	text   string
	cancel context.CancelFunc
}

func (w *cancelling) Write(b []byte) (int, error) {
	if strings.Contains(string(b), w.text) {
		w.cancel()
	}
	return w.Buffer.Write(b)
}

// TestTablesInterrupted ends the command between two steps and wants the first kept, the second begun anew by the next
// command.
func TestTablesInterrupted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tables")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	args := []string{"tables", "--variant", "tournament", "--upto", "7", "--dir", dir}
	out, said := &cancelling{text: "3-3 built in", cancel: cancel}, new(bytes.Buffer)
	if code := run(program{ctx: ctx, out: out, err: said}, args); code != 0 {
		t.Errorf("interrupted: code %d, %s", code, said)
	}
	if !strings.Contains(said.String(), "interrupted at 4-3; the same command goes on there") {
		t.Errorf("said %q", said)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*-4-3*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	again := new(bytes.Buffer)
	if code := run(program{ctx: context.Background(), out: again, err: said}, args); code != 0 {
		t.Fatalf("again: code %d, %s", code, said)
	}
	if strings.Contains(again.String(), "3-3 built in") || !strings.Contains(again.String(), "4-3 built in") {
		t.Errorf("again:\n%s", again)
	}
}
