package sandbox_test

import (
	"context"
	"testing"

	"kraal/bot/sandbox"
)

// TestHiddenChannels: who does not see a channel cannot act in it, and the bot is told when somebody names them there.
func TestHiddenChannels(t *testing.T) {
	d := open(t)
	d.register(obj{"name": "challenge", "description": "x", "options": []obj{{"type": 6, "name": "whom", "description": "x"}}})
	b := d.connect()
	id := d.post(obj{"content": "hello", "components": []any{row(button("a", "A"))}})
	hide := func(hidden bool) {
		t.Helper()
		if err := d.Hide(games, thabo, hidden); err != nil {
			t.Fatal(err)
		}
	}
	hide(true)
	if seen := d.messages(thabo, games); seen != nil {
		t.Errorf("seen all the same: %v", seen)
	}
	if _, err := d.As(thabo).Press(d.ctx(), id, "a"); err == nil {
		t.Error("a button was pressed by who does not see it")
	}
	permissions := func() string {
		f := b.slash(naledi, games, "challenge", map[string]any{"whom": thabo})
		f.answer(204, 0, 4, obj{"content": "x"})
		f.done()
		return text(f.payload, "data", "resolved", "members", thabo, "permissions")
	}
	if got := permissions(); got != "0" {
		t.Errorf("the permissions of who does not see the channel are %q", got)
	}
	thread, err := d.StartThread(naledi, games, "tea")
	if err != nil {
		t.Fatal(err)
	}
	<-b.events
	if _, err := d.Say(thabo, thread, "hello"); err == nil {
		t.Error("a thread is seen in a channel that is not")
	}
	hide(false)
	if got := permissions(); got == "0" || len(d.messages(thabo, games)) == 0 {
		t.Errorf("shown again: %q, %v", got, d.messages(thabo, games))
	}
	for _, c := range []struct{ channel, person string }{{games, naledi}, {games, d.AppID()}, {games, amara}, {"1", thabo}} {
		if d.Hide(c.channel, c.person, true) == nil {
			t.Errorf("%s was hidden from %s", c.channel, c.person)
		}
	}
}

// TestLocales: a person's language is told, and English where they have none of their own.
func TestLocales(t *testing.T) {
	world := sandbox.DefaultWorld()
	world.People[1].Locale = "pt-BR"
	d := openWith(t, sandbox.Config{World: world, Allowance: 1000})
	d.register(obj{"name": "ping", "description": "x"})
	b := d.connect()
	for who, want := range map[string]string{naledi: "en-US", world.People[1].ID: "pt-BR"} {
		f := b.slash(who, games, "ping", nil)
		f.answer(204, 0, 4, obj{"content": "x"})
		f.done()
		if got := text(f.payload, "locale"); got != want || text(f.payload, "guild_locale") != "en-US" {
			t.Errorf("%s: the locale is %q, want %q", who, got, want)
		}
	}
}

// TestTooLateForAPerson: the clock of the sandbox stands still here, the three seconds do not.
func TestTooLateForAPerson(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.register(obj{"name": "ping", "description": "x"})
	b := d.connect()
	f := b.must(func(ctx context.Context) (*sandbox.Reply, error) { return b.As(naledi).Slash(ctx, games, "ping", nil) })
	if !f.done().Failed {
		t.Fatal("it was answered")
	}
	f.answer(404, 10062, 4, obj{"content": "x"})
	if seen := d.messages(naledi, games); len(seen) != 0 {
		t.Errorf("seen: %v", seen)
	}
}
