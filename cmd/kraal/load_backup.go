package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
	"kraal/storage/boltstore"
)

// rescue is a copy that kraal backup takes in the middle of a load, and the bot that starts from it afterwards.
type rescue struct {
	path   string
	before map[string]int // actions that were confirmed when the command began, by game
	took   time.Duration
	said   string
	err    error
}

// newRescue makes room for a copy, until remove is called.
func newRescue() (r *rescue, remove func(), err error) {
	dir, err := os.MkdirTemp("", "kraal-rescue-")
	if err != nil {
		return nil, nil, err
	}
	return &rescue{path: filepath.Join(dir, "copy.db")}, func() { _ = os.RemoveAll(dir) }, nil
}

// takeAt calls kraal backup once that time has gone by, as somebody at a shell would.
func (r *rescue) takeAt(p *program, c *crowd, store string, in time.Duration) {
	self, err := os.Executable()
	if err != nil || !rest(p.ctx, in) {
		r.err = errors.Join(err, p.ctx.Err())
		return
	}
	c.mu.Lock()
	r.before = maps.Clone(c.made)
	c.mu.Unlock()
	began := time.Now()
	command := exec.CommandContext(p.ctx, self, "backup", r.path)
	command.Env = append(p.environ[:len(p.environ):len(p.environ)], "KRAAL_STORAGE_PATH="+store)
	said, err := command.CombinedOutput()
	r.took, r.said = time.Since(began), strings.TrimSpace(string(said))
	if err != nil {
		r.err = fmt.Errorf("backup: %w: %s", err, r.said)
	}
}

// prove looks whether the copy has all that was confirmed before it was asked for and nothing that was not played, and
// lets people go on from it with another bot.
func (r *rescue) prove(p *program, c *crowd) error {
	if r.err != nil {
		return r.err
	}
	games, err := r.read(p.ctx, c.records)
	if err != nil {
		return err
	}
	actions, later := 0, 0
	for id, n := range r.before {
		switch g, ok := games[id]; {
		case !ok:
			return fmt.Errorf("game %s had begun before the backup, which does not have it", id)
		case g.Len() < n:
			return fmt.Errorf("game %s: %d actions were confirmed before the backup, which has %d", id, n, g.Len())
		default:
			actions, later = actions+n, later+g.Len()-n
		}
	}
	_, said, _ := strings.Cut(r.said, ": ")
	fmt.Fprintf(p.out, "backup    in %s while people played: %s\n", r.took.Round(time.Millisecond), said)
	fmt.Fprintf(p.out, "copied    all %d actions of %d games that were confirmed before the command, and %d that were on their way\n", actions, len(r.before), later)
	return r.goOn(p, c, games)
}

// read replays every game that the copy has of those that were played.
func (r *rescue) read(ctx context.Context, played map[string][]rules.Action) (map[string]*rules.Game, error) {
	store, err := boltstore.Open(r.path, boltstore.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = store.Close() }()
	games := map[string]*rules.Game{}
	err = store.View(ctx, func(reader storage.Reader) error {
		for id, confirmed := range played {
			kept, err := reader.Get(storage.MatchKey(id))
			if errors.Is(err, storage.ErrNotFound) {
				continue
			}
			if err != nil {
				return fmt.Errorf("game %s: %w", id, err)
			}
			looked, err := match.Look(kept.Record.(storage.Match))
			if err != nil {
				return fmt.Errorf("game %s: %w", id, err)
			}
			copied := looked.Game.Actions()
			if n := min(len(copied), len(confirmed)); !slices.Equal(copied[:n], confirmed[:n]) || len(copied) > len(confirmed)+1 {
				return fmt.Errorf("game %s: confirmed were %v, the copy has %v", id, confirmed, copied)
			}
			games[id] = looked.Game
		}
		return nil
	})
	return games, err
}

// goOn starts a bot from the copy, with which each game in play there gets one action more.
func (r *rescue) goOn(p *program, c *crowd, games map[string]*rules.Game) error {
	b, err := p.startMeasured(c.sandbox, r.path)
	if err != nil {
		return err
	}
	var going, went atomic.Int64
	var all sync.WaitGroup
	turn := make(chan struct{}, atOnce)
	for _, t := range c.tables {
		id, game := t.latest(games)
		if game == nil {
			continue // the table's game in the copy was over
		}
		going.Add(1)
		turn <- struct{}{}
		all.Go(func() {
			defer func() { <-turn }()
			if t.goOn(p.ctx, id, game) {
				went.Add(1)
			}
		})
	}
	all.Wait()
	if err := b.stop(); err != nil {
		return fmt.Errorf("the bot that started from the copy: %w", err)
	}
	if going.Load() == 0 || went.Load() < going.Load() {
		return fmt.Errorf("of %d games in play in the copy %d went on: %q", going.Load(), went.Load(), c.unlike)
	}
	_, err = fmt.Fprintf(p.out, "restarted a bot that started from the copy took another action in each of the %d games in play there\n", went.Load())
	return err
}

// latest is the table's game that is in play in a copy.
func (t *table) latest(games map[string]*rules.Game) (string, *rules.Game) {
	for _, id := range t.ids {
		if g := games[id]; g != nil && !g.Status().Over {
			return id, g
		}
	}
	return "", nil
}

// goOn makes an action by command, whatever board hangs in the channel.
func (t *table) goOn(ctx context.Context, id string, g *rules.Game) bool {
	legal := g.Legal()
	command, options := commandFor(legal[t.random.IntN(len(legal))], id)
	who := t.people[g.Position().Turn]
	reply, err := who.Slash(ctx, t.channel, command, options)
	if err != nil {
		t.note(err.Error())
		return false
	}
	return t.confirmed(ctx, reply, who, false)
}
