package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"kraal/bot/match"
	"kraal/bot/sandbox"
	"kraal/storage"
	"kraal/storage/boltstore"
)

// fuzzCmd sends what no app would: interactions of every kind that the sandbox can form, altered at random, and events of
// the gateway that make no sense. All of it comes from strangers to the games in play, which must therefore stay as they
// are; nothing may panic; and whoever asks properly in between is answered.
type fuzzCmd struct {
	Number int    `short:"n" help:"How many inputs." default:"100000"`
	Seed   uint64 `help:"What the inputs are drawn from." default:"1"`
}

// Run sends, and looks what came of it.
func (f fuzzCmd) Run(p *program) error {
	dir, err := os.MkdirTemp("", "kraal-fuzz-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	world := newTableWorld(1, 4)
	s, err := sandbox.Start(sandbox.Config{World: world.World, Allowance: 1000})
	if err != nil {
		return err
	}
	defer s.Close()
	bench, err := newFuzzBench(p, s, filepath.Join(dir, "kraal.db"))
	if err != nil {
		return err
	}
	z := &fuzzer{crowd: crowd{sandbox: s}, bench: bench, random: rand.New(rand.NewPCG(f.Seed, f.Seed))}
	z.sit(world)
	z.progress = func(n int) { fmt.Fprintf(p.err, "%d inputs\n", n) }
	err = z.fuzz(p.ctx, f.Number)
	if stopped := bench.stop(); err == nil {
		err = stopped
	}
	if n := bench.panics.Load(); err == nil && n > 0 {
		err = fmt.Errorf("%d panics", n)
	}
	if err == nil {
		fmt.Fprintf(p.out, "%d inputs, %d interactions of %d forms among them: no panic, no game was touched, %d proper requests were answered, %d of them late.\n",
			f.Number, z.sent, len(z.forms), z.proper, z.late)
	}
	return err
}

// fuzzBench is a bot in this process: a panic that its guards catch shows in the log, any other ends the process.
type fuzzBench struct {
	panics atomic.Int64
	store  *boltstore.Store
	stop   func() error
}

func newFuzzBench(p *program, s *sandbox.Sandbox, path string) (*fuzzBench, error) {
	store, err := boltstore.Open(path, boltstore.Options{})
	if err != nil {
		return nil, err
	}
	f := &fuzzBench{store: store}
	log := slog.New(&panicCounter{Handler: slog.NewTextHandler(p.err, nil), panics: &f.panics})
	c := defaultConfig()
	c.Discord.Token, c.Discord.API, c.Bot.ChallengesPerMinute = s.Token(), api(s.API()), 0
	b, err := measuredCmd{Blank: true, greet: true}.bot(c, log, timedStore{store, &meter{}})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	ctx, cancel := context.WithCancel(p.ctx)
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	f.stop = func() error {
		cancel()
		err := <-ended
		if errors.Is(err, context.Canceled) {
			err = nil
		}
		return errors.Join(err, store.Close())
	}
	ready, done := context.WithTimeout(p.ctx, time.Minute)
	defer done()
	if err := s.WaitReady(ready); err != nil {
		return nil, errors.Join(err, f.stop())
	}
	return f, nil
}

// panicCounter counts and shows panics, and keeps quiet about everything else.
type panicCounter struct {
	slog.Handler
	panics *atomic.Int64
}

// Handle is slog's.
func (c *panicCounter) Handle(ctx context.Context, r slog.Record) error {
	found := r.Message == "panic"
	r.Attrs(func(a slog.Attr) bool {
		if err, ok := a.Value.Any().(error); ok && strings.HasPrefix(err.Error(), "panic:") {
			found = true
		}
		return true
	})
	if !found {
		return nil
	}
	c.panics.Add(1)
	return c.Handler.Handle(ctx, r)
}

// WithAttrs is slog's.
func (c *panicCounter) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &panicCounter{c.Handler.WithAttrs(attrs), c.panics}
}

// fuzzer is the strangers at two tables, while people play at two others.
type fuzzer struct {
	crowd
	bench  *fuzzBench
	random *rand.Rand
	alter  alterer
	forms  []string // interactions to alter, by id
	sent   int
	proper int

	progress func(inputs int)

	late int // proper requests that were not answered within Discord's three seconds, and made again
}

// Tables at which games are in play, and the one at which the strangers sit.
const (
	fuzzedTables   = 2
	strangersTable = 2
	betweenProper  = 64

	betweenProgress = 50_000
)

