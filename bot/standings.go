package bot

import (
	"context"
	"errors"

	"kraal/bot/match"
	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
)

// Row is one member on a leaderboard.
type Row struct {
	Rank   int // 1 is first; equal ratings share a rank and the next is skipped; 0: provisional, not ranked
	Kept   storage.Rating
	Rating rating.Rating // as it stands now
	Trend  int           // whole points won since the week began; 0 where it has seen no game
	Lacks  int           // of a provisional one: about how many games it needs to be ranked
}

// BoardPage says which page of which leaderboard is asked for, and by whom.
type BoardPage struct {
	Pool, Variant string
	Member        string // who asks
	Page, Rows    int    // from 1 on, and how many rows a page has; a page that there is not is the nearest one
}

// on is which page that is where there are so many rows, and of how many.
func (q BoardPage) on(rows int) (page, pages int) {
	pages = max(1, (rows+q.Rows-1)/q.Rows)
	return min(max(q.Page, 1), pages), pages
}

// Board is a page of a leaderboard: first come those who are ranked, then, below the line, those whose ratings are
// provisional.
type Board struct {
	Rows                []Row
	Page, Pages         int
	Ranked, Provisional int  // how many there are on all pages
	Own                 *Row // of whoever asks; nil: they have no rating here
}

// Leaderboard reads a page of a pool's board under a variant, from stored names alone, and where on it the asker stands.
// What it reads grows with the page, not with the board.
func (a *App) Leaderboard(ctx context.Context, q BoardPage) (board Board, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		ladder, err := readLadder(r, q.Pool, q.Variant)
		if err != nil {
			return err
		}
		board = Board{Ranked: ladder.ranked.All(), Provisional: ladder.below.All()}
		board.Page, board.Pages = q.on(board.Ranked + board.Provisional)
		if board.Rows, err = a.rows(r, ladder, (board.Page-1)*q.Rows, q.Rows); err != nil {
			return err
		}
		board.Own, err = a.own(r, ladder, q.Member)
		return err
	})
	return board, err
}

// ladder is a pool under one variant, with how its ratings spread.
type ladder struct {
	pool, variant string
	ranked, below storage.Counts
}

func readLadder(r storage.Reader, pool, variant string) (l ladder, err error) {
	l = ladder{pool: pool, variant: variant}
	if l.ranked, err = r.Counts(storage.Board(pool, variant)); err != nil {
		return l, err
	}
	l.below, err = r.Counts(storage.Below(pool, variant))
	return l, err
}

// rows reads so many rows behind the first n of the whole: the ranked ones, then the others.
func (a *App) rows(r storage.Reader, l ladder, n, limit int) (rows []Row, err error) {
	for _, part := range []struct {
		index  storage.Index
		counts storage.Counts
	}{{storage.Board(l.pool, l.variant), l.ranked}, {storage.Below(l.pool, l.variant), l.below}} {
		if limit <= 0 {
			break
		}
		hits, err := storage.RangeFrom(r, part.index, part.counts, n, limit)
		if err != nil {
			return rows, err
		}
		kept, err := readHits[storage.Rating](a, r, hits)
		if err != nil {
			return rows, err
		}
		for _, k := range kept {
			rows = append(rows, a.row(l, k))
		}
		n, limit = max(0, n-part.counts.All()), limit-len(hits)
	}
	return rows, nil
}

// own is a member's row, wherever it is.
func (a *App) own(r storage.Reader, l ladder, member string) (*Row, error) {
	stored, err := r.Get(storage.RatingKey(l.pool, l.variant, member))
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	row := a.row(l, stored.Record.(storage.Rating))
	return &row, nil
}

func (a *App) row(l ladder, kept storage.Rating) Row {
	row := Row{Kept: kept, Rating: a.Grown(kept), Trend: a.trend(kept)}
	if kept.Ranked() {
		row.Rank = l.ranked.Above(storage.Whole(kept.Points)) + 1
	} else {
		row.Lacks = max(1, a.Ratings.GamesLacking(row.Rating))
	}
	return row
}

func (a *App) trend(r storage.Rating) int {
	if r.Monday == 0 || r.At.Before(match.WeekOf(a.Clock.Now())) {
		return 0
	}
	return storage.Whole(r.Points) - storage.Whole(r.Monday)
}

// Provisional tells whether a rating with that deviation is not yet trusted.
func (a *App) Provisional(deviation float64) bool {
	return a.Ratings.IsProvisional(rating.Rating{Deviation: deviation})
}

// Standing is a member's rating under one variant, and their place on that board.
type Standing struct {
	Variant rules.Variant
	Row     Row
	Of      int // how many are ranked there
}

// Standings reads what a member has reached in a pool: one for each of the variants that they have played there.
func (a *App) Standings(ctx context.Context, pool, member string, variants []rules.Variant) (all []Standing, err error) {
	err = a.Store.View(ctx, func(r storage.Reader) error {
		for _, v := range variants {
			ladder := ladder{pool: pool, variant: v.Key}
			own, err := a.own(r, ladder, member)
			if err != nil {
				return err
			}
			if own == nil {
				continue
			}
			if ladder, err = readLadder(r, pool, v.Key); err != nil {
				return err
			}
			all = append(all, Standing{Variant: v, Row: a.row(ladder, own.Kept), Of: ladder.ranked.All()})
		}
		return nil
	})
	return all, err
}
