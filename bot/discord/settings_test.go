package discord_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kraal/bot/discord/wire"
	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

const everything = 1<<10 | 1<<11 | 1<<14 | 1<<15 | 1<<16 | 1<<35 | 1<<38

// settings are those kept of the stage's server.
func (s *stage) settings() storage.Server {
	s.t.Helper()
	kept, err := s.app.Settings(s.t.Context(), s.server.ID)
	s.must(err)
	return kept
}

// set is a sub-command of /settings by the server's owner.
func (s *stage) set(sub string, options map[string]any) sandbox.Message {
	s.t.Helper()
	return s.slash(s.white, "settings "+sub, options)
}

// TestSettings: what is set is kept, shown with what it means, and taken back by leaving the value out.
func TestSettings(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	news := s.server.Channels[1].ID
	s.expectPrivate(s.set("show", nil), "Morabaraba, Traditional")
	s.expectPrivate(s.set("variant", map[string]any{"variant": "koti"}), "Morabaraba, Koti")
	s.expectPrivate(s.set("clock", map[string]any{"clock": "3d"}), "3 days a turn")
	s.expectPrivate(s.set("threads", map[string]any{"on": true}), "each game has one of its own")
	s.expectPrivate(s.set("tv", map[string]any{"channel": news}), "<#"+news+">")
	s.expectPrivate(s.set("announce", map[string]any{"channel": news}), "<#"+news+">")
	s.expectPrivate(s.set("channels add", map[string]any{"channel": s.channel}), "<#"+s.channel+">")
	s.expectPrivate(s.set("referees", map[string]any{"role": s.server.ID}), "of everyone")
	want := storage.Server{
		ID: s.server.ID, Variant: "koti", Clock: "3d", Threads: true, TV: news, Announce: news, Herald: s.white.ID(),
		Channels: []string{s.channel}, Referees: []string{s.server.ID},
	}
	if got := s.settings(); !slices.Equal(got.Channels, want.Channels) || !slices.Equal(got.Referees, want.Referees) ||
		got.Variant != want.Variant || got.Clock != want.Clock || !got.Threads || got.TV != news || got.Announce != news || got.Herald != want.Herald {
		t.Errorf("kept %+v, want %+v", got, want)
	}
	shown := s.set("show", nil)
	for _, part := range []string{"Koti", "3 days a turn", "<#" + s.channel + ">", "of everyone", "announced in <#" + news + ">"} {
		s.expectPrivate(shown, part)
	}
	for _, sub := range []string{"variant", "clock", "tv", "announce"} {
		s.set(sub, nil)
	}
	s.set("threads", map[string]any{"on": false})
	s.set("channels remove", map[string]any{"channel": s.channel})
	s.set("referees", map[string]any{"role": s.server.ID, "remove": true})
	got := s.settings()
	if got.Variant+got.Clock+got.TV+got.Announce+got.Herald != "" || got.Threads || len(got.Channels)+len(got.Referees) != 0 {
		t.Errorf("after taking all back: %+v", got)
	}
	s.expectPrivate(s.set("channels remove", map[string]any{"channel": s.channel}), "not in the list")
}

// TestSettingsAreForManagers: Discord does not offer the command to others, and where a server lets it, the bot refuses.
func TestSettingsAreForManagers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ctx, done := s.patience()
	defer done()
	if _, err := s.black.Slash(ctx, s.channel, "settings show", nil); err == nil {
		t.Error("Discord offers the command to everybody")
	}
	s.offerToAll()
	for _, sub := range []string{"show", "clock", "house show"} {
		s.expectPrivate(s.slash(s.black, "settings "+sub, nil), "Only those who may manage the server")
	}
	s.expectPrivate(s.set("show", nil), "Settings of this server")
	if in := (wire.Interaction{MemberPermissions: 1 << 5}); in.MayManage() {
		t.Error("there is nothing to manage in direct messages")
	}
}

// offerToAll has Discord offer every command to everybody, as those who manage a server can decide.
func (s *stage) offerToAll() {
	s.t.Helper()
	ask := func(method string, body io.Reader) []byte {
		req, err := http.NewRequestWithContext(s.t.Context(), method, s.sb.API()+"/applications/"+s.sb.AppID()+"/commands", body)
		s.must(err)
		req.Header.Set("Authorization", "Bot "+s.sb.Token())
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
		answer, err := http.DefaultClient.Do(req)
		s.must(err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			s.t.Fatalf("%s: %s %s, %v", method, answer.Status, text, err)
		}
		return text
	}
	limited := regexp.MustCompile(`"default_member_permissions":"[0-9]+"`)
	ask(http.MethodPut, bytes.NewReader(limited.ReplaceAll(ask(http.MethodGet, nil), []byte(`"default_member_permissions":null`))))
}

