package discord

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/render"
	"kraal/rules"
	"kraal/storage"
)

// mostFilm is the most bytes that a film has: Discord takes files of 10 MiB together.
const mostFilm = 9 << 20

// replay is /replay: a game as a film, and its record as a file; of the one meant or, when the member has none in play, of
// their last.
func (r *request) replay(ctx context.Context) error {
	m, err := r.find(ctx)
	if errors.Is(err, bot.ErrNoGame) {
		m, err = r.lastGame(ctx)
	}
	if err != nil {
		return err
	}
	t, err := match.Look(m)
	if err != nil {
		return err
	}
	if m.State == storage.Challenged || m.State == storage.Withdrawn {
		return errUnplayed
	}
	film, made, err := r.film(ctx, t)
	if err != nil {
		return err
	}
	said := r.Say("Replay", args{"Game": m.ID, "Count": made.Turns})
	if made.Frames <= made.Turns {
		said += "\n" + r.Say("ReplayFewer", args{"Count": made.Frames})
	}
	text := record(t).String()
	return r.answer.Private(ctx, wire.Message{
		Content: said,
		Files: []wire.File{{
			Name: "kraal-" + m.ID + ".txt", ContentType: "text/plain; charset=utf-8", Data: []byte(text),
			Description: r.Say("ReplayFile", args{"Game": m.ID}),
		}, film},
		Components: row(viewButton(m, r.phrases)),
		Ephemeral:  true,
	})
}

// film draws the game in the theme of whoever asks, from their side. Its description ends with the last moment in words.
func (r *request) film(ctx context.Context, t match.Table) (wire.File, render.Film, error) {
	own, err := r.ownPainter(ctx)
	if err != nil {
		return wire.File{}, render.Film{}, err
	}
	last := r.scene(t)
	side, plays := t.SideOf(r.in.User.ID)
	var gif bytes.Buffer
	made, err := own.GIF(&gif, render.Replay{
		Game: t.Game, Status: last.Status, Seats: last.Seats, ID: last.ID, Turned: plays && side == rules.Black,
		Size: render.FilmSize, Limit: mostFilm,
	})
	if err != nil {
		return wire.File{}, made, fmt.Errorf("draw the game: %w", err)
	}
	return wire.File{
		Name: "kraal-" + t.Match.ID + ".gif", ContentType: "image/gif", Data: gif.Bytes(),
		Description: r.Say("ReplayFilm", args{"Count": made.Turns}) + " " + render.Alt(last, r.Say),
	}, made, nil
}

func (r *request) lastGame(ctx context.Context) (storage.Match, error) {
	last, err := r.app.NamedFinished(ctx, r.asker(), 1)
	if err != nil {
		return storage.Match{}, err
	}
	if len(last) == 0 {
		return storage.Match{}, errNoneFinished
	}
	return last[0], nil
}

// record is a match as the text that other programs read.
func record(t match.Table) rules.Record {
	rec := t.Game.Record()
	rec.White, rec.Black = t.Match.Seats[rules.White].Name, t.Match.Seats[rules.Black].Name
	rec.Date = t.Match.Started
	if t.Match.State == storage.Finished {
		rec.Result, rec.Reason = t.Match.Result, t.Match.Reason
	}
	return rec
}
