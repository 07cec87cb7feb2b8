package bot

import (
	"context"
	"errors"

	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
)

// maxBoard bounds how much of a leaderboard is read.
const maxBoard = 1000

// Row is one member on a leaderboard.
type Row struct {
	Rank   int // 1 is first; equal ratings share a rank and the next is skipped; 0: provisional, not ranked
	Kept   storage.Rating
	Rating rating.Rating // as it stands now
}

// Board is a leaderboard: first those who are ranked, then, below the line, those whose ratings are provisional.
type Board struct {
	Ranked, Provisional []Row
}

// Leaderboard reads a pool's board under a variant, from stored names alone.
func (a *App) Leaderboard(ctx context.Context, pool, variant string) (Board, error) {
	var kept []storage.Rating
	err := a.Store.View(ctx, func(r storage.Reader) error {
		var err error
		kept, err = readAll[storage.Rating](a, r, storage.Board(pool, variant), maxBoard)
		return err
	})
	if err != nil {
		return Board{}, err
	}
	var board Board
	for _, k := range kept {
		row := Row{Kept: k, Rating: a.Grown(k)}
		if a.Ratings.IsProvisional(row.Rating) {
			board.Provisional = append(board.Provisional, row)
			continue
		}
		row.Rank = len(board.Ranked) + 1
		if n := len(board.Ranked); n > 0 && shownEqual(board.Ranked[n-1], row) {
			row.Rank = board.Ranked[n-1].Rank
		}
		board.Ranked = append(board.Ranked, row)
	}
	return board, nil
}

// Provisional tells whether a rating with that deviation is not yet trusted.
func (a *App) Provisional(deviation float64) bool {
	return a.Ratings.IsProvisional(rating.Rating{Deviation: deviation})
}

// shownEqual: ratings are shown in whole points, and who shows the same stands the same.
func shownEqual(a, b Row) bool { return Whole(a.Kept.Points) == Whole(b.Kept.Points) }

// Whole is a number of points as it is shown.
func Whole(points float64) int {
	if points < 0 {
		return -Whole(-points)
	}
	return int(points + 0.5)
}

// Standing is a member's rating under one variant, and their place on that board.
type Standing struct {
	Variant rules.Variant
	Row     Row
	Of      int // how many are ranked there
}

// Profile is what a member has reached in a pool, a row a variant that they have played, and their last games.
type Profile struct {
	Standings []Standing
	Last      []storage.Match // newest first
}

// lastGames is how many finished games a profile looks back on.
const lastGames = 10

// Profile reads what a member has reached in a pool.
func (a *App) Profile(ctx context.Context, pool, member string, variants []rules.Variant) (Profile, error) {
	var p Profile
	for _, v := range variants {
		s, err := a.standing(ctx, pool, member, v)
		if errors.Is(err, storage.ErrNotFound) {
			continue
		}
		if err != nil {
			return p, err
		}
		p.Standings = append(p.Standings, s)
	}
	var err error
	p.Last, err = a.LastFinished(ctx, member, lastGames)
	return p, err
}

func (a *App) standing(ctx context.Context, pool, member string, v rules.Variant) (Standing, error) {
	var kept storage.Rating
	err := a.Store.View(ctx, func(r storage.Reader) error {
		stored, err := r.Get(storage.RatingKey(pool, v.Key, member))
		if err == nil {
			kept = stored.Record.(storage.Rating)
		}
		return err
	})
	if err != nil {
		return Standing{}, err
	}
	board, err := a.Leaderboard(ctx, pool, v.Key)
	s := Standing{Variant: v, Row: Row{Kept: kept, Rating: a.Grown(kept)}, Of: len(board.Ranked)}
	for _, row := range board.Ranked {
		if row.Kept.Member == member {
			s.Row = row
		}
	}
	return s, err
}
