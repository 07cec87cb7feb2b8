package discord_test

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"

	"kraal/bot/discord"
	"kraal/bot/sandbox"
	"kraal/render"
	"kraal/rules"
	"kraal/storage"
)

// pictureOf is the one picture of a message, which has to be a PNG, with its alt text.
func (s *stage) pictureOf(m sandbox.Message) (alt string, ground color.Color) {
	s.t.Helper()
	if len(m.Attachments) != 1 {
		s.t.Fatalf("%d files beside:\n%s", len(m.Attachments), m.Content)
	}
	im, err := png.Decode(bytes.NewReader(m.Attachments[0].Data))
	s.must(err)
	return m.Attachments[0].Description, color.NRGBAModel.Convert(im.At(4, 4))
}

// villagers are people with ratings in the server, the stage's first among them as the one before the last.
func villagers(people int) func(*stage) {
	return withRatings(func(s *stage) (all []storage.Rating) {
		pool := storage.ServerPool(s.server.ID)
		for i := range people {
			who := storage.Person{ID: fmt.Sprintf("1000000000000010%02d", i), Name: fmt.Sprintf("Villager %02d", i)}
			r := s.ranked(pool, who, float64(1900-i))
			r.Monday += float64(i - 1)
			all = append(all, r)
		}
		return append(all, s.ranked(pool, storage.Person{ID: s.people[0].ID, Name: s.people[0].Name}, 1901.5-float64(people)))
	})
}

// TestCardOfABoard: a page of a board comes with a card, whose description says what it shows; turning the page replaces
// it, and one's own row is told of wherever it stands.
func TestCardOfABoard(t *testing.T) {
	t.Parallel()
	s := newStage(t, villagers(14))
	m := s.standings(s.white, nil)
	alt, _ := s.pictureOf(m)
	for _, part := range []string{
		"in this server · page 1 of 2", "1. Villager 00 1900 up 1, 5–0–0;", "2. Villager 01 1899, 5–0–0;",
		"3. Villager 02 1898 down 1, 5–0–0;", "You: 13. Naledi 1888, 5–0–0.",
	} {
		if !strings.Contains(alt, part) {
			t.Errorf("%q is not in %q", part, alt)
		}
	}
	if strings.Contains(alt, "Villager 10") || strings.Contains(alt, "Provisional") {
		t.Errorf("the first page's card tells of others: %q", alt)
	}
	turned, _ := s.pictureOf(s.press(s.white, m.ID, "Next"))
	if !strings.Contains(turned, "11. Villager 10") ||
		!strings.Contains(turned, "Naledi 1888, 5–0–0 (you)") || strings.Contains(turned, "You:") {
		t.Errorf("the next page's card: %q", turned)
	}
}

// TestNamesOnCards (O36): whatever people are called, a card is drawn and its description stays within Discord's bounds,
// with a row for everyone.
func TestNamesOnCards(t *testing.T) {
	t.Parallel()
	odd := []string{
		"_x_ *y* ||z||", "```@everyone", "<@&1>", "\u202eevil", "\u200b\u200b", strings.Repeat("😀", 32), "a\nb",
		strings.Repeat("W", 32), "[a](http://b)", strings.Repeat("e\u0301\u0302", 16),
	}
	s := newStage(t, withRatings(func(s *stage) (all []storage.Rating) {
		for i, name := range odd {
			who := storage.Person{ID: fmt.Sprintf("1000000000000001%02d", i), Name: name}
			r := s.ranked(storage.ServerPool(s.server.ID), who, float64(1900-i))
			r.Wins, r.Draws, r.Losses, r.Monday = 1234, 1234, 1234, 1000
			all = append(all, r)
		}
		return all
	}))
	alt, _ := s.pictureOf(s.standings(s.white, nil))
	if got := strings.Count(alt, "1234–1234–1234"); got != len(odd) || strings.Contains(alt, "\u202e") || strings.Contains(alt, "\n") {
		t.Errorf("%d rows for %d people: %q", got, len(odd), alt)
	}
}

// TestCardsInOwnTheme: a card is drawn in the theme of whoever asks, and in the usual one for others.
func TestCardsInOwnTheme(t *testing.T) {
	t.Parallel()
	paper, err := render.New(render.Options{Theme: render.Paper})
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, villagers(1), func(s *stage) { s.themes = map[string]discord.Painter{string(render.Paper): paper} })
	s.slash(s.white, "preferences theme", map[string]any{"theme": "paper"})
	_, own := s.pictureOf(s.standings(s.white, nil))
	_, usual := s.pictureOf(s.standings(s.black, nil))
	if want := (color.NRGBA{0xe6, 0xdc, 0xc6, 0xff}); own != want || usual == want {
		t.Errorf("on paper the card is %v, else %v; want %v on paper alone", own, usual, want)
	}
}

// noCards draws boards alone.
type noCards struct{ *render.Renderer }

var errNoCards = errors.New("no ink")

func (noCards) Card(io.Writer, render.Card) error       { return errNoCards }
func (noCards) Ratings(io.Writer, render.Ratings) error { return errNoCards }

// TestTextsWithoutPictures: where a picture cannot be drawn the text goes out alone.
func TestTextsWithoutPictures(t *testing.T) {
	t.Parallel()
	plain, err := render.New(render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, func(s *stage) { s.themes = map[string]discord.Painter{string(render.Slate): noCards{plain}} })
	s.win(rules.Black)
	s.win(rules.White)
	s.slash(s.white, "preferences theme", map[string]any{"theme": "slate"})
	for name, m := range map[string]sandbox.Message{
		"board": s.standings(s.white, nil), "profile": s.slash(s.white, "profile", nil),
	} {
		if !strings.Contains(m.Content, "provisional") || len(m.Attachments) != 0 {
			t.Errorf("the %s came with %d pictures and this text:\n%s", name, len(m.Attachments), m.Content)
		}
	}
}

// TestChartOfARating: a profile comes with a chart of the rating in the server, or of all servers where too little was
// played in this one; with fewer than two games there is none, and games that were annulled are not in it.
func TestChartOfARating(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	first := s.game(s.begin("nine", nil))
	s.act(first, rules.Black, "a7")
	s.act(first, rules.White, "d7")
	s.giveUp(s.white, first)
	if m := s.slash(s.white, "profile", nil); len(m.Attachments) != 0 {
		t.Errorf("after one game there is a chart: %q", m.Attachments[0].Description)
	}
	s.win(rules.White)
	s.win(rules.White)
	alt, _ := s.pictureOf(s.slash(s.white, "profile", nil))
	for _, part := range []string{
		"Nine Men's Morris in this server · Naledi, 3 games: from ", "; lowest ", s.clock.Now().UTC().Format("2006-01-02"),
	} {
		if !strings.Contains(alt, part) {
			t.Errorf("%q is not in %q", part, alt)
		}
	}
	if other := s.slash(s.white, "profile", map[string]any{"variant": "koti"}); len(other.Attachments) != 0 {
		t.Errorf("of a variant nobody played there is a chart: %q", other.Attachments[0].Description)
	}
	s.expectPrivate(s.decide("annul", map[string]any{"game": first}), "is annulled")
	if alt, _ := s.pictureOf(s.slash(s.white, "profile", nil)); !strings.Contains(alt, "Naledi, 2 games: from ") {
		t.Errorf("with one of three games annulled: %q", alt)
	}
}
