package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kraal/rules"
)

// shortMatch is a pair of short games between the engine and a program.
func shortMatch(opponent string) matchCmd {
	return matchCmd{First: "depth=1", Second: opponent, Variant: "thinhama", Rules: "pieces=3 no_shot=10", Pairs: 1, Opening: 2,
		Patience: time.Minute, Seed: 1}
}

// played runs a match and gives what it said on either output.
func played(t *testing.T, m matchCmd) (out, progress string, err error) {
	t.Helper()
	var said, told strings.Builder
	err = m.Run(&program{ctx: t.Context(), out: &said, err: &told, environ: os.Environ()})
	return said.String(), told.String(), err
}

func TestMatchWithPrograms(t *testing.T) {
	for _, test := range []struct {
		name, opponent, variant, rules string
	}{
		{"ugi", opponentOf(t, "ugi", "plain", "env."+opponentPlays+"=thinhama"), "thinhama", "pieces=3 no_shot=10"},
		{"uci", opponentOf(t, "uci", "plain", "env."+opponentPlays+"=morabaraba"), "morabaraba", ""},
		{"uci, black begins", opponentOf(t, "uci", "plain", "env."+opponentPlays+"=nine"), "nine", ""},
		{"an option with a comma", opponentOf(t, "uci", "plain", "env."+opponentPlays+"=nine", "option.Strength=1,5"), "nine", ""},
		{"a long line before each answer", opponentOf(t, "uci", "loud", "env."+opponentPlays+"=nine"), "nine", ""},
		{"ends after each game", opponentOf(t, "uci", "tired", "env."+opponentPlays+"=nine"), "nine", ""},
		{"kraal itself", opponentOf(t, "ugi", "", "env."+asKraal+"=1", "arg=ugi", "option.Hash=1"), "koti", "pieces=4 no_shot=10"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := shortMatch(test.opponent)
			m.Variant, m.Rules, m.Opening = test.variant, test.rules, 1
			out, _, err := played(t, m)
			if err != nil || !strings.Contains(out, "(won-drawn-lost)") || strings.Contains(out, "fault") {
				t.Errorf("%q, %v", out, err)
			}
			if !strings.Contains(out, " ms each), second ") {
				t.Errorf("%q does not tell of the processor", out)
			}
		})
	}
}

func TestMatchFaults(t *testing.T) {
	for kind, want := range map[string]string{
		"illegal":  "plays an illegal action: xa1: ",
		"nonsense": "answers what is no action: ",
		"mute":     "answers what is no action: ",
		"over":     `does not play on, though the game is not over: "draw"`,
		"dying":    `has ended, with "out of pieces" on standard error`,
		"twice":    "answered twice: ",
		"refusing": `refused a line: "error no"`,
	} {
		t.Run(kind, func(t *testing.T) {
			m := shortMatch(opponentOf(t, "ugi", kind, "env."+opponentPlays+"=thinhama"))
			out, progress, err := played(t, m)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "; at ") || out != "" {
				t.Errorf("%q, %q, %v; want %q", out, progress, err, want)
			}
			m.Faults, m.Games = 2, filepath.Join(t.TempDir(), "games")
			out, progress, err = played(t, m)
			if err != nil || !strings.HasPrefix(out, "2-0-0 ") || !strings.Contains(out, "lost by a fault: first 0, second 2\n") {
				t.Errorf("%q, %v", out, err)
			}
			if n := strings.Count(progress, "a game is lost: "); n != 2 || !strings.Contains(progress, want) {
				t.Errorf("%q", progress)
			}
			records, err := os.ReadFile(m.Games)
			if n := strings.Count(string(records), `[Termination "a fault"]`); err != nil || n != 2 {
				t.Errorf("%v, %s", err, records)
			}
		})
	}
}

