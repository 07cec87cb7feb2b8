package bot

import (
	"context"
	"fmt"

	"kraal/bot/match"
	"kraal/storage"
)

// maxSeries is how many rematches are followed from a game to the last of its series.
const maxSeries = 1000

// rescore adds to the changes the last match of an annulled one's series, with the score that it has without that. The
// boards in between show what the score was then.
func (a *App) rescore(ctx context.Context, annulled storage.Match, changes *storage.Changes) error {
	t, err := match.Look(annulled)
	if err != nil {
		return err
	}
	last, version, err := a.lastOfSeries(ctx, annulled)
	if err != nil || version == 0 {
		return err
	}
	if scored, changed := match.Rescore(t, last); changed {
		changes.Expect = append(changes.Expect, storage.Expect{Key: scored.Key(), Version: version})
		changes.Put = append(changes.Put, scored)
	}
	return nil
}

// lastOfSeries follows the rematches of a match to the last; version 0: it had none, or they are kept no more.
func (a *App) lastOfSeries(ctx context.Context, m storage.Match) (last storage.Match, version storage.Version, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		for next, n := m.Next, 0; next != "" && n < maxSeries; n++ {
			stored, ok, err := a.get(r, storage.MatchKey(next))
			if err != nil {
				return fmt.Errorf("series of match %s: %w", m.ID, err)
			}
			if !ok {
				return nil
			}
			last, version = stored.Record.(storage.Match), stored.Version
			next = last.Next
		}
		return nil
	})
	return last, version, err
}

// tellOthers shows the matches anew that were changed besides that of an outcome.
func (a *App) tellOthers(changes storage.Changes, out match.Outcome) {
	for _, put := range changes.Put {
		m, ok := put.(storage.Match)
		if !ok || m.ID == out.Match.ID || out.New != nil && m.ID == out.New.ID {
			continue
		}
		a.tell(m.ID, nil)
		a.await(match.Outcome{Match: m})
	}
}
