package bot

import (
	"errors"
	"log/slog"
	"time"

	"kraal/bot/match"
	"kraal/storage"
)

// What failed is tried again: soon at first, for people wait for it, and then after twice the time each time, up to a
// bound.
const (
	retryStore  = time.Minute // while the store fails, or Discord: once it answers, everything goes on
	retryBroken = time.Hour   // where it is the game itself: one whose record cannot be replayed fails for ever
	retryThink  = 10 * time.Second
)

// retryIn is how long to wait after a failure that followed so many others, when it is tried first after that time.
func retryIn(first time.Duration, before int, err error) time.Duration {
	most := retryStore
	if isBroken(err) {
		most = retryBroken
	}
	return min(first<<min(before, 10), most)
}

// failureLevel is how a failure is logged that followed so many others: it is an error once, and then the same for ever.
// A broken connection is told of where it breaks.
func failureLevel(before int, err error) slog.Level {
	if before > 0 && isBroken(err) || errors.Is(err, ErrCut) {
		return slog.LevelDebug
	}
	return slog.LevelError
}

// isBroken tells whether a failure lies in one game, and does not end by itself.
func isBroken(err error) bool {
	unreadable, unplayable := new(storage.RecordError), new(unplayableError)
	return errors.Is(err, match.ErrDamaged) || errors.As(err, &unreadable) || errors.As(err, &unplayable)
}

// unplayableError is a failure of the player's in a game.
type unplayableError struct{ Err error }

func (e *unplayableError) Error() string { return "the engine cannot play on: " + e.Err.Error() }

func (e *unplayableError) Unwrap() error { return e.Err }

// unplayable makes an error of the player's of one that there is.
func unplayable(err error) error {
	if err == nil {
		return nil
	}
	return &unplayableError{err}
}

// thinkLater waits for the time to try again what has failed. Only this game waits: its worker has gone on to the next.
func (a *App) thinkLater(of *thought, id string, err error) {
	before := a.mind.fails(of)
	wait := retryIn(retryThink, before, err)
	a.Log.Log(of.ctx, failureLevel(before, err), "the engine's turn is not made",
		"game", id, "again_in", wait, "error", err)
	select {
	case <-of.ctx.Done():
	case <-a.Clock.After(wait):
	}
	a.mind.again(of)
}