// TestDefaultsOfAServer: a challenge by command and one by the greeting's buttons are of the server's game and clock.
func TestDefaultsOfAServer(t *testing.T) {
	t.Parallel()
	s, hello := welcomed(t)
	s.set("variant", map[string]any{"variant": "koti"})
	s.set("clock", map[string]any{"clock": "3d"})
	if got := s.settings().Greeted; got.IsZero() {
		t.Error("the greeting is forgotten")
	}
	byCommand := s.slash(s.white, "challenge", nil)
	s.expect(byCommand, "Morabaraba, Koti")
	s.expect(byCommand, "3 days a turn")
	ask := s.press(s.black, hello.ID, "Play a friend")
	s.press(s.black, ask.ID, "Anyone may join")
	s.expect(s.newest(), "Morabaraba, Koti")
	s.expect(s.newest(), "3 days a turn")
	s.expectPrivate(s.press(s.black, hello.ID, "Read the rules"), "Koti")
	s.expect(s.slash(s.white, "challenge", map[string]any{"variant": "nine", "clock": "none"}), "no clock")
}

// TestChannelsAllowed: elsewhere no game begins, by whatever way; threads count as their channel.
func TestChannelsAllowed(t *testing.T) {
	t.Parallel()
	s, hello := welcomed(t)
	games := s.server.Channels[0].ID
	other := s.server.Channels[1].ID
	s.set("channels add", map[string]any{"channel": other})
	s.expectPrivate(s.slash(s.white, "challenge", nil), "<#"+other+">")
	s.expectPrivate(s.press(s.black, hello.ID, "Play the bot"), "<#"+other+">")
	ask := s.press(s.black, hello.ID, "Play a friend")
	s.expectPrivate(s.press(s.black, ask.ID, "Anyone may join"), "<#"+other+">")
	if live, err := s.app.Mine(t.Context(), s.white.ID()); err != nil || len(live) != 0 {
		t.Errorf("%d games, %v", len(live), err)
	}
	s.channel = other
	s.expect(s.slash(s.white, "challenge", nil), "Anyone may accept")
	s.set("channels add", map[string]any{"channel": games})
	s.channel = s.server.Channels[len(s.server.Channels)-1].ID // a thread of the first channel
	s.expect(s.slash(s.white, "challenge", nil), "Anyone may accept")
}

// TestSettingsNeedTheRight: a channel that the bot cannot write to is refused with what is missing, and nothing changes.
func TestSettingsNeedTheRight(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	mute := s.server.Channels[1].ID
	s.must(s.sb.SetPermissions(mute, everything&^(1<<11)))
	for _, sub := range []string{"announce", "tv", "channels add"} {
		s.expectPrivate(s.set(sub, map[string]any{"channel": mute}), "Send Messages")
	}
	if got := s.settings(); got.Announce+got.TV != "" || len(got.Channels) != 0 {
		t.Errorf("kept %+v", got)
	}
}

// TestAnnouncements: a finished rated game is told in a line where the server wants it. When the channel takes no more,
// who chose it is told where the game is, and it is switched off.
func TestAnnouncements(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	news := s.server.Channels[1].ID
	s.set("announce", map[string]any{"channel": news})
	id := s.resigned()
	line := s.awaitIn(news, "Nine Men's Morris")
	s.expect(line, "wins against")
	s.expect(line, "), ") // one player's rating after the other's
	s.expect(line, s.kept(id).Shown.Message)
	if len(line.Mentions) != 0 || strings.Contains(line.Content, "\n") {
		t.Errorf("mentions %v: %q", line.Mentions, line.Content)
	}
	s.must(s.sb.SetPermissions(news, everything&^(1<<11)))
	s.resigned()
	told := s.awaitIn(s.channel, "announcements are switched off")
	s.mentions(told, s.white.ID())
	s.expect(told, "<#"+news+">")
	if got := s.settings(); got.Announce != "" {
		t.Errorf("still announced in %s", got.Announce)
	}
}

// resigned is a rated game that black has resigned after a turn each.
func (s *stage) resigned() string {
	s.t.Helper()
	id := s.game(s.begin("nine", nil))
	s.act(id, rules.Black, "a7")
	s.act(id, rules.White, "d7")
	ask := s.slash(s.black, "resign", map[string]any{"game": id})
	s.press(s.black, ask.ID, "Confirm")
	return id
}

// awaitIn is the public message in a channel that says something, once it is there.
func (s *stage) awaitIn(channel, want string) (found sandbox.Message) {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	err := s.sb.Wait(ctx, func() bool {
		i := slices.IndexFunc(s.white.Messages(channel), func(m sandbox.Message) bool {
			return !m.Ephemeral && strings.Contains(m.Content, want)
		})
		if i >= 0 {
			found = s.white.Messages(channel)[i]
		}
		return i >= 0
	})
	if err != nil {
		s.t.Fatalf("nobody says %q in %s: %v", want, channel, err)
	}
	return found
}

// suggestions are what is suggested for an option while it is typed.
func (s *stage) suggestions(who *sandbox.Actor, command, option, typed string, options map[string]any) (values []string) {
	s.t.Helper()
	all := map[string]any{option: typed}
	for k, v := range options {
		all[k] = v
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	choices, err := who.Complete(ctx, s.channel, command, all, option)
	s.must(err)
	for _, c := range choices {
		values = append(values, string(c.Value))
	}
	return values
}
