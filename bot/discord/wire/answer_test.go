package wire

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
)

// callbackOf is the type of the one first response an interaction got, and its data.
func callbackOf(t *testing.T, d *stub) (float64, map[string]any) {
	t.Helper()
	all := d.matching("POST", "/callback")
	if len(all) != 1 {
		t.Fatalf("got %d first responses, want 1: %v", len(all), all)
	}
	data, _ := all[0].body["data"].(map[string]any)
	return all[0].body["type"].(float64), data
}

// handling runs a client whose handler is f, delivers one interaction, and returns when f has.
func handling(t *testing.T, e map[string]any, change func(*Config), f func(context.Context, *Answer)) *running {
	t.Helper()
	handled := make(chan struct{})
	r := newStub(t).start(func(cfg *Config) {
		cfg.Handle = func(ctx context.Context, _ Interaction, a *Answer) {
			defer close(handled)
			f(ctx, a)
		}
		if change != nil {
			change(cfg)
		}
	}).connected()
	r.press(e)
	select {
	case <-handled:
	case <-time.After(15 * time.Second):
		t.Fatal("the handler did not return")
	}
	return r
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

func flagsOf(m map[string]any) discordgo.MessageFlags {
	n, _ := m["flags"].(float64)
	return discordgo.MessageFlags(n)
}

func TestFirstResponse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		event     map[string]any
		say       func(context.Context, *Answer) error
		want      float64
		ephemeral bool
	}{
		{"slash private", slash(1), func(ctx context.Context, a *Answer) error { return a.Private(ctx, Message{Content: "x"}) }, 4, true},
		{"slash public", slash(2), func(ctx context.Context, a *Answer) error {
			id, err := a.Public(ctx, Message{Content: "x"})
			if id != "800000000000000001" {
				t.Errorf("slash public: id %q", id)
			}
			return err
		}, 4, false},
		{"tap private", tap3(3), func(ctx context.Context, a *Answer) error { return a.Private(ctx, Message{Content: "x"}) }, 4, true},
		{"tap update", tap3(4), func(ctx context.Context, a *Answer) error { return a.Update(ctx, Message{Content: "x"}) }, 7, false},
		{"tap done", tap3(5), func(ctx context.Context, a *Answer) error { return a.Done(ctx) }, 6, false},
		{"tap silent", tap3(6), func(context.Context, *Answer) error { return nil }, 6, false},
		{"slash silent", slash(7), func(context.Context, *Answer) error { return nil }, 4, true},
		{"slash done", slash(8), func(ctx context.Context, a *Answer) error { return a.Done(ctx) }, 5, true},
		{"choices", typing(9), func(ctx context.Context, a *Answer) error { return a.Choices(ctx, []Choice{{"A7", "a7"}}) }, 8, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := handling(t, test.event, nil, func(ctx context.Context, a *Answer) { check(t, test.say(ctx, a)) })
			r.request("POST", "/callback")
			kind, data := callbackOf(t, r.stub)
			if kind != test.want || flagsOf(data)&discordgo.MessageFlagsEphemeral != 0 != test.ephemeral {
				t.Errorf("got type %v %v, want %v, ephemeral %v", kind, data, test.want, test.ephemeral)
			}
			if auth := r.request("POST", "/callback").auth; auth != "" {
				t.Error("the bot's token was sent where the interaction's is enough")
			}
		})
	}
}

// TestSlowHandler: who says nothing for a while is acknowledged by itself, and then says the same by other means.
func TestSlowHandler(t *testing.T) {
	t.Parallel()
	m := Message{Content: "at last"}
	for _, test := range []struct {
		name         string
		event        map[string]any
		say          func(context.Context, *Answer) error
		first        float64
		method, path string // of what came after
		ephemeral    bool   // flag of what came after
	}{
		{"slash private", slash(1), func(ctx context.Context, a *Answer) error { return a.Private(ctx, m) }, 5, "PATCH", "@original", false},
		{"slash public", slash(2), func(ctx context.Context, a *Answer) error { _, err := a.Public(ctx, m); return err }, 5, "POST", "/channels/" + channelID + "/messages", false},
		{"tap private", tap3(3), func(ctx context.Context, a *Answer) error { return a.Private(ctx, m) }, 6, "POST", "/webhooks/" + appID, true},
		{"tap update", tap3(4), func(ctx context.Context, a *Answer) error { return a.Update(ctx, m) }, 6, "PATCH", "@original", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := newStub(t)
			r := d.start(func(cfg *Config) {
				cfg.DeferAfter = time.Millisecond
				cfg.Handle = func(ctx context.Context, _ Interaction, a *Answer) {
					d.request("POST", "/callback")
					check(t, test.say(ctx, a))
				}
			}).connected()
			r.press(test.event)
			after := r.request(test.method, test.path)
			kind, data := callbackOf(t, d)
			if kind != test.first || (kind == 5) != (flagsOf(data)&discordgo.MessageFlagsEphemeral != 0) {
				t.Errorf("acknowledged by %v %v, want type %v", kind, data, test.first)
			}
			if after.body["content"] != m.Content || flagsOf(after.body)&discordgo.MessageFlagsEphemeral != 0 != test.ephemeral {
				t.Errorf("then %v %v", after, after.body)
			}
			if test.name == "slash public" {
				r.request("DELETE", "@original")
				if after.body["nonce"] == nil || after.body["enforce_nonce"] != true {
					t.Errorf("posted without a nonce: %v", after.body)
				}
			}
		})
	}
}

