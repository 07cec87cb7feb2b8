package main

import (
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"kraal/rules"
)

func TestTally(t *testing.T) {
	var m tally
	m.count(rules.WhiteWins, rules.White)
	m.count(rules.WhiteWins, rules.Black)
	m.count(rules.Drawn, rules.White)
	m.count(rules.BlackWins, rules.Black)
	m.pairs = []float64{0.5, 0.75}
	if m.won != 2 || m.drawn != 1 || m.lost != 1 {
		t.Errorf("%+v", m)
	}
	mean, margin := m.interval()
	if mean != 0.625 || math.Abs(margin-0.245) > 0.001 {
		t.Errorf("%f ± %f", mean, margin)
	}
	var out strings.Builder
	if err := m.print(&out); err != nil || out.String() != "2-1-1 (won-drawn-lost) 62.5 % ± 24.5, Elo +89 (-85 to +330)\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// TestTallyAlike: pairs that are all alike do not make a score certain.
func TestTallyAlike(t *testing.T) {
	m := tally{pairs: []float64{1, 1, 1, 1, 1, 1}}
	if mean, margin := m.interval(); mean != 1 || margin != 0.5 {
		t.Errorf("%f ± %f", mean, margin)
	}
}

func TestContenders(t *testing.T) {
	for _, spec := range []string{"level=3", "nodes=100", "depth=2,hash=1", "movetime=5,threads=2", "level=7,nodes=10"} {
		if _, err := readContender(spec, 1); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
	}
	for spec, want := range map[string]string{
		"":                   "expected a name",
		"level=x":            "expected a name",
		"level=0":            "expected a name",
		"wings=2":            "expected level",
		"level=7":            "nothing ends",
		"weights=/no/such":   "no such file",
		"nodes=3,weights=..": "is a directory",
	} {
		if _, err := readContender(spec, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", spec, err, want)
		}
	}
}

// TestMatch wants every game counted once, and the same again from the same seed.
func TestMatch(t *testing.T) {
	var said [2]strings.Builder
	for i := range said {
		p := program{ctx: t.Context(), out: &said[i], err: io.Discard}
		m := matchCmd{First: "nodes=300", Second: "level=1", Variant: "koti", Rules: "pieces=5 no_shot=20"}
		m.Pairs, m.Opening, m.Seed, m.Patience = 3, 3, 4, time.Minute
		if err := m.Run(&p); err != nil {
			t.Fatal(err)
		}
	}
	got, processor, _ := strings.Cut(said[0].String(), "\n")
	again, _, _ := strings.Cut(said[1].String(), "\n")
	if !regexp.MustCompile(`^[4-6]-[0-2]-[0-2] .* %`).MatchString(got) || got != again {
		t.Errorf("%q, then %q", got, again)
	}
	if !strings.HasPrefix(processor, "processor: first ") {
		t.Errorf("%q", processor)
	}
}

// TestMatchRefused wants a command line that no one could carry out to end with 2 and one line.
func TestMatchRefused(t *testing.T) {
	for _, args := range [][]string{
		{"level=2", "level=x"}, {"level=7", "level=1"}, {"level=2", "ugi=/no/such/program,nodes=1"}, {"level=2"},
		{"level=2", "level=1", "--variant=chess"}, {"level=2", "level=1", "--rules=wings=3"},
		{"level=2", "level=1", "--openings=/no/such/file"}, {"level=2", "level=1", "--games=/no/such/file"},
		{"level=2", "level=1", "--pairs=-1"}, {"level=2", "level=1", "--pairs=2000000000"},
		{"level=2", "level=1", "--sprt=5"}, {"level=2", "level=1", "--patience=0s"},
	} {
		var said strings.Builder
		p := program{ctx: t.Context(), out: &said, err: &said}
		if code := run(p, append([]string{"dev", "match"}, args...)); code != 2 || strings.Count(said.String(), "\n") != 1 {
			t.Errorf("%s: exit %d, %q", args, code, said.String())
		}
	}
}

// TestRandomOpening wants a game to go on after an opening, however many actions were asked for.
func TestRandomOpening(t *testing.T) {
	for _, v := range rules.Variants() {
		for _, actions := range []int{0, 4, 1 << 30} {
			g := randomOpening(v, actions, rand.New(rand.NewPCG(1, 1)))
			if g.Status().Over || actions <= 4 && g.Len() != actions || actions > 4 && g.Len() < 10 {
				t.Errorf("%s: %d actions of %d, over: %t", v.Key, g.Len(), actions, g.Status().Over)
			}
		}
	}
}
