package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"kraal/rules"
)

// programSpec is how a program is run and asked: the words of a contender that begins with ugi= or uci=.
type programSpec struct {
	dialect dialect
	path    string
	args    []string
	environ []string
	options []setting
	limits  []string // the words after go
}

// isProgram tells whether a contender is a program.
func isProgram(spec string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(spec, `"`), "=")
	_, known := dialects()[name]
	return known
}

// readProgram reads the words of a contender that is a program. They are a line of CSV, so that a word with a comma in it
// can be written, between quotation marks.
func readProgram(spec string) (programSpec, error) {
	in := csv.NewReader(strings.NewReader(spec))
	words, err := in.Read()
	if err != nil {
		return programSpec{}, fmt.Errorf("%q: %w", spec, err)
	}
	language, path, _ := strings.Cut(words[0], "=")
	p := programSpec{dialect: dialects()[language]}
	if p.path, err = exec.LookPath(path); err != nil {
		return p, err
	}
	for _, word := range words[1:] {
		if err := p.readWord(word); err != nil {
			return p, err
		}
	}
	if len(p.limits) == 0 {
		return p, fmt.Errorf("%q: nothing ends its thinking; give nodes, depth or movetime", spec)
	}
	return p, nil
}

func (p *programSpec) readWord(word string) error {
	name, value, _ := strings.Cut(word, "=")
	if option, ok := strings.CutPrefix(name, "option."); ok && option != "" {
		p.options = append(p.options, setting{option, value})
		return nil
	}
	if variable, ok := strings.CutPrefix(name, "env."); ok && variable != "" {
		p.environ = append(p.environ, variable+"="+value)
		return nil
	}
	switch name {
	case "arg":
		p.args = append(p.args, value)
	case "nodes", "depth", "movetime":
		if n, err := strconv.Atoi(value); err != nil || n < 1 {
			return fmt.Errorf("%q: expected a number, 1 or more", word)
		}
		p.limits = append(p.limits, name, value)
	default:
		return fmt.Errorf("%q: expected nodes, depth, movetime, arg, option.NAME or env.NAME", name)
	}
	return nil
}

// fault is what loses a game at once: the program did what no player may.
type fault struct {
	path     string
	actions  []rules.Action
	position rules.Position
	why      error
}

func (f *fault) Error() string {
	return fmt.Sprintf("%s %v; at %s, after: %s", f.path, f.why, f.position, texts(f.actions))
}

func (f *fault) Unwrap() error { return f.why }

// What a program's answer may be, beside an illegal action.
var (
	errRefused = errors.New("refused a line")
	errTwice   = errors.New("answered twice")
	errNotPlay = errors.New("does not play on, though the game is not over")
)

// programRival is a program that plays a match. It is started when the first game begins, and anew after a fault.
type programRival struct {
	programSpec
	variant  rules.Variant
	patience time.Duration // for each answer
	running  *process      // nil: not now
	spent    account
}

