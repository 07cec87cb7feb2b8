package discord_test

import (
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// seenIn waits until a message of a channel that everybody can see is as wanted, and gives the last such one.
func (s *stage) seenIn(channel, what string, wanted func(sandbox.Message) bool) (found sandbox.Message) {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	err := s.sb.Wait(ctx, func() (seen bool) {
		for _, m := range s.white.Messages(channel) {
			if !m.Ephemeral && wanted(m) {
				found, seen = m, true
			}
		}
		return seen
	})
	if err != nil {
		s.t.Fatalf("%s is not seen: %v; there is %+v", what, err, s.white.Messages(channel))
	}
	return found
}

// mirror waits for the mirror of a game to show what is kept of it.
func (s *stage) mirror(channel, id string) sandbox.Message {
	s.t.Helper()
	p := position(s.t, s.kept(id))
	m := s.seenIn(channel, "the mirror of "+id, func(m sandbox.Message) bool {
		return strings.Contains(m.Content, id) && len(m.Attachments) == 1 &&
			pointsSaid(m.Attachments[0].Description, "White") == p.Pieces[rules.White] &&
			pointsSaid(m.Attachments[0].Description, "Black") == p.Pieces[rules.Black]
	})
	if len(m.Components) != 0 {
		s.t.Errorf("a mirror has controls: %+v", m.Components)
	}
	s.expect(m, "https://discord.com/channels/"+s.server.ID+"/")
	return m
}

func (s *stage) watch(who *sandbox.Actor, id, channel string) sandbox.Message {
	s.t.Helper()
	return s.slash(who, "watch", map[string]any{"game": id, "channel": channel})
}

// countIn waits until a channel's messages are so many.
func (s *stage) countIn(channel string, want int) []sandbox.Message {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	if err := s.sb.Wait(ctx, func() bool { return len(s.white.Messages(channel)) == want }); err != nil {
		s.t.Fatalf("%d messages in the channel, want %d", len(s.white.Messages(channel)), want)
	}
	return s.white.Messages(channel)
}

// wants has the server want a tv in a channel, and games in threads or not.
func (s *stage) wants(server storage.Server) {
	s.t.Helper()
	server.ID = s.server.ID
	_, err := s.store.Commit(s.t.Context(), storage.Changes{Put: []storage.Record{server}})
	s.must(err)
}

// TestWatch: anyone can have a game followed in another channel; it is edited in place, survives a restart, and stands
// as the game ended.
func TestWatch(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	market := s.server.Channels[1].ID
	id := s.game(s.begin("morabaraba", nil))
	looker := s.sb.As(s.server.Members[2])
	s.expectPrivate(s.watch(looker, id, market), "is followed in <#"+market+">")
	first := s.mirror(market, id)
	s.act(id, rules.White, "a7")
	s.act(id, rules.Black, "d7")
	if now := s.mirror(market, id); now.ID != first.ID {
		t.Error("the mirror is a new message")
	}
	s.restart()
	s.act(id, rules.White, "g7")
	if now := s.mirror(market, id); now.ID != first.ID {
		t.Error("after a restart the mirror is a new message")
	}
	s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": id}).ID, "Confirm")
	s.seenIn(market, "the end", func(m sandbox.Message) bool { return strings.Contains(m.Content, "resignation") })
	s.untilKept("the mirror is forgotten", func(all []storage.Watch) bool { return len(all) == 0 })
	s.expectPrivate(s.watch(looker, id, market), "not being played")
	s.countIn(market, 1)
}

// TestWatchToggles: the same command ends it, and the message goes.
func TestWatchToggles(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	market := s.server.Channels[1].ID
	id := s.game(s.begin("morabaraba", nil))
	s.watch(s.white, id, market)
	s.mirror(market, id)
	s.expectPrivate(s.watch(s.black, id, market), "no longer followed")
	s.countIn(market, 0)
	s.channel = market
	s.expectPrivate(s.slash(s.sb.As(s.server.Members[2]), "watch", nil), "is followed in <#"+market+">")
	s.mirror(market, id)
}

// TestWatchRefusals: where the board is, where the bot may not write, and games that are none of the server's.
func TestWatchRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	market := s.server.Channels[1].ID
	looker := s.sb.As(s.server.Members[2])
	s.expectPrivate(s.slash(looker, "watch", nil), "no game that could be meant")
	id := s.game(s.begin("morabaraba", nil))
	s.expectPrivate(s.watch(looker, id, s.channel), "in that channel already")
	s.expectPrivate(s.slash(looker, "watch", nil), "in that channel already")
	s.must(s.sb.SetPermissions(market, 1<<10|1<<11))
	s.expectPrivate(s.watch(looker, id, market), "Attach Files")
	s.channel = s.other.Channels[0].ID
	s.expectPrivate(s.slash(s.white, "watch", map[string]any{"game": id}), "another server")
	ctx, done := s.patience()
	defer done()
	s.channel = s.server.Channels[0].ID
	choices, err := looker.Complete(ctx, s.channel, "watch", map[string]any{"game": ""}, "game")
	if err != nil || len(choices) != 1 || choices[0].Value != id {
		t.Errorf("suggested: %v, %v", choices, err)
	}
}

