package discord

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"strings"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/render"
	"kraal/rules"
	"kraal/storage"
)

// extra is a picture beside a text that says as much without it, drawn for whoever asks. Where it cannot be drawn there
// is none, and the text goes out alone.
func (r *request) extra(ctx context.Context, name, alt string, draw func(Painter, io.Writer) error) []wire.File {
	painter, err := r.ownPainter(ctx)
	var png bytes.Buffer
	if err == nil {
		err = draw(painter, &png)
	}
	if err != nil {
		r.logger().Warn("a picture is left out", "picture", name, "error", err)
		return nil
	}
	return []wire.File{{Name: name, ContentType: "image/png", Description: alt, Data: png.Bytes()}}
}

// boardCard is a page of a board as a picture.
func (r *request) boardCard(ctx context.Context, v rules.Variant, pool string, said args, board bot.Board) []wire.File {
	card := render.Card{
		Title: plainVariantName(v, r.phrases), Note: r.Say("CardNote"+poolWord(pool), said),
		Record: r.Say("CardRecord", nil), Below: r.Say("CardBelow", nil),
	}
	for _, row := range board.Rows {
		drawn := r.cardRow(row)
		drawn.Own = board.Own != nil && row.Kept.Member == board.Own.Kept.Member
		card.Rows = append(card.Rows, drawn)
	}
	if board.Own != nil && !showsOwn(board) {
		own := r.cardRow(*board.Own)
		card.Own = &own
	}
	draw := func(with Painter, w io.Writer) error { return with.Card(w, card) }
	return r.extra(ctx, "kraal-leaderboard.png", r.cardAlt(card), draw)
}

func (r *request) cardRow(row bot.Row) render.CardRow {
	drawn := render.CardRow{
		Name:   plainNameOf(storage.Person{ID: row.Kept.Member, Name: row.Kept.Name}, r.phrases),
		Rating: r.shownRating(row.Rating.Points, row.Rating.Deviation), Trend: row.Trend, Provisional: row.Rank == 0,
		Record: r.Say("CardScore", args{"Wins": row.Kept.Wins, "Draws": row.Kept.Draws, "Losses": row.Kept.Losses}),
	}
	if row.Rank != 0 {
		drawn.Place = strconv.Itoa(row.Rank)
	}
	return drawn
}

// cardAlt says what a card shows, made from the card itself.
func (r *request) cardAlt(card render.Card) string {
	var ranked, below []string
	for _, row := range card.Rows {
		if row.Provisional {
			below = append(below, r.cardRowAlt(row))
		} else {
			ranked = append(ranked, r.cardRowAlt(row))
		}
	}
	lines := []string{r.Say("CardAlt", args{"Title": card.Title, "Note": card.Note})}
	if len(ranked) > 0 {
		lines = append(lines, strings.Join(ranked, "; ")+".")
	}
	if len(below) > 0 {
		lines = append(lines, r.Say("CardAltBelow", args{"List": strings.Join(below, "; ")}))
	}
	if card.Own != nil {
		lines = append(lines, r.Say("CardAltOwn", args{"Row": r.cardRowAlt(*card.Own)}))
	}
	return strings.Join(lines, " ")
}

func (r *request) cardRowAlt(row render.CardRow) string {
	id, trend := "CardAltRow", ""
	if row.Provisional {
		id = "CardAltRowProvisional"
	}
	switch {
	case row.Trend > 0:
		trend = r.Say("CardAltUp", args{"Points": row.Trend})
	case row.Trend < 0:
		trend = r.Say("CardAltDown", args{"Points": -row.Trend})
	}
	said := r.Say(id, args{"Place": row.Place, "Name": row.Name, "Points": row.Rating, "Trend": trend, "Score": row.Record})
	if row.Own {
		return r.Say("CardAltYou", args{"Row": said})
	}
	return said
}
