package wire_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"kraal/bot/discord/wire"
	"kraal/bot/sandbox"
	"kraal/bot/sandbox/openapi"
)

const (
	naledi = "100000000000000001"
	thabo  = "100000000000000002"
	games  = "400000000000000001"
)

// described loads Discord's own description of its requests, which lies beside the repository.
func described(t *testing.T) func(method, path string, body []byte, files int) error {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(dir, "..", "shared", "discord-openapi.json")
	if _, err := os.Stat(path); err != nil {
		t.Logf("NOT CHECKED: requests against Discord's description, for want of %s", path)
		return nil
	}
	spec, err := openapi.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return spec.Check
}

// play is a client in a sandbox that has registered two commands.
func play(t *testing.T, handle func(context.Context, wire.Interaction, *wire.Answer), change func(*wire.Config)) (*sandbox.Sandbox, *wire.Client, chan error) {
	t.Helper()
	s, err := sandbox.Start(sandbox.Config{Check: described(t)})
	if err != nil {
		t.Fatal(err)
	}
	cfg := wire.Config{
		Token: s.Token(), API: s.API(), Handle: handle, Oops: wire.Message{Content: "oops"}, Version: "test",
		ReconnectAfter: time.Millisecond, IdentifyEvery: time.Millisecond,
	}
	if change != nil {
		change(&cfg)
	}
	c, err := wire.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done, stopped := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(stopped)
		done <- c.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-stopped
		s.Close()
		for _, v := range s.Violations() {
			t.Errorf("%s %s: %s\n%s", v.Request.Method, v.Request.Path, v.Why, v.Request.Body)
		}
	})
	for range 2 {
		if err := c.Register(t.Context(), "", []*discordgo.ApplicationCommand{
			{Name: "board", Description: "show the board", Options: []*discordgo.ApplicationCommandOption{
				{Name: "game", Description: "which game", Type: discordgo.ApplicationCommandOptionString, Autocomplete: true},
			}},
			{Name: "Challenge to a game", Type: discordgo.UserApplicationCommand},
		}); err != nil {
			t.Fatal(err)
		}
	}
	return s, c, done
}

func count(s *sandbox.Sandbox, matches func(sandbox.Request) bool) (n int) {
	for _, r := range s.Requests() {
		if matches(r) {
			n++
		}
	}
	return n
}

var picture = []wire.File{{Name: "board.png", ContentType: "image/png", Description: "white on a7", Data: []byte("PNG")}}

// board is a message with everything a board has.
func board(text string) wire.Message {
	return wire.Message{Content: text, Files: picture, Components: []discordgo.MessageComponent{
		discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.Button{Label: "a7", CustomID: "go", Style: discordgo.PrimaryButton}}},
	}}
}

func TestInTheSandbox(t *testing.T) {
	t.Parallel()
	var taps atomic.Int32
	s, c, _ := play(t, func(ctx context.Context, in wire.Interaction, a *wire.Answer) {
		var err error
		switch in.Kind {
		case wire.Command:
			_, err = a.Public(ctx, board("new"))
		case wire.Component:
			err = a.Update(ctx, board(fmt.Sprint("tap ", taps.Add(1))))
		case wire.Autocomplete:
			_, text := in.Focused()
			err = a.Choices(ctx, []wire.Choice{{Name: "game " + text, Value: text}})
		}
		if err != nil {
			t.Error(err)
		}
	}, nil)
	if n := count(s, func(r sandbox.Request) bool { return r.Method == "PUT" }); n != 1 {
		t.Errorf("registered %d times, want 1", n)
	}
	ctx, person := t.Context(), s.As(naledi)
	choices, err := person.Complete(ctx, games, "board", map[string]any{"game": "m4"}, "game")
	if err != nil || len(choices) != 1 || choices[0].Value != "m4" {
		t.Errorf("choices %v, %v", choices, err)
	}
	shown, err := person.Slash(ctx, games, "board", nil)
	if err != nil || shown.Failed || shown.Type != 4 {
		t.Fatalf("slash: %+v, %v", shown, err)
	}
	tapped, err := s.As(thabo).Press(ctx, shown.Message.ID, "a7")
	if err != nil || tapped.Type != 7 || tapped.Message.Content != "tap 1" {
		t.Errorf("tap: %+v, %v", tapped, err)
	}
	if err := s.Redeliver(tapped.Interaction); err != nil {
		t.Fatal(err)
	}
	if again, err := person.Press(ctx, shown.Message.ID, "go"); err != nil || again.Message.Content != "tap 2" {
		t.Errorf("after the replayed event: %+v, %v", again, err)
	}
	if err := c.Edit(ctx, games, shown.Message.ID, board("edited")); err != nil {
		t.Error(err)
	}
	m, _ := person.Message(shown.Message.ID)
	if m.Content != "edited" || len(m.Attachments) != 1 || m.Attachments[0].Description != "white on a7" {
		t.Errorf("edited to %+v", m)
	}
	if err := c.StripControls(ctx, games, m.ID); err != nil {
		t.Error(err)
	}
	if m, _ = person.Message(m.ID); len(m.Components) != 0 || m.Content != "edited" || len(m.Attachments) != 1 {
		t.Errorf("stripped to %+v", m)
	}
	if err := c.Delete(ctx, games, m.ID); err != nil {
		t.Error(err)
	}
	if err := c.Edit(ctx, games, m.ID, board("late")); !wire.IsGone(err) {
		t.Errorf("edit of a deleted message: %v", err)
	}
}

