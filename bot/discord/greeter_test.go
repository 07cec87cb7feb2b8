package discord_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/storage"
)

// greeting makes the bot of a stage greet.
func greeting(s *stage) { s.greet = true }

// greetings are the bot's first messages in a server, as its owner sees them.
func (s *stage) greetings(server sandbox.Server) (found []sandbox.Message) {
	for _, ch := range server.Channels {
		for _, m := range s.sb.As(server.Owner).Messages(ch.ID) {
			if _, ok := m.Control("Play a friend"); ok && !m.Ephemeral {
				found = append(found, m)
			}
		}
	}
	return found
}

// greeted waits until a server has had so many greetings, and gives the last one.
func (s *stage) greeted(server sandbox.Server, times int) (last sandbox.Message) {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	if err := s.sb.Wait(ctx, func() bool { return len(s.greetings(server)) >= times }); err != nil {
		s.t.Fatalf("%s has had %d greetings, want %d: %v", server.Name, len(s.greetings(server)), times, err)
	}
	found := s.greetings(server)
	if len(found) != times {
		s.t.Fatalf("%s has had %d greetings, want %d", server.Name, len(found), times)
	}
	for _, m := range found {
		if last.ID < m.ID {
			last = m
		}
	}
	return last
}

// settled waits until the bot has looked at everything that it heard of servers so far: it goes through them one after
// the other, and the other server, to which it is invited once more, comes last.
func (s *stage) settled() {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	s.must(s.sb.Wait(ctx, func() bool { return len(s.greetings(s.other)) > 0 }))
	before := len(s.greetings(s.other))
	s.must(s.sb.Kick(s.other.ID))
	s.must(s.sb.Invite(s.other.ID))
	s.greeted(s.other, before+1)
}

// keptServer is what the store has of a server.
func (s *stage) keptServer(id string) (kept storage.Server) {
	s.t.Helper()
	kept, err := s.app.Settings(s.t.Context(), id)
	s.must(err)
	return kept
}

// TestGreetedOnce: one message in each server, in its system channel, with the ways in; not again when Discord tells of
// the server twice, when the bot is started again, or when its session is lost.
func TestGreetedOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, greeting)
	m := s.greeted(s.server, 1)
	if m.Channel != s.server.Channels[0].ID || len(m.Mentions) != 0 || len(m.Content) < 100 || unsaid.MatchString(m.Content) {
		t.Errorf("got %+v", m)
	}
	styles := map[string]int{"Play a friend": 3, "Play the bot": 1, "Read the rules": 2}
	for label, style := range styles {
		if c, ok := m.Control(label); !ok || c.Style != style {
			t.Errorf("%s: got %+v, want style %d", label, c, style)
		}
	}
	s.must(s.sb.Invite(s.server.ID))
	s.must(s.sb.Invite(s.server.ID))
	s.settled()
	s.greeted(s.server, 1)
	if s.keptServer(s.server.ID).Greeted.IsZero() {
		t.Error("the greeting is not kept")
	}
	s.restart()
	s.settled()
	s.sb.InvalidSession(false)
	ctx, done := s.patience()
	defer done()
	s.must(s.sb.WaitReady(ctx))
	s.settled()
	s.greeted(s.server, 1)
	if n := s.requests("POST", "/channels/"+m.Channel+"/messages"); n != 1 {
		t.Errorf("%d messages were posted in %s", n, m.Channel)
	}
}

// requests counts the requests to a path.
func (s *stage) requests(method, path string) (n int) {
	for _, r := range s.sb.Requests() {
		if r.Method == method && strings.HasSuffix(r.Path, path) {
			n++
		}
	}
	return n
}

// TestNotGreeted: a bot that is not to greet says nothing by itself.
func TestNotGreeted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.must(s.sb.Kick(s.server.ID))
	s.must(s.sb.Invite(s.server.ID))
	s.expectPrivate(s.slash(s.white, "help", nil), "/challenge")
	s.restart()
	if n := s.requests("POST", "/messages"); n != 0 {
		t.Errorf("%d messages were posted", n)
	}
}

// TestGreetedWhereItMayWrite: where the bot may not write in the system channel, by the server's data or by Discord's
// refusal alone, the next channel has the greeting.
func TestGreetedWhereItMayWrite(t *testing.T) {
	t.Parallel()
	const view, send = 1 << 10, 1 << 11
	for name, first := range map[string]func(*stage){
		"silenced": func(s *stage) { s.must(s.sb.SetPermissions(s.server.Channels[0].ID, view)) },
		"blind":    func(s *stage) { s.must(s.sb.SetPermissions(s.server.Channels[0].ID, send)) },
		"refused": func(s *stage) {
			s.sb.FailNext("POST", "/channels/"+s.server.Channels[0].ID+"/messages", http.StatusForbidden, 50013, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, greeting, first)
			if m := s.greeted(s.server, 1); m.Channel != s.server.Channels[1].ID {
				t.Errorf("greeted in %s", m.Channel)
			}
			asked := s.requests("POST", "/channels/"+s.server.Channels[0].ID+"/messages")
			if want := map[bool]int{true: 1, false: 0}[name == "refused"]; asked != want {
				t.Errorf("%d requests to the system channel, want %d", asked, want)
			}
		})
	}
}

