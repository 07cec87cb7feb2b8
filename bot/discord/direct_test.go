package discord_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// direct is a stage in which white uses direct messages with the bot.
func direct(t *testing.T) *stage {
	t.Helper()
	s := newStage(t)
	s.channel = s.white.Direct()
	return s
}

// TestDirectGame: a whole game with the bot in direct messages, by command and by tap, with everything around it.
func TestDirectGame(t *testing.T) {
	t.Parallel()
	s := direct(t)
	help := s.slash(s.white, "help", nil)
	s.expectPrivate(help, "Mill games")
	ask := s.press(s.white, help.ID, "Play the bot")
	s.expectPrivate(s.choose(s.white, ask.ID, "1"), s.newest().ID)
	id := s.begun()
	if m := s.kept(id); m.Server != "" || m.Channel != s.channel {
		t.Fatalf("server %q, channel %q", m.Server, m.Channel)
	}
	s.theirs(id)
	s.choose(s.white, s.board(id).ID, "b4")
	s.theirs(id)
	s.press(s.white, s.board(id).ID, "Takeback")
	s.theirs(id)
	s.expectPrivate(s.slash(s.white, "board", nil), "https://discord.com/channels/@me/"+s.channel)
	s.expectPrivate(s.slash(s.white, "board", map[string]any{"words": true}), "In hand")
	s.expectPrivate(s.slash(s.white, "games", nil), id)
	chance := rand.New(rand.NewPCG(1, 2))
	for s.theirs(id).State == storage.Playing {
		table, err := match.Look(s.kept(id))
		s.must(err)
		legal := table.Game.Legal()
		name, options := commandFor(legal[chance.IntN(len(legal))], "")
		delete(options, "game") // the only one is meant
		s.slash(s.white, name, options)
	}
	if _, there := s.board(id).Control("Rematch"); !there {
		t.Error("there is no rematch")
	}
	s.expectPrivate(s.slash(s.white, "replay", map[string]any{"game": id}), id)
	s.expectPrivate(s.slash(s.white, "rules", nil), "Aim")
	s.expectPrivate(s.slash(s.white, "profile", nil), "Naledi")
	s.expectPrivate(s.slash(s.white, "history", nil), id)
	s.expectPrivate(s.slash(s.white, "puzzle", nil), "Puzzle")
	s.expectPrivate(s.slash(s.white, "privacy show", nil), "What is kept")
	s.expectPrivate(s.slash(s.white, "preferences notices", map[string]any{"switch": "off"}), "no more turn notices")
	if _, seen := s.black.Message(s.board(id).ID); seen {
		t.Error("somebody else sees the game")
	}
}

// TestDirectChallenge: in direct messages there is nobody but the bot, and who asks for nobody in particular gets it.
func TestDirectChallenge(t *testing.T) {
	t.Parallel()
	s := direct(t)
	s.expectPrivate(s.slash(s.white, "challenge", map[string]any{"opponent": s.server.Members[1]}), "play against me alone")
	id := s.challengeBot(map[string]any{"colour": "black", "variant": "koti", "clock": "1d"})
	m := s.kept(id)
	if side, ok := match.EngineSide(m); !ok || side != rules.White || m.Clock != "1d" || m.Variant.Key != "koti" {
		t.Errorf("seats %+v, clock %s, variant %s", m.Seats, m.Clock, m.Variant.Key)
	}
	s.theirs(id)
	s.slash(s.white, "place", map[string]any{"point": "d7"})
	if m := s.theirs(id); len(m.Deeds) < 2 {
		t.Errorf("%d actions", len(m.Deeds))
	}
	s.expectPrivate(s.press(s.white, s.slash(s.white, "resign", nil).ID, "Confirm"), id)
}

// TestNotInDirectMessages: what needs a server is not offered there.
func TestNotInDirectMessages(t *testing.T) {
	t.Parallel()
	s := direct(t)
	help := s.slash(s.white, "help", nil)
	if _, there := help.Control("Play a friend"); there {
		t.Error("there is no friend to play here")
	}
	if strings.Contains(help.Content, "/leaderboard") {
		t.Error("the help names a command that is not offered here")
	}
	if chosen := s.slash(s.white, "preferences show", nil).Content; strings.Contains(chosen, "in this server") {
		t.Errorf("a choice is shown that can be made in servers only: %q", chosen)
	}
	for _, command := range []string{"watch", "leaderboard", "settings show", "referee log", "protest", "adjourn", "claim"} {
		ctx, done := context.WithCancel(t.Context())
		if _, err := s.white.Slash(ctx, s.channel, command, nil); err == nil {
			t.Errorf("/%s can be used", command)
		}
		done()
	}
}