func TestSlowChoices(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	late := make(chan error, 1)
	r := d.start(func(cfg *Config) {
		cfg.ChoicesAfter = time.Millisecond
		cfg.Handle = func(ctx context.Context, _ Interaction, a *Answer) {
			d.request("POST", "/callback")
			late <- a.Choices(ctx, []Choice{{"A7", "a7"}})
		}
	}).connected()
	r.press(typing(1))
	if err := <-late; !IsLate(err) {
		t.Errorf("choices after the empty list: %v, want late", err)
	}
	kind, data := callbackOf(t, d)
	list, ok := data["choices"].([]any)
	if kind != 8 || !ok || len(list) != 0 {
		t.Errorf("got %v %v, want an empty list", kind, data)
	}
}

// TestOneFirstResponse: whatever is called at once, and while the acknowledgement comes due.
func TestOneFirstResponse(t *testing.T) {
	t.Parallel()
	r := handling(t, tap3(1), func(cfg *Config) { cfg.DeferAfter = time.Millisecond }, func(ctx context.Context, a *Answer) {
		var all sync.WaitGroup
		for n := range 40 {
			all.Go(func() {
				switch n % 4 {
				case 0:
					check(t, a.Private(ctx, Message{Content: "p"}))
				case 1:
					check(t, a.Update(ctx, Message{Content: "u"}))
				case 2:
					check(t, a.Done(ctx))
				case 3:
					_, err := a.Public(ctx, Message{Content: "all"})
					check(t, err)
				}
			})
		}
		all.Wait()
	})
	callbackOf(t, r.stub)
}

func TestDeliveredTwice(t *testing.T) {
	t.Parallel()
	var runs atomic.Int32
	done := make(chan string, 4)
	r := newStub(t).start(func(cfg *Config) {
		cfg.Handle = func(ctx context.Context, in Interaction, a *Answer) {
			runs.Add(1)
			check(t, a.Private(ctx, Message{Content: "once"}))
			done <- in.CustomID
		}
	}).connected()
	twice := tap3(1)
	for range 3 {
		r.press(twice)
	}
	<-done
	r.press(tap3(2)) // another id, 5 ms later or less
	<-done
	r.stop()
	<-r.done // all handlers have ended
	if n := runs.Load(); n != 2 {
		t.Errorf("handled %d times, want 2", n)
	}
	if all := r.matching("POST", "/callback"); len(all) != 2 || all[0].path == all[1].path {
		t.Errorf("first responses: %v, want one to each id", all)
	}
}

func TestPanic(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	r := newStub(t).start(func(cfg *Config) {
		cfg.Handle = func(_ context.Context, in Interaction, _ *Answer) {
			if in.Kind == Component {
				close(next)
				return
			}
			panic("no good with " + in.Token + " and " + botToken)
		}
	}).connected()
	r.press(slash(1))
	first := r.request("POST", "/callback")
	data := first.body["data"].(map[string]any)
	if data["content"] != "oops" || flagsOf(data) != discordgo.MessageFlagsEphemeral {
		t.Errorf("told %v", data)
	}
	r.press(tap3(2))
	<-next
}

func TestPanicAfterAnAnswer(t *testing.T) {
	t.Parallel()
	r := newStub(t).start(func(cfg *Config) {
		cfg.Handle = func(ctx context.Context, _ Interaction, a *Answer) {
			check(t, a.Update(ctx, Message{Content: "fine so far"}))
			var none *Interaction
			_ = none.ID
		}
	}).connected()
	r.press(tap3(1))
	after := r.request("POST", "/webhooks/")
	if after.body["content"] != "oops" || flagsOf(after.body) != discordgo.MessageFlagsEphemeral {
		t.Errorf("told %v", after.body)
	}
}

