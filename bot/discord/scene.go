package discord

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strconv"

	"kraal/bot/discord/wire"
	"kraal/bot/discord/words"
	"kraal/bot/match"
	"kraal/render"
	"kraal/storage"
)

// scene is a match as it is drawn and described. Picture and words are made from the same scene, so they cannot differ.
func (b *Bot) scene(t match.Table) render.Scene {
	s := render.Scene{
		Variant:  t.Match.Variant,
		Position: t.Game.Position(),
		Status:   t.Status(),
		ID:       t.Match.ID,
	}
	clock := t.Reading()
	for side, seat := range t.Match.Seats {
		s.Seats[side] = render.Seat{Name: b.seatName(seat), Rating: b.seatRating(seat)}
		if t.Match.State == storage.Playing && clock.Control.Live() { // later, what ended the game tells more than a time
			s.Seats[side].Clock = span(clock.Left[side])
		}
		if seat.Level > 0 {
			s.Seats[side].Name = plainSeatName(seat, b.words.In())
		}
	}
	if last, ok := t.LastTurn(); ok {
		s.Last, s.LastBy = last.Turn, last.Side
	}
	return s
}

// seatName is who sits there, where markdown does not count; "" for somebody without a visible name.
func (b *Bot) seatName(s storage.Seat) string {
	if s.Left() {
		return plainNameOf(s.Person, b.words.In())
	}
	return words.Plain(s.Name)
}

// seatRating is the rating that a player came with, a question mark behind it while it is provisional.
func (b *Bot) seatRating(s storage.Seat) string {
	if s.Deviation == 0 {
		return ""
	}
	return b.shownRating(s.Points, s.Deviation)
}

func (b *Bot) shownRating(points, deviation float64) string {
	mark := ""
	if b.app.Provisional(deviation) {
		mark = "?"
	}
	return strconv.Itoa(storage.Whole(points)) + mark
}

// ownPicture is a picture that whoever asks alone sees, as they chose to have it.
func (r *request) ownPicture(ctx context.Context, s render.Scene) (wire.File, error) {
	own, err := r.ownPainter(ctx)
	if err != nil {
		return wire.File{}, err
	}
	return paint(own, s, r.phrases)
}

func paint(with Painter, s render.Scene, say phrases) (wire.File, error) {
	var png bytes.Buffer
	if err := with.PNG(&png, s); err != nil {
		return wire.File{}, fmt.Errorf("draw the board: %w", err)
	}
	return wire.File{
		Name: pictureName(s), ContentType: "image/png", Description: render.Alt(s, say.Say), Data: png.Bytes(),
	}, nil
}

// pictureName is a name that tells pictures of one game apart when people save them.
func pictureName(s render.Scene) string {
	if s.ID == "" {
		return cmp.Or(s.Variant.Base, s.Variant.Key) + ".png" // a key that a server made may hold any letter
	}
	return "kraal-" + s.ID + ".png"
}