func (z *fuzzer) fuzz(ctx context.Context, number int) error {
	if err := z.playSome(ctx); err != nil {
		return err
	}
	if err := z.form(ctx); err != nil {
		return err
	}
	before, err := z.inPlay(ctx)
	if err != nil {
		return err
	}
	for n := range number {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := z.send(n); err != nil {
			return err
		}
		if n > 0 && n%betweenProgress == 0 {
			z.progress(n)
		}
		if n%betweenProper != 0 {
			continue
		}
		if err := z.ask(ctx); err != nil {
			return fmt.Errorf("after %d inputs: %w", n+1, err)
		}
	}
	if err := z.ask(ctx); err != nil {
		return err
	}
	after, err := z.inPlay(ctx)
	if err == nil && !reflect.DeepEqual(before, after) {
		err = fmt.Errorf("games of others have changed: before %+v, after %+v", before, after)
	}
	return err
}

// playSome has games played half-way.
func (z *fuzzer) playSome(ctx context.Context) error {
	for n, t := range z.tables[:fuzzedTables] {
		if err := t.beginAtLast(ctx); err != nil {
			return err
		}
		for range 10 + 14*n {
			legal := t.game.Legal()
			if len(legal) == 0 || !t.act(ctx, legal[t.random.IntN(len(legal))]) {
				return fmt.Errorf("the games to be fuzzed cannot be played: %v", z.unlike)
			}
		}
		z.alter.seated = append(z.alter.seated, t.seats.people[:]...)
	}
	return nil
}

// kept is what must not change of a game: everything but how it is shown, and what spectators say.
type kept struct {
	State   storage.State
	Seats   [2]storage.Seat
	Deeds   []storage.Deed
	Offers  int
	Actions int
}

// inPlay reads the games in play; each has to follow from its record.
func (z *fuzzer) inPlay(ctx context.Context) (all []kept, err error) {
	err = z.bench.store.View(ctx, func(r storage.Reader) error {
		for _, t := range z.tables[:fuzzedTables] {
			stored, err := r.Get(storage.MatchKey(t.id))
			if err != nil {
				return err
			}
			m := stored.Record.(storage.Match)
			looked, err := match.Look(m)
			if err != nil {
				return err
			}
			all = append(all, kept{m.State, m.Seats, m.Deeds, len(m.Offers), looked.Game.Len()})
		}
		return nil
	})
	return all, err
}

// asks is how often a proper request is made before it counts as not answered: a machine that has other work may let three
// seconds go by, a bot that has broken down stays silent.
const asks = 10

// ask makes a proper request, which has to be answered.
func (z *fuzzer) ask(ctx context.Context) error {
	t := z.tables[strangersTable]
	for range asks {
		reply, err := t.people[1].Slash(ctx, t.channel, "help", nil)
		if err != nil {
			return err
		}
		if !reply.Failed {
			z.proper++
			return nil
		}
		z.late++
	}
	return fmt.Errorf("a proper request was not answered, %d times in a row", asks)
}

// send sends one input.
func (z *fuzzer) send(n int) error {
	if n%16 == 0 {
		z.nonsense()
		return nil
	}
	form := z.forms[z.random.IntN(len(z.forms))]
	z.sent++
	id, err := z.sandbox.Again(form, z.alter.alter)
	if err == nil && len(z.forms) < maxForms && z.random.IntN(100) == 0 {
		z.forms = append(z.forms, id) // to be altered further
	}
	var gone *sandbox.ActionError
	if errors.As(err, &gone) { // it was altered so long ago that the sandbox has forgotten it
		return nil
	}
	return err
}

const maxForms = 4000

// nonsense is an event of the gateway that makes no sense. Those that begin a session are left out: whom Discord says the
// bot is, it is.
func (z *fuzzer) nonsense() {
	kinds := []string{
		"GUILD_CREATE", "GUILD_DELETE", "GUILD_UPDATE", "CHANNEL_CREATE", "CHANNEL_DELETE", "THREAD_CREATE", "THREAD_DELETE",
		"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "GUILD_MEMBER_ADD", "GUILD_ROLE_CREATE", "VOICE_STATE_UPDATE",
		"PRESENCE_UPDATE", "TYPING_START", "INTERACTION_CREATE", "NOTHING_KNOWN", "",
	}
	event := map[string]any{
		"id": z.alter.words[0], "guild_id": z.alter.words[1], "unavailable": false, "owner_id": "1", "joined_at": "2026-01-01T00:00:00Z",
		"channels": []any{map[string]any{"id": "1", "type": 0, "permission_overwrites": []any{map[string]any{"id": "1", "allow": "1"}}}},
		"roles":    []any{map[string]any{"id": "1", "permissions": "1024"}}, "members": []any{map[string]any{"user": map[string]any{"id": "1"}}},
		"user": map[string]any{"id": "1"}, "author": map[string]any{"id": "1"}, "components": []any{map[string]any{"type": 99}},
	}
	z.alter.alter(event)
	z.sandbox.Inject(kinds[z.random.IntN(len(kinds))], event)
}