// TestOldToken: fifteen minutes later nothing is sent by the token; refusals would count towards a ban.
func TestOldToken(t *testing.T) {
	t.Parallel()
	var late atomic.Int64 // how far the bot's clock went on
	errs := make(chan error, 3)
	d := newStub(t)
	r := d.start(func(cfg *Config) {
		cfg.Now = func() time.Time { return time.Now().Add(time.Duration(late.Load())) }
		cfg.Handle = func(ctx context.Context, in Interaction, a *Answer) {
			check(t, a.Update(ctx, Message{Content: "in time"}))
			late.Store(int64(16 * time.Minute))
			if a.Alive(cfg.Now()) {
				t.Error("alive after 16 minutes")
			}
			errs <- a.Update(ctx, Message{})
			errs <- a.Private(ctx, Message{})
			_, err := a.Public(ctx, Message{})
			errs <- err
		}
	}).connected()
	r.press(tap3(1))
	for range 3 {
		if err := <-errs; !IsLate(err) {
			t.Errorf("got %v, want late", err)
		}
	}
	if all := d.matching("", "/webhooks/"); len(all) != 0 {
		t.Errorf("sent all the same: %v", all)
	}
}

// TestLateFirstResponse: Discord no longer knows the interaction; it is asked once.
func TestLateFirstResponse(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.answer = func(s sent, w http.ResponseWriter) bool {
		if s.is("POST", "/callback") {
			refuse(w, 404, codeUnknownInteraction)
			return true
		}
		return false
	}
	errs := make(chan error, 2)
	r := d.start(func(cfg *Config) {
		cfg.Handle = func(ctx context.Context, _ Interaction, a *Answer) {
			errs <- a.Private(ctx, Message{})
			errs <- a.Private(ctx, Message{})
		}
	}).connected()
	r.press(slash(1))
	for range 2 {
		if err := <-errs; !IsLate(err) || IsGone(err) || IsTemporary(err) {
			t.Errorf("got %v, want late", err)
		}
	}
	callbackOf(t, d)
}

// TestLostConfirmation: the first response arrived, the word of it did not; the second try learns that.
func TestLostConfirmation(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	var cut atomic.Bool
	d.answer = func(s sent, w http.ResponseWriter) bool {
		if s.is("POST", "/callback") && !cut.Swap(true) {
			d.change(func() { d.first[slices.Collect(splitPath(s.path))[1]] = true })
			panic(http.ErrAbortHandler)
		}
		if s.is("GET", "@original") {
			w.Write([]byte(`{"id":"800000000000000077"}`))
			return true
		}
		return false
	}
	ids := make(chan string, 1)
	r := d.start(func(cfg *Config) {
		cfg.Handle = func(ctx context.Context, _ Interaction, a *Answer) {
			id, err := a.Public(ctx, Message{Content: "a challenge"})
			check(t, err)
			ids <- id
		}
	}).connected()
	r.press(slash(1))
	if id := <-ids; id != "800000000000000077" {
		t.Errorf("id %q", id)
	}
	if n := len(d.matching("POST", "/channels/")); n != 0 {
		t.Errorf("posted %d more messages", n)
	}
}

// TestRevise: a command's answer is given once and then edited, a tap has none.
func TestRevise(t *testing.T) {
	t.Parallel()
	r := handling(t, slash(1), nil, func(ctx context.Context, a *Answer) {
		check(t, a.Revise(ctx, Message{Content: "half"}))
		check(t, a.Revise(ctx, Message{Content: "whole"}))
	})
	if s := r.request("PATCH", "@original"); s.body["content"] != "whole" {
		t.Errorf("edited to %s", s.body)
	}
	handling(t, tap3(2), nil, func(ctx context.Context, a *Answer) {
		var unfit *UnfitError
		if err := a.Revise(ctx, Message{}); !errors.As(err, &unfit) {
			t.Errorf("revision of a tap: %v", err)
		}
		check(t, a.Done(ctx))
	})
}

func TestUpdateAfterReply(t *testing.T) {
	t.Parallel()
	r := handling(t, tap3(1), nil, func(ctx context.Context, a *Answer) {
		check(t, a.Private(ctx, Message{Content: "first"}))
		check(t, a.Update(ctx, Message{Content: "then the board"}))
	})
	if s := r.request("PATCH", "/"); s.path != "/channels/"+channelID+"/messages/800000000000000005" {
		t.Errorf("edited %v: @original would be the private reply", s)
	}
}

func TestUnfit(t *testing.T) {
	t.Parallel()
	handling(t, slash(1), nil, func(ctx context.Context, a *Answer) {
		var unfit *UnfitError
		if err := a.Update(ctx, Message{}); !errors.As(err, &unfit) {
			t.Errorf("update of a command: %v", err)
		}
		if err := a.Choices(ctx, nil); !errors.As(err, &unfit) {
			t.Errorf("choices for a command: %v", err)
		}
		check(t, a.Private(ctx, Message{}))
	})
}
