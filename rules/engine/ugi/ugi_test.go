package ugi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"kraal/rules"
)

// converse gives a whole dialogue's lines and returns the answers.
func converse(t *testing.T, in string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(context.Background(), strings.NewReader(in), &out, Options{}); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestDialogue(t *testing.T) {
	const koti = "setoption name Variant value koti\n"
	tests := []struct {
		name, in string
		want     []string
	}{
		{"ready", "isready\n", []string{"readyok"}},
		{"opening", "fen", []string{"fen .../.../.../....../.../.../... b 9,9 0 0,0 -,-"}},
		{"another variant", koti + "fen\nquery p1turn", []string{"fen .../.../.../....../.../.../... w 12,12 0 0,0 -,-", "response true"}},
		{"a column", koti + "setoption name pieces value 3\nsetoption name First value Black\nfen",
			[]string{"fen .../.../.../....../.../.../... b 3,3 0 0,0 -,-"}},
		{"columns go with the variant chosen last", "setoption name pieces value 3\nsetoption name Variant value nine\nfen",
			[]string{"fen .../.../.../....../.../.../... b 9,9 0 0,0 -,-"}},
		{"a new game keeps its rules", "setoption name pieces value 3\nposition startpos moves d7\nuginewgame\nfen",
			[]string{"fen .../.../.../....../.../.../... b 3,3 0 0,0 -,-"}},
		{"moves", "position startpos moves d6 f4 d7 b6 d5\nfen\nlegal",
			[]string{"fen .b./wb./.b./....w./.../.../... b 7,6 1 0,0 -,-", "legal xb6 xf4"}},
		{"a protected piece", "position fen bbb/.b./.../w.w.../w../.../... w 5,5 0 0,0 -,- moves b4 xa7\nfen",
			[]string{"error xa7: piece stands in a mill", "fen .../.../.../....../.../.../... b 9,9 0 0,0 -,-"}},
		{"a game that goes on", "query gameover\nquery result\nreason",
			[]string{"response false", "response none", "reason none"}},
		{"a game that is won", "position fen ww./.w./.../b...../b../.../b.. w 0,0 0 0,0 -,- moves d6-g7 xa4\n" +
			"query gameover\nquery result\nreason\nlegal\nperft 1\nperft 0",
			[]string{"response true", "response p1win", "reason fewer-than-three", "legal", "nodes 0", "nodes 1"}},
		{"a game that is lost", "position fen ww./.../.../b...../b../.../b.. w 0,0 0 0,0 -,-\nquery result\nquery p1turn",
			[]string{"response p2win", "response true"}},
		{"a draw", koti + "position fen bww/wbb/bww/wbbwbb/wbb/bww/wbw w 0,0 0 0,0 -,-\nquery result\nreason",
			[]string{"response draw", "reason deadlock"}},
		{"counting", "perft 3\nperft 5\nquit\nisready", []string{"nodes 12144", "nodes 5100480"}},
		{"windows line ends, blank lines and tabs", "isready\r\n\r\n  \nperft\t1\r\n", []string{"readyok", "nodes 24"}},
		{"stop with nothing to stop", "stop\nisready", []string{"readyok"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := converse(t, test.in); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestRepetitionEndsTheGame(t *testing.T) {
	const round = " c5-d5 a7-d7 d5-c5 d7-a7"
	got := converse(t, "position fen w../w.b/b../.b..w./.../bw./... b 0,0 0 0,0 -,- moves"+round+round+"\nreason\nlegal\nfen")
	want := []string{"reason repetition", "legal", "fen w../w.b/b../.b..w./.../bw./... b 0,0 0 8,0 -,-"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestErrorsChangeNothing(t *testing.T) {
	const before = "setoption name Variant value mhele\nposition startpos moves d6 f4\n"
	tests := []struct{ line, want string }{
		{"dance", `error no command "dance"`},
		{"go movetime", "error go: expected movetime, depth or nodes, each with a number, 1 or more"},
		{"go depth 0", "error go: expected movetime, depth or nodes, each with a number, 1 or more"},
		{"go ponder 3", "error go: expected movetime, depth or nodes, each with a number, 1 or more"},
		{"setoption name Level value 8", `error Level="8": allowed is a number from 1 to 7`},
		{"setoption name Threads value none", `error Threads="none": allowed is a number from 1 to 64`},
		{"setoption name hash value 0", `error Hash="0": allowed is a number from 1 to 4096`},
		{"query winner", "error query: expected gameover, result or p1turn"},
		{"perft", "error perft: expected a number of actions, 0 or more"},
		{"perft -1", "error perft: expected a number of actions, 0 or more"},
		{"setoption", "error setoption: expected name, an option, value, its value"},
		{"setoption name Variant value chess", `error no variant "chess"`},
		{"setoption name wings value 2", `error no option "wings"`},
		{"setoption name pieces value 13", `error pieces="13": allowed is a number from 3 to 12`},
		{"setoption name repetition value 1", `error repetition="1": allowed is a number from 0 to 65535 but 1`},
		{"setoption name shots value two", `error shots="two": allowed is one or each`},
		{"position", "error position: expected startpos, or fen and a position, then perhaps moves and actions"},
		{"position startpos d7", "error position: expected startpos, or fen and a position, then perhaps moves and actions"},
		{"position startpos moves d7 d7", "error d7: point is taken"},
		{"position startpos moves d7 b8", `error point "b8": expected a point such as d7`},
		{"position startpos moves d7 pass", "error pass: passing is not allowed here"},
		{"position fen ... w", `error position "... w": expected six fields with one space between: pieces, turn, hand, shots, counts, forbidden`},
		{"position fen .../.../.../....../.../.../... w 13,12 1 0,0 -,-", "error hand of white: more pieces on the board and in " +
			"hand than the variant has; shots of white: shots pending and no opposing piece on the board"},
		{strings.Repeat("d7 ", maxLine), "error line is longer than 1048576 bytes"},
	}
	for _, test := range tests {
		want := []string{test.want, "fen .../.w./.../....b./.../.../... w 11,11 0 0,0 -,-"}
		if got := converse(t, before+test.line+"\nfen\n"); !slices.Equal(got, want) {
			t.Errorf("%.60q: got\n%s\nwant\n%s", test.line, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestIdentifyListsEveryOption(t *testing.T) {
	got := converse(t, "setoption name Variant value koti\nsetoption name no_shot value 7\nugi")
	if got[0] != "id name Kraal" || !strings.HasPrefix(got[1], "id author ") || got[len(got)-1] != "ugiok" {
		t.Errorf("got %q", got)
	}
	for _, want := range []string{
		"option name Variant type combo default koti var nine var thinhama var mhele var morabaraba var koti var tournament",
		"option name pieces type spin default 12 min 3 max 12",
		"option name no_shot type spin default 7 min 0 max 65535",
		"option name protected type check default false",
		"option name shots type combo default each var one var each",
		"option name Level type spin default 7 min 1 max 7",
		"option name Threads type spin default 1 min 1 max 64",
		"option name Hash type spin default 16 min 1 max 4096",
		"option name TablePath type string default <empty>",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if want := 8 + len(rules.Columns()); len(got) != want {
		t.Errorf("%d lines, want %d", len(got), want)
	}
}

func TestOptionsSayWhatIsPlayed(t *testing.T) {
	v, _ := rules.Lookup("tournament")
	var out bytes.Buffer
	err := Serve(context.Background(), strings.NewReader("ugi"), &out, Options{Name: "Kgomo", Author: "A. N. Other", Variant: v})
	if err != nil || !strings.HasPrefix(out.String(), "id name Kgomo\nid author A. N. Other\noption name Variant type combo default tournament ") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// talk runs a dialogue and gives its two ends: what is said to it, and what it answers.
func talk(t *testing.T, ctx context.Context) (say io.WriteCloser, answers *bufio.Scanner, served <-chan error) {
	t.Helper()
	in, say := io.Pipe()
	heard, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(ctx, in, out, Options{})
		out.Close()
	}()
	t.Cleanup(func() { in.Close(); heard.Close() })
	return say, bufio.NewScanner(heard), done
}

func TestStopEndsPerft(t *testing.T) {
	say, answers, served := talk(t, context.Background())
	for _, exchange := range [][2]string{
		{"perft 30\nisready\n", "readyok"},
		{"legal\nstop\n", "error perft: stopped"}, // legal waits for its turn
		{"", "legal a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 e3 e4 e5 f2 f4 f6 g1 g4 g7"},
	} {
		if _, err := io.WriteString(say, exchange[0]); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() || answers.Text() != exchange[1] {
			t.Fatalf("after %q: %q, want %q", exchange[0], answers.Text(), exchange[1])
		}
	}
	say.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestContextEndsTheDialogue(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	say, answers, served := talk(t, ctx)
	if _, err := io.WriteString(say, "perft 30\nisready\n"); err != nil {
		t.Fatal(err)
	}
	if !answers.Scan() || answers.Text() != "readyok" {
		t.Fatalf("%q", answers.Text())
	}
	cancel()
	if err := <-served; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// broken is a reader and writer that fails.
type broken struct{}

var errBroken = errors.New("broken")

func (broken) Read([]byte) (int, error)  { return 0, errBroken }
func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestBrokenEndsAreReported(t *testing.T) {
	ctx := context.Background()
	if err := Serve(ctx, broken{}, io.Discard, Options{}); !errors.Is(err, errBroken) {
		t.Errorf("reading: %v", err)
	}
	if err := Serve(ctx, strings.NewReader("perft 5\nisready\n"), broken{}, Options{}); !errors.Is(err, errBroken) {
		t.Errorf("writing: %v", err)
	}
}

func FuzzSession(f *testing.F) {
	f.Add("setoption name Variant value koti\nposition startpos moves d7 xd7\nlegal\nfen\nugi")
	f.Add("position fen w../.../.../....../.../.../... w 1,1 0 0,0 -,- moves\nquery result\nreason")
	f.Fuzz(func(t *testing.T, text string) {
		s := newSession(Options{})
		for _, line := range strings.Split(text, "\n") {
			before := s.game
			answers, _ := s.do(line)
			for _, answer := range answers {
				if strings.ContainsAny(answer, "\r\n") || answer == "" {
					t.Errorf("%q answered %q", line, answer)
				}
				if strings.HasPrefix(answer, "error ") && s.game != before {
					t.Errorf("%q refused, yet the game is another", line)
				}
			}
		}
	})
}
