package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"kraal/rules"
	"kraal/rules/engine"
)

// TestTuneRefused wants a command line that no one could carry out to end with 2 and one line.
func TestTuneRefused(t *testing.T) {
	for _, args := range []string{
		"--variant=chess", "--games=0", "--nodes=0", "--opening=0", "--judge=-1", "--refine=-1", "--chance=2", "--blend=NaN",
		"--start=/no/such/file", "--games=many", "--output=/no/such/file",
	} {
		var said strings.Builder
		p := program{ctx: t.Context(), out: &said, err: &said}
		if code := run(p, []string{"dev", "tune", args}); code != 2 || strings.Count(said.String(), "\n") != 1 {
			t.Errorf("%s: exit %d, %q", args, code, said.String())
		}
	}
}

// TestTuneInterrupted wants what stands to be written when the tuning is cut short.
func TestTuneInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "weights.json")
	c := tuneCmd{Variant: "mhele", Rounds: 1, Games: 3, Nodes: 50, Opening: 2, Judge: 1, Output: path}
	var said strings.Builder
	if err := c.Run(&program{ctx: ctx, out: &said, err: &said}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
	v, _ := rules.Lookup("mhele")
	var w engine.Weights
	if err := readWeights(path, &w); err != nil || w != engine.WeightsFor(v) {
		t.Errorf("wrote %+v, error %v", w, err)
	}
}

// TestTuneJudges wants weights that lose their match not to stand, and others to stand and be written.
func TestTuneJudges(t *testing.T) {
	v, _ := rules.Lookup("nine")
	good := engine.WeightsFor(v)
	bad := good
	for _, n := range bad.Numbers() {
		*n = -*n // it throws its own pieces away
	}
	for _, test := range []struct {
		name                    string
		standing, proposed, now engine.Weights
	}{
		{"worse", good, bad, good},
		{"better", bad, good, good},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "weights.json")
			under := tuning{
				tuneCmd: tuneCmd{Nodes: 100, Judge: 3, Seed: 1, Output: path}, variant: v, ctx: t.Context(),
				say: new(strings.Builder), weights: test.standing,
			}
			if err := errors.Join(under.propose("it", test.proposed), under.write()); err != nil {
				t.Fatal(err)
			}
			var written engine.Weights
			if err := readWeights(path, &written); err != nil || under.weights != test.now || written != test.now {
				t.Errorf("%+v stand, %+v are written, error %v", under.weights, written, err)
			}
		})
	}
}
