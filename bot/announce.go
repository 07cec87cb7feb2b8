package bot

import (
	"context"
	"errors"
	"time"

	"kraal/storage"
)

// announce tells the channel that the server has chosen how a rated match ended, once. A channel that does not take it is
// let go, and whoever chose it is told. again is when to try once more after a failure that may pass.
func (a *App) announce(ctx context.Context, m storage.Match) (again time.Time, err error) {
	if m.Announced || m.Server == "" || len(m.Changes) == 0 || !m.Annulled.IsZero() {
		return again, nil
	}
	settings, err := a.Settings(ctx, m.Server)
	if err != nil || settings.Announce == "" {
		return again, err
	}
	err = a.announceIn(ctx, m, settings.Announce)
	var trouble *Trouble
	switch {
	case errors.As(err, &trouble):
		a.Log.Warn("announcements are switched off", "server", m.Server, "channel", settings.Announce, "why", trouble.Why)
		if err := a.silence(ctx, m, settings); err != nil {
			return again, err
		}
	case err != nil:
		a.Log.Warn("not announced yet", "game", m.ID, "server", m.Server, "error", err)
		return a.Clock.Now().UTC().Add(sweepLater), nil
	}
	return again, a.note(ctx, m.ID, func(m *storage.Match) { m.Announced = true })
}

func (a *App) announceIn(ctx context.Context, m storage.Match, channel string) error {
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	return guard(func() error { return a.screen.Announce(ctx, m, channel) })
}

// silence switches announcements off, unless another channel was chosen meanwhile, and tells whoever had chosen this one,
// where the match is shown: that is a channel that takes what the bot posts.
func (a *App) silence(ctx context.Context, m storage.Match, was storage.Server) error {
	err := a.SetSettings(ctx, m.Server, func(s *storage.Server) error {
		if s.Announce != was.Announce {
			return errUnchanged
		}
		s.Announce, s.Herald = "", ""
		return nil
	})
	if err != nil || was.Herald == "" {
		return err
	}
	m.Shown.Notice, m.Shown.NoticeIn = "", "" // it takes the place of none
	n := Notice{Kind: NoticeSilence, To: []storage.Person{{ID: was.Herald}}, Channel: was.Announce}
	if _, _, err := a.sendNotice(ctx, m, n); err != nil {
		a.Log.Warn("nobody is told that announcements are off", "server", m.Server, "error", err)
	}
	return nil
}
