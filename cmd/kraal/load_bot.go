package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime/pprof"
	"sync"
	"time"

	"kraal/bot"
	"kraal/bot/discord"
	"kraal/bot/discord/wire"
	"kraal/bot/discord/words"
	"kraal/bot/rating"
	"kraal/bot/sandbox"
	"kraal/render"
	"kraal/storage/boltstore"
)

// measuredCmd is the bot in a process of its own that is measured from within: each second it writes a sample. It ends with
// its input, so that it does not outlive whoever started it.
type measuredCmd struct {
	Collect bool   `help:"Collect garbage before each sample."`
	Blank   bool   `help:"Draw one picture for all."`
	Profile string `help:"Write a profile of the processor's time to this file."`

	greet bool // servers are greeted
}

// Run runs the bot, measured.
func (m measuredCmd) Run(p *program) error {
	c, log, err := p.setUp()
	if err != nil {
		return err
	}
	stopProfile, err := m.profile()
	if err != nil {
		return err
	}
	defer stopProfile()
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	go func() { // ends with the process
		_, _ = io.Copy(io.Discard, p.in)
		cancel()
	}()
	store, err := boltstore.Open(c.Storage.Path, boltstore.Options{Log: log})
	if err != nil {
		return err
	}
	defer store.Close()
	defer offerCopies(ctx, c.Storage.Path, store, log)()
	gauges := &meter{}
	b, err := m.bot(c, log, timedStore{store, gauges})
	if err != nil {
		return err
	}
	var reporting sync.WaitGroup
	reporting.Go(func() { _ = gauges.report(ctx, p.out, m.Collect) }) // nobody reads it any more
	err = b.Run(ctx)
	cancel()
	reporting.Wait()
	return err
}

// profile begins the profile that was asked for, if one was.
func (m measuredCmd) profile() (stop func(), err error) {
	if m.Profile == "" {
		return func() {}, nil
	}
	f, err := os.Create(m.Profile)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() {
		pprof.StopCPUProfile()
		_ = f.Close() // whoever reads it finds out
	}, nil
}

// bot is one whose store and painter are measured.
func (m measuredCmd) bot(c config, log *slog.Logger, store timedStore) (*discord.Bot, error) {
	painters, err := newPainters()
	if err != nil {
		return nil, err
	}
	painter := painters[string(render.Wood)]
	if m.Blank {
		painter = &blankPainter{Painter: painter}
	}
	catalogue, err := words.Load()
	if err != nil {
		return nil, err
	}
	return discord.New(discord.Config{
		App: bot.New(bot.Config{
			Store: store, Clock: bot.SystemClock{}, Random: rand.IntN, Log: log, Ratings: rating.Standard(), Limits: c.limits(),
		}),
		Words: catalogue, Painter: gaugedPainter{painter, store.meter}, Log: log, Greet: m.greet,
		Wire: wire.Config{Token: c.Discord.Token, API: string(c.Discord.API), Log: log, Now: time.Now, Version: version()},
	})
}

// measuredBot is a bot in a process of its own, as the one who started it sees it.
type measuredBot struct {
	child *exec.Cmd
	hold  io.Closer // closing it ends the bot
	store string    // the file
	ended chan error

	mu      sync.Mutex
	samples []sample
}

// startMeasured starts this very program as a bot in a sandbox, on a store, and waits until it is ready.
func (p *program) startMeasured(s *sandbox.Sandbox, store string, options ...string) (*measuredBot, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	b := &measuredBot{child: exec.Command(self, append([]string{"dev", "measured"}, options...)...), store: store, ended: make(chan error, 1)}
	b.child.Stderr = p.err
	b.child.Env = append(p.environ[:len(p.environ):len(p.environ)], "KRAAL_DISCORD_TOKEN="+s.Token(), "KRAAL_DISCORD_API="+s.API(), "KRAAL_STORAGE_PATH="+store,
		"KRAAL_BOT_CHALLENGES_PER_MINUTE=0", "KRAAL_LOG_LEVEL=error", "KRAAL_LOG_FORMAT=text")
	if b.hold, err = b.child.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := b.child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := b.child.Start(); err != nil {
		return nil, err
	}
	go func() { b.ended <- b.listen(out) }()
	ready, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	if err := s.WaitReady(ready); err != nil {
		return nil, fmt.Errorf("the bot did not connect: %w", b.stop())
	}
	return b, nil
}

// listen keeps the samples that the bot writes, until it ends.
func (b *measuredBot) listen(out io.Reader) error {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var s sample
		if json.Unmarshal(lines.Bytes(), &s) != nil {
			continue
		}
		b.mu.Lock()
		b.samples = append(b.samples, s)
		b.mu.Unlock()
	}
	return b.child.Wait()
}

// taken lists the samples so far.
func (b *measuredBot) taken() []sample {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]sample(nil), b.samples...)
}

// between is the first sample after a moment and the last before another.
func (b *measuredBot) between(from, to time.Time) (first, last sample) {
	for _, s := range b.taken() {
		if s.At.Before(from) || s.At.After(to) {
			continue
		}
		if first.At.IsZero() {
			first = s
		}
		last = s
	}
	return first, last
}

// stop ends the bot and waits for it.
func (b *measuredBot) stop() error {
	_ = b.hold.Close()
	return <-b.ended
}
