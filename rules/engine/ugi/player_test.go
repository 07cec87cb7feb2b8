package ugi

import (
	"context"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kraal/rules"
	"kraal/rules/engine"
)

const (
	// over is a game that black has lost.
	over = "setoption name Variant value thinhama\nposition fen www/.../.../....../b../.../..b b 0,0 0 0,0 -,-\n"

	// mill is a position in which white closes a mill and wins.
	mill = "setoption name Variant value thinhama\nposition fen ww./.../.../.....w/b../.../b.b w 0,0 0 0,0 -,-\n"
)

func TestGo(t *testing.T) {
	info := regexp.MustCompile(`^info depth \d+ score (cp -?\d+|win \d+|loss \d+) nodes \d+ nps \d+( pv( \S+)+)$`)
	tests := []struct {
		name, in string
		last     []string // answers that would do at the end
	}{
		{"a mill", mill + "go depth 6", []string{"bestmove g4-g7"}},
		{"its shot", mill + "position fen www/.../.../....../b../.../b.b w 0,0 1 0,0 -,-\ngo depth 4",
			[]string{"bestmove xa1", "bestmove xc3", "bestmove xg1"}},
		{"by nodes", mill + "go nodes 5000", []string{"bestmove g4-g7"}},
		{"by time", mill + "go movetime 20", []string{"bestmove g4-g7"}},
		{"until it is forced", mill + "go", []string{"bestmove g4-g7"}},
		{"several threads", "setoption name Threads value 2\nsetoption name Hash value 2\n" + mill + "go depth 6",
			[]string{"bestmove g4-g7"}},
		{"a level", "setoption name Level value 4\n" + mill + "go", []string{"bestmove g4-g7"}},
	}
	for _, test := range tests {
		got := converse(t, test.in+"\n")
		last := len(got) - 1
		if !slices.Contains(test.last, got[last]) || last < 1 {
			t.Errorf("%s: got\n%s\nwant %q at the end", test.name, strings.Join(got, "\n"), test.last)
		}
		for _, line := range got[:last] {
			if !info.MatchString(line) {
				t.Errorf("%s: %q is no info", test.name, line)
			}
		}
	}
}

func TestWinIsCountedInActions(t *testing.T) {
	got := converse(t, mill+"go depth 6\n")
	if want := " score win 2 "; len(got) < 2 || !strings.Contains(got[len(got)-2], want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNothingToGoFor(t *testing.T) {
	got := converse(t, over+"go depth 3\neval\nposition fen www/.../.../....../.../.../bbb w 0,3 0 0,0 -,-\ngo depth 3\n")
	want := []string{"error go: the game is over", "error eval: the game is over",
		"error go: no action is legal, though the game is not over"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEval(t *testing.T) {
	got := converse(t, "position fen .ww/.w./.../w....w/b../.../b.b b 0,0 0 0,0 -,-\neval\n")
	if len(got) != 1 || !strings.HasPrefix(got[0], "score cp -") {
		t.Errorf("got %q", got)
	}
}

func TestStopEndsGo(t *testing.T) {
	say, answers, served := talk(t, context.Background())
	if _, err := io.WriteString(say, "go\n"); err != nil {
		t.Fatal(err)
	}
	for answers.Scan() && !strings.HasPrefix(answers.Text(), "info depth 3 ") {
		continue
	}
	said := make(chan error, 1)
	go func() { // what is answered meanwhile has to be heard
		_, err := io.WriteString(say, "stop\n")
		said <- err
	}()
	var action string
	for action == "" && answers.Scan() {
		if name, found := strings.CutPrefix(answers.Text(), "bestmove "); found {
			action = name
		}
	}
	if err := <-said; err != nil {
		t.Fatal(err)
	}
	a, err := rules.ParseAction(action)
	if err != nil || a.Kind != rules.Place {
		t.Errorf("bestmove %q, %v", action, err)
	}
	say.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestGoEndsInAScript wants an action for each go of lines that come all at once: stop also ends a go that waits for another
// to end, and one without limits ends with the dialogue.
func TestGoEndsInAScript(t *testing.T) {
	for script, want := range map[string]int{
		"go nodes 2000\nposition startpos moves d6\ngo\nstop\nisready\nquit\n": 2,
		"go\nquit\n":                1,
		"go":                        1,
		"go\nstop\ngo nodes 2000\n": 2,
	} {
		best := 0
		for _, line := range converse(t, script) {
			if strings.HasPrefix(line, "bestmove ") {
				best++
			}
		}
		if best != want {
			t.Errorf("%q: %d actions, want %d", script, best, want)
		}
	}
}

// TestEngineOptions wants what the caller hands in to be what plays.
func TestEngineOptions(t *testing.T) {
	s := newSession(Options{Engine: engine.Options{Hash: 3, Threads: 2, Seed: 9}})
	if _, long := s.do("go depth 1"); long == nil {
		t.Fatal("go is answered at once")
	}
	if want := (engine.Options{Hash: 3, Threads: 2, Seed: 9}); s.player.opts != want {
		t.Errorf("%+v, want %+v", s.player.opts, want)
	}
}
