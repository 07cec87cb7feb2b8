package discord

import (
	"context"
	"errors"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// replay is /replay: a game's record as a file, of the one meant or, when the member has none in play, of their last.
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
		return match.ErrNotPlaying
	}
	text := record(t).String()
	return r.answer.Private(ctx, wire.Message{
		Content: r.Say("Replay", args{"Game": m.ID, "Count": len(t.Game.Turns())}),
		Files: []wire.File{{
			Name: "kraal-" + m.ID + ".txt", ContentType: "text/plain; charset=utf-8", Data: []byte(text),
			Description: r.Say("ReplayFile", args{"Game": m.ID}),
		}},
		Components: row(viewButton(m, r.phrases)),
		Ephemeral:  true,
	})
}

func (r *request) lastGame(ctx context.Context) (storage.Match, error) {
	last, err := r.app.LastFinished(ctx, r.in.User.ID, 1)
	if err != nil {
		return storage.Match{}, err
	}
	if len(last) == 0 {
		return storage.Match{}, bot.ErrNoGame
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
