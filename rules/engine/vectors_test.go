package engine_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kraal/rules"
	"kraal/rules/engine"
)

// vector is a row of the positions vectors, of which the engine needs what may be played.
type vector struct {
	Variant  string         `json:"variant"`
	Rules    map[string]any `json:"rules"`
	Position string         `json:"position"`
	Legal    []string       `json:"legal"`
}

func vectors(t *testing.T) (rows []vector) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "vectors", "positions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Buffer(nil, 1<<20); in.Scan(); {
		var row vector
		if err := json.Unmarshal(in.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if err := in.Err(); err != nil || len(rows) < 1000 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	return rows
}

func (row vector) game(t *testing.T) *rules.Game {
	t.Helper()
	v, known := rules.Lookup(row.Variant)
	if !known {
		t.Fatalf("no variant %q", row.Variant)
	}
	for column, value := range row.Rules {
		var err error
		if v, err = v.Set(column, fmt.Sprint(value)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := v.ParsePosition(row.Position)
	if err != nil {
		t.Fatal(err)
	}
	return rules.NewGameAt(v, p)
}

// TestLegalAtEveryLevel has every level act in every position of the vectors: what it plays is one of the actions listed
// there, and where there is none it says that the game is over.
func TestLegalAtEveryLevel(t *testing.T) {
	e := engine.New(engine.Options{Hash: 1, Seed: 3})
	ended := 0
	for i, row := range vectors(t) {
		g := row.game(t)
		for level := 1; level <= len(engine.Levels()); level++ {
			r, err := e.Think(context.Background(), g, engine.Limits{Level: level, Nodes: 200}, nil)
			switch {
			case g.Status().Over:
				ended++
				if !errors.Is(err, engine.ErrGameOver) {
					t.Errorf("row %d, level %d: %s, %v, want %v", i+1, level, r.Action, err, engine.ErrGameOver)
				}
			case err != nil || !slices.Contains(row.Legal, r.Action.String()):
				t.Errorf("row %d, level %d: %s, %v, want one of %v", i+1, level, r.Action, err, row.Legal)
			}
		}
	}
	if ended == 0 {
		t.Error("no game was over")
	}
}
