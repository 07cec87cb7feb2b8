package discord_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/discord"
	"kraal/bot/sandbox"
	"kraal/render"
	"kraal/rules"
	"kraal/storage"
)

// choice is what a member is kept to have chosen.
func (s *stage) choice(who *sandbox.Actor) storage.Member {
	s.t.Helper()
	m, err := s.app.Member(s.t.Context(), who.ID())
	s.must(err)
	return m
}

// prefer switches one of a member's preferences.
func (s *stage) prefer(who *sandbox.Actor, what, value string) sandbox.Message {
	s.t.Helper()
	return s.slash(who, "preferences "+what, map[string]any{"switch": value})
}

// TestTheme: who chooses a theme sees their own pictures in it, and nobody else does.
func TestTheme(t *testing.T) {
	t.Parallel()
	contrast, err := render.New(render.Options{Theme: render.Contrast})
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, func(s *stage) { s.themes = map[string]discord.Painter{string(render.Contrast): contrast} })
	board := s.begin("nine", nil)
	own := func(who *sandbox.Actor) []byte { return s.press(who, board.ID, "View").Attachments[0].Data }
	usual, others := own(s.white), own(s.black)
	s.expectPrivate(s.slash(s.white, "preferences theme", map[string]any{"theme": "contrast"}), "high contrast")
	s.expectPrivate(s.slash(s.white, "preferences show", nil), "Theme of your own pictures: **high contrast**")
	if chosen := own(s.white); bytes.Equal(chosen, usual) {
		t.Error("the theme changes nothing")
	}
	if other := own(s.black); !bytes.Equal(other, others) {
		t.Error("another member's pictures have changed")
	}
	s.expectPrivate(s.slash(s.white, "preferences theme", map[string]any{"theme": "wood"}), "as everybody's")
	if back := own(s.white); !bytes.Equal(back, usual) {
		t.Error("the usual theme does not come back")
	}
	if got := s.choice(s.white); got.Theme != "" {
		t.Errorf("kept: %+v, want no choice", got)
	}
}

// TestPreferences: each can be switched off and on, says what that means to its owner alone, and is shown.
func TestPreferences(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	off := func(name string) bool {
		return strings.Contains(s.slash(s.white, "preferences show", nil).Content, name+": **off**")
	}
	for what, name := range map[string]string{
		"notices": "Notices of your turns", "warnings": "Warnings when little time is left",
		"challenges": "Challenges from others in this server", "words": "Positions in words",
		"confirm": "Asking before each turn", "dots": "The board with dots when you choose a piece to move",
	} {
		first, second := "off", "on"
		if off(name) {
			first, second = second, first
		}
		one := s.prefer(s.white, what, first)
		s.expectPrivate(one, "")
		if off(name) != (first == "off") {
			t.Errorf("%s is not shown as %s", what, first)
		}
		two := s.prefer(s.white, what, second)
		if off(name) != (second == "off") || one.Content == two.Content {
			t.Errorf("%s is not shown as %s; said were %q and %q", what, second, one.Content, two.Content)
		}
	}
	s.expectPrivate(s.slash(s.white, "preferences language", nil), "English")
	s.expectPrivate(s.slash(s.white, "preferences show", nil), "English")
	got := s.choice(s.white)
	if got.Quiet || got.Unwarned || got.Words || got.Confirm || got.Dots || len(got.Closed) > 0 {
		t.Errorf("after all was switched back there is %+v, want no choice", got)
	}
}

// TestWarningsAlone: a warning's own button switches warnings off, and leaves the notices of turns.
func TestWarningsAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", map[string]any{"clock": "1d"}))
	s.act(id, rules.White, "a7")
	s.act(id, rules.Black, "d7")
	s.clock.Advance(time.Minute)
	s.await("Your turn")
	s.clock.Advance(20 * time.Hour)
	warning := s.await("your time ends")
	s.expectPrivate(s.press(s.white, warning.ID, "Time warnings on or off"), "no more time warnings")
	if m := s.choice(s.white); !m.Unwarned || m.Quiet {
		t.Errorf("chosen is %+v, want no warnings, but notices", m)
	}
	s.expectPrivate(s.press(s.white, warning.ID, "Time warnings on or off"), "warned again")
}

// TestNoChallengesHere (O26): who takes no challenges in one server takes them in another, may challenge, and may
// accept what is open to anyone.
func TestNoChallengesHere(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.prefer(s.black, "challenges", "off")
	against := map[string]any{"opponent": s.black.ID()}
	refused := s.slash(s.white, "challenge", against)
	s.expectPrivate(refused, s.nameOf(s.black.ID())+" takes no challenges")
	if mine, err := s.app.Mine(t.Context(), s.black.ID()); err != nil || len(mine) != 0 {
		t.Errorf("a refused challenge is kept: %v %v", mine, err)
	}
	open := s.slash(s.white, "challenge", nil)
	s.press(s.black, open.ID, "Accept")
	own := s.slash(s.black, "challenge", map[string]any{"opponent": s.white.ID()})
	s.press(s.white, own.ID, "Accept")
	s.channel = s.other.Channels[0].ID
	if elsewhere := s.slash(s.white, "challenge", against); elsewhere.Ephemeral {
		t.Errorf("refused in another server: %s", elsewhere.Content)
	}
}