// TestWatchTrouble: a mirror ends with its message, its channel or the permission to edit it, after one refused request,
// and the game goes on.
func TestWatchTrouble(t *testing.T) {
	t.Parallel()
	for name, happen := range map[string]func(s *stage, market string, mirror sandbox.Message) error{
		"message deleted":    func(s *stage, _ string, m sandbox.Message) error { return s.sb.DeleteMessage(m.ID) },
		"channel deleted":    func(s *stage, market string, _ sandbox.Message) error { return s.sb.DeleteChannel(market) },
		"permission is lost": func(s *stage, market string, _ sandbox.Message) error { return s.sb.SetPermissions(market, 1<<10) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			market := s.server.Channels[1].ID
			id := s.game(s.begin("morabaraba", nil))
			s.watch(s.white, id, market)
			mirror := s.mirror(market, id)
			s.must(happen(s, market, mirror))
			before := s.requestsTo(mirror.ID)
			s.act(id, rules.White, "a7")
			s.untilKept("the mirror is forgotten", func(all []storage.Watch) bool { return len(all) == 0 })
			s.act(id, rules.Black, "d7")
			s.checkBoard(s.board(id), position(t, s.kept(id)))
			if n := s.requestsTo(mirror.ID) - before; n != 1 {
				t.Errorf("%d requests after that, want 1", n)
			}
		})
	}
}

// untilKept waits until the watches that are kept are as wanted.
func (s *stage) untilKept(what string, wanted func([]storage.Watch) bool) {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	var all []storage.Watch
	for {
		committed := s.commits.rung()
		all = nil
		s.must(s.store.View(ctx, func(r storage.Reader) error {
			hits, err := r.Range(storage.All(storage.KindWatch), "", 100)
			for _, h := range hits {
				stored, err := r.Get(h.Key)
				if err != nil {
					return err
				}
				all = append(all, stored.Record.(storage.Watch))
			}
			return err
		}))
		if wanted(all) {
			return
		}
		select {
		case <-committed:
		case <-ctx.Done():
			s.t.Fatalf("not before long: %s; kept are %+v", what, all)
		}
	}
}

// TestWatchOutage: after minutes of trouble at Discord's the mirror shows the newest state, having asked rarely.
func TestWatchOutage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	market := s.server.Channels[1].ID
	id := s.game(s.begin("morabaraba", nil))
	s.watch(s.white, id, market)
	mirror := s.mirror(market, id)
	before := s.requestsTo(mirror.ID)
	s.sb.FailNext("PATCH", "/channels/"+market+"/", 503, 0, 7)
	for i, at := range []string{"a7", "d7", "g7", "b6"} {
		s.act(id, rules.Side(i%2), at)
	}
	ctx, done := s.patience()
	defer done()
	s.must(s.sb.Wait(ctx, func() bool { return s.requestsTo(mirror.ID)-before >= 5 })) // all tries of one attempt
	s.clock.Advance(10 * time.Minute)
	if now := s.mirror(market, id); now.ID != mirror.ID {
		t.Error("the mirror is a new message")
	}
}

// TestMirrorIsOld: a mirror that is almost an hour old is replaced by a new one, for edits of older ones are limited.
func TestMirrorIsOld(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	market := s.server.Channels[1].ID
	id := s.game(s.begin("morabaraba", nil))
	s.watch(s.white, id, market)
	old := s.mirror(market, id)
	s.clock.Advance(56 * time.Minute)
	s.act(id, rules.White, "a7")
	if anew := s.mirror(market, id); anew.ID == old.ID {
		t.Error("the old message is edited")
	}
	s.countIn(market, 1)
}

// TestTV: the tv shows the best game in play, keeps the board of the one that ended, and goes on with the next; a
// deleted message comes anew, and a deleted channel is forgotten.
func TestTV(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	market, well := s.server.Channels[1].ID, s.server.Channels[2].ID
	s.wants(storage.Server{TV: market})
	first := s.game(s.begin("morabaraba", nil))
	s.expect(s.mirror(market, first), "best game in play")
	s.act(first, rules.White, "a7")
	s.must(s.sb.DeleteMessage(s.mirror(market, first).ID))
	s.act(first, rules.Black, "d7")
	s.mirror(market, first)
	s.channel = well
	second := s.game(s.begin("nine", nil))
	s.mirror(market, second) // as strong, and the last to start
	s.act(second, rules.Black, "a7")
	s.act(second, rules.White, "d7")
	s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": second}).ID, "Confirm")
	if got := s.countIn(market, 2); !strings.Contains(got[0].Content, "resignation") {
		t.Errorf("the board of the game that ended says %q", got[0].Content)
	}
	s.mirror(market, first)
	s.must(s.sb.DeleteChannel(market))
	s.act(first, rules.White, "g7")
	s.untilKept("the tv is forgotten", func(all []storage.Watch) bool { return len(all) == 0 })
	server, err := s.app.Settings(t.Context(), s.server.ID)
	if err != nil || server.TV != "" {
		t.Errorf("the server wants %+v, %v", server, err)
	}
}

// TestTVForbidden: a tv that may not be written to costs one refused request, the games go on, and it is back with the
// next game once it may.
func TestTVForbidden(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	market := s.server.Channels[1].ID
	s.must(s.sb.SetPermissions(market, 1<<10))
	s.wants(storage.Server{TV: market})
	first := s.game(s.begin("morabaraba", nil))
	s.untilKept("the tv has stopped", func(all []storage.Watch) bool { return len(all) == 1 && all[0].Trouble != "" })
	for i, at := range []string{"a7", "d7", "g7"} {
		s.act(first, rules.Side(i%2), at)
	}
	s.checkBoard(s.board(first), position(t, s.kept(first)))
	if n := s.postsTo(market); n != 1 {
		t.Errorf("%d messages were tried, want 1", n)
	}
	s.must(s.sb.SetPermissions(market, 1<<10|1<<11|1<<14|1<<15|1<<16))
	s.mirror(market, s.game(s.begin("nine", nil)))
}

// postsTo counts the messages that were tried to be posted to a channel.
func (s *stage) postsTo(channel string) (n int) {
	for _, r := range s.sb.Requests() {
		if r.Method == "POST" && strings.HasSuffix(r.Path, "/channels/"+channel+"/messages") {
			n++
		}
	}
	return n
}
