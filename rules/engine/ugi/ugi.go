// Package ugi speaks the rules and the engine over a reader and a writer in the Universal Game Interface, a line each way: the
// relative of UCI that the field of abstract games uses.
//
// A line that cannot be carried out answers "error <why>" and changes nothing. Choosing a variant or changing a column
// begins a new game. Besides UGI there are legal, fen, reason, perft and eval.
package ugi

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strings"

	"kraal/rules"
	"kraal/rules/engine"
)

// Options is what a dialogue says of the program.
type Options struct {
	Name   string // after "id name"; "Kraal" if empty
	Author string // after "id author"; "the Kraal authors" if empty

	// Variant is what is played until the option of that name chooses another. If it is none, the first of the table.
	Variant rules.Variant

	// Engine is what plays until the options Hash and Threads change it.
	Engine engine.Options
}

// Serve carries on a dialogue until quit, the end of in, or the end of ctx. Commands are carried out in their order, quit
// too; while a long one (go, perft) runs, stop ends it, and those that wait before the stop, and isready is answered at
// once. A go without limits ends where nobody can stop it any more. Serve returns nil after quit and at the end of in,
// else the error of in, of out or of ctx. One read from in may still be waiting when Serve returns.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := dialogue{
		session: newSession(opts),
		out:     bufio.NewWriter(out),
		input:   make(chan input),
	}
	go readLines(ctx, in, d.input)
	return d.run(ctx)
}

// dialogue is the loop between what comes in and what goes out. It alone writes.
type dialogue struct {
	session *session
	out     *bufio.Writer
	input   chan input
	waiting []string // lines that came while a task ran
	ended   bool     // nothing more is read: in has ended, or quit came
	task    *task    // what runs now, or nil
}

// task is a command that takes long. Its answers come over the channel, which it closes when it ends.
type task struct {
	answers chan string
	stop    context.CancelFunc
	endless bool // only stop ends it
}

func (d *dialogue) run(ctx context.Context) error {
	defer d.abandon()
	for {
		if d.task == nil && len(d.waiting) > 0 {
			line := d.waiting[0]
			d.waiting = d.waiting[1:]
			if err := d.obey(ctx, line); err != nil {
				return err
			}
			continue
		}
		if d.task == nil && d.ended {
			return nil
		}
		if err := d.next(ctx); err != nil {
			return err
		}
	}
}

// obey carries out one line, or begins to.
func (d *dialogue) obey(ctx context.Context, line string) error {
	answers, long := d.session.do(line)
	if long != nil {
		d.start(ctx, long)
		d.task.endless = line == "go"
		d.stopLate()
	}
	return d.write(answers...)
}

// stopLate ends a task that was to be stopped before it began, or that nobody can stop.
func (d *dialogue) stopLate() {
	if slices.Contains(d.waiting, "stop") || d.ended && d.task.endless {
		d.task.stop()
	}
}

// start runs a long command beside the loop.
func (d *dialogue) start(ctx context.Context, long longCommand) {
	ctx, stop := context.WithCancel(ctx)
	t := &task{answers: make(chan string), stop: stop}
	go func() {
		defer close(t.answers)
		long(ctx, func(answer string) { t.answers <- answer })
	}()
	d.task = t
}

// next waits for the one thing that happens next.
func (d *dialogue) next(ctx context.Context) error {
	var answers chan string
	if d.task != nil {
		answers = d.task.answers
	}
	input := d.input
	if d.ended {
		input = nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case in := <-input:
		return d.receive(in)
	case answer, open := <-answers:
		if err := ctx.Err(); err != nil {
			return err // a task that ctx ended has nothing to say, and perhaps nobody reads any more
		}
		if open {
			return d.write(answer)
		}
		d.abandon()
	}
	return nil
}

// receive takes in a line: what may not wait is done at once.
func (d *dialogue) receive(in input) error {
	switch line := strings.TrimSpace(in.line); {
	case in.err == io.EOF || line == "quit": // what came before is still carried out
		if d.ended = true; d.task != nil {
			d.stopLate()
		}
	case in.err == errLineTooLong:
		return d.write("error " + in.err.Error())
	case in.err != nil:
		return in.err
	case d.task != nil && line == "stop":
		d.waiting = append(d.waiting, line) // it may be meant for a go that waits
		d.task.stop()
	case d.task != nil && line == "isready":
		return d.write("readyok")
	default:
		d.waiting = append(d.waiting, line)
	}
	return nil
}

// abandon ends the task, if one runs, and waits for it.
func (d *dialogue) abandon() {
	if d.task == nil {
		return
	}
	d.task.stop()
	for range d.task.answers { // what it still says is no longer wanted
	}
	d.task = nil
}

// write sends lines and flushes them.
func (d *dialogue) write(lines ...string) error {
	for _, line := range lines {
		d.out.WriteString(line)
		d.out.WriteByte('\n')
	}
	return d.out.Flush()
}
