package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	longestAnswer = 64 << 10        // bytes; a longer line is no answer and passed over
	longestLament = 2 << 10         // bytes of standard error that are kept
	partingTime   = 2 * time.Second // that a program has to end by itself
)

// What may become of a question.
var (
	errSilent = errors.New("is silent")
	errDied   = errors.New("has ended")
)

// process is a program that is spoken to line by line. Whoever has one must end it.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	lines  *bufio.Reader
	lament lament
}

// startProcess starts a program in a group of its own.
func startProcess(path string, args, environ []string) (*process, error) {
	p := &process{cmd: exec.Command(path, args...)}
	p.cmd.Env, p.cmd.Stderr, p.cmd.WaitDelay = environ, &p.lament, partingTime
	ownGroup(p.cmd)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	p.lines = bufio.NewReaderSize(p.out, longestAnswer)
	return p, p.cmd.Start()
}

// ask sends lines and hands those that come back to heard until it is content or has an error. A program that is not
// done within patience, or when ctx ends, is killed: that ends every read and write, so nothing waits for it.
func (p *process) ask(ctx context.Context, patience time.Duration, lines []string, heard func(string) (bool, error)) error {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	stop := context.AfterFunc(within, p.kill)
	err := p.converse(lines, heard)
	if stop() {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("%w for %v", errSilent, patience)
}

func (p *process) converse(lines []string, heard func(string) (bool, error)) error {
	if _, err := io.WriteString(p.in, strings.Join(lines, "\n")+"\n"); err != nil {
		return errDied
	}
	for {
		line, cut, err := p.lines.ReadLine()
		if err != nil {
			return errDied
		}
		for rest := cut; rest; {
			if _, rest, err = p.lines.ReadLine(); err != nil {
				return errDied
			}
		}
		if cut {
			continue
		}
		if done, err := heard(strings.TrimSpace(string(line))); done || err != nil {
			return err
		}
	}
}

func (p *process) kill() {
	killGroup(p.cmd)
	_ = p.out.Close() // what has left the group may hold the other end open
}

// end lets the program end by itself, kills it if it is slow to, and returns the processor time that it used. After it, what
// it said last on standard error is complete.
func (p *process) end() time.Duration {
	slow := time.AfterFunc(partingTime, p.kill)
	_, _ = io.WriteString(p.in, "quit\n") // an error: it has ended already, as it should
	_ = p.in.Close()
	_, _ = io.Copy(io.Discard, p.out) // until it has ended, or has been killed
	slow.Stop()
	killGroup(p.cmd) // what it started and left behind
	_ = p.cmd.Wait() // how it ended is of no interest
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// lament keeps the end of what is written to it.
type lament struct {
	mu   sync.Mutex
	last []byte
}

func (l *lament) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = append(l.last, b...)
	if over := len(l.last) - longestLament; over > 0 {
		l.last = append(l.last[:0], l.last[over:]...)
	}
	return len(b), nil
}

func (l *lament) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(bytes.TrimSpace(l.last))
}
