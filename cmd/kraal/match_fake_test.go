package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"

	"kraal/rules"
)

const (
	// asOpponent makes the test's own binary be a program that plays matches, of the kind that it names.
	asOpponent = "TEST_AS_OPPONENT"

	// opponentPlays is the key of the game that it plays.
	opponentPlays = "TEST_OPPONENT_PLAYS"

	// opponentLine is a socket to which it holds a connection for as long as it lives.
	opponentLine = "TEST_OPPONENT_LINE"
)

// fake is such a program. It speaks both languages and plays a legal action, unless its kind has another way.
type fake struct {
	kind  string
	v     rules.Variant
	g     *rules.Game
	games int
	line  net.Conn
}

// fakeProgram runs until the end of its input, or longer.
func fakeProgram(kind string, in io.Reader) {
	f := fake{kind: kind}
	f.v, _ = rules.Lookup(os.Getenv(opponentPlays))
	f.g = rules.NewGame(f.v)
	if kind == "child" {
		f.hold()
		linger()
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		f.hear(lines.Text())
	}
	if kind == "clinging" {
		linger()
	}
}

// linger is how a program goes on when nobody speaks to it any more.
func linger() {
	never := make(chan os.Signal, 1)
	signal.Notify(never, os.Interrupt)
	<-never
}

// hold connects to the test, which sees the connection end with the program.
func (f *fake) hold() {
	line, err := net.Dial("unix", os.Getenv(opponentLine))
	if err != nil {
		os.Exit(4)
	}
	f.line = line
}

func (f *fake) hear(line string) {
	words := strings.Fields(line)
	switch words[0] {
	case "ugi", "uci":
		f.introduce(words[0])
	case "isready":
		fmt.Println("readyok")
	case "uginewgame", "ucinewgame":
		if f.games++; f.kind == "tired" && f.games > 1 {
			os.Exit(0)
		}
	case "setoption":
		f.set(words[2], words[4])
	case "position":
		f.g = rules.NewGame(f.v)
		for _, word := range words[min(3, len(words)):] {
			if a, err := rules.ParseAction(word); err != nil || f.g.Play(a) != nil {
				os.Exit(5)
			}
		}
	case "go":
		f.answer()
	}
}

func (f *fake) introduce(language string) {
	names := []string{"Variant", "Strength"}
	names = append(names, rules.Columns()...)
	for _, o := range uciOptions() {
		names = append(names, o.name)
	}
	for _, name := range names {
		if f.kind != "bare" {
			fmt.Printf("option name %s type string default x\n", name)
		}
	}
	fmt.Println(language + "ok")
}

// set takes the rules in UGI's words; of UCI's it knows the game already.
func (f *fake) set(name, value string) {
	if v, err := f.v.Set(name, value); err == nil {
		f.v = v
	}
	if name == "Strength" && value != "1,5" {
		fmt.Println("error Strength is 1,5")
	}
}

// answer says an action, in the way of its kind.
func (f *fake) answer() {
	legal := f.g.Legal()
	best := legal[7*f.g.Len()%len(legal)].String()
	switch f.kind {
	case "illegal":
		best = "xa1"
	case "nonsense":
		best = "z9"
	case "over":
		best = "draw"
	case "mute":
		best = ""
	case "silent":
		return
	case "flooding":
		for {
			fmt.Println("info depth 1")
		}
	case "waiting":
		f.hold()
		return
	case "dying":
		fmt.Fprintln(os.Stderr, "out of pieces")
		os.Exit(3)
	case "loud":
		fmt.Println(strings.Repeat("bestmove ", 1<<17))
	case "refusing":
		fmt.Println("error no")
	case "clinging":
		if f.g.Len() < 2 {
			f.bear()
		}
	}
	fmt.Println("info depth 40 score cp 1 nodes 9 bestmove " + best)
	if f.kind == "twice" {
		fmt.Println("bestmove " + best)
	}
}

// bear starts a program that would outlive this one.
func (f *fake) bear() {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), asOpponent+"=child")
	child.Stdout = os.Stdout
	if err := child.Start(); err != nil {
		os.Exit(6)
	}
}

// opponentOf is the contender that is a fake of a kind.
func opponentOf(t *testing.T, language, kind string, more ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	words := append([]string{language + "=" + self, "env." + asOpponent + "=" + kind, "nodes=9"}, more...)
	return `"` + strings.Join(words, `","`) + `"`
}
