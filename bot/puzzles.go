package bot

import (
	"context"
	"errors"
	"time"

	"kraal/storage"
)

// PuzzleOutcome is what came of an attempt at a puzzle.
type PuzzleOutcome uint8

// The outcomes.
const (
	PuzzleSolved PuzzleOutcome = iota
	PuzzleMissed               // the puzzle may be tried again
	PuzzleShown                // the solution was asked for
)

// PuzzleAttempt is somebody's attempt at a puzzle.
type PuzzleAttempt struct {
	Daily   bool // else it is one of those without end
	Number  int  // the day, or which of those without end
	Outcome PuzzleOutcome
}

// Today is the day that it is now, as Puzzles counts them.
func (a *App) Today() int {
	return int(a.Clock.Now().Unix() / int64(24*time.Hour/time.Second))
}

// NotePuzzle keeps an attempt and returns how the member fares now. Only what is first said of a puzzle counts, and only
// while it is the day's or the member's next: what is said twice, or late, changes nothing.
func (a *App) NotePuzzle(ctx context.Context, member string, attempt PuzzleAttempt) (fares storage.Puzzles, err error) {
	today := a.Today()
	err = a.SetMember(ctx, member, func(m *storage.Member) error {
		before := m.Puzzles
		if attempt.Daily {
			m.Puzzles = daily(before, attempt, today)
		} else {
			m.Puzzles = further(before, attempt)
		}
		fares = m.Puzzles
		if fares == before {
			return errUnchanged
		}
		return nil
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	return fares, err
}

// PuzzleStake is what an attempt that fails would do to its member.
type PuzzleStake struct {
	Counts bool // it would be counted as missed
	Streak int  // days in a row that it would end
}

// PuzzleStake tells what is lost if an attempt that has not been decided ends with the solution being shown.
func (a *App) PuzzleStake(ctx context.Context, member string, attempt PuzzleAttempt) (PuzzleStake, error) {
	kept, err := a.Member(ctx, member)
	if err != nil {
		return PuzzleStake{}, err
	}
	attempt.Outcome = PuzzleShown
	before, today := kept.Puzzles, a.Today()
	if !attempt.Daily {
		return PuzzleStake{Counts: further(before, attempt).Missed > before.Missed}, nil
	}
	if daily(before, attempt, today).Missed == before.Missed {
		return PuzzleStake{}, nil
	}
	return PuzzleStake{Counts: true, Streak: before.StreakOn(today)}, nil
}

// daily notes an attempt at the day's puzzle. A miss ends the streak; solving it afterwards is for the pleasure of it.
func daily(p storage.Puzzles, a PuzzleAttempt, today int) storage.Puzzles {
	if a.Number != today || p.Day >= today {
		return p
	}
	p.Day = today
	if a.Outcome != PuzzleSolved {
		p.Missed++
		p.Streak = 0
		return p
	}
	p.Streak = p.StreakOn(today) + 1
	p.SolvedDay, p.Best = today, max(p.Best, p.Streak)
	p.Solved++
	return p
}

// further notes an attempt at one of the puzzles without end. A miss counts once; the next comes when this one is solved
// or its solution was shown.
func further(p storage.Puzzles, a PuzzleAttempt) storage.Puzzles {
	if a.Number != p.Next {
		return p
	}
	if a.Outcome != PuzzleSolved && !p.Erred {
		p.Missed++
		p.Erred = true
	}
	if a.Outcome == PuzzleMissed {
		return p
	}
	if !p.Erred {
		p.Solved++
	}
	p.Next, p.Erred = p.Next+1, false
	return p
}

// PuzzlePosts lists the servers in which the day's puzzle is to be posted and was not yet.
func (a *App) PuzzlePosts(ctx context.Context) (due []storage.Server, err error) {
	today := a.Today()
	cursor := storage.Cursor("")
	for more := true; more; {
		var page []storage.Server
		page, cursor, more, err = a.serverPage(ctx, cursor)
		if err != nil {
			return due, err
		}
		for _, s := range page {
			if s.Puzzles != "" && s.PuzzleDay < today {
				due = append(due, s)
			}
		}
	}
	return due, nil
}

// serverPageSize is how many servers are read in one View, so that none stays open for long.
const serverPageSize = 200

// serverPage reads the servers behind a cursor; more tells whether there are any behind those. One that cannot be read is
// left out: it must not take the others with it.
func (a *App) serverPage(ctx context.Context, from storage.Cursor) (page []storage.Server, next storage.Cursor, more bool, err error) {
	next = from
	err = a.Store.View(ctx, func(r storage.Reader) error {
		hits, err := r.Range(storage.All(storage.KindServer), from, serverPageSize)
		if err != nil || len(hits) == 0 {
			return err
		}
		next, more = hits[len(hits)-1].Cursor, len(hits) == serverPageSize
		page, err = readHits[storage.Server](a, r, hits)
		return err
	})
	return page, next, more, err
}

// NotePuzzlePost keeps that a day's puzzle was posted in a server's channel; off: that it cannot be, so that no more are
// tried there. A server that has chosen another channel meanwhile is left as it is.
func (a *App) NotePuzzlePost(ctx context.Context, server, channel string, day int, off bool) error {
	return a.SetSettings(ctx, server, func(s *storage.Server) error {
		if s.Puzzles != channel || !off && s.PuzzleDay >= day {
			return errUnchanged
		}
		s.PuzzleDay = max(s.PuzzleDay, day)
		if off {
			s.Puzzles = ""
		}
		return nil
	})
}