// TestSlowInTheSandbox: answers after the acknowledgement, seen by those they are for.
func TestSlowInTheSandbox(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s, _, _ := play(t, func(ctx context.Context, in wire.Interaction, a *wire.Answer) {
		<-release
		err := a.Private(ctx, wire.Message{Content: "at last"})
		if in.Kind == wire.Component {
			err = errors.Join(err, a.Update(ctx, board("updated")))
		}
		if err != nil {
			t.Error(err)
		}
	}, func(cfg *wire.Config) { cfg.DeferAfter = time.Millisecond })
	ctx := t.Context()
	slow, err := s.As(naledi).Slash(ctx, games, "board", nil)
	if err != nil || slow.Type != 5 || !slow.Message.Ephemeral {
		t.Fatalf("slash: %+v, %v", slow, err)
	}
	close(release)
	if m, err := slow.Wait(ctx); err != nil || m.Content != "at last" || !m.Ephemeral {
		t.Errorf("then %+v, %v", m, err)
	}
	if seen := s.As(thabo).Messages(games); len(seen) != 0 {
		t.Errorf("another person sees %+v", seen)
	}
}

// TestPanicInTheSandbox: the person is told, and the next one is served.
func TestPanicInTheSandbox(t *testing.T) {
	t.Parallel()
	s, _, _ := play(t, func(context.Context, wire.Interaction, *wire.Answer) { panic("no") }, nil)
	for range 2 {
		told, err := s.As(naledi).Slash(t.Context(), games, "board", nil)
		if err != nil || told.Message.Content != "oops" || !told.Message.Ephemeral {
			t.Errorf("told %+v, %v", told, err)
		}
	}
}

// TestGatewayInTheSandbox: whatever becomes of the connection, the next command is answered.
func TestGatewayInTheSandbox(t *testing.T) {
	t.Parallel()
	for name, trouble := range map[string]func(*sandbox.Sandbox){
		"dropped":       (*sandbox.Sandbox).DropGateway,
		"reconnect":     (*sandbox.Sandbox).Reconnect,
		"invalid":       func(s *sandbox.Sandbox) { s.InvalidSession(false) },
		"invalid, kept": func(s *sandbox.Sandbox) { s.InvalidSession(true) },
		"code 4000":     func(s *sandbox.Sandbox) { s.CloseGateway(4000) },
		"code 4009":     func(s *sandbox.Sandbox) { s.CloseGateway(4009) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ready := make(chan struct{}, 8)
			s, _, _ := play(t, func(ctx context.Context, _ wire.Interaction, a *wire.Answer) {
				if err := a.Private(ctx, wire.Message{Content: "here"}); err != nil {
					t.Error(err)
				}
			}, func(cfg *wire.Config) { cfg.Ready = func(context.Context) { ready <- struct{}{} } })
			<-ready
			trouble(s)
			<-ready
			told, err := s.As(naledi).Slash(t.Context(), games, "board", nil)
			if err != nil || told.Message.Content != "here" {
				t.Errorf("told %+v, %v", told, err)
			}
		})
	}
}

func TestFatalInTheSandbox(t *testing.T) {
	t.Parallel()
	s, _, done := play(t, func(context.Context, wire.Interaction, *wire.Answer) {}, nil)
	s.CloseGateway(4014)
	var fatal *wire.FatalError
	if err := <-done; !errors.As(err, &fatal) || fatal.Code != 4014 {
		t.Errorf("got %v, want fatal 4014", err)
	}
}

// TestBurstInTheSandbox: many boards at once, and Discord has to refuse none.
func TestBurstInTheSandbox(t *testing.T) {
	t.Parallel()
	s, c, _ := play(t, func(context.Context, wire.Interaction, *wire.Answer) {}, nil)
	var all sync.WaitGroup
	for n := range 30 {
		channel := fmt.Sprintf("40000000000000000%d", 1+n%5)
		all.Go(func() {
			id, err := c.Post(t.Context(), channel, wire.Message{Content: "board", Nonce: fmt.Sprint("n", n)})
			if err == nil {
				err = c.Edit(t.Context(), channel, id, wire.Message{Content: "edited"})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := count(s, func(r sandbox.Request) bool { return r.Status == 429 }); n != 0 {
		t.Errorf("refused %d requests", n)
	}
}

// TestFailuresInTheSandbox: limits and trouble pass unseen, permissions are told.
func TestFailuresInTheSandbox(t *testing.T) {
	t.Parallel()
	s, c, _ := play(t, func(context.Context, wire.Interaction, *wire.Answer) {}, nil)
	post := func(nonce string) error {
		_, err := c.Post(t.Context(), games, wire.Message{Content: "your turn", Nonce: nonce})
		return err
	}
	s.FailNext("POST", "/channels/", 429, 0, 2)
	s.FailNext("POST", "/channels/", 502, 0, 1)
	if err := post("one"); err != nil {
		t.Error(err)
	}
	if err := s.SetPermissions(games, 0); err != nil {
		t.Fatal(err)
	}
	if err := post("two"); !wire.IsForbidden(err) {
		t.Errorf("without permission: %v", err)
	}
	if n := len(s.As(thabo).Messages(games)); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
}
