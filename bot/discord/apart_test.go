package discord_test

import (
	"strings"
	"testing"

	"kraal/rules"
	"kraal/storage"
)

// TestDirectGamesStayThere: what somebody plays with the bot in direct messages is neither meant nor named in a server,
// and asked for by its id, it is in direct messages.
func TestDirectGamesStayThere(t *testing.T) {
	t.Parallel()
	s := direct(t)
	home, direct := s.server.Channels[0].ID, s.channel
	id := s.challengeBot(map[string]any{"opponent": s.sb.AppID(), "colour": "white", "variant": "nine"})
	before := s.theirs(id).Revision
	if got := s.suggestions(s.white, "board", "game", "", nil); len(got) != 1 || got[0] != id {
		t.Fatalf("where it is played, %v are suggested", got)
	}
	s.channel = home
	for _, command := range []string{"board", "place", "move", "shoot", "resign", "draw", "takeback", "hint", "replay"} {
		options := map[string]any{}
		for name, value := range map[string]string{"place": "a7", "shoot": "a7"} {
			if name == command {
				options["point"] = value
			}
		}
		if command == "move" {
			options["from"], options["to"] = "a7", "d7"
		}
		said := s.slash(s.white, command, options)
		if strings.Contains(said.Content, id) || !said.Ephemeral {
			t.Errorf("/%s names it: %q", command, said.Content)
		}
		if got := s.suggestions(s.white, command, "game", "", options); len(got) > 0 {
			t.Errorf("/%s suggests %v", command, got)
		}
		options["game"] = id
		s.expectPrivate(s.slash(s.white, command, options), "https://discord.com/channels/@me/"+direct)
	}
	if m := s.kept(id); m.Revision != before {
		t.Errorf("the game has changed: revision %d after %d", m.Revision, before)
	}
	other := s.game(s.begin("nine", nil))
	s.act(other, rules.Black, "d7")
	s.expectPrivate(s.slash(s.white, "place", map[string]any{"point": "a7"}), "You played `a7`")
	if got := s.suggestions(s.white, "board", "game", "", nil); len(got) != 1 || got[0] != other {
		t.Errorf("%v are suggested, want %s alone", got, other)
	}
	s.expectPrivate(s.slash(s.white, "games", map[string]any{"scope": "mine"}), id)
	s.channel = direct
	s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": id}).ID, "Confirm")
	s.channel = home
	for _, command := range []string{"replay", "analyse"} {
		if got := s.suggestions(s.white, command, "game", id, nil); len(got) > 0 {
			t.Errorf("/%s suggests %v once it is over", command, got)
		}
		s.expectPrivate(s.slash(s.white, command, map[string]any{"game": id}), "@me/"+direct)
	}
}

// TestBoardStaysWhereGamesAre: /board takes no game into a channel that the server does not allow for games, and shows it
// anew where it is even if the server has changed its mind since.
func TestBoardStaysWhereGamesAre(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	home, barred := s.channel, s.anotherChannel()
	id := s.game(s.begin("nine", nil))
	s.set("channels add", map[string]any{"channel": home})
	before := s.board(id)
	s.channel = barred
	refused := s.slash(s.white, "board", nil)
	s.expectPrivate(refused, "<#"+home+">")
	s.expectPrivate(refused, before.ID)
	if m := s.kept(id); m.Channel != home || m.Shown.Message != before.ID {
		t.Errorf("the board has moved: %+v", m.Shown)
	}
	s.expectPrivate(s.slash(s.white, "board", map[string]any{"words": true}), "In hand")
	s.channel = home
	s.set("channels add", map[string]any{"channel": barred})
	s.set("channels remove", map[string]any{"channel": home})
	s.expectPrivate(s.slash(s.white, "board", nil), s.board(id).ID)
	s.act(id, rules.White, "a7")
	s.channel = barred
	s.slash(s.white, "board", nil)
	if m := s.kept(id); m.Channel != barred {
		t.Errorf("it is in %s, want %s", m.Channel, barred)
	}
}

// TestResignTakenBack: the question whether to resign can be answered with no, and a game that is over does not go on.
func TestResignTakenBack(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("nine", nil))
	asked := s.slash(s.white, "resign", nil)
	kept := s.press(s.white, asked.ID, "Cancel")
	s.expectPrivate(kept, "goes on")
	if kept.ID != asked.ID || len(kept.Components) > 0 {
		t.Errorf("the question is still there: %+v", kept)
	}
	if m := s.kept(id); m.State != storage.Playing {
		t.Errorf("the game is %s", m.State)
	}
	asked = s.slash(s.white, "resign", nil)
	s.giveUp(s.black, id)
	if said := s.press(s.white, asked.ID, "Cancel"); strings.Contains(said.Content, "goes on") {
		t.Errorf("a game that is over goes on: %q", said.Content)
	}
}
