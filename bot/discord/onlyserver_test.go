package discord_test

import "testing"

// A bot that is tried out gives its commands to one server alone, and they work there.
func TestOneServerGetsTheCommands(t *testing.T) {
	s := newStage(t, func(s *stage) { s.only = s.server.ID })
	ctx, done := s.patience()
	defer done()
	reply, err := s.white.Slash(ctx, s.channel, "games", nil)
	s.must(err)
	if reply.Failed || reply.Message.Content == "" {
		t.Errorf("/games there is answered with %+v", reply)
	}
	if all := s.sb.Commands(); len(all) != 0 {
		t.Errorf("all of Discord has %d commands, want none", len(all))
	}
	if _, err := s.white.Slash(ctx, s.other.Channels[0].ID, "games", nil); err == nil {
		t.Error("another server has the commands too")
	}
}