// TestMatchSilence: a program that does not answer is given up, whatever else it says.
func TestMatchSilence(t *testing.T) {
	for _, kind := range []string{"silent", "flooding"} {
		m := shortMatch(opponentOf(t, "ugi", kind, "env."+opponentPlays+"=thinhama"))
		m.Patience = 300 * time.Millisecond
		if _, _, err := played(t, m); !errors.Is(err, errSilent) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestMatchCannotBegin(t *testing.T) {
	plain := opponentOf(t, "uci", "plain", "env."+opponentPlays+"=mhele")
	for _, test := range []struct{ opponent, variant, want string }{
		{opponentOf(t, "uci", "bare"), "nine", "has no option PiecesCount"},
		{opponentOf(t, "ugi", "plain", "option.Style=bold"), "nine", "has no option Style"},
		{opponentOf(t, "ugi", "plain", "option.Strength=9"), "nine", "refused a line"},
		{plain, "mhele", "UCI has no word for no_return"},
		{plain, "koti", "UCI has no word for blocked=passes"},
		{"ugi=/no/such/program,nodes=1", "nine", "no such file"},
		{"ugi=" + os.Args[0], "nine", "nothing ends its thinking"},
		{"ugi=" + os.Args[0] + ",nodes=0", "nine", "expected a number"},
		{"ugi=" + os.Args[0] + ",wings=2", "nine", "expected nodes, depth, movetime, arg"},
		{"ugi=" + os.Args[0] + `,"nodes=1`, "nine", "extraneous or missing"},
	} {
		m := shortMatch(test.opponent)
		m.Variant = test.variant
		if _, _, err := played(t, m); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.opponent, err, test.want)
		}
	}
}

// listening gives a socket to which fakes can hold a line.
func listening(t *testing.T) (address string, accepted func() net.Conn) {
	t.Helper()
	dir, err := os.MkdirTemp("", "kraal") // t.TempDir's names are too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "line"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String(), func() net.Conn {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
			return nil
		}
		return c
	}
}

// TestMatchLeavesNothing: a program that does not end is killed, with what it started.
func TestMatchLeavesNothing(t *testing.T) {
	address, accepted := listening(t)
	m := shortMatch(opponentOf(t, "ugi", "clinging", "env."+opponentPlays+"=thinhama", "env."+opponentLine+"="+address))
	m.Opening = 0
	if _, _, err := played(t, m); err != nil {
		t.Fatal(err)
	}
	child := accepted()
	if child == nil {
		return
	}
	defer child.Close()
	if _, err := io.Copy(io.Discard, child); err != nil { // ends with the child
		t.Error(err)
	}
}

// TestMatchInterrupted: whoever ends the match does not wait for a program that thinks.
func TestMatchInterrupted(t *testing.T) {
	address, accepted := listening(t)
	m := shortMatch(opponentOf(t, "ugi", "waiting", "env."+opponentPlays+"=thinhama", "env."+opponentLine+"="+address))
	m.Patience = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- m.Run(&program{ctx: ctx, out: io.Discard, err: io.Discard, environ: os.Environ()})
	}()
	if child := accepted(); child != nil {
		defer child.Close()
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestUCIRules holds the options to the rules that they stand for.
func TestUCIRules(t *testing.T) {
	for key, want := range map[string]string{
		"nine":       "9 false true false false 0 0 100 100 true",
		"thinhama":   "9 false true false false 0 0 100 100 true",
		"morabaraba": "12 true true true false 0 0 50 50 true",
		"tournament": "12 true false true false 0 0 20 20 true",
	} {
		v, _ := rules.Lookup(key)
		settings, err := uciRules(v)
		var got []string
		for _, s := range settings {
			got = append(got, s.value)
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %v, %v, want %s", key, got, err, want)
		}
	}
	v, _ := rules.Lookup("nine")
	for _, change := range []string{"no_shot=0", "full_board=draws"} {
		v, err := v.With(change)
		if err != nil {
			t.Fatal(err)
		}
		if settings, err := uciRules(v); err != nil || len(settings) == 0 {
			t.Errorf("%s: %v, %v", change, settings, err)
		}
	}
}
