package discord_test

import (
	"strings"
	"testing"
	"time"

	"kraal/storage"
)

// TestClosedDirectMessages: somebody whose direct messages take nothing any more has a game with the bot there. It ends by
// its clock; what cannot be told is tried once each time and given up, whatever else goes on, and is no error.
func TestClosedDirectMessages(t *testing.T) {
	t.Parallel()
	s := direct(t)
	id := s.challengeBot(map[string]any{"opponent": s.sb.AppID(), "colour": "white", "variant": "nine", "clock": "1d"})
	s.theirs(id)
	s.board(id)
	alone, home := s.channel, s.server.Channels[0].ID
	s.channel = home
	other := s.sb.As(s.server.Members[2])
	challenge := s.slash(other, "challenge", map[string]any{
		"opponent": s.server.Members[1], "clock": "3d", "variant": "nine",
	})
	lasts := s.game(s.press(s.black, challenge.ID, "Accept"))
	for _, server := range []string{s.server.ID, s.other.ID} {
		s.must(s.sb.RemoveMember(server, s.white.ID()))
	}
	before := s.to(alone)
	s.clock.Advance(25 * time.Hour)
	s.settle(func() bool { m := s.kept(id); return m.State == storage.Finished && m.Shown.Trouble != "" })
	s.clock.Advance(3 * 24 * time.Hour)
	s.settle(func() bool { return !s.kept(lasts).Live() })
	if tries := s.to(alone) - before; tries == 0 || tries > 12 {
		t.Errorf("in four days %d requests went to a channel that takes nothing", tries)
	}
	if log := s.log.String(); strings.Contains(log, "level=ERROR") {
		t.Errorf("it is an error: %s", log)
	}
}

// to counts the requests that wrote to a channel.
func (s *stage) to(channel string) (n int) {
	for _, r := range s.sb.Requests() {
		if r.Method != "GET" && strings.Contains(r.Path, "/channels/"+channel+"/messages") {
			n++
		}
	}
	return n
}