// TestBlock (O26): who is blocked can challenge in no way, learns no more than that no challenges are taken, and the
// same from everything they try; who blocks can take it back.
func TestBlock(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	before := s.slash(s.black, "challenge", nil)
	id := s.game(s.begin("nine", nil))
	s.act(id, rules.Black, "a7")
	s.act(id, rules.White, "d7")
	neutral := s.nameOf(s.black.ID()) + " takes no challenges."
	blocked := s.slash(s.black, "block", map[string]any{"user": s.white.ID()})
	s.expectPrivate(blocked, "no challenges from "+s.nameOf(s.white.ID()))
	s.expectPrivate(s.slash(s.black, "block", nil), s.nameOf(s.white.ID()))

	note := func(what string, m sandbox.Message) {
		t.Helper()
		if m.Content != neutral || !m.Ephemeral {
			t.Errorf("%s: %q (private: %v), want %q", what, m.Content, m.Ephemeral, neutral)
		}
	}
	note("by command", s.slash(s.white, "challenge", map[string]any{"opponent": s.black.ID()}))
	note("an open challenge", s.press(s.white, before.ID, "Accept"))
	help := s.slash(s.white, "help", nil)
	whom := s.press(s.white, help.ID, "Play a friend")
	note("a button's menu", s.choose(s.white, whom.ID, s.black.ID()))
	s.slash(s.white, "draw", map[string]any{"game": id})
	s.slash(s.black, "draw", map[string]any{"game": id})
	note("a rematch", s.press(s.white, s.await("Drawn: agreement").ID, "Rematch"))

	s.expectPrivate(s.slash(s.black, "block", map[string]any{"user": s.white.ID(), "remove": true}), "again")
	s.expectPrivate(s.slash(s.black, "block", map[string]any{"user": s.white.ID(), "remove": true}), "as it is")
	s.expectPrivate(s.slash(s.black, "block", nil), "from everybody")
	if m := s.slash(s.white, "challenge", map[string]any{"opponent": s.black.ID()}); m.Ephemeral {
		t.Errorf("still refused: %s", m.Content)
	}
}

// TestBlockRefusals: what cannot be blocked is refused in words, and nothing is kept of it.
func TestBlockRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, tt := range []struct {
		user, want string
		remove     bool
	}{
		{s.white.ID(), "cannot block yourself", false},
		{s.sb.AppID(), "I challenge nobody", false},
		{"", "whose challenges", true},
	} {
		options := map[string]any{"remove": tt.remove}
		if tt.user != "" {
			options["user"] = tt.user
		}
		s.expectPrivate(s.slash(s.white, "block", options), tt.want)
	}
	if m := s.choice(s.white); len(m.Blocked) != 0 {
		t.Errorf("blocked are %v, want nobody", m.Blocked)
	}
}

// TestLimitsAreNamed: whoever may begin no further game is told which limit there is, and when it ends.
func TestLimitsAreNamed(t *testing.T) {
	t.Parallel()
	for want, limit := range map[string]func(*bot.Limits){
		"2 challenges within a minute":             func(l *bot.Limits) { l.ChallengesAMinute = 2 },
		"2 games are being played in this channel": func(l *bot.Limits) { l.GamesInChannel = 2 },
		"2 games are being played in this server":  func(l *bot.Limits) { l.GamesInServer = 2 },
		"You are in 2 games already":               func(l *bot.Limits) { l.Games = 2 },
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, func(s *stage) { limit(&s.limits) })
			for range 2 {
				s.begin("nine", nil)
			}
			refused := s.slash(s.white, "challenge", map[string]any{"opponent": s.black.ID()})
			s.expectPrivate(refused, want)
			if strings.Contains(want, "minute") {
				s.expect(refused, "<t:")
			}
		})
	}
}

// TestSeriesOnTheBoard: a rematch shows what the two have reached, and goes on showing it when it is over.
func TestSeriesOnTheBoard(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	if strings.Contains(s.board(id).Content, "Series") {
		t.Error("a first game shows a series")
	}
	s.act(id, rules.White, "a7")
	s.act(id, rules.Black, "d7")
	s.press(s.black, s.slash(s.black, "resign", nil).ID, "Confirm")
	naledi, thabo := s.nameOf(s.white.ID()), s.nameOf(s.black.ID())
	id = s.rematch(id)
	s.expect(s.board(id), "Series: "+thabo+" 0 - 1 "+naledi)
	s.choose(s.black, s.board(id).ID, "a7") // they have changed sides
	s.choose(s.white, s.board(id).ID, "d7")
	s.slash(s.white, "draw", nil)
	s.slash(s.black, "draw", nil)
	s.expect(s.board(id), "Series: "+thabo+" ½ - 1½ "+naledi)
	s.expect(s.board(s.rematch(id)), "Series: "+naledi+" 1½ - ½ "+thabo)
}

// rematch begins another game after one that is over, and gives its id.
func (s *stage) rematch(id string) string {
	s.t.Helper()
	s.press(s.white, s.board(id).ID, "Rematch")
	s.press(s.black, s.board(id).ID, "Rematch")
	return s.kept(id).Next
}
