package bot

import (
	"context"
	"time"

	"kraal/storage"
)

// RatedGame is what a member's rating was after a game.
type RatedGame struct {
	Ended  time.Time
	Points float64
}

// CourseGames is how many of the last games the course of a rating is read from.
const CourseGames = 200

// Course is how a member's rating under a variant went, the oldest game first: in a server's pool, or in that of all for
// server "". Games that changed no rating there, and those whose changes were taken back, are not among them.
func (a *App) Course(ctx context.Context, server, member, variant string) (course []RatedGame, err error) {
	pool := storage.GlobalPool
	if server != "" {
		pool = storage.ServerPool(server)
	}
	of := Search{Member: member, Variant: variant, Server: server, Anywhere: server == ""}
	err = a.Store.View(ctx, func(r storage.Reader) error {
		found, _, err := inAll(r, of.indexes(), CourseGames)
		if err != nil {
			return err
		}
		for i := len(found) - 1; i >= 0; i-- {
			m, ok, err := a.readable(r, found[i])
			if err != nil {
				return err
			}
			if !ok || !m.Annulled.IsZero() {
				continue
			}
			for _, c := range m.Changes {
				if c.Pool == pool && c.Member == member {
					course = append(course, RatedGame{m.Ended, c.After})
				}
			}
		}
		return nil
	})
	return course, err
}
