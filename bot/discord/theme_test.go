package discord_test

import (
	"bytes"
	"image/color"
	"image/png"
	"testing"

	"kraal/bot/discord"
	"kraal/bot/sandbox"
	"kraal/render"
)

// TestServerTheme: the boards in a server's channels look as those who keep it chose, those of other servers do not.
func TestServerTheme(t *testing.T) {
	t.Parallel()
	slate, err := render.New(render.Options{Theme: render.Slate})
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, func(s *stage) { s.themes = map[string]discord.Painter{string(render.Slate): slate} })
	wood := func(m sandbox.Message) color.Color { // the panel's, where nothing lies on it
		if len(m.Attachments) == 0 {
			t.Fatalf("no picture comes with %q", m.Content)
		}
		im, err := png.Decode(bytes.NewReader(m.Attachments[0].Data))
		s.must(err)
		return color.NRGBAModel.Convert(im.At(250, 450))
	}
	usual := s.begin("nine", nil)
	s.expectPrivate(s.set("theme", map[string]any{"theme": "slate"}), "slate")
	if got := s.settings().Theme; got != "slate" {
		t.Errorf("kept %q", got)
	}
	s.expectPrivate(s.set("show", nil), "**Theme** of the boards in this server's channels: slate")
	chosen := s.begin("nine", nil)
	if got, was := wood(chosen), wood(usual); got == was {
		t.Errorf("the board is %v, as it was", got)
	}
	if got, want := wood(s.press(s.white, chosen.ID, "View")), wood(chosen); got != want {
		t.Errorf("who chose no theme sees %v, want the server's %v", got, want)
	}
	s.expectPrivate(s.set("theme", map[string]any{"theme": "wood"}), "wood")
	if got := s.settings().Theme; got != "" {
		t.Errorf("kept %q, want the usual one", got)
	}
}
