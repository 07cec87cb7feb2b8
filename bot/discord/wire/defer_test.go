package wire

import (
	"context"
	"testing"

	"github.com/bwmarrin/discordgo"
)

// TestDefer: who needs long says so at once, once, and for the person alone; what is said then takes its place.
func TestDefer(t *testing.T) {
	t.Parallel()
	r := handling(t, slash(1), nil, func(ctx context.Context, a *Answer) {
		check(t, a.Defer(ctx))
		check(t, a.Defer(ctx))
		check(t, a.Private(ctx, Message{Content: "at last", Files: []File{{Name: "a.txt", Data: []byte("much")}}}))
		check(t, a.Defer(ctx)) // there is nothing to acknowledge any more
	})
	if kind, data := callbackOf(t, r.stub); kind != 5 || flagsOf(data)&discordgo.MessageFlagsEphemeral == 0 {
		t.Errorf("acknowledged by %v %v", kind, data)
	}
	r.request("PATCH", "@original")
	if n := len(r.matching("PATCH", "@original")); n != 1 {
		t.Errorf("%d edits", n)
	}
}

// TestDeferTap: a tap is acknowledged without touching its message.
func TestDeferTap(t *testing.T) {
	t.Parallel()
	r := handling(t, tap3(2), nil, func(ctx context.Context, a *Answer) { check(t, a.Defer(ctx)) })
	if kind, data := callbackOf(t, r.stub); kind != 6 || data != nil {
		t.Errorf("acknowledged by %v %v", kind, data)
	}
}