// begin prepares for a new game. A program that has ended since the last one, or says what nobody asked, is started anew.
func (r *programRival) begin(ctx context.Context) error {
	if r.running != nil && r.settle(ctx, r.dialect.fresh) == nil {
		return nil
	}
	r.end()
	running, err := startProcess(r.path, r.args, r.environ)
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	r.running = running
	if err = r.introduce(ctx); err == nil {
		err = r.settle(ctx, r.dialect.fresh)
	}
	if err != nil {
		err = r.giveUp(err)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%s %w", r.path, err)
}

// giveUp ends a program that err happened to, since whatever it may still say is no answer to what comes next. If it had
// ended by itself, its last words are added.
func (r *programRival) giveUp(err error) error {
	running := r.running
	r.end()
	if last := running.lament.String(); last != "" && errors.Is(err, errDied) {
		return fmt.Errorf("%w, with %q on standard error", err, last)
	}
	return err
}

// introduce asks the program for its options and sets those that are to be set.
func (r *programRival) introduce(ctx context.Context) error {
	known := map[string]bool{}
	err := r.running.ask(ctx, r.patience, []string{r.dialect.hello}, func(line string) (bool, error) {
		known[optionNamed(line)] = true
		return line == r.dialect.welcome, refusal(line)
	})
	if err != nil {
		return err
	}
	settings, err := r.dialect.rules(r.variant)
	if err != nil {
		return fmt.Errorf("cannot play this: %w", err)
	}
	var lines []string
	for _, s := range append(settings, r.options...) {
		if !known[strings.ToLower(s.name)] {
			return fmt.Errorf("has no option %s", s.name)
		}
		lines = append(lines, fmt.Sprintf("setoption name %s value %s", s.name, s.value))
	}
	return r.settle(ctx, lines...)
}

// settle sends lines that have no answer, and waits until they have been carried out.
func (r *programRival) settle(ctx context.Context, lines ...string) error {
	return r.running.ask(ctx, r.patience, append(lines, "isready"), func(line string) (bool, error) {
		if strings.HasPrefix(line, "bestmove") || strings.Contains(line, " bestmove ") {
			return true, fmt.Errorf("%w: %q", errTwice, line)
		}
		return line == "readyok", refusal(line)
	})
}

// refusal is the error that a line tells of, if it is one of that kind.
func refusal(line string) error {
	if strings.HasPrefix(line, "error") {
		return fmt.Errorf("%w: %q", errRefused, line)
	}
	return nil
}

// choose asks for an action. An error that is not ctx's is a *fault.
func (r *programRival) choose(ctx context.Context, g *rules.Game) (rules.Action, error) {
	a, err := r.ask(ctx, g)
	if err == nil {
		r.spent.actions++
		return a, nil
	}
	err = r.giveUp(err)
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	return a, &fault{r.path, g.Actions(), g.Position(), err}
}

func (r *programRival) ask(ctx context.Context, g *rules.Game) (a rules.Action, err error) {
	position := "position startpos"
	if g.Len() > 0 {
		position += " moves " + texts(g.Actions())
	}
	if err := r.settle(ctx, position); err != nil {
		return a, err
	}
	question := strings.Join(append([]string{"go"}, r.limits...), " ")
	err = r.running.ask(ctx, r.patience, []string{question}, func(line string) (bool, error) {
		if err := refusal(line); err != nil {
			return true, err
		}
		answer, found := bestMove(line)
		if !found {
			return false, nil
		}
		a, err = legalAnswer(g, answer)
		return true, err
	})
	return a, err
}

// bestMove finds the action in an answer. Some programs say it at the end of a line of information.
func bestMove(line string) (answer string, found bool) {
	words := strings.Fields(line)
	i := slices.Index(words, "bestmove")
	if i < 0 {
		return "", false
	}
	if i+1 < len(words) {
		answer = words[i+1]
	}
	return answer, true
}

// legalAnswer reads an answer and judges it.
func legalAnswer(g *rules.Game, answer string) (rules.Action, error) {
	if answer == "draw" || answer == "none" {
		return rules.Action{}, fmt.Errorf("%w: %q", errNotPlay, answer)
	}
	a, err := rules.ParseAction(answer)
	if err != nil {
		return a, fmt.Errorf("answers what is no action: %w", err)
	}
	if _, err := g.Variant().Play(g.Position(), a); err != nil {
		return a, fmt.Errorf("plays an illegal action: %w", err)
	}
	return a, nil
}

// end ends the program, if it runs.
func (r *programRival) end() {
	if r.running != nil {
		r.spent.time += r.running.end()
		r.running = nil
	}
}

func (r *programRival) account() account { return r.spent }

// texts writes actions as a program reads them.
func texts(actions []rules.Action) string {
	var b strings.Builder
	for i, a := range actions {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a.String())
	}
	return b.String()
}
