package discord_test

import (
	"bytes"
	"image/gif"
	"strings"
	"testing"

	"kraal/rules"
)

// TestReplayTooLarge: a film with every turn would be too large for Discord, so it has fewer pictures, and the answer says how
// many; a film that fits says nothing of the kind.
func TestReplayTooLarge(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	for i, point := range []string{"a7", "d7", "a1", "g7", "g1", "d1"} {
		s.act(id, rules.Side(i%2), point)
	}
	const fewer = "too large for Discord with every turn"
	all := s.slash(s.white, "replay", map[string]any{"game": id})
	if strings.Contains(all.Content, fewer) {
		t.Errorf("a film of six turns is too large: %s", all.Content)
	}
	s.painter.mu.Lock()
	s.painter.limit = len(all.Attachments[1].Data) - 1
	s.painter.mu.Unlock()
	m := s.slash(s.white, "replay", map[string]any{"game": id})
	s.expect(m, fewer+": it has 4 pictures")
	film, err := gif.DecodeAll(bytes.NewReader(m.Attachments[1].Data))
	s.must(err)
	if len(film.Image) != 4 || len(m.Attachments[1].Data) >= len(all.Attachments[1].Data) {
		t.Errorf("%d pictures in %d bytes, want 4 in fewer than %d", len(film.Image), len(m.Attachments[1].Data), len(all.Attachments[1].Data))
	}
	record, err := rules.ParseRecord(string(m.Attachments[0].Data))
	s.must(err)
	if played, err := record.Game(); err != nil || len(played.Turns()) != 6 {
		t.Errorf("the record beside it does not have every turn: %v", err)
	}
}
