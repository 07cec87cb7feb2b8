package wire

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
)

// TestBusyServer: the handlers of one server are stuck, all that it may have; another server is answered.
func TestBusyServer(t *testing.T) {
	t.Parallel()
	const calm = "600000000000000002"
	d := newStub(t)
	release := make(chan struct{})
	stuck := 0
	r := d.start(func(cfg *Config) {
		cfg.Handle = func(ctx context.Context, in Interaction, a *Answer) {
			if in.Server != calm {
				d.change(func() { stuck++ })
				<-release
				return
			}
			check(t, a.Private(ctx, Message{Content: "here"}))
		}
	}).connected()
	for n := range maxHandlers {
		r.press(by(fmt.Sprint(1000+n), tap3(n+1)))
	}
	d.until("one server to have all that it may", func() bool { return stuck == maxHandlersOne })
	tap := tap3(maxHandlers + 1)
	tap["guild_id"] = calm
	r.press(tap)
	d.request("POST", tap["id"].(string)+"/"+tap["token"].(string)+"/callback")
	close(release)
	r.stop()
	<-r.done
}

// by is an interaction of another member's.
func by(id string, e map[string]any) map[string]any {
	e["member"] = map[string]any{"user": map[string]any{"id": id}}
	return e
}

// TestBusyMember: one member has all the handlers that a member may have; others in the server are answered.
func TestBusyMember(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	release := make(chan struct{})
	stuck := 0
	r := d.start(func(cfg *Config) {
		cfg.Handle = func(ctx context.Context, in Interaction, a *Answer) {
			if in.User.ID == personID {
				d.change(func() { stuck++ })
				<-release
				return
			}
			check(t, a.Private(ctx, Message{Content: "here"}))
		}
	}).connected()
	for n := range 3 * maxHandlersMember {
		r.press(tap3(n + 1))
	}
	d.until("one member to have all that they may", func() bool { return stuck == maxHandlersMember })
	tap := by("77", tap3(3*maxHandlersMember+1))
	r.press(tap)
	d.request("POST", tap["id"].(string)+"/"+tap["token"].(string)+"/callback")
	close(release)
	r.stop()
	<-r.done
}

// TestCrowdedServer: more members of one server wait for their turn than there are handlers; another server is answered.
func TestCrowdedServer(t *testing.T) {
	t.Parallel()
	const calm = "600000000000000002"
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Config{Token: botToken, Handle: func(context.Context, Interaction, *Answer) {}})
		if err != nil {
			t.Fatal(err)
		}
		var crowd sync.WaitGroup
		release := make(chan struct{})
		for n := range 2 * maxHandlers {
			crowd.Go(func() {
				leave, err := c.slot(t.Context(), Interaction{Server: "600000000000000001", User: User{ID: fmt.Sprint(n)}})
				if err == nil {
					<-release
					leave()
				}
			})
		}
		synctest.Wait()
		leave, err := c.slot(t.Context(), Interaction{Server: calm, User: User{ID: "calm"}})
		if err != nil {
			t.Errorf("nobody else is answered: %v", err)
		} else {
			leave()
		}
		close(release)
		crowd.Wait()
	})
}
