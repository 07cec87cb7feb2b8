package main

import (
	"bufio"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
)

const (
	killsBetween = 20 // in one game, between two actions
	killsWithin  = 4  // while an action is on its way
)

// victim is the bot in a process of its own, on a sandbox that outlives it.
type victim struct {
	t     testing.TB
	sb    *sandbox.Sandbox
	api   string // as the bot is told it
	store string
	child *exec.Cmd
	log   *screen
}

func newVictim(t testing.TB) *victim { return newVictimVia(t, func(api string) string { return api }) }

// newVictimVia lets the bot reach the sandbox at another address.
func newVictimVia(t testing.TB, via func(api string) string) *victim {
	t.Helper()
	sb, err := sandbox.Start(sandbox.Config{Allowance: 50})
	if err != nil {
		t.Fatal(err)
	}
	v := &victim{t: t, sb: sb, api: via(sb.API()), store: filepath.Join(t.TempDir(), "kraal.db")}
	t.Cleanup(func() {
		v.kill()
		if err := sb.Close(); err != nil {
			t.Error(err)
		}
	})
	v.start()
	return v
}

func (v *victim) start() {
	v.t.Helper()
	self, err := os.Executable()
	if err != nil {
		v.t.Fatal(err)
	}
	v.log = newScreen()
	v.child = exec.Command(self)
	v.child.Dir = v.t.TempDir()
	v.child.Stdout, v.child.Stderr = v.log, v.log
	v.child.Env = append(os.Environ(), asKraal+"=1", "KRAAL_DISCORD_TOKEN="+v.sb.Token(),
		"KRAAL_DISCORD_API="+v.api, "KRAAL_STORAGE_PATH="+v.store,
		"KRAAL_BOT_CHALLENGES_PER_MINUTE=0") // tests are quicker than people
	if err := v.child.Start(); err != nil {
		v.t.Fatal(err)
	}
	v.wait("the bot to connect", func() bool { return v.sb.Connected() })
	ctx, cancel := context.WithTimeout(v.t.Context(), 20*time.Second)
	defer cancel()
	if err := v.sb.WaitReady(ctx); err != nil {
		v.t.Fatalf("%v; the bot said:\n%s", err, v.log)
	}
}

// kill ends the bot as a power cut would end its process.
func (v *victim) kill() {
	v.t.Helper()
	_ = v.child.Process.Kill()
	_ = v.child.Wait()
	v.wait("the connection to end", func() bool { return !v.sb.Connected() })
}

func (v *victim) wait(what string, condition func() bool) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := v.sb.Wait(ctx, condition); err != nil {
		v.t.Fatalf("waiting for %s: %v; the bot said:\n%s", what, err, v.log)
	}
}

// recordedGame is the shortest recorded game of a variant, as it stands, that ends for a reason.
func recordedGame(t *testing.T, variant string, reason rules.Reason) (actions []string, result string) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "rules", "testdata", "vectors", "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g struct {
			Variant, Result, Reason string
			Rules                   json.RawMessage
			Actions                 []string
		}
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		if g.Variant == variant && g.Rules == nil && g.Reason == string(reason) && (actions == nil || len(g.Actions) < len(actions)) {
			actions, result = g.Actions, g.Result
		}
	}
	if len(actions) == 0 {
		t.Fatalf("no game of %s was recorded that ends by %s", variant, reason)
	}
	return actions, result
}

// TestKilledBetweenActions (O22) kills the bot with SIGKILL twenty times in one game, between two actions, and a few
// times while an action is on its way: it goes on from the last answered one.
func TestKilledBetweenActions(t *testing.T) {
	v := newVictim(t)
	// A variant that has shots for each mill: turns of several actions.
	actions, result := recordedGame(t, "morabaraba", rules.FewerThanThree)
	world := sandbox.DefaultWorld().Servers[0]
	channel := world.Channels[0].ID
	people := [2]*sandbox.Actor{v.sb.As(world.Members[0]), v.sb.As(world.Members[1])}
	slash := func(who *sandbox.Actor, command string, options map[string]any) *sandbox.Reply {
		t.Helper()
		reply, err := who.Slash(t.Context(), channel, command, options)
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	challenge := slash(people[0], "challenge", map[string]any{"opponent": world.Members[1], "variant": "morabaraba", "colour": "white"})
	v.kill()
	v.start()
	accepted, err := people[1].Press(t.Context(), challenge.Message.ID, "Accept")
	if err != nil || accepted.Failed {
		t.Fatalf("accept after a restart: %v %+v", err, accepted)
	}
	id := regexp.MustCompile("game `([0-9a-z]{8})`").FindStringSubmatch(accepted.Message.Content)[1]

	if len(actions) < killsBetween+killsWithin {
		t.Fatalf("no recorded game is long enough: %d actions", len(actions))
	}
	moments := rand.Perm(len(actions))[:killsBetween+killsWithin]
	between, within := moments[:killsBetween], moments[killsBetween:]
	game := rules.NewGame(mustLookup(t, "morabaraba"))
	for i, text := range actions {
		who := people[game.Position().Turn]
		a, err := rules.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		command, options := commandOf(a, id)
		if slices.Contains(within, i) {
			v.killWithin(func() { _, _ = who.Slash(t.Context(), channel, command, options) })
		}
		reply := slash(who, command, options)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		said, err := reply.Wait(ctx)
		cancel()
		if err != nil {
			t.Fatalf("action %d, %s: %v; the bot said:\n%s", i+1, text, err, v.log)
		}
		// An action that was on its way when the bot was killed may have been kept, and then cannot be made twice.
		if !strings.Contains(said.Content, "You played") && !slices.Contains(within, i) {
			t.Fatalf("action %d, %s: %q", i+1, text, said.Content)
		}
		if err := game.Play(a); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(between, i) {
			v.kill()
			v.start()
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // the film is drawn first
	defer cancel()
	record, err := slash(people[0], "replay", map[string]any{"game": id}).Wait(ctx)
	if err != nil || len(record.Attachments) == 0 {
		t.Fatalf("the replay: %+v, %v; the bot said:\n%s", record, err, v.log)
	}
	got, err := rules.ParseRecord(string(record.Attachments[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	if string(got.Result) != result || !slices.Equal(got.Actions, game.Actions()) {
		t.Errorf("the record is %s after %d actions, want %s after %d", got.Result, len(got.Actions), result, len(actions))
	}
	if strings.Contains(v.log.String(), v.sb.Token()) {
		t.Error("the token stands in the log")
	}
}

// killWithin kills the bot at a random moment after something was asked of it, and starts it again.
func (v *victim) killWithin(ask func()) {
	v.t.Helper()
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		ask()
	}()
	<-time.After(time.Duration(rand.IntN(int(20 * time.Millisecond))))
	v.kill()
	v.start()
	<-asked
}

func mustLookup(t testing.TB, key string) rules.Variant {
	t.Helper()
	v, ok := rules.Lookup(key)
	if !ok {
		t.Fatalf("no variant %s", key)
	}
	return v
}

// commandOf is the slash command for an action.
func commandOf(a rules.Action, game string) (string, map[string]any) {
	switch a.Kind {
	case rules.Move:
		return "move", map[string]any{"from": a.From.String(), "to": a.To.String(), "game": game}
	case rules.Shoot:
		return "shoot", map[string]any{"point": a.To.String(), "game": game}
	}
	return "place", map[string]any{"point": a.To.String(), "game": game}
}
