package sandbox_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"kraal/bot/sandbox"
)

// TestEverythingAtOnce is for the race detector: people, the bot, troubles and those who look, all together.
func TestEverythingAtOnce(t *testing.T) {
	b, board := playing(t)
	path := b.API() + written + "/" + board
	const rounds = 20
	var group sync.WaitGroup
	failed := make(chan string, 1000)
	each := func(do func(i int) bool, what string) {
		group.Go(func() {
			for i := range rounds {
				if !do(i) {
					failed <- fmt.Sprint(what, " ", i)
				}
			}
		})
	}
	ctx := b.ctx()
	each(func(i int) bool {
		return b.upload("PATCH", path, obj{"content": fmt.Sprint(i), "attachments": []obj{{"id": 0}}}, "0").status == 200
	}, "edit")
	each(func(int) bool { return b.send("POST", written, obj{"content": "x"}).status == 200 }, "post")
	each(func(int) bool { _, err := b.Say(thabo, games, "x"); return err == nil }, "say")
	each(func(int) bool { return b.Kick("300000000000000002") == nil && b.Invite("300000000000000002") == nil }, "kick")
	each(func(int) bool {
		return !slices.ContainsFunc(b.messages(naledi, games), func(m sandbox.Message) bool { return m.ID == "" || m.Author == "" })
	}, "look")
	each(func(int) bool { return len(b.Requests()) > 0 && len(b.Violations()) == 0 && b.Connected() }, "notes")
	for _, who := range []string{naledi, thabo} {
		each(func(int) bool {
			r, err := b.As(who).Press(ctx, board, "go")
			return err == nil && r.Type == 7 && r.Message.ID == board
		}, "press")
	}
	answered := b.answerTaps(ctx, 2*rounds)
	group.Wait()
	if n := <-answered; n != 2*rounds {
		t.Errorf("%d taps were heard", n)
	}
	close(failed)
	for what := range failed {
		t.Errorf("failed: %s", what)
	}
}

// answerTaps answers a number of taps with who it was, and tells how many there were.
func (b *bot) answerTaps(ctx context.Context, n int) <-chan int {
	answered := make(chan int, 1)
	go func() {
		heard := 0
		for heard < n {
			select {
			case <-ctx.Done():
				answered <- heard
				return
			case p := <-b.events:
				if p.Type != "INTERACTION_CREATE" {
					continue
				}
				heard++
				f := &flow{b: b, payload: b.interaction(p)}
				b.send("POST", f.callbackPath(), obj{"type": 7, "data": obj{"content": text(f.payload, "member", "user", "id")}})
			}
		}
		answered <- heard
	}()
	return answered
}