// TestNowhereToGreet: refused everywhere, the bot lets it be until it is started again.
func TestNowhereToGreet(t *testing.T) {
	t.Parallel()
	s := newStage(t, greeting, func(s *stage) {
		for _, ch := range s.server.Channels {
			s.sb.FailNext("POST", "/channels/"+ch.ID+"/messages", http.StatusForbidden, 50001, 1)
		}
	})
	s.settled()
	s.must(s.sb.Invite(s.server.ID))
	s.settled()
	s.greeted(s.server, 0)
	if got := s.keptServer(s.server.ID); !got.Greeted.IsZero() {
		t.Errorf("kept %+v", got)
	}
	s.restart()
	s.greeted(s.server, 1)
}

// TestAtMostFiveChannels: a server with many channels that all refuse is not tried without end.
func TestAtMostFiveChannels(t *testing.T) {
	t.Parallel()
	s := newStage(t, greeting, func(s *stage) { s.sb.FailNext("POST", "/channels/", http.StatusForbidden, 50013, 5) })
	s.settled()
	s.greeted(s.server, 0) // although the sixth would have taken it
	arrived := len(s.greetings(s.other))
	ctx, done := s.patience()
	defer done()
	// A message can be seen before its request is noted.
	s.must(s.sb.Wait(ctx, func() bool { return s.requests("POST", "/messages") >= 5+arrived }))
	if n := s.requests("POST", "/messages"); n != 5+arrived {
		t.Errorf("%d messages were tried, of which %d arrived in the other server", n, arrived)
	}
}

// TestRemovedAndInvitedAgain: whoever invites the bot again is greeted again, also when both happened while the bot was
// not running.
func TestRemovedAndInvitedAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, greeting)
	s.greeted(s.server, 1)
	s.must(s.sb.Kick(s.server.ID))
	s.must(s.sb.Invite(s.server.ID))
	s.greeted(s.server, 2)
	s.settled()
	s.stop()
	s.clock.Advance(time.Hour)
	s.must(s.sb.Kick(s.server.ID))
	s.must(s.sb.Invite(s.server.ID))
	s.start()
	s.greeted(s.server, 3)
	s.settled()
	s.restart()
	s.settled()
	s.greeted(s.server, 3)
}

// TestGreetedThroughTrouble: while Discord is in trouble the same is tried again, in the same channel and with the same
// nonce, for an earlier try may have arrived.
func TestGreetedThroughTrouble(t *testing.T) {
	t.Parallel()
	const tries = 5 // of one request
	s := newStage(t, greeting, func(s *stage) {
		s.sb.FailNext("POST", "/channels/"+s.server.Channels[0].ID+"/messages", http.StatusBadGateway, 0, tries)
	})
	if m := s.greeted(s.server, 1); m.Channel != s.server.Channels[0].ID {
		t.Errorf("greeted in %s", m.Channel)
	}
	ctx, done := s.patience()
	defer done()
	// A message can be seen before its request is noted.
	s.must(s.sb.Wait(ctx, func() bool { return len(s.nonces(s.server.Channels[0].ID)) > tries }))
	nonces := s.nonces(s.server.Channels[0].ID)
	if len(nonces) != tries+1 || len(slices.Compact(slices.Clone(nonces))) != 1 || nonces[0] == "" {
		t.Errorf("posted with the nonces %q", nonces)
	}
}

// nonces lists those of the messages that were posted in a channel, or tried, each enforced.
func (s *stage) nonces(channel string) (found []string) {
	for _, r := range s.sb.Requests() {
		if r.Method != "POST" || !strings.HasSuffix(r.Path, "/channels/"+channel+"/messages") {
			continue
		}
		var body struct {
			Nonce   string
			Enforce bool `json:"enforce_nonce"`
		}
		s.must(json.Unmarshal(r.Body, &body))
		if !body.Enforce {
			s.t.Errorf("the nonce %q is not enforced", body.Nonce)
		}
		found = append(found, body.Nonce)
	}
	return found
}

// TestCrashAfterGreeting: a bot that ends between posting and keeping greets again, and Discord takes it for the same.
func TestCrashAfterGreeting(t *testing.T) {
	t.Parallel()
	s := newStage(t, greeting)
	s.settled()
	s.must(s.app.SetGreeted(t.Context(), s.server.ID, time.Time{}))
	s.restart()
	s.settled()
	s.greeted(s.server, 1)
	if n := len(s.nonces(s.server.Channels[0].ID)); n != 2 {
		t.Errorf("posted %d times, want once before the crash and once after it", n)
	}
	if s.keptServer(s.server.ID).Greeted.IsZero() {
		t.Error("the second greeting is not kept")
	}
}
