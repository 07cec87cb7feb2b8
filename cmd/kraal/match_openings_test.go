package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraal/rules"
)

func TestReadOpenings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "openings")
	v, _ := rules.Lookup("thinhama")
	for _, test := range []struct {
		name, text string
		want       []string // the actions of each
		err        string
	}{
		{"three", "d7 a1\n\n# a mill with its shot\n d7 a1 a7 a4 g7 # pending\r\nD6",
			[]string{"d7 a1", "d7 a1 a7 a4 g7", "d6"}, ""},
		{"no action", "d7\nd7 z9\n", nil, ":2: "},
		{"an illegal one", "# two\n\nd7 d7\n", nil, ":3: d7: "},
		{"nothing", "# nothing\n", nil, "no opening in it"},
		{"a line without end", "d7\n" + strings.Repeat("d7 ", 1<<16), nil, ":2: "},
	} {
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		games, err := readOpenings(path, v)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: %v, want %q", test.name, err, test.err)
			}
			continue
		}
		var got []string
		for _, g := range games {
			got = append(got, texts(g.Actions()))
		}
		if err != nil || strings.Join(got, "|") != strings.Join(test.want, "|") {
			t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

// TestOpeningThatEnds: from a game that is over nobody can play.
func TestOpeningThatEnds(t *testing.T) {
	v, _ := rules.Lookup("thinhama")
	short, err := v.With("pieces=3")
	if err != nil {
		t.Fatal(err)
	}
	over := strings.Fields("d7 a1 a7 d1 g7 xa1 a4")
	if _, err := readOpening(over[:6], short); err != nil {
		t.Errorf("before its last action: %v", err)
	}
	if _, err := readOpening(over, short); err == nil || !strings.Contains(err.Error(), "is over after it") {
		t.Errorf("after it: %v", err)
	}
}
