package engine_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kraal/rules"
	"kraal/rules/engine"
)

// tactic is a row of the tactics vectors; their README says what the fields are.
type tactic struct {
	Variant  string         `json:"variant"`
	Rules    map[string]any `json:"rules"`
	Position string         `json:"position"`
	Kind     string         `json:"kind"`
	Best     []string       `json:"best"`
	Actions  int            `json:"actions"`
	Within   int            `json:"within"`

	line int
}

func (row tactic) game(t *testing.T) *rules.Game {
	t.Helper()
	v, known := rules.Lookup(row.Variant)
	if !known {
		t.Fatalf("line %d: no variant %q", row.line, row.Variant)
	}
	for column, value := range row.Rules {
		var err error
		if v, err = v.Set(column, fmt.Sprint(value)); err != nil {
			t.Fatalf("line %d: %v", row.line, err)
		}
	}
	p, err := v.ParsePosition(row.Position)
	if err != nil {
		t.Fatalf("line %d: %v", row.line, err)
	}
	return rules.NewGameAt(v, p)
}

func tactics(t *testing.T) (rows []tactic) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "vectors", "tactics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		row := tactic{line: len(rows) + 1}
		if err := json.Unmarshal(in.Bytes(), &row); err != nil {
			t.Fatalf("line %d: %v", row.line, err)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		t.Fatal("no tactics were read")
	}
	return rows
}

// TestTactics wants every row solved. A forced win must also be announced, in no more actions than a proof needs.
func TestTactics(t *testing.T) {
	nodes := map[string]uint64{"win": 300_000, "defend": 100_000}
	e := engine.New(engine.Options{})
	for _, row := range tactics(t) {
		r, err := e.Think(context.Background(), row.game(t), engine.Limits{Nodes: nodes[row.Kind]}, nil)
		if err != nil {
			t.Fatalf("line %d: %v", row.line, err)
		}
		if !slices.Contains(row.Best, r.Action.String()) {
			t.Errorf("line %d: %s %s: %s (%s, depth %d), want one of %v",
				row.line, row.Variant, row.Position, r.Action, r.Score, r.Depth, row.Best)
			continue
		}
		if n, forced := r.Score.Win(); row.Kind == "win" && (!forced || n > row.Within) {
			t.Errorf("line %d: %s %s: %s is %s, want a win in at most %d",
				row.line, row.Variant, row.Position, r.Action, r.Score, row.Within)
		}
	}
}
